#include "reports/exercised.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/terminal.hpp"

namespace holdfast::reports {
namespace {

std::size_t count_cells(const Matrix& matrix, const auto& is_one) {
  return static_cast<std::size_t>(std::count_if(matrix.cells.begin(), matrix.cells.end(), is_one));
}

// "pause 3 of 3, failover 2 of 3": in how many of their cells faults struck.
std::string faults_that_struck(const Matrix& matrix) {
  std::string text;
  for (std::size_t i = 1; i < fault_ids.size(); ++i) {
    const auto fault = static_cast<Fault>(i);
    const std::size_t all = count_cells(matrix, [&](const MatrixCell& cell) { return cell.fault == fault; });
    const std::size_t met = count_cells(matrix, [&](const MatrixCell& cell) {
      return cell.fault == fault && cell.exploration.reach.struck.contains(fault);
    });
    if (met > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", fault_ids[i], met);
    if (met > 0 && met < all) text += fmt::format(" of {}", all);
  }
  return text;
}

}  // namespace

std::vector<std::string> exercised_in_words(const Matrix& matrix) {
  std::vector<std::string> words;
  for (const Exercise& exercise : exercises) {
    const std::size_t count =
        count_cells(matrix, [&](const MatrixCell& cell) { return cell.exploration.reach.*exercise.seen; });
    words.push_back(
        fmt::format("{} in {} of {}", exercise.what, count, counted(matrix.cells.size(), "cell")));
  }
  const std::string met = faults_that_struck(matrix);
  if (!met.empty()) words.push_back("faults that struck: " + met);
  return words;
}

}  // namespace holdfast::reports
