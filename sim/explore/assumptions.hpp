// Finds the smallest sets of faults that break a lock, and the largest that do not.
#pragma once

#include <vector>

#include "sim/check/assumptions.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast {

// Sets of at most `together` of `faults`. Faults may strike and need not, so a property that breaks under a
// set breaks under every larger one: these are not explored for that property. REQUIRES: `calm` is exhaustive
// and has no faults.
Assumptions assumptions_of(const Job& calm, const std::vector<Fault>& faults, std::uint32_t together,
                           unsigned threads, const Budget& budget, const OnDone& on_done);

}  // namespace holdfast
