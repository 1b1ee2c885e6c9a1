// The sequence diagram of a run, for a terminal.
#pragma once

#include <optional>
#include <vector>

#include "reports/terminal.hpp"
#include "sim/trace/event.hpp"

namespace holdfast::reports {

// Draws the events that matter: messages, faults, changes of belief and of whom the store names. `violating`
// is marked. False, and nothing drawn, when the lanes do not fit into the width.
bool draw_sequence(const std::vector<Event>& events, std::optional<Step> violating, Page& page);

// Bars over the same steps: who believes that it holds the lock, whom the store names, and where beliefs
// clash.
void draw_bars(const std::vector<Event>& events, Page& page);

}  // namespace holdfast::reports
