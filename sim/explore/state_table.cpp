#include "sim/explore/state_table.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace holdfast {

void StateTable::meet() {
  std::unique_lock hold(mutex_);
  if (!must_grow_.load(std::memory_order_relaxed)) return;
  const std::uint64_t meeting = meetings_;
  ++resting_;
  changed_.wait(hold, [&] { return meetings_ != meeting || resting_ == present_; });
  if (meetings_ != meeting) return;
  ++meetings_;
  resting_ = 0;
  must_grow_.store(false, std::memory_order_relaxed);
  changed_.notify_all();  // also when there is no memory
  grow();
}

// A digest's slot grows with the digest, so most go further back, and whoever begins with the last finds their
// new slots free, or taken by others that have moved. A few are gathered at a time, without a branch.
void StateTable::grow() {
  const std::uint64_t before = capacity_;
  const std::uint64_t after = capacity_for(size());
  slots_ = static_cast<Digest*>(grow_zeroed(slots_, before * sizeof(Digest), after * sizeof(Digest)));
  capacity_ = after;
  Digest* const slots = slots_;
  std::array<Digest, 64> moving;
  std::vector<Digest> later;
  for (std::uint64_t end = before, begin; end > 0; end = begin) {
    begin = end - std::min<std::uint64_t>(end, moving.size());
    std::size_t count = 0;
    for (std::uint64_t from = begin; from < end; ++from) {
      moving[count] = slots[from];
      count += slots[from].low != 0;
      slots[from] = Digest{};
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t to = slot_of(moving[i], after);
      if (to >= begin)
        while (to < after && slots[to].low != 0) ++to;
      if (to < begin || to == after) later.push_back(moving[i]);
      else slots[to] = moving[i];
    }
  }
  for (const Digest& digest : later) put(digest);
}

}  // namespace holdfast
