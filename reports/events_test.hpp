// Any events whatsoever, for property tests; made through the same table of fields that trace files use.
#pragma once

#include <rapidcheck.h>

#include <vector>

#include "sim/trace/event.hpp"
#include "sim/trace/tape.hpp"

namespace holdfast::reports {

rc::Gen<std::vector<Event>> any_events();
Tape any_tape();

}  // namespace holdfast::reports
