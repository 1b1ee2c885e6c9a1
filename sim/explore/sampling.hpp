// How many runs a sample needs.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/core/lock.hpp"
#include "sim/scenario/scenario.hpp"

namespace holdfast {

// The number of the first run, from 1, that violates `property`; nothing if none of the scenario's runs does.
// REQUIRES: the scenario's strategy is one that samples.
std::optional<std::uint64_t> runs_until(const Scenario& scenario, const Card& card, Property property);

}  // namespace holdfast
