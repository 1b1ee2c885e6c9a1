// Numbers as Redis reads and writes them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "sim/core/time_text.hpp"

namespace holdfast::redis {

// Nobody knows which number it is if it is a time.
inline std::nullopt_t no_number(std::string_view text) {
  if (has_mark(text)) time_oracle->obstruct("a server takes a time for a number");
  return std::nullopt;
}

// Accepts exactly what to_string() writes: no space, no plus, no leading zero, no "-0" (Redis' string2ll).
inline std::optional<std::int64_t> to_integer(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || (digits.front() == '0' && text.size() > 1)) return std::nullopt;
  std::int64_t number = 0;
  // So few cannot overflow: the short way, which nearly every number goes.
  constexpr std::size_t few = 18;
  if (digits.size() <= few) {
    for (const char digit : digits) {
      if (digit < '0' || digit > '9') return no_number(text);
      number = number * 10 + (digit - '0');
    }
    return digits.size() < text.size() ? -number : number;
  }
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return no_number(text);
  return number;
}

// … or a time that nobody knows, in milliseconds.
inline std::optional<MilliTicks> to_milliticks(std::string_view text) {
  if (has_mark(text)) return milliticks_in(text);
  const std::optional<std::int64_t> number = to_integer(text);
  return number ? std::optional<MilliTicks>(*number) : std::nullopt;
}

// Scores of sorted sets are floating-point numbers in Redis; IEEE 754 makes them the same on every machine.
std::optional<double> to_score(std::string_view text);
// "3", "0.10000000000000001", "inf": as a reply shows it.
std::string score_text(double score);
// What a bound of a range says, without its "("; reads up to the first NUL, and nothing as 0.
std::optional<double> to_bound(std::string_view text);
// A number of seconds, which may have decimals, in whole milliseconds, rounded up; negative when there are
// too many. nullopt: not such a number.
std::optional<std::int64_t> seconds_to_milliseconds(std::string_view text);

}  // namespace holdfast::redis
