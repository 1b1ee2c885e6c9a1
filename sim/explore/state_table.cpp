#include "sim/explore/state_table.hpp"

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

// A digest's slot grows with the digest, so most go further back, and whoever begins with the last finds
// their new slots free, or taken by others that have moved.
void StateTable::grow() {
  const std::uint64_t before = capacity_;
  const std::uint64_t after = capacity_for(size());
  slots_ = static_cast<Digest*>(grow_zeroed(slots_, before * sizeof(Digest), after * sizeof(Digest)));
  capacity_ = after;
  std::vector<Digest> later;
  for (std::uint64_t from = before; from-- > 0;) {
    const Digest digest = slots_[from];
    if (digest == Digest{}) continue;
    slots_[from] = Digest{};
    std::uint64_t to = slot_of(digest, after);
    if (to >= from)
      while (to < after && slots_[to] != Digest{}) ++to;
    if (to < from || to == after) later.push_back(digest);
    else slots_[to] = digest;
  }
  for (const Digest& digest : later) put(digest);
}

}  // namespace holdfast
