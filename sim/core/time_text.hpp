// Times in texts. Where time is dense, no text can say when something was: a mark in it stands for a time.
//
// Equal texts are equal times: who writes one asks for its spelling, which is that of every equal time. So
// a server, a script or a lock that compares texts compares times.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/core/ticks.hpp"

namespace holdfast {

// What a mark in a text stands for.
struct TimeMark {
  std::int64_t bits;   // of a TicksOf<unit>
  int unit;            // in microseconds
  std::size_t at = 0;  // where it begins
  // "\2", a letter for the unit, sixteen letters, "\3": no digit, and nothing that looks like a token.
  static constexpr std::size_t size = 19;
};

namespace detail {

inline constexpr char mark_begin = '\2', mark_end = '\3';
inline constexpr char mark_of_milliseconds = 'm', mark_of_microseconds = 'u';

}  // namespace detail

// Returns the end. REQUIRES: there is room for TimeMark::size.
template <int unit>
char* write_mark(char* to, TicksOf<unit> time) {
  *to++ = detail::mark_begin;
  *to++ = unit == 1 ? detail::mark_of_microseconds : detail::mark_of_milliseconds;
  const auto bits = static_cast<std::uint64_t>(time.bits());
  for (int shift = 60; shift >= 0; shift -= 4) *to++ = static_cast<char>('a' + (bits >> shift & 15));
  *to++ = detail::mark_end;
  return to;
}

// The first one from this place on; none where time is not dense.
inline std::optional<TimeMark> find_mark(std::string_view text, std::size_t from = 0) {
  if (!is_time_dense()) return std::nullopt;
  for (std::size_t at = text.find(detail::mark_begin, from); at != text.npos;
       at = text.find(detail::mark_begin, at + 1)) {
    const std::string_view mark = text.substr(at, TimeMark::size);
    if (mark.size() < TimeMark::size || mark.back() != detail::mark_end) continue;
    if (mark[1] != detail::mark_of_milliseconds && mark[1] != detail::mark_of_microseconds) continue;
    const std::string_view letters = mark.substr(2, 16);
    if (!std::all_of(letters.begin(), letters.end(),
                     [](char each) { return each >= 'a' && each < 'a' + 16; }))
      continue;
    std::uint64_t bits = 0;
    for (const char each : letters) bits = bits << 4 | static_cast<std::uint64_t>(each - 'a');
    return TimeMark{static_cast<std::int64_t>(bits), mark[1] == detail::mark_of_microseconds ? 1 : 1000, at};
  }
  return std::nullopt;
}
inline bool has_mark(std::string_view text) { return find_mark(text).has_value(); }

// A whole number of milliseconds, as a lock writes it.
inline std::string text_of(MilliTicks milliseconds) {
  if (is_time_dense()) milliseconds = MilliTicks::of_bits(time_oracle->spelling(milliseconds.bits(), 1000));
  if (!milliseconds.is_unknown()) return std::to_string(milliseconds.bits());
  std::array<char, TimeMark::size> text;
  return std::string(text.data(), write_mark(text.data(), milliseconds));
}

// … and reads it. nullopt: the text is no whole number.
inline std::optional<MilliTicks> milliticks_in(std::string_view text) {
  if (const std::optional<TimeMark> mark = find_mark(text)) {
    if (text.size() != TimeMark::size || mark->unit != 1000)
      time_oracle->obstruct("a text with a time in it is read");
    return MilliTicks::of_bits(mark->bits);
  }
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return MilliTicks(number);
}

}  // namespace holdfast
