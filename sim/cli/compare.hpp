// The exploration behind compare, for other commands that need its results.
#pragma once

#include "reports/report.hpp"
#include "sim/cli/session.hpp"

namespace holdfast::cli {

// Every chosen lock under every chosen fault, with costs. Saves the traces. Throws UserError.
reports::Matrix explored_matrix(const Options& options, Session& session);
// compare --traits. Throws UserError.
int compare_traits(const Options& options);

}  // namespace holdfast::cli
