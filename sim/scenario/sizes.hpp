// How many answers a question may have that an exhaustive run asks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/units.hpp"

namespace holdfast {

// An exhaustive run tries every answer, and has room for so many.
inline constexpr std::int64_t answers_max = 254;
// The sizes by which a clock is set, from `magnitude` down, are this far apart: a tick, or as many as leave
// no more sizes than can be tried.
inline Duration between_sizes(Duration magnitude, Duration tick) {
  const auto ticks = (magnitude + tick - Duration(1)) / tick;
  return std::max<std::int64_t>(1, (ticks + answers_max - 1) / answers_max) * tick;
}

}  // namespace holdfast
