// From a violating run to the evidence that is shown: recorded, and made as short and as calm as it gets.
#pragma once

#include <string>

#include "sim/check/result.hpp"
#include "sim/choose/strategies.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {

// Records the shortest run, which these answers give. REQUIRES: it violates `property` within `steps` steps.
Counterexample counterexample(Subject& subject, const BranchChoices::Picks& picks, std::uint32_t steps,
                              Property property);

// The same run as it is, however long. Cheap.
Counterexample raw_counterexample(Subject& subject, const BranchChoices::Picks& picks, std::uint32_t steps,
                                  Property property);

// The same for a tape of names, shrunk: fewer steps, then fewer answers that are not calm, then a shorter
// tape. `runs` counts the executions that it took.
Counterexample shrunk_counterexample(Subject& subject, const Tape& tape, std::uint32_t steps,
                                     Property property, std::uint64_t& runs);

// Executes the same answers twice and tells the first step at which they differ.
std::string describe_divergence(Subject& subject, const BranchChoices::Picks& picks, std::uint32_t steps);

}  // namespace holdfast
