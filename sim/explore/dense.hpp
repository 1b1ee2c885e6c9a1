// Every schedule within the bounds, at every instant: where time is dense.
#pragma once

#include "sim/explore/explore.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {

// Whether time is dense in runs of this scenario; otherwise it passes in ticks.
inline bool is_dense(const Scenario& scenario) { return scenario.timing.tick == Duration::zero(); }

// Breadth first. What it breaks has no run in ticks yet, so it is unknown; so is everything where a lock or a
// fault does with times what unknown ones cannot do. REQUIRES: Arena::is_available().
Exploration explore_dense(Subject& subject, const Budget& budget);

// All that was asked holds of every schedule.
inline bool is_proved(const Exploration& found) {
  return found.complete && !found.has(Verdict::violated) && !found.has(Verdict::unknown);
}

}  // namespace holdfast
