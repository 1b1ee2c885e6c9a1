// Times of wall and steady clocks, in what clients write and keep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/units.hpp"

namespace holdfast {

// What every wall clock shows when a run begins.
inline constexpr WallTime wall_epoch{1'700'000'000s};
// The same of the steady ones, so that a number tells which clock it was read from.
inline constexpr SteadyTime steady_epoch{1'600'000'000s};

// A text with times in it. In `text`, which says all else, they count from the first one, which is in
// `times`; or, where nobody knows how long after that they were, all are.
struct Dated {
  std::string text;
  std::vector<Instant> times;
};

// Since 1970, in seconds, milliseconds or microseconds: the size of the number tells. nullopt: it is years
// away from any run.
std::optional<Instant> date_of(std::int64_t number);
// The same numbers, seconds with a fraction, and "2023-11-14T22:13:20.000Z". nullopt: none is in it.
std::optional<Dated> dates_in(std::string_view text);
// Where time is dense: of the marks in it (core/time_text.hpp).
std::optional<Dated> marks_in(std::string_view text);
// … and of an unknown time: the instants that it counts to and from, in this order. Returns which clock
// showed it, if any.
char dates_of(Ticks unknown, std::vector<Instant>& times);
// A number of ten digits or more that stands alone: perhaps a time in another form.
bool has_long_number(std::string_view text);

}  // namespace holdfast
