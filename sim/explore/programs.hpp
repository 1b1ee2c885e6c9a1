// What one client of a workload does, line by line.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/workload.hpp"

namespace holdfast {

// Its work lasts from `at_least` to `work`.
std::vector<ProgramStep> program_for(Workload workload, std::uint32_t attempts, Duration work,
                                     Duration at_least, Duration lease);
// So much do clocks of schedulers differ. In an even number of ticks, as all times.
Duration difference_of_clocks(Duration lease, Duration tick);

}  // namespace holdfast
