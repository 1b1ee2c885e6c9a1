// The value of a lock that keeps its own expiry: milliseconds since the epoch by a wall clock, in decimal.
#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

#include "sim/core/clock.hpp"

namespace holdfast::algorithms {

using WallMilliseconds = std::chrono::time_point<WallTime::clock, std::chrono::milliseconds>;

inline WallMilliseconds wall_now(Clock& clock) {
  return std::chrono::floor<std::chrono::milliseconds>(clock.wall());
}

// A finer ttl is rounded down.
inline WallMilliseconds expiry_after(Clock& clock, Duration ttl) {
  return wall_now(clock) + std::chrono::milliseconds(to_milliseconds(ttl));
}

inline std::string to_value(WallMilliseconds expiry) {
  return std::to_string(expiry.time_since_epoch().count());
}

// nullopt when the text is not a whole number: another program's key.
inline std::optional<WallMilliseconds> parse_expiry(const std::string& text) {
  std::int64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || parsed != end) return std::nullopt;
  return WallMilliseconds(std::chrono::milliseconds(count));
}

}  // namespace holdfast::algorithms
