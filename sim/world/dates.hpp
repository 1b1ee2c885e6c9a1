// Times of wall and steady clocks, in what clients write and keep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/core/units.hpp"

namespace holdfast {

// What every wall clock shows when a run begins.
inline constexpr WallTime wall_epoch{1'700'000'000s};
// The same of the steady ones, so that a number tells which clock it was read from.
inline constexpr SteadyTime steady_epoch{1'600'000'000s};

// A text with times in it. In `text`, which says all else, they count from the first one.
struct Dated {
  std::string text;
  Instant first;
};

// Since 1970, in seconds, milliseconds or microseconds: the size of the number tells. nullopt: it is years
// away from any run.
std::optional<Instant> date_of(std::int64_t number);
// The same numbers, seconds with a fraction, and "2023-11-14T22:13:20.000Z". nullopt: none is in it.
std::optional<Dated> dates_in(std::string_view text);
// A number of ten digits or more that stands alone: perhaps a time in another form.
bool has_long_number(std::string_view text);

}  // namespace holdfast
