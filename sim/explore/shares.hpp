// What each space of a cell gets of the states that the cell may have.
#pragma once

#include <cstdint>

#include "sim/explore/deepening.hpp"

namespace holdfast {

// How much a result that breaks nothing says.
int weight_of(Verdict verdict, bool is_complete);
// In coarser ticks it was closed: how much larger it is in finer ones is known better than it is foreseen.
bool is_closed_in_coarse_ticks(const DeepCell& cell, Scope scope);
// How many states may be looked at.
std::uint64_t states_for(const DeepCell& cell, const Scope& scope, const Scenario& scenario,
                         const Deepening& how);
// Smaller bounds need nearly as many states, or more; or these do not close without the fault, if that is
// known (`faultless`).
bool is_hopeless(const DeepCell& cell, const Scope& scope, const Scenario& scenario, std::uint64_t states,
                 const DeepCell* faultless, const Deepening& how);

}  // namespace holdfast
