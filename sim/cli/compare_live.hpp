// compare --live: every counterexample of a matrix, performed on real servers.
#pragma once

#include <cstddef>

#include "reports/report.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/session.hpp"

namespace holdfast::cli {

// Fills JudgedProperty::live. Returns how many counterexamples differ in reality: bugs of the model. Throws
// UserError when there is no server that can be used.
std::size_t confirm_matrix(const std::vector<std::string>& redis, reports::Matrix& matrix, Session& session);
// How many violations were confirmed, on stdout; which were not, and why.
void print_confirmations(const reports::Matrix& matrix);

}  // namespace holdfast::cli
