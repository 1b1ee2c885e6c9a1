// What the threads of one depth-first search have in common: the states that were seen, branches that
// nobody has begun, and what was found. That is all of the search when every thread has given up its branch:
// so it is saved (checkpoints.hpp).
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "sim/explore/checkpoints.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/run.hpp"
#include "sim/explore/state_table.hpp"

namespace holdfast {

// A branch that nobody has begun: the answers that lead there, and the steps before the one that the last of
// them belongs to. Empty: everything.
struct Branch {
  std::vector<std::uint8_t> picks;
  std::uint32_t steps = 0;
};
// The answers of a run that violates a property.
struct Violation {
  std::vector<std::uint8_t> picks;
  std::uint32_t steps = 0;
};

class SharedSearch {
 public:
  SharedSearch(const Scenario& scenario, const Budget& budget, unsigned threads)
      : seen(threads), scenario_(scenario), budget_(budget), threads_(threads) {
    branches_.push_back(Branch{});
    found_.complete = true;
    if (is_saved()) due_ = budget.seconds() + budget.checkpoints->interval();
  }

  StateTable seen;

  bool is_hungry() const { return hungry_.load(std::memory_order_relaxed) > 0; }
  bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }
  // Every thread is to give up its branch: all of it, as branches that nobody has begun.
  bool is_pausing() const { return pausing_.load(std::memory_order_relaxed); }
  bool is_saved() const { return budget_.checkpoints != nullptr; }
  void give(Branch branch) {
    const std::scoped_lock hold(mutex_);
    branches_.push_back(std::move(branch));
    changed_.notify_one();
  }
  // Waits for a branch; nullopt when all threads wait, or when it is time to stop.
  std::optional<Branch> take() {
    std::unique_lock hold(mutex_);
    ++hungry_;
    if (hungry_ == threads_ && is_pausing()) {
      save();
      pausing_ = false;
      changed_.notify_all();
    }
    if (hungry_ == threads_ && branches_.empty()) is_done_ = true;
    changed_.wait(hold, [this] { return is_done_ || is_stopped() || (!is_pausing() && !branches_.empty()); });
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
  // `transitions`: so many the thread has made since it looked last.
  void look_at_budget(std::uint64_t transitions) {
    const std::scoped_lock hold(budget_mutex_);  // one thread asks at a time
    if (Progress* const progress = budget_.progress) {
      const std::uint64_t states = seen.size();
      progress->transitions += transitions;
      progress->states += states - std::exchange(states_told_, states);
    }
    const Explore& bounds = scenario_.explore;
    if (seen.bytes() > bounds.memory_max) memory_full_ = true;
    if (memory_full_ || seen.size() >= bounds.states_max) bound_reached_ = true;
    if (bound_reached_ || budget_.is_exhausted()) stop();
    else if (is_saved() && budget_.seconds() > due_) pausing_ = true;
  }
  // The first violation of each property is kept.
  void note(Property property, Violation violation) {
    const std::scoped_lock hold(mutex_);
    violations_.try_emplace(property, std::move(violation));
  }
  // What a thread has found since it said so last.
  void add(Exploration part);
  // What all have found, and of which property which violation. REQUIRES: no thread searches any more.
  Exploration found() const;
  const std::map<Property, Violation>& violations() const { return violations_; }

  // Goes on from where a search of this scenario was saved: with what its states say. False when none was.
  // Before the threads begin. Throws BadCheckpoint.
  bool restore(Knowledge& known);
  // REQUIRES: no thread has a branch.
  void save();
  // What comes after the state of this digest, as a thread found it: false when others told otherwise.
  bool agrees(const Digest& state, const Digest& future) {
    const std::scoped_lock hold(mutex_);
    return futures_.try_emplace(state, future).first->second == future;
  }
  bool is_known(const Digest& state) {
    const std::scoped_lock hold(mutex_);
    return futures_.contains(state);
  }

 private:
  const Scenario& scenario_;
  const Budget& budget_;
  const unsigned threads_;
  std::mutex mutex_;
  std::mutex budget_mutex_;
  std::condition_variable changed_;
  std::vector<Branch> branches_;
  std::atomic<unsigned> hungry_ = 0;
  std::atomic<bool> stopped_ = false;
  bool is_done_ = false;
  std::atomic<bool> pausing_ = false;
  double due_ = 0;              // when it is time to save
  bool bound_reached_ = false;  // of states, or of memory: it does not go on
  bool memory_full_ = false;
  std::uint64_t states_before_ = 0;  // of a search that was at its end when it was saved
  std::uint64_t bytes_before_ = 0;
  Exploration found_;
  std::map<Property, Violation> violations_;
  Knowledge known_;
  std::map<Digest, Digest> futures_;
  Knowledge learnt_;
  std::uint64_t states_told_ = 0;  // to those who watch
};

}  // namespace holdfast
