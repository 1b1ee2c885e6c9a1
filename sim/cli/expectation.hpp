// Compares a matrix with one that was saved earlier.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "reports/report.hpp"

namespace holdfast::cli {

// The verdicts of a saved matrix, by algorithm, fault and property.
using SavedVerdicts = std::map<std::tuple<std::string, std::string, std::string>, std::string>;

// Reads a holdfast/matrix/1 file. Throws UserError.
SavedVerdicts read_verdicts(const std::string& file);

// Marks every cell of `matrix` whose verdict differs from the saved one; cells that only one of them has are
// left alone. Returns how many differ. Throws UserError when no cell is in both.
std::size_t note_unexpected(reports::Matrix& matrix, const SavedVerdicts& saved, const std::string& file);

}  // namespace holdfast::cli
