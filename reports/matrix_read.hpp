// Reads holdfast/matrix/1 back, as far as reports show it: without scenarios, tapes and events.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "reports/report.hpp"

namespace holdfast::reports {

// The matrix, or in one line what is wrong with the text.
std::variant<Matrix, std::string> read_matrix(std::string_view text);

}  // namespace holdfast::reports
