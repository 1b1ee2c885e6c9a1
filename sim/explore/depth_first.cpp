// Every schedule within the bounds, depth first: the fastest way to close a space, because the states on the
// way back are few and lie in the cache. It decides which properties are violated; breadth_first.cpp then
// finds the shortest violations.
#include <sys/mman.h>

#include <algorithm>

#include "sim/choose/path.hpp"
#include "sim/core/invariant.hpp"
#include "sim/explore/counterexample.hpp"
#include "sim/explore/digest_set.hpp"
#include "sim/explore/engines.hpp"
#include "sim/explore/stage.hpp"

namespace holdfast {
namespace {

// One in this many steps is executed a second time, from the start and outside of the arena, and compared.
constexpr std::uint64_t self_check_every = 8192;
// The budget is asked once in this many steps.
constexpr std::uint64_t budget_every = 512;

// Copies of the states on the way, one on top of the other. Address space is reserved; memory is used as it
// is touched.
class CopyStack {
 public:
  CopyStack() {
    void* const block =
        mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    INVARIANT(block != MAP_FAILED, "there is address space for the copies of states");
    begin_ = static_cast<std::byte*>(block);
  }
  ~CopyStack() { munmap(begin_, capacity); }
  CopyStack(const CopyStack&) = delete;

  void push(Stage::Bytes bytes) {
    INVARIANT(used_ + bytes.size() <= capacity, "a run has a bounded number of steps");
    std::memcpy(begin_ + used_, bytes.data(), bytes.size());
    used_ += bytes.size();
  }
  Stage::Bytes top(std::size_t size) const { return {begin_ + used_ - size, size}; }
  void pop(std::size_t size) { used_ -= size; }

 private:
  static constexpr std::size_t capacity = std::size_t{4} << 30;
  std::byte* begin_;
  std::size_t used_ = 0;
};

class DepthFirst {
 public:
  DepthFirst(Subject& subject, const Budget& budget)
      : subject_(subject), budget_(budget), stage_(subject, choices_, Engine::snapshots) {}

  Exploration run() {
    stage_.reset();
    descend();
    while (!levels_.empty() && !is_out_of_budget()) {
      stage_.step();
      choices_.has_diverged() ? throw_divergence() : arrive();
    }
    result_.complete = levels_.empty() && !cut_;
    result_.states = seen_.size();
    result_.table_bytes = seen_.bytes();
    result_.properties = std::move(found_);
    return std::move(result_);
  }

 private:
  struct Level {
    std::uint32_t picks_begin;
    std::uint32_t copy_bytes;
  };

  // The state in which the run stands is new: its children come next.
  void descend() {
    const Stage::Bytes used = stage_.used();
    copies_.push(used);
    result_.snapshot_bytes = std::max<std::uint64_t>(result_.snapshot_bytes, used.size());
    levels_.push_back({choices_.size(), static_cast<std::uint32_t>(used.size())});
    choices_.rewind(choices_.size());
  }
  // The state in which the run stands leads nowhere new: on to the next child of the last level that has one.
  void go_back() {
    while (!choices_.advance(levels_.back().picks_begin)) {
      copies_.pop(levels_.back().copy_bytes);
      levels_.pop_back();
      if (levels_.empty()) return;
    }
    stage_.restore(copies_.top(levels_.back().copy_bytes));
    choices_.rewind(levels_.back().picks_begin);
  }

  void arrive() {
    Run& run = stage_.run();
    const auto depth = static_cast<std::uint32_t>(levels_.size());
    merge(result_.reach, run.world.sightings());
    note_violations(run.judge.violated(), depth);
    const Digest digest = run.digest();
    if (++result_.transitions % self_check_every == 0) check_against_replay(depth, digest);
    if (!seen_.insert(digest)) return go_back();
    result_.depth_max = std::max(result_.depth_max, depth);
    if (run.world.is_over()) return go_back();
    if (depth >= subject_.scenario.explore.steps_max) {
      cut_ = true;
      return go_back();
    }
    descend();
  }

  void note_violations(PropertySet violated, std::uint32_t depth) {
    if ((violated.bits() & ~found_set_.bits()) == 0) return;
    for (std::size_t i = 0; i < property_ids.size(); ++i) {
      const auto property = static_cast<Property>(i);
      if (!violated.contains(property) || found_set_.contains(property)) continue;
      found_set_.insert(property);
      Counterexample path;
      path.steps = depth;
      found_.push_back({property, Verdict::violated, {}, std::move(path)});
    }
  }

  void check_against_replay(std::uint32_t depth, Digest digest) {
    const BranchChoices::Picks picks(choices_.picks().begin(), choices_.picks().end());
    BranchChoices choices(picks);
    ++result_.runs;
    Run again(subject_, choices, false);
    for (std::uint32_t step = 0; step < depth; ++step) again.world.step();
    if (again.digest() != digest) throw_divergence();
  }

  [[noreturn]] void throw_divergence() {
    const BranchChoices::Picks picks(choices_.picks().begin(), choices_.picks().end());
    throw Nondeterminism(describe_divergence(subject_, picks, static_cast<std::uint32_t>(levels_.size())));
  }

  bool is_out_of_budget() {
    if (seen_.size() >= subject_.scenario.explore.states_max) return true;
    return result_.transitions % budget_every == 0 && budget_.is_exhausted();
  }

  Subject& subject_;
  const Budget& budget_;
  PathChoices choices_;
  Stage stage_;
  CopyStack copies_;
  std::vector<Level> levels_;
  Exploration result_;
  DigestSet seen_;
  std::vector<PropertyResult> found_;
  PropertySet found_set_;
  bool cut_ = false;
};

}  // namespace

Exploration explore_depth_first(Subject& subject, const Budget& budget) {
  return DepthFirst(subject, budget).run();
}

}  // namespace holdfast
