// The sequence diagram of a run, for a terminal.
#pragma once

#include <optional>
#include <vector>

#include "reports/terminal.hpp"
#include "sim/check/result.hpp"

namespace holdfast::reports {

// Draws the events that matter: messages, faults, changes of belief and of the owner in the store.
// `violating` is marked. False, and nothing drawn, when the lanes do not fit into the width.
bool draw_sequence(const Counterexample& example, std::optional<Step> violating, Page& page);

// Bars over the same steps: the clients that believe that they hold the lock, the owner in the store, and
// where beliefs clash.
void draw_bars(const Counterexample& example, std::size_t servers, Page& page);

}  // namespace holdfast::reports
