// How the page of a comparison begins: which lock to take, and what else was found.
#pragma once

#include <ostream>
#include <vector>

#include "reports/matrix_page.hpp"
#include "reports/ranking.hpp"

namespace holdfast::reports {

// Everything up to and into <main>.
void write_matrix_top(const Matrix& matrix, const Grid& grid, const std::vector<RankedLocks>& ranking,
                      const MatrixPageContext& context, std::ostream& out);

}  // namespace holdfast::reports
