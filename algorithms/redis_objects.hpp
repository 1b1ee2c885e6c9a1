// What both versions of redis-objects' lock share: how Ruby writes and reads a time, and the errors that
// reach the caller.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "algorithms/expiry_value.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::algorithms {

// try_until_timeout sleeps so long between two tries.
inline constexpr Duration redis_objects_sleep = 100ms;

// Seconds as Ruby writes a Float that has at most six decimals: "5.0", "1700000005.25".
inline std::string to_ruby_float(Duration time) {
  std::string text = std::to_string(time.count() / 1'000'000);
  const std::string millionths = std::to_string(1'000'000 + time.count() % 1'000'000).substr(1);
  const std::size_t last = millionths.find_last_not_of('0');
  return text.append(".").append(millionths, 0, last == std::string::npos ? 1 : last + 1);
}

// String#to_f, cut off at microseconds: the number that the text begins with, or 0.
inline Duration from_ruby_float(std::string_view text) {
  std::int64_t seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, seconds);
  constexpr std::int64_t seconds_max = 1'000'000'000'000;
  if (error != std::errc() || seconds < 0 || seconds > seconds_max) return Duration::zero();
  std::int64_t millionths = 0;
  std::int64_t unit = 100'000;
  if (dot != end && *dot == '.')
    for (const char* digit = dot + 1; digit != end && *digit >= '0' && *digit <= '9'; ++digit) {
      millionths += unit * (*digit - '0');
      unit /= 10;
    }
  return Duration(seconds * 1'000'000 + millionths);
}

inline std::string to_ruby_float(WallTime time) {
  return written(time, [](WallTime known) { return to_ruby_float(known.time_since_epoch()); });
}
inline WallTime wall_time_in(const Reply& reply) {
  return time_in<WallTime>(reply.text(),
                           [](std::string_view text) { return WallTime(from_ruby_float(text)); });
}

// LockTimeout. Ruby writes an option that was given as a whole number without decimals.
inline std::string lock_timeout(const std::string& key, Duration timeout) {
  const bool is_whole = timeout % 1s == Duration::zero();
  const std::string seconds = is_whole ? std::to_string(to_seconds(timeout)) : to_ruby_float(timeout);
  return "Timeout on lock " + key + " exceeded " + seconds + " sec";
}

// What redis-rb raises, out of acquire() and out of release() alike. REQUIRES: `reply` is lost or an error.
inline std::string redis_rb_error(const Reply& reply) {
  return reply.is_lost() ? "Connection timed out" : reply.text();
}

}  // namespace holdfast::algorithms
