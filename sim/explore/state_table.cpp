#include "sim/explore/state_table.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace holdfast {

// A digest's slot grows with the digest, so digests go further back, into slots that are free already when
// the last ones go first. They go a chunk at a time; threads take chunks from the end.
struct StateTable::Growth {
  static constexpr std::uint64_t chunk = 4096;
  // Only in the first and the last so many slots may two chunks meet.
  static constexpr std::uint64_t margin = 64;

  explicit Growth(StateTable& table)
      : table_(table),
        before_(table.capacity_),
        after_(capacity_for(table.size())),
        cleared_(chunk_of(before_ - 1) + 1) {
    table.slots_ =
        static_cast<Digest*>(grow_zeroed(table.slots_, before_ * sizeof(Digest), after_ * sizeof(Digest)));
    table.capacity_ = after_;
    next_ = cleared_.size();
  }

  // Any number of threads; returns when no chunk is left to begin with.
  void help() {
    std::vector<Digest> moving(chunk);
    std::vector<Digest> astray;
    for (;;) {
      const std::uint64_t left = next_.fetch_sub(1, std::memory_order_relaxed);
      if (static_cast<std::int64_t>(left) <= 0) break;
      move_chunk(left - 1, moving, astray);
    }
    const std::scoped_lock hold(mutex_);
    astray_.insert(astray_.end(), astray.begin(), astray.end());
  }
  // After all have helped.
  void finish() {
    for (const Digest& digest : astray_) table_.put(digest);
  }

 private:
  static std::uint64_t chunk_of(std::uint64_t slot) { return slot / chunk; }
  std::uint64_t moved(std::uint64_t slot) const {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(slot) * after_ / before_);
  }

  void move_chunk(std::uint64_t number, std::vector<Digest>& moving, std::vector<Digest>& astray) {
    const std::uint64_t begin = number * chunk;
    const std::uint64_t end = std::min(before_, begin + chunk);
    std::size_t count = 0;
    for (std::uint64_t from = begin; from < end; ++from) {
      Digest& slot = table_.slots_[from];
      moving[count] = slot;
      count += slot.low != 0;  // without a branch: nobody could foretell it
      slot = Digest{};
    }
    cleared_[number].store(true, std::memory_order_release);
    const std::uint64_t to_begin = moved(begin);
    const std::uint64_t to_end = moved(end);
    wait_for_room(to_begin, to_end);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t to = slot_of(moving[i], after_);
      if (to < to_begin || !put_between(moving[i], to, to_begin, to_end)) astray.push_back(moving[i]);
    }
  }
  // Returns when all that is left between them, and a little beyond, are digests that have moved.
  void wait_for_room(std::uint64_t begin, std::uint64_t end) {
    if (end > before_) {
      const std::uint64_t fresh = std::max(begin, before_);
      touch_zeroed(table_.slots_ + fresh, (end - fresh) * sizeof(Digest));
    }
    const std::uint64_t last = chunk_of(std::min(end + margin, before_ - 1));
    for (std::uint64_t number = chunk_of(begin); number <= last; ++number)
      while (!cleared_[number].load(std::memory_order_acquire)) std::this_thread::yield();
  }
  // False when it would be further than `margin` beyond the end.
  bool put_between(const Digest& digest, std::uint64_t slot, std::uint64_t begin, std::uint64_t end) {
    for (const std::uint64_t limit = std::min(end + margin, after_); slot < limit; ++slot) {
      Digest& place = table_.slots_[slot];
      std::uint64_t there = std::atomic_ref(place.low).load(std::memory_order_relaxed);
      if (there != 0) continue;
      if (begin + margin <= slot && slot < end) {
        place = digest;
        return true;
      }
      if (table_.take(place, there, digest)) return true;
    }
    return false;
  }

  StateTable& table_;
  const std::uint64_t before_;
  const std::uint64_t after_;
  std::atomic<std::uint64_t> next_;
  std::vector<std::atomic<bool>> cleared_;  // by chunk of the smaller table
  std::mutex mutex_;
  std::vector<Digest> astray_;  // those whose slot was not near the others'
};

StateTable::StateTable(unsigned threads)
    : threads_(threads),
      capacity_(capacity_for(48 * std::uint64_t{threads})),
      slots_(static_cast<Digest*>(take_zeroed(capacity_ * sizeof(Digest)))) {}
StateTable::~StateTable() { give_back_zeroed(slots_, capacity_ * sizeof(Digest)); }

void StateTable::meet() {
  std::unique_lock hold(mutex_);
  if (!must_grow_.load(std::memory_order_relaxed)) return;
  const std::uint64_t growths = growths_;
  ++resting_;
  changed_.wait(hold, [&] { return growth_ != nullptr || growths_ != growths || resting_ == present_; });
  if (growths_ != growths) return;
  if (growth_ == nullptr) {
    must_grow_.store(false, std::memory_order_relaxed);
    try {
      growth_ = std::make_unique<Growth>(*this);
    } catch (...) {
      resting_ = 0;
      ++growths_;
      changed_.notify_all();
      throw;
    }
    changed_.notify_all();
  }
  hold.unlock();
  growth_->help();
  hold.lock();
  if (--resting_ > 0) return changed_.wait(hold, [&] { return growths_ != growths; });
  growth_->finish();
  growth_.reset();
  ++growths_;
  changed_.notify_all();
}

}  // namespace holdfast
