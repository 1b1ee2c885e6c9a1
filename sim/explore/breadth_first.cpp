// Every schedule within the bounds, breadth first. A state that was reached before is not expanded again; the
// first violation of a property lies on a shortest run.
//
// Two engines find the same states. `snapshots` keeps the world in an arena and every state that waits to be
// expanded as a copy of it. `replay` executes the answers that lead to a state from the start; it checks the
// other one, and serves where there is no arena.
#include <algorithm>
#include <deque>
#include <memory>

#include "sim/core/invariant.hpp"
#include "sim/explore/counterexample.hpp"
#include "sim/explore/engines.hpp"
#include "sim/explore/stage.hpp"
#include "sim/explore/state_table.hpp"

namespace holdfast {
namespace {

class BreadthFirst {
 public:
  BreadthFirst(Subject& subject, const Budget& budget, Engine engine, PropertySet sought)
      : subject_(subject),
        budget_(budget),
        sought_(sought),
        choices_(BranchChoices::Picks()),
        stage_(subject, choices_, engine) {}

  // A client was told a value that states do not include yet: begin anew with states that include it.
  bool has_learnt() const { return has_learnt_; }

  Exploration run() {
    nodes_.push_back(Node{0, 0, 0, 0});
    waiting_.emplace_back();
    for (std::uint32_t node = 0; node < nodes_.size() && !stopped_; ++node) expand(node);
    if (has_learnt_) return {};
    result_.complete = !stopped_ && !cut_;
    result_.states = seen_.size();
    result_.table_bytes = seen_.bytes();
    for (const Found& found : found_) {
      Counterexample example = counterexample(subject_, found.picks, found.steps, found.property);
      result_.properties.push_back({found.property, Verdict::violated, {}, std::move(example)});
    }
    return std::move(result_);
  }

 private:
  // One in this many steps is executed a second time, from the start and outside of the arena, and compared.
  static constexpr std::uint64_t self_check_every = 512;
  // The budget is asked once in this many steps.
  static constexpr std::uint64_t budget_every = 512;

  using Copy = std::vector<std::byte>;
  struct Node {
    std::uint32_t parent;
    std::uint32_t picks_begin;  // into picks_: the answers of the step that leads here
    std::uint16_t picks_count;
    std::uint16_t depth;  // steps
  };
  struct Found {
    Property property;
    BranchChoices::Picks picks;
    std::uint32_t steps;
  };

  // The answers that lead to `node`, then those of the step beyond that was taken last.
  BranchChoices::Picks picks_beyond(std::uint32_t node) const {
    BranchChoices::Picks picks = picks_to(node);
    picks.insert(picks.end(), choices_.suffix().begin(), choices_.suffix().end());
    return picks;
  }
  BranchChoices::Picks picks_to(std::uint32_t node) const {
    BranchChoices::Picks picks;
    for (; node != 0; node = nodes_[node].parent) {
      const auto begin = picks_.rend() - nodes_[node].picks_begin - nodes_[node].picks_count;
      picks.insert(picks.end(), begin, begin + nodes_[node].picks_count);
    }
    std::reverse(picks.begin(), picks.end());
    return picks;
  }

  void expand(std::uint32_t node) {
    const Copy copy = std::move(waiting_.front());
    waiting_.pop_front();
    copies_bytes_ -= copy.size();
    const std::uint32_t replayed = copy.empty() ? nodes_[node].depth : 0;
    const BranchChoices::Picks prefix = copy.empty() ? picks_to(node) : BranchChoices::Picks();
    choices_.follow(prefix);
    do {
      if (is_out_of_budget()) return;
      choices_.restart();
      if (copy.empty()) stage_.reset();
      else stage_.restore(copy);
      for (std::uint32_t step = 0; step < replayed; ++step) stage_.step();
      stage_.step();
      arrive(node);
    } while (choices_.advance());
  }

  // The run stands one step beyond `node`.
  void arrive(std::uint32_t node) {
    Run& run = stage_.run();
    const std::uint32_t depth = nodes_[node].depth + 1u;
    if (choices_.has_diverged())
      throw Nondeterminism(describe_divergence(subject_, picks_beyond(node), depth));
    result_.reach.insert(run.world.reach());
    note_violations(run.judge.violated(), node, depth);
    const Digest digest = run.digest();
    if (!subject_.known.covers(run.world.told())) {
      subject_.known.insert(run.world.told());
      has_learnt_ = stopped_ = true;
    }
    if (++result_.transitions % self_check_every == 0) check_against_replay(node, depth, digest);
    if (!seen_.insert(digest)) return;
    if (run.world.is_over()) return;
    if (depth >= 65'000u) {
      cut_ = true;
      return;
    }
    nodes_.push_back(Node{node, static_cast<std::uint32_t>(picks_.size()),
                          static_cast<std::uint16_t>(choices_.suffix().size()),
                          static_cast<std::uint16_t>(depth)});
    picks_.insert(picks_.end(), choices_.suffix().begin(), choices_.suffix().end());
    waiting_.emplace_back();
    if (!stage_.has_arena() || copies_bytes_ > Stage::copies_bytes_max) return;
    waiting_.back().assign(stage_.used().begin(), stage_.used().end());
    copies_bytes_ += waiting_.back().size();
  }

  void note_violations(PropertySet violated, std::uint32_t node, std::uint32_t depth) {
    if ((violated.bits() & ~found_set_.bits()) == 0) return;
    for (std::size_t i = 0; i < property_ids.size(); ++i) {
      const auto property = static_cast<Property>(i);
      if (!violated.contains(property) || found_set_.contains(property)) continue;
      found_set_.insert(property);
      found_.push_back(Found{property, picks_beyond(node), depth});
    }
    if (!sought_.empty() && found_set_.contains_all(sought_)) stopped_ = true;
  }

  void check_against_replay(std::uint32_t node, std::uint32_t depth, Digest digest) {
    const BranchChoices::Picks picks = picks_beyond(node);
    BranchChoices choices(picks);
    ++result_.runs;
    Run again(subject_, choices, false);
    for (std::uint32_t step = 0; step < depth; ++step) again.world.step();
    if (again.digest() != digest) throw Nondeterminism(describe_divergence(subject_, picks, depth));
  }

  bool is_out_of_budget() {
    const Explore& bounds = subject_.scenario.explore;
    if (seen_.bytes() > bounds.memory_max) stopped_ = result_.memory_full = true;
    if (seen_.size() >= bounds.states_max) stopped_ = true;
    if (result_.transitions % budget_every != 0) return stopped_;
    // Its states were counted when they were found.
    if (budget_.progress != nullptr) budget_.progress->transitions += budget_every;
    stopped_ = stopped_ || budget_.is_exhausted();
    return stopped_;
  }

  Subject& subject_;
  const Budget& budget_;
  const PropertySet sought_;
  BranchChoices choices_;
  Stage stage_;
  Exploration result_;
  DigestSet seen_;
  std::vector<Node> nodes_;
  std::deque<Copy> waiting_;  // one for each node that is not expanded yet; empty: to be replayed
  std::size_t copies_bytes_ = 0;
  std::vector<std::uint8_t> picks_;
  std::vector<Found> found_;
  PropertySet found_set_;
  bool stopped_ = false;
  bool cut_ = false;
  bool has_learnt_ = false;
};

}  // namespace

Exploration explore_breadth_first(Subject& subject, const Budget& budget, Engine engine, PropertySet sought) {
  for (;;) {
    BreadthFirst search(subject, budget, engine, sought);
    Exploration found = search.run();
    if (!search.has_learnt()) return found;
  }
}

}  // namespace holdfast
