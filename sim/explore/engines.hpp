// The two ways of covering runs; explore() chooses by the scenario and turns what they found into verdicts.
#pragma once

#include <string>

#include "sim/explore/explore.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {

// Both leave in `properties` only the violated ones, each with its counterexample.
// The violations that it finds are the shortest. Ends as soon as all of `sought` were found, unless that is
// empty.
Exploration explore_breadth_first(Subject& subject, const Budget& budget, Engine engine, PropertySet sought);
// `known` is what states say; it begins anew with more of it when a client is told more. REQUIRES:
// Arena::is_available(). Its counterexamples are the first ones found, not short ones.
Exploration explore_depth_first(const Scenario& scenario, const Card& card, const Budget& budget,
                                unsigned threads, Knowledge& known);
Exploration explore_randomly(Subject& subject, const Budget& budget);

// Whether a fault that strikes servers had no chance to. That depends on the store alone, so in larger spaces
// of the same lock it has none.
bool spares_servers(const Scenario& scenario, const Reach& reach);
// What nothing broke: as it is, if runs came to where something could have; hollow where none did.
PropertyResult judged_by_reach(PropertyResult unbroken, const Scenario& scenario,
                               const Exploration& exploration);
// Why an exhaustive exploration is not complete.
std::string why_unknown(const Exploration& exploration);

}  // namespace holdfast
