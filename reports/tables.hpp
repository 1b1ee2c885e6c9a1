// Parts that several text reports share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/report.hpp"

namespace holdfast::reports {

// A table of texts; the first row is the header. Columns after the first `left` ones are aligned to the
// right.
void write_columns(const std::vector<std::vector<std::string>>& rows, std::size_t left, Page& page);
// What was explored; `belief` if it is the same everywhere.
// First of all: of which locks nothing is said, and why.
void write_beyond_model(const Matrix& matrix, Page& page);
void write_bounds(const Matrix& matrix, std::optional<Belief> belief, Page& page);
// Cost and fairness, one line for each lock.
void write_costs(const std::vector<Cost>& costs, Page& page);
// Nothing if there are none.
void write_programs(const std::vector<LearntProgram>& programs, Page& page);
// The costs as rows of texts, the header first.
std::vector<std::vector<std::string>> cost_rows(const std::vector<Cost>& costs, const Terminal& terminal);

}  // namespace holdfast::reports
