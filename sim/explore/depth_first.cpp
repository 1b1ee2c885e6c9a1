// Every schedule within the bounds, depth first: the fastest way to close a space, because the states on the
// way back are few and lie in the cache. It decides which properties are violated; breadth_first.cpp then
// finds the shortest violations.
//
// Several threads share the table of states. Each walks its own branch in an arena of its own; who runs out
// of work takes over a branch that another has not begun, by its tape. Every state is expanded by whoever
// finds it first, so the counts do not depend on who that was.
#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>

#include "sim/choose/path.hpp"
#include "sim/core/copy_stack.hpp"
#include "sim/explore/counterexample.hpp"
#include "sim/explore/engines.hpp"
#include "sim/explore/parallel.hpp"
#include "sim/explore/stage.hpp"
#include "sim/explore/state_table.hpp"

namespace holdfast {
namespace {

// One in this many steps is executed a second time, from the start and outside of the arena, and compared.
constexpr std::uint64_t self_check_every = 8192;
// Of one in this many states it is remembered what comes next; whoever comes there again compares.
constexpr std::uint64_t audited_every = 128;
// The budget is asked, and work is shared, once in this many steps.
constexpr std::uint64_t look_around_every = 256;

// A branch that nobody has begun: the answers that lead there, and the steps before the one that the last of
// them belongs to. Empty: everything.
struct Branch {
  std::vector<std::uint8_t> picks;
  std::uint32_t steps = 0;
};

// What the threads have in common.
class Shared {
 public:
  Shared(const Budget& budget, const Explore& bounds, unsigned threads)
      : budget_(budget), bounds_(bounds), threads_(threads) {
    branches_.push_back(Branch{});
  }

  StateTable seen;

