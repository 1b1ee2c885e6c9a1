// Finds out how much of a fault a lock can take.
#pragma once

#include <optional>

#include "sim/check/envelope.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast {

// The sizes of `fault` that make sense in a scenario: lengths are multiples of `step` up to `most`, numbers
// go up to `most_often`. REQUIRES: `fault` is not none, and `step` divides every time of the scenario.
Scale scale_of(const Scenario& scenario, Fault fault, Duration step, Duration most, std::uint32_t most_often);

// `calm` with the fault at this position of its scale. Time passes in steps of the scale, if it has any.
Scenario at_size(const Scenario& calm, const Scale& scale, std::uint32_t position);

// A larger size allows every schedule of a smaller one, so the edge of each property is found by halving, and
// both sizes beside it are explored. REQUIRES: `calm` is exhaustive and has no
// rule for this fault.
Envelope envelope_of(const Job& calm, const Scale& scale, unsigned threads, const Budget& budget);

// Explores every pair of sizes.
EnvelopeMap envelope_of(const Job& calm, const Scale& across, const Scale& down, unsigned threads,
                        const Budget& budget, const OnDone& on_done);

}  // namespace holdfast
