// Compares a matrix with one that was saved earlier.
#pragma once

#include <string>
#include <string_view>

#include "reports/report.hpp"

namespace holdfast::cli {

// Marks every cell of `matrix` whose verdict differs from the saved one (text of a holdfast/matrix/1 file); cells that
// only one of them has are left alone. Returns how many differ. Throws UserError for a text that is no matrix.
std::size_t note_unexpected(reports::Matrix& matrix, std::string_view saved, const std::string& file);

}  // namespace holdfast::cli
