// Live clients that are processes of their own: they are stopped, go on and die by signals.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/live/workload.hpp"

namespace holdfast::live {

// As perform(), but each client is a process with connections of its own, and `trace` hears of everything
// when all have ended. The fault `pause` is SIGSTOP, and SIGCONT when its time is over; a crash is SIGKILL
// and a new process. Both strike the holder, if there is one. REQUIRES: no other thread of this process
// executes anything, for it is forked.
RunFacts perform_in_processes(const std::vector<Node>& nodes, const Workload& workload,
                              const std::function<std::unique_ptr<Lock>()>& make, Trace& trace,
                              const std::function<bool()>& should_stop);

}  // namespace holdfast::live
