// The value of a lock that keeps its own expiry: milliseconds since the epoch by a wall clock, in decimal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/core/clock.hpp"
#include "sim/core/time_text.hpp"

namespace holdfast::algorithms {

// Rounded down to whole milliseconds.
inline WallTime wall_now(Clock& clock) {
  return WallTime(whole_milliseconds(clock.wall().time_since_epoch()));
}

// A finer ttl is rounded down.
inline WallTime expiry_after(Clock& clock, Duration ttl) { return wall_now(clock) + whole_milliseconds(ttl); }

inline std::string to_value(WallTime expiry) {
  return text_of(to_milliticks(expiry.time_since_epoch().count()));
}

// nullopt when the text is not a whole number, or of more milliseconds than any clock shows: another
// program's key.
inline std::optional<WallTime> parse_expiry(std::string_view text) {
  const std::optional<MilliTicks> count = milliticks_in(text);
  constexpr std::int64_t of_any_clock = 4'000'000'000'000;
  if (!count || (!count->is_unknown() && (*count > of_any_clock || *count < -of_any_clock)))
    return std::nullopt;
  return WallTime(Duration(to_ticks(*count)));
}

// A time in whole milliseconds as `write` writes it; where nobody knows when that was, a mark stands for it.
template <class Time, class Write>
std::string written(Time time, const Write& write) {
  if (!is_time_dense()) return write(time);
  const Ticks since = time.time_since_epoch().count();
  const MilliTicks whole = to_milliticks(since);
  if (to_ticks(whole).bits() != since.bits()) time_oracle->obstruct("a text has a part of a millisecond");
  const std::string text = text_of(whole);
  return has_mark(text) ? text : write(Time(Duration(to_ticks(milliticks_in(text).value()))));
}
// … and as `read` reads it.
template <class Time, class Read>
Time time_in(std::string_view text, const Read& read) {
  return has_mark(text) ? Time(Duration(to_ticks(milliticks_in(text).value()))) : read(text);
}

}  // namespace holdfast::algorithms
