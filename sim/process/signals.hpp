// Signals that a guest sends to itself.
#pragma once

#include "sim/process/identity.hpp"
#include "sim/process/process.hpp"
#include "sim/process/tree.hpp"

namespace holdfast::process {

// Answers kill(), tkill() and tgkill(). Returns the signal that has to end the process, with the call
// unanswered: the kernel spares the first process of a namespace; 0: none.
int answer_signal(const Asked& asked, Identity& identity, const Process& process, const Tree& tree);

}  // namespace holdfast::process
