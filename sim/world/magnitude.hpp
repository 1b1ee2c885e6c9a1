// The default magnitude of a fault.
#pragma once

#include "sim/core/params.hpp"
#include "sim/core/units.hpp"
#include "sim/world/lock_facts.hpp"

namespace holdfast {

// Where a rule gives no magnitude: twice the lease, so that clients that wait for the end of the lease have
// time to come.
inline Duration default_magnitude(const Params& params, const LockFacts& facts) {
  const Duration asked_for = params.has("ttl") ? params.duration("ttl") : Duration::zero();
  const Duration lease = facts.lease.value_or(asked_for);
  return lease > Duration::zero() ? 2 * lease : 8s;
}

}  // namespace holdfast
