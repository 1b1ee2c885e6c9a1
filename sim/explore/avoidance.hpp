// From which step on a violation could no longer be avoided.
#pragma once

#include "sim/check/explanation.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {

// The first step of the run along `tape` after which every continuation violates `property`. If there is a
// continuation that avoids it after some step, it also avoids it after every earlier one, so this step
// divides the run in two. REQUIRES: the run violates it within `steps` steps.
//
// A continuation avoids a violation when it ends without one, or comes back to a state that it was in: then
// it can go round for ever. Looks at no more than `states_max` states, and then says so.
NoReturn no_return(Subject& subject, const Tape& tape, std::uint32_t steps, Property property,
                   std::uint64_t states_max, const Budget& budget);

}  // namespace holdfast
