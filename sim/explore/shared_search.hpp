// What the threads of one depth-first search have in common: the visited set, open branches, and what was
// found. That is all of the search when every thread has given up its branch: so it is saved
// (checkpoints.hpp).
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/explore/branch_stack.hpp"
#include "sim/explore/checkpoints.hpp"
#include "sim/explore/exchange.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/packing.hpp"
#include "sim/explore/run.hpp"
#include "sim/explore/state_table.hpp"

namespace holdfast {

// The answers of a run that violates a property.
struct Violation {
  std::vector<std::uint8_t> picks;
  std::uint32_t steps = 0;
};

class SharedSearch {
 public:
  // All must outlive it. It begins with everything, or, on a rank that does not lead, with nothing.
  SharedSearch(const Scenario& scenario, const Budget& budget, unsigned threads)
      : seen(threads), scenario_(scenario), budget_(budget), threads_(threads) {
    if (budget.ranks == nullptr || budget.ranks->rank() == 0) branches_.push(Branch{});
    found_.complete = true;
    if (is_saved()) due_ = budget.seconds() + budget.checkpoints->interval();
  }

  StateTable seen;

  bool is_hungry() const { return hungry_.load(std::memory_order_relaxed) > 0; }
  bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }
  // Every thread is to give up its branch: all of it, as open branches.
  bool is_pausing() const { return pausing_.load(std::memory_order_relaxed); }
  const Scenario& scenario() const { return scenario_; }
  bool is_saved() const { return budget_.checkpoints != nullptr; }
  // Null: there is one process.
  Exchange* exchange() const { return exchange_; }
  void join(Exchange& exchange) { exchange_ = &exchange; }
  void give(Branch branch) {
    const std::scoped_lock hold(mutex_);
    branches_.push(std::move(branch));
    changed_.notify_one();
  }
  void give(std::vector<Branch>& branches) {
    const std::scoped_lock hold(mutex_);
    for (Branch& branch : branches) branches_.push(std::move(branch));
    branches.clear();
    changed_.notify_all();
  }
  void give(BranchStack branches) {
    const std::scoped_lock hold(mutex_);
    branches_.push(std::move(branches));
    changed_.notify_all();
  }
  // A branch, if there is one.
  std::optional<Branch> take_at_once() {
    const std::scoped_lock hold(mutex_);
    if (is_done_ || is_stopped() || is_pausing() || branches_.empty()) return std::nullopt;
    return branches_.pop();
  }
  // Waits for a branch; nullopt when all threads wait, or when it is time to stop.
  std::optional<Branch> take() {
    std::unique_lock hold(mutex_);
    ++hungry_;
    const auto may_go_on = [this] {
      return is_done_ || is_stopped() || (!is_pausing() && !branches_.empty());
    };
    while (exchange_ != nullptr && !may_go_on()) {
      hold.unlock();
      exchange_->tend_idle();
      hold.lock();
    }
    if (exchange_ == nullptr && hungry_ == threads_ && is_pausing()) {
      save(is_at_end());
      pausing_ = false;
      changed_.notify_all();
    }
    if (exchange_ == nullptr && hungry_ == threads_ && branches_.empty()) is_done_ = true;
    changed_.wait(hold, may_go_on);
    if (is_done_ || is_stopped()) {
      changed_.notify_all();
      return std::nullopt;
    }
    --hungry_;
    return branches_.pop();
  }
  void stop() {
    const std::scoped_lock hold(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  // A thread was interrupted within a step: what it was about to explore is not kept.
  void abandon() {
    is_abandoned_ = true;
    stop();
  }
  bool is_abandoned() const { return is_abandoned_; }
  // A client was told what the states do not say: they must, from the beginning.
  void learn(const Knowledge& told) {
    const std::scoped_lock hold(mutex_);
    learnt_.insert(told);
    stopped_ = true;
    changed_.notify_all();
  }
  Knowledge learnt() const { return learnt_; }
  // A run did what is not simulated: the search ends.
  void leave_model(std::string what) {
    const std::scoped_lock hold(mutex_);
    beyond_model_ = std::move(what);
    stopped_ = true;
    changed_.notify_all();
  }
  const std::string& beyond_model() const { return beyond_model_; }
  // The space is far too large: as if the bound were reached.
  void give_up() {
    const std::scoped_lock hold(budget_mutex_);
    bound_reached_ = gave_up_ = true;
    stop();
  }
  // `transitions`: so many the thread has made since it looked last. `bytes`: that it needs beside the table.
  void look_at_budget(std::uint64_t transitions, std::size_t bytes) {
    const std::scoped_lock hold(budget_mutex_);  // one thread asks at a time
    if (Progress* const progress = budget_.progress) {
      const std::uint64_t states = seen.size();
      progress->transitions += transitions;
      progress->states += states - std::exchange(states_told_, states);
    }
    const Explore& bounds = scenario_.explore;
    if (seen.bytes() + threads_ * bytes > bounds.memory_max) memory_full_ = true;
    if (memory_full_ || seen.size() + states_elsewhere_ >= bounds.states_max) bound_reached_ = true;
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
  void save_at_end() { save(is_at_end()); }
  // No branch is left, or a bound was reached. REQUIRES: no thread has a branch.
  bool is_at_end() const { return branches_.empty() || bound_reached_; }
  bool has_reached_bound() const {
    const std::scoped_lock hold(budget_mutex_);
    return bound_reached_;
  }

  // --- of one of several ranks ---

  struct Rest {
    bool is_idle;    // no thread has a branch, and there is none
    bool is_paused;  // no thread has a branch, and none will begin one
  };
  Rest rest() {
    const std::scoped_lock hold(mutex_);
    const bool is_at_rest = hungry_ == threads_;
    return {is_at_rest && branches_.empty(), is_at_rest && (is_pausing() || is_stopped())};
  }
  void pause() { pausing_ = true; }
  void go_on() { pausing_ = false; }
  // All ranks are idle.
  void finish() {
    const std::scoped_lock hold(mutex_);
    if (!is_stopped()) is_done_ = true;
  }
  // So many states were found by others.
  void note_elsewhere(std::uint64_t states) { states_elsewhere_ = states; }
  // A run ends in this state, which is new.
  void note_end(const Digest& digest) {
    const std::scoped_lock hold(mutex_);
    found_.ends = sum(found_.ends, digest);
  }
  // What is saved by all ranks with one number belongs together. REQUIRES: nothing is on its way between
  // them.
  void save_part(std::uint32_t generation) {
    generation_ = generation;
    save(false);
  }
  std::uint32_t generation() const { return generation_; }
  bool is_resumed() const { return is_resumed_; }
  // What rank 0 says of the search, to others.
  void set_out(const Knowledge& known, std::uint32_t generation) {
    known_ = known;
    generation_ = generation;
  }
  // What a rank has found, for rank 0 to add.
  void pack_result(std::string& text) const;
  void add_result(Unpacking& from);
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
  void save(bool is_at_end);
  // Which of the files that ranks save; empty: that of rank 0, or of one process.
  std::string part() const;

  const Scenario& scenario_;
  const Budget& budget_;
  const unsigned threads_;
  std::mutex mutex_;
  mutable std::mutex budget_mutex_;
  std::condition_variable changed_;
  BranchStack branches_;
  std::atomic<unsigned> hungry_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> is_abandoned_ = false;
  bool is_done_ = false;
  std::atomic<bool> pausing_ = false;
  double due_ = 0;              // when it is time to save
  bool bound_reached_ = false;  // of states, or of memory: it does not go on
  bool memory_full_ = false;
  bool gave_up_ = false;
  Exchange* exchange_ = nullptr;
  bool is_resumed_ = false;       // it goes on from where it was saved
  std::uint32_t generation_ = 0;  // of what was saved last; 0: nothing, or by one process
  std::atomic<std::uint64_t> states_elsewhere_ = 0;
  std::uint64_t bytes_elsewhere_ = 0;
  unsigned results_ = 0;             // of other ranks, that were added
  std::uint64_t states_before_ = 0;  // of a search that was at its end when it was saved
  std::uint64_t bytes_before_ = 0;
  Exploration found_;
  std::map<Property, Violation> violations_;
  Knowledge known_;
  std::map<Digest, Digest> futures_;
  Knowledge learnt_;
  std::string beyond_model_;
  std::uint64_t states_told_ = 0;  // to the display of progress
};

}  // namespace holdfast
