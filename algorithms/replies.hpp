// How the clients of the articles read an unexpected reply.
#pragma once

#include <string>

#include "sim/core/lock.hpp"

namespace holdfast::algorithms {

// What lua-resty-redis returns beside a result that is nil or false. REQUIRES: `reply` is lost or an error.
inline std::string error_of(const Reply& reply) { return reply.is_lost() ? "timeout" : reply.text(); }

inline bool is_failure(const Reply& reply) { return reply.is_lost() || reply.is_error(); }

// What a release by DEL, or by a script that ends in DEL, knows: DEL returns how many keys it removed.
inline Release release_by(const Reply& deleted) {
  if (deleted.is(1)) return Release::released;
  if (deleted.is(0)) return Release::not_held;
  return Release::unknown;
}

// Of a release that raises errors and else returns nothing: its caller goes on as if it had released.
inline Release silent_release_by(const Reply& reply) {
  return is_failure(reply) ? Release::unknown : Release::released;
}

}  // namespace holdfast::algorithms
