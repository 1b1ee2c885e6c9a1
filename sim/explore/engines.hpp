// The two ways of covering runs; explore() chooses by the scenario and turns what they found into verdicts.
#pragma once

#include "sim/explore/explore.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {

// Both leave in `properties` only the violated ones, each with its counterexample.
// Ends as soon as all of `sought` were found violated; those are then the shortest.
Exploration explore_breadth_first(Subject& subject, const Budget& budget, Engine engine, PropertySet sought);
// REQUIRES: Arena::is_available(). It only tells which properties are violated: no counterexamples.
Exploration explore_depth_first(const Scenario& scenario, const Card& card, const Budget& budget,
                                unsigned threads);
Exploration explore_randomly(Subject& subject, const Budget& budget);

void merge(Reach& reach, const Sightings& sightings);

}  // namespace holdfast
