// What a directory of results holds beside a comparison: what has changed since baselines, and envelopes.
#pragma once

#include <string>
#include <vector>

#include "reports/matrix_page.hpp"

namespace holdfast::cli {

struct Annexes {
  std::vector<reports::Annex> good;  // in the order of the names of their files
  std::vector<std::string> bad;      // why a file is left out
};
// Also of other command lines, whose results lie below.
Annexes annexes_in(const std::string& directory, reports::Language language);

}  // namespace holdfast::cli
