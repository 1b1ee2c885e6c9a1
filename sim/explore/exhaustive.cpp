// Every schedule within the bounds, breadth first, by replaying tapes from the start. A state that was reached before
// is not expanded again; the first violation of a property lies on a shortest run.
#include "sim/explore/engines.hpp"

#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/explore/counterexample.hpp"
#include "sim/explore/digest_set.hpp"

namespace holdfast {
namespace {

// One in this many steps is executed a second time and compared.
constexpr std::uint64_t self_check_every = 256;
// The budget is asked once in this many runs.
constexpr std::uint64_t budget_every = 512;

class Exhaustive {
 public:
  Exhaustive(Subject& subject, const Budget& budget) : subject_(subject), budget_(budget) {}

  Exploration run() {
    nodes_.push_back(Node{0, 0, 0, 0});
    for (std::uint32_t node = 0; node < nodes_.size() && !stopped_; ++node) expand(node);
    result_.complete = !stopped_ && !cut_;
    result_.states = seen_.size();
    for (const Found& found : found_) {
      Counterexample example = counterexample(subject_, found.picks, found.steps, found.property);
      result_.properties.push_back({found.property, Verdict::violated, {}, std::move(example)});
    }
    return std::move(result_);
  }

 private:
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
    const BranchChoices::Picks prefix = picks_to(node);
    const std::uint32_t depth = nodes_[node].depth + 1u;
    BranchChoices choices(prefix);
    do {
      if (is_out_of_budget()) return;
      const Digest digest = visit(node, prefix, depth, choices);
      if (++result_.transitions % self_check_every == 0) check_determinism(prefix, depth, choices, digest);
    } while (choices.advance());
  }

  Digest visit(std::uint32_t node, const BranchChoices::Picks& prefix, std::uint32_t depth, BranchChoices& choices) {
    choices.restart();
    ++result_.runs;
    Run run(subject_, choices, false);
    for (std::uint32_t step = 0; step < depth; ++step) run.world.step();
    note(run.world.sightings());
    note_violations(run.judge.violated(), prefix, depth, choices);
    const Digest digest = run.digest(digester_);
    if (!seen_.insert(digest) || run.world.is_over()) return digest;
    if (depth >= std::min<std::uint32_t>(subject_.scenario.explore.steps_max, 65'000)) {
      cut_ = true;
      return digest;
    }
    const auto suffix = choices.suffix();
    nodes_.push_back(Node{node, static_cast<std::uint32_t>(picks_.size()), static_cast<std::uint16_t>(suffix.size()),
                          static_cast<std::uint16_t>(depth)});
    picks_.insert(picks_.end(), suffix.begin(), suffix.end());
    result_.depth_max = std::max(result_.depth_max, depth);
    return digest;
  }

  void note_violations(PropertySet violated, const BranchChoices::Picks& prefix, std::uint32_t depth,
                       const BranchChoices& choices) {
    if ((violated.bits() & ~found_set_.bits()) == 0) return;
    for (std::size_t i = 0; i < property_ids.size(); ++i) {
      const auto property = static_cast<Property>(i);
      if (!violated.contains(property) || found_set_.contains(property)) continue;
      found_set_.insert(property);
      BranchChoices::Picks picks = prefix;
      picks.insert(picks.end(), choices.suffix().begin(), choices.suffix().end());
      found_.push_back(Found{property, std::move(picks), depth});
    }
    if (found_set_ == subject_.properties) stopped_ = true;
  }

  void check_determinism(const BranchChoices::Picks& prefix, std::uint32_t depth, BranchChoices& choices, Digest digest) {
    choices.restart();
    ++result_.runs;
    Run run(subject_, choices, false);
    for (std::uint32_t step = 0; step < depth; ++step) run.world.step();
    if (run.digest(digester_) == digest) return;
    BranchChoices::Picks picks = prefix;
    picks.insert(picks.end(), choices.suffix().begin(), choices.suffix().end());
    throw Nondeterminism(describe_divergence(subject_, picks, depth));
  }

  bool is_out_of_budget() {
    if (seen_.size() >= subject_.scenario.explore.states_max) stopped_ = true;
    if (result_.runs % budget_every == 0) stopped_ = stopped_ || (budget_.is_exhausted && budget_.is_exhausted());
    return stopped_;
  }

  void note(const Sightings& sightings) { merge(result_.reach, sightings); }

  Subject& subject_;
  const Budget& budget_;
  Exploration result_;
  DigestSet seen_;
  Digester digester_;
  std::vector<Node> nodes_;
  std::vector<std::uint8_t> picks_;
  std::vector<Found> found_;
  PropertySet found_set_;
  bool stopped_ = false;
  bool cut_ = false;
};

}  // namespace

Exploration explore_exhaustively(Subject& subject, const Budget& budget) { return Exhaustive(subject, budget).run(); }

}  // namespace holdfast
