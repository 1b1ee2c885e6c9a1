// The resource that the lock guards: a register that clients read and write. It may look at the numbers that
// grants bring along (Grant::fence).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/core/counts.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/trace/digest.hpp"
#include "sim/world/marks.hpp"

namespace holdfast {

class Resource {
 public:
  explicit Resource(Fencing fencing) : fencing_(fencing) {}

  // Whether it accepts this access. Whose number it is, it cannot know: an equal one is accepted.
  bool accept(std::optional<std::uint64_t> fence, ProgramStep::Op access) {
    if (fencing_ == Fencing::none || !fence) return true;
    if (newest_ && is_older(*fence, *newest_)) return false;
    if (access == ProgramStep::Op::write || fencing_ == Fencing::first_read) newest_ = fence;
    return true;
  }
  // fencing: the scenario says it.
  Digest mix_state(Digest history, const Counts& counts) const {
    const auto& [fencing, newest] = *this;
    return newest ? mix(mix(history, Mark::registered), counts.seen(*newest)) : history;
  }
  void note_counts(Counts& counts) const {
    if (newest_) counts.note(*newest_);
  }

 private:
  bool is_older(std::uint64_t one, std::uint64_t other) const {
    return fencing_ == Fencing::as_text ? std::to_string(one) < std::to_string(other) : one < other;
  }

  Fencing fencing_;
  std::optional<std::uint64_t> newest_;
};

}  // namespace holdfast