  bool is_hungry() const { return hungry_.load(std::memory_order_relaxed) > 0; }
  bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }
  void give(Branch branch) {
    const std::scoped_lock hold(mutex_);
    branches_.push_back(std::move(branch));
    changed_.notify_one();
  }
  // Waits for a branch; nullopt when all threads wait, or when it is time to stop.
  std::optional<Branch> take() {
    std::unique_lock hold(mutex_);
    ++hungry_;
    if (hungry_ == threads_ && branches_.empty()) is_done_ = true;
    changed_.wait(hold, [this] { return is_done_ || is_stopped() || !branches_.empty(); });
    if (is_done_ || is_stopped()) {
      changed_.notify_all();
      return std::nullopt;
    }
    --hungry_;
    Branch branch = std::move(branches_.back());
    branches_.pop_back();
    return branch;
  }
  void stop() {
    const std::scoped_lock hold(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  // Somebody was told what the states do not say: they must, from the beginning.
  void learn(const Knowledge& told) {
    const std::scoped_lock hold(mutex_);
    learnt_.insert(told);
    stopped_ = true;
    changed_.notify_all();
  }
  Knowledge learnt() const { return learnt_; }
  void look_at_budget() {
    const std::scoped_lock hold(budget_mutex_);  // one thread asks at a time
    if (seen.bytes() > bounds_.memory_max) memory_full_ = true;
    if (memory_full_ || seen.size() >= bounds_.states_max || budget_.is_exhausted()) stop();
  }
  bool memory_full() const { return memory_full_; }
  // What comes after the state of this digest, told by whoever was there: false when others told otherwise.
  bool agrees(const Digest& state, const Digest& future) {
    const std::scoped_lock hold(mutex_);
    return futures_.try_emplace(state, future).first->second == future;
  }
  bool is_known(const Digest& state) {
    const std::scoped_lock hold(mutex_);
    return futures_.contains(state);
  }

 private:
  const Budget& budget_;
  const Explore& bounds_;
  const unsigned threads_;
  std::mutex mutex_;
  std::mutex budget_mutex_;
  std::condition_variable changed_;
  std::vector<Branch> branches_;
  std::atomic<unsigned> hungry_ = 0;
  std::atomic<bool> stopped_ = false;
  bool is_done_ = false;
  bool memory_full_ = false;
  std::map<Digest, Digest> futures_;
  Knowledge learnt_;
};

class DepthFirst {
 public:
  DepthFirst(Subject& subject, Shared& shared)
      : subject_(subject), shared_(shared), stage_(subject, choices_, Engine::snapshots) {}

  Exploration run() {
    while (const std::optional<Branch> branch = shared_.take()) {
      begin(*branch);
      while (!levels_.empty() && !shared_.is_stopped()) {
        stage_.step();
        if (choices_.has_diverged()) throw_divergence();
        arrive();
      }
    }
    result_.complete = !shared_.is_stopped() && !cut_;
    return std::move(result_);
  }

 private:
  // A state whose children are being explored.
  struct Level {
    std::uint32_t step_begin;   // the first answer of its step
    std::uint32_t picks_begin;  // the first answer of its step that is not fixed
    std::uint32_t copy_bytes;
    bool is_audited;
    Digest state;   // if it is audited …
    Digest future;  // … the sum of its children so far
  };

  void begin(const Branch& branch) {
    stage_.reset();
    copies_.clear();
    choices_.follow(branch.picks);
    for (std::uint32_t step = 0; step < branch.steps; ++step) stage_.step();
    base_depth_ = branch.steps;
    push_level(choices_.position(), choices_.size());
  }
  void push_level(std::uint32_t step_begin, std::uint32_t picks_begin) {
    const Stage::Bytes used = stage_.used();
    copies_.push(used);
    result_.snapshot_bytes = std::max<std::uint64_t>(result_.snapshot_bytes, used.size());
    levels_.push_back({step_begin, picks_begin, static_cast<std::uint32_t>(used.size()), false, {}, {}});
    choices_.rewind(step_begin);
  }
  // The state in which the run stands is new: its children come next.
  void descend(const Digest& digest) {
    push_level(choices_.size(), choices_.size());
    levels_.back().is_audited = is_audited(digest);
    levels_.back().state = digest;
  }
  // The state in which the run stands leads nowhere new: on to the next child of the last level that has one.
  void go_back() {
    while (!choices_.advance(levels_.back().picks_begin)) {
      const Level& level = levels_.back();
      if (level.is_audited && !shared_.agrees(level.state, level.future)) throw_false_hit();
      copies_.pop(level.copy_bytes);
      levels_.pop_back();
      if (levels_.empty()) return;
    }
    stage_.restore(copies_.top(levels_.back().copy_bytes));
    choices_.rewind(levels_.back().step_begin);
  }

  void arrive() {
    Run& run = stage_.run();
    const std::uint32_t depth = this->depth();
    merge(result_.reach, run.world.sightings());
    note_violations(run.judge.violated());
    const Digest digest = run.digest();
    if (!subject_.known.covers(run.world.told())) shared_.learn(run.world.told());
    if (levels_.back().is_audited) levels_.back().future = sum(levels_.back().future, mix(Digest{}, digest));
    if (++result_.transitions % self_check_every == 0) check_against_replay(depth, digest);
    if (result_.transitions % look_around_every == 0) look_around();
    if (!shared_.seen.insert(digest)) {
      if (is_audited(digest) && shared_.is_known(digest)) audit(digest);
      return go_back();
    }
    if (run.world.is_over()) return go_back();
    if (depth >= subject_.scenario.explore.steps_max) {
      cut_ = true;
      return go_back();
    }
    descend(digest);
  }
  std::uint32_t depth() const { return base_depth_ + static_cast<std::uint32_t>(levels_.size()); }
  static bool is_audited(const Digest& digest) { return digest.high % audited_every == 0; }

  // The table says that this state was seen before. If it was, the same comes next.
  void audit(const Digest& digest) {
    if (stage_.run().world.is_over()) return;
    const std::uint32_t begin = choices_.size();
    const Stage::Bytes used = stage_.used();
    copies_.push(used);
    Digest future;
    do {
      stage_.restore(copies_.top(used.size()));
      choices_.rewind(begin);
      stage_.step();
      future = sum(future, mix(Digest{}, stage_.run().digest()));
    } while (choices_.advance(begin));
    copies_.pop(used.size());
    if (!shared_.agrees(digest, future)) throw_false_hit();
  }

  void look_around() {
    shared_.look_at_budget();
    if (!shared_.is_hungry()) return;
    const Level* level = levels_.data();
    Branch branch{choices_.split(level->picks_begin), 0};
    if (branch.picks.empty()) return;
    const auto at = static_cast<std::uint32_t>(branch.picks.size()) - 1;
    const auto after =
        std::find_if(levels_.begin(), levels_.end(), [&](const Level& each) { return each.step_begin > at; });
    branch.steps = base_depth_ + static_cast<std::uint32_t>(after - levels_.begin()) - 1;
    (after - 1)->is_audited = false;  // some of its children are somebody else's now
    shared_.give(std::move(branch));
  }

  void note_violations(PropertySet violated) {
    if (found_set_.contains_all(violated)) return;
    for (std::size_t i = 0; i < property_ids.size(); ++i) {
      const auto property = static_cast<Property>(i);
      if (!violated.contains(property) || found_set_.contains(property)) continue;
      found_set_.insert(property);
      result_.properties.push_back({property, Verdict::violated,
                                    "perhaps not the shortest: the budget ended first",
                                    raw_counterexample(subject_, picks(), depth(), property)});
    }
  }

  BranchChoices::Picks picks() const { return {choices_.picks().begin(), choices_.picks().end()}; }
  void check_against_replay(std::uint32_t depth, Digest digest) {
    const BranchChoices::Picks answers = picks();
    BranchChoices choices(answers);
    Run again(subject_, choices, false);
    for (std::uint32_t step = 0; step < depth; ++step) again.world.step();
    if (again.digest() != digest) throw_divergence();
  }
  [[noreturn]] void throw_divergence() {
    shared_.stop();
    throw Nondeterminism(describe_divergence(subject_, picks(), depth()));
  }
  [[noreturn]] void throw_false_hit() {
    shared_.stop();
    throw Nondeterminism("two states of " + std::string(subject_.card.id) +
                         " that were taken for one have different futures, after " + std::to_string(depth()) +
                         " steps. Does the lock depend on something that it did not name at a loop's head?");
  }

  Subject& subject_;
  Shared& shared_;
  PathChoices choices_;
  Stage stage_;
  CopyStack copies_;
  std::vector<Level> levels_;
  std::uint32_t base_depth_ = 0;
  Exploration result_;
  PropertySet found_set_;
  bool cut_ = false;
};

// `whole` has seen what `part` has seen, too.
void join(Exploration& whole, Exploration part) {
  whole.transitions += part.transitions;
  whole.snapshot_bytes = std::max(whole.snapshot_bytes, part.snapshot_bytes);
  whole.reach.insert(part.reach);
  whole.complete &= part.complete;
  for (PropertyResult& found : part.properties) {
    const bool is_known = std::any_of(whole.properties.begin(), whole.properties.end(),
                                      [&](const auto& each) { return each.property == found.property; });
    if (!is_known) whole.properties.push_back(std::move(found));
  }
}

}  // namespace

Exploration explore_depth_first(const Scenario& scenario, const Card& card, const Budget& budget,
                                unsigned threads, Knowledge& known) {
  for (;;) {
    Shared shared(budget, scenario.explore, threads);
    std::vector<Exploration> parts(threads);
    for_each_index(threads, threads, [&](std::size_t i) {
      Subject subject(scenario, card);
      subject.known = known;
      try {
        parts[i] = DepthFirst(subject, shared).run();
      } catch (...) {
        shared.stop();  // the others must not wait for this thread
        throw;
      }
    });
    if (!known.covers(shared.learnt())) {
      known.insert(shared.learnt());
      continue;
    }
    Exploration whole;
    whole.complete = true;
    for (Exploration& part : parts) join(whole, std::move(part));
    whole.memory_full = shared.memory_full();
    whole.states = shared.seen.size();
    whole.table_bytes = shared.seen.bytes();
    return whole;
  }
}

}  // namespace holdfast
