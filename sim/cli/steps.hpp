// The steps in which a comparison deepens, and what a reader at a terminal sees of them.
#pragma once

#include <vector>

#include "reports/report.hpp"
#include "sim/cli/compare.hpp"
#include "sim/cli/session.hpp"
#include "sim/scenario/scope.hpp"

namespace holdfast::cli {

// Explores the cells within these bounds, one after the other, and then, if asked to, ever more of them; the
// matrix has what was found.
void explore_in_steps(const MatrixOptions& options, const std::vector<Scope>& scopes, Cells& cells,
                      reports::Matrix& matrix, Session& session);

}  // namespace holdfast::cli
