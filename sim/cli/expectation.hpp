// Compares a matrix with one that was saved earlier.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "reports/report.hpp"

namespace holdfast::cli {

// The verdicts of a saved matrix, by algorithm, fault and property.
using SavedVerdicts = std::map<std::tuple<std::string, std::string, std::string>, std::string>;

// Reads a holdfast/matrix/1 file. Throws UserError.
SavedVerdicts read_verdicts(const std::string& file);

// Marks every cell of `matrix` whose verdict differs from the saved one. Returns a line for each, and one
// for each saved verdict that was not explored and is no other shard's: nothing is as expected unseen.
// Cells that were not saved are left alone. Throws UserError when no cell is in both.
std::vector<std::string> note_unexpected(reports::Matrix& matrix, const SavedVerdicts& saved,
                                         const std::string& file);

}  // namespace holdfast::cli
