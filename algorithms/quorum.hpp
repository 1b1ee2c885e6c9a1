// What locks on several servers share.
#pragma once

#include <cstddef>

#include "sim/core/lock.hpp"

namespace holdfast::algorithms {

constexpr bool is_majority(std::size_t votes, std::size_t nodes) { return votes > nodes / 2; }

// Redis documentation, "Distributed Locks with Redis": for clocks that run unequally, a hundredth of the TTL.
// Upstream implementations add 2 ms.
constexpr Duration drift_of(Duration ttl) { return ttl / 100 + 2ms; }

// `deleted` servers still had the key, `missing` had it no more; the others did not answer.
constexpr Release release_by_majority(std::size_t deleted, std::size_t missing, std::size_t nodes) {
  if (is_majority(deleted, nodes)) return Release::released;
  if (is_majority(missing, nodes)) return Release::not_held;
  return Release::unknown;
}

}  // namespace holdfast::algorithms
