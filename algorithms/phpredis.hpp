// What the PHP extension phpredis makes of the answer of a server: an exception, or the value false.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "sim/core/lock.hpp"

namespace holdfast::algorithms {

// Errors that begin so are false, as a refusal is; all others are exceptions (phpredis library.c,
// redis_error_throw()).
inline bool is_false_to_phpredis(const Reply& reply) {
  constexpr std::array<std::string_view, 7> silent{"ERR",       "NOSCRIPT",  "NOQUORUM", "NOGOODSLAVE",
                                                   "WRONGTYPE", "BUSYGROUP", "NOGROUP"};
  if (!reply.is_error() || reply.text().starts_with("ERR AUTH")) return false;
  return std::any_of(silent.begin(), silent.end(),
                     [&](std::string_view each) { return reply.text().starts_with(each); });
}

inline bool phpredis_throws(const Reply& reply) {
  return reply.is_lost() || (reply.is_error() && !is_false_to_phpredis(reply));
}

inline std::string phpredis_exception(const Reply& reply) {
  return reply.is_lost() ? "read error on connection" : reply.text();
}

}  // namespace holdfast::algorithms
