// The two ways of covering runs; explore() chooses by the scenario and turns what they found into verdicts.
#pragma once

#include "sim/explore/explore.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {

// Both leave in `properties` only the violated ones, each with its counterexample.
Exploration explore_exhaustively(Subject& subject, const Budget& budget, Engine engine);
Exploration explore_randomly(Subject& subject, const Budget& budget);

void merge(Reach& reach, const Sightings& sightings);

}  // namespace holdfast
