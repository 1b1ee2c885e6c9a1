// The states that were seen, by their digests, shared by all threads of one exploration.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

#include "sim/core/zeroed.hpp"
#include "sim/trace/digest.hpp"

namespace holdfast {

// Open addressing, 16 bytes a slot, from 54 % to 75 % of them in use. Nobody waits for anybody else, but
// while the table grows: then all threads that use it meet. It grows in place, so growing takes no second
// table.
class StateTable {
 public:
  // `threads`: how many use it at a time, at most. Throws std::bad_alloc.
  explicit StateTable(unsigned threads);
  ~StateTable();
  StateTable(const StateTable&) = delete;
  StateTable& operator=(const StateTable&) = delete;

  // While threads use it, a little behind.
  std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  // Depends on the size only.
  std::uint64_t bytes() const { return capacity_for(size()) * sizeof(Digest); }

  // What a thread uses it by. The others cannot let it grow until it rests, or is gone.
  class Access {
   public:
    explicit Access(StateTable& table) : table_(table) {
      std::unique_lock hold(table_.mutex_);
      table_.changed_.wait(hold, [this] { return table_.growth_ == nullptr; });
      ++table_.present_;
    }
    ~Access() {
      report();
      const std::scoped_lock hold(table_.mutex_);
      --table_.present_;
      table_.changed_.notify_all();
    }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

    // False when it was there already.
    bool insert(const Digest& digest) {
      if (!table_.put(marked(digest))) return false;
      if (++unreported_ >= table_.batch()) report();
      return true;
    }
    bool contains(const Digest& digest) const { return table_.has(marked(digest)); }
    // A thread that asks for it a little later need not wait for memory.
    void prefetch(const Digest& digest) const {
      __builtin_prefetch(table_.slots_ + slot_of(digest, table_.capacity_));
    }
    // To be called every few insertions. Throws std::bad_alloc.
    void rest() {
      if (table_.must_grow_.load(std::memory_order_relaxed)) table_.meet();
    }
    // The size tells of all its insertions now.
    void report() {
      const std::uint64_t size = table_.size_.fetch_add(unreported_, std::memory_order_relaxed) + unreported_;
      unreported_ = 0;
      if (is_too_many(size, table_.capacity_)) table_.must_grow_.store(true, std::memory_order_relaxed);
    }

   private:
    StateTable& table_;
    std::uint64_t unreported_ = 0;
  };

 private:
  // Zero marks what was not written yet.
  static Digest marked(const Digest& digest) {
    return {digest.low == 0 ? 1 : digest.low, digest.high == 0 ? 1 : digest.high};
  }
  static std::uint64_t slot_of(const Digest& digest, std::uint64_t capacity) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(digest.low) * capacity >> 64);
  }
  static bool is_too_many(std::uint64_t size, std::uint64_t capacity) { return 4 * size > 3 * capacity; }
  static std::uint64_t capacity_for(std::uint64_t size) {
    std::uint64_t capacity = 256;
    while (is_too_many(size, capacity)) capacity += 2 * capacity / 5;
    return capacity;
  }
  // How many a thread inserts before it says so: few enough for all threads together to leave slots free.
  std::uint64_t batch() const { return capacity_ / (std::uint64_t{16} * threads_); }
  std::uint64_t slot_after(std::uint64_t slot) const { return slot + 1 == capacity_ ? 0 : slot + 1; }

  bool put(const Digest& digest) {
    for (std::uint64_t slot = slot_of(digest, capacity_);; slot = slot_after(slot)) {
      const std::atomic_ref low(slots_[slot].low);
      std::uint64_t there = low.load(std::memory_order_acquire);
      if (there == 0 && take(slots_[slot], there, digest)) return true;
      if (there == digest.low && high_of(slots_[slot]) == digest.high) return false;
    }
  }
  bool has(const Digest& digest) const {
    for (std::uint64_t slot = slot_of(digest, capacity_);; slot = slot_after(slot)) {
      const std::uint64_t there = std::atomic_ref(slots_[slot].low).load(std::memory_order_acquire);
      if (there == 0) return false;
      if (there == digest.low && high_of(slots_[slot]) == digest.high) return true;
    }
  }
  // False when another thread has written to this free slot first: then `there` is what it wrote.
  bool take(Digest& slot, std::uint64_t& there, const Digest& digest) {
    if (threads_ == 1) {
      slot = digest;
      return true;
    }
    if (!std::atomic_ref(slot.low).compare_exchange_strong(there, digest.low, std::memory_order_acq_rel))
      return false;
    std::atomic_ref(slot.high).store(digest.high, std::memory_order_release);
    return true;
  }
  // Of a slot whose lower half is written.
  static std::uint64_t high_of(Digest& slot) {
    const std::atomic_ref high(slot.high);
    for (;;) {
      if (const std::uint64_t there = high.load(std::memory_order_acquire); there != 0) return there;
      std::this_thread::yield();
    }
  }

  // Returns when all have met, and the table is larger.
  void meet();

  struct Growth;

  const unsigned threads_;
  std::uint64_t capacity_;
  Digest* slots_;
  std::atomic<bool> must_grow_ = false;
  alignas(64) std::atomic<std::uint64_t> size_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned present_ = 0;
  unsigned resting_ = 0;
  std::uint64_t growths_ = 0;
  std::unique_ptr<Growth> growth_;  // while it grows
};

}  // namespace holdfast
