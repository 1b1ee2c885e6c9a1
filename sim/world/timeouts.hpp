// Timeouts of a timed run. Nearly all come in the order in which they were scheduled, and are dropped before
// they are due: they form a row, apart from the messages, of which those before and behind are far away.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/core/fetch.hpp"
#include "sim/core/units.hpp"
#include "sim/trace/event.hpp"

namespace holdfast {

class Timeouts {
 public:
  // Of the message in `slot`, and in the order of scheduling the `number`th. False, and nothing is added,
  // when it comes before another.
  bool add(std::uint32_t slot, Instant at, std::uint64_t number) {
    if (newest_ != none && at < row_[newest_].at) return false;
    if (row_.size() <= slot) row_.resize(slot + 1);
    row_[slot] = {at, number, newest_, none};
    (newest_ == none ? oldest_ : row_[newest_].after) = slot;
    newest_ = slot;
    return true;
  }
  bool has(std::uint32_t slot) const { return slot < row_.size() && row_[slot].at != never; }
  // REQUIRES: has(slot).
  void drop(std::uint32_t slot) {
    const auto [at, number, before, after] = row_[slot];
    row_[slot].at = never;
    (before == none ? oldest_ : row_[before].after) = after;
    (after == none ? newest_ : row_[after].before) = before;
  }
  // Brings it near to the processor.
  void fetch(std::uint32_t slot) const {
    if (slot < row_.size()) holdfast::fetch(&row_[slot], sizeof(Timeout));
  }
  // When the next one is due; `never` when there is none.
  Instant next() const { return oldest_ == none ? never : row_[oldest_].at; }
  // REQUIRES: there is a next one.
  std::uint32_t next_slot() const { return oldest_; }
  std::uint64_t next_number() const { return row_[oldest_].number; }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  struct Timeout {
    Instant at = never;  // never: it is not in the row
    std::uint64_t number = 0;
    std::uint32_t before = none;
    std::uint32_t after = none;
  };
  std::vector<Timeout> row_;  // by slot
  std::uint32_t oldest_ = none;
  std::uint32_t newest_ = none;
};

}  // namespace holdfast
