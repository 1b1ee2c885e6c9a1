// How many answers a question may have that an exhaustive run asks.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "sim/scenario/scenario.hpp"

namespace holdfast {

// A scenario that cannot be explored as it asks for. what() is one line for its author.
class BadScenario : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An exhaustive run tries every answer, and has room for so many.
inline constexpr std::int64_t answers_max = 254;
// The faults whose size is a question of its own when they strike: by how much a clock is set.
inline constexpr FaultSet sized_faults = {Fault::clock_skew, Fault::clock_jump, Fault::server_clock_jump};

// Whether there are too many sizes to try each: any number of ticks up to `magnitude`.
inline bool has_too_many_sizes(const Scenario& scenario, const FaultRule& rule, Duration magnitude) {
  return rule.budget > 0 && sized_faults.contains(rule.kind) && !is_sampling(scenario.explore.strategy) &&
         magnitude > answers_max * scenario.timing.tick;
}

}  // namespace holdfast
