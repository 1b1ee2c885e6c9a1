// The exploration behind compare, for other commands that need its results.
#pragma once

#include "reports/report.hpp"
#include "sim/cli/session.hpp"

namespace holdfast::cli {

// How the matrix of a command is explored.
struct MatrixOptions : GroupsOf<Exploring, Space, Pauses, LockParams, Extent> {
  using GroupsOf::GroupsOf;
  std::optional<reports::Terminal> watched;  // shows rows as they finish
};

// Every one of these locks under every chosen fault, with costs, and where its traces are going to be. Throws
// UserError.
reports::Matrix explored_matrix(const MatrixOptions& options, const std::vector<const Card*>& cards,
                                Session& session);
// Explains the traces in brief, and saves them. Throws UserError.
void save_evidence(const Threads& options, reports::Matrix& matrix, Session& session);
// compare --traits. Throws UserError.
int compare_traits(const CompareOptions& options);

}  // namespace holdfast::cli
