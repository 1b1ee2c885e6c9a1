// What the threads of one depth-first search have in common: the states that were seen, and branches that
// nobody has begun.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

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

class SharedSearch {
 public:
  SharedSearch(const Budget& budget, const Explore& bounds, unsigned threads)
      : seen(threads), budget_(budget), bounds_(bounds), threads_(threads) {
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

}  // namespace holdfast
