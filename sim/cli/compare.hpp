// The exploration behind compare, for other commands that need its results.
#pragma once

#include "reports/report.hpp"
#include "sim/cli/session.hpp"

namespace holdfast::cli {

// Every chosen lock under every chosen fault, with costs, and where its traces are going to be. Throws
// UserError.
reports::Matrix explored_matrix(const Options& options, Session& session);
// Explains the traces in brief, and saves them. Throws UserError.
void save_evidence(const Options& options, reports::Matrix& matrix, Session& session);
// compare --traits. Throws UserError.
int compare_traits(const Options& options);

}  // namespace holdfast::cli
