// What a directory of results holds beside a comparison: what has changed since baselines, and envelopes.
#pragma once

#include <string>
#include <vector>

#include "reports/matrix_page.hpp"

namespace holdfast::cli {

// In the order of the names of their files. Throws UserError for a file that cannot be read.
std::vector<reports::Annex> annexes_in(const std::string& directory, reports::Language language);

}  // namespace holdfast::cli
