// How large a fault is of which a scenario does not say it.
#pragma once

#include "sim/core/params.hpp"
#include "sim/core/units.hpp"
#include "sim/world/lock_facts.hpp"

namespace holdfast {

// Where a rule gives no magnitude: twice the lease, so that whatever waits for the lease to end has time to
// come.
inline Duration default_magnitude(const Params& params, const LockFacts& facts) {
  const Duration asked_for = params.has("ttl") ? params.duration("ttl") : Duration::zero();
  const Duration lease = facts.lease.value_or(asked_for);
  return lease > Duration::zero() ? 2 * lease : 8s;
}

}  // namespace holdfast
