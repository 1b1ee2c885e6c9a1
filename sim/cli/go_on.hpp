// How a user goes on where an exploration has stopped.
#pragma once

#include <string>

#include "reports/report.hpp"
#include "sim/cli/options.hpp"

namespace holdfast::cli {

// What was not explored whole, and the command that explores more of it; empty: nothing was left.
std::string how_to_go_on(const CheckOptions& options, const reports::Matrix& matrix);

}  // namespace holdfast::cli
