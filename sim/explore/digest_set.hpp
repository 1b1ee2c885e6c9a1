// A set of digests: open addressing, 16 bytes a slot, at most half full.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/trace/digest.hpp"

namespace holdfast {

class DigestSet {
 public:
  // False when it was there already.
  bool insert(Digest digest) {
    if (digest == Digest{}) digest.low = 1;  // all zero marks a free slot
    const std::size_t slot = find(digest);
    if (slots_[slot] == digest) return false;
    slots_[slot] = digest;
    if (++size_ * 2 > slots_.size()) grow();
    return true;
  }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return slots_.size() * sizeof(Digest); }

 private:
  std::size_t find(const Digest& digest) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = digest.low & mask;
    while (slots_[slot] != Digest{} && slots_[slot] != digest) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    std::vector<Digest> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Digest& digest : old)
      if (digest != Digest{}) slots_[find(digest)] = digest;
  }
  std::vector<Digest> slots_ = std::vector<Digest>(1 << 10);
  std::size_t size_ = 0;
};

}  // namespace holdfast
