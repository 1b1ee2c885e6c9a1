// What somebody was told, or something holds, in one digest that does not say when.
#pragma once

#include <cstdint>

#include "sim/core/units.hpp"
#include "sim/trace/digest.hpp"
#include "sim/world/marks.hpp"

namespace holdfast {

// Words and times, in their order. The first time is kept, and the others count from it: histories that
// differ only in when they happened have equal digests.
class History {
 public:
  void add(std::uint64_t word) { digest_ = mix(digest_, word); }
  void add(const Digest& part) { digest_ = mix(digest_, part); }
  void add(Instant time) {
    digest_ = mix(mix(digest_, Mark::time), first_ == never ? 0 : (time - first_).count());
    if (first_ == never) first_ = time;
  }
  // As one word.
  void add(const History& other) {
    add(other.digest_);
    if (other.first_ != never) add(other.first_);
  }
  // In any order.
  void add_to_set(const History& other) {
    digest_ = sum(digest_, other.digest_);
    if (other.first_ != never) add(other.first_);
  }
  bool is_empty() const { return digest_ == Digest{}; }
  // Without its times: of those the digest says how long ago they were.
  Digest at(Instant now) const { return first_ == never ? digest_ : mix(digest_, (now - first_).count()); }

 private:
  Digest digest_;
  Instant first_ = never;
};

}  // namespace holdfast
