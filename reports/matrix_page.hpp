// The page of a whole comparison: verdicts with links to the pages of their runs, costs, and what was
// explored.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/report.hpp"

namespace holdfast::reports {

// "x.html" for "out/x.trace.json": pages lie beside traces. Empty for no trace.
std::string page_of_trace(std::string_view trace_file);

// What the results depend on beside the matrix itself: names and values.
using Environment = std::vector<std::pair<std::string, std::string>>;

void write_matrix_page(const Matrix& matrix, const Environment& environment, std::ostream& out);

// Costs as pictures: bars, one for each lock.
std::string cost_plots(const std::vector<Cost>& costs);

}  // namespace holdfast::reports
