#include "reports/exercised.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/html.hpp"
#include "reports/terminal.hpp"
#include "sim/scenario/specification.hpp"

namespace holdfast::reports {
namespace {

std::size_t count_cells(const Matrix& matrix, const auto& is_one) {
  return static_cast<std::size_t>(std::count_if(matrix.cells.begin(), matrix.cells.end(), is_one));
}

// "pause 3, failover 2 of 3": in how many cells the fault struck while the lock was held.
std::string faults_that_struck_a_held_lock(const Matrix& matrix) {
  std::string text;
  for (std::size_t i = 1; i < fault_ids.size(); ++i) {
    const auto fault = static_cast<Fault>(i);
    const std::size_t all = count_cells(matrix, [&](const MatrixCell& cell) { return cell.fault == fault; });
    const std::size_t held = count_cells(matrix, [&](const MatrixCell& cell) {
      return cell.fault == fault && cell.effort.reach.struck_held.contains(fault);
    });
    if (held > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", fault_ids[i], held);
    if (held > 0 && held < all) text += fmt::format(" of {}", all);
  }
  return text;
}

}  // namespace

// Most drivers send nothing again: that one did is worth a word, that none did is not.
std::vector<Situation> never_met(const Reach& reach) {
  std::vector<Situation> never;
  for (std::size_t i = 0; i < situation_ids.size(); ++i)
    if (const auto it = static_cast<Situation>(i); it != Situation::sent_again && !reach.met.contains(it))
      never.push_back(it);
  return never;
}

std::string situation_in_words(Situation situation, Language language) {
  if (language == Language::en) return std::string(words_of(situation).what);
  return word(fmt::format("situation {}", situation_ids[static_cast<std::size_t>(situation)]), language);
}

bool struck_no_held_lock(const MatrixCell& cell) {
  const Reach& reach = cell.effort.reach;
  return cell.fault != Fault::none && reach.struck.contains(cell.fault) &&
         !reach.struck_held.contains(cell.fault);
}

std::vector<std::string> exercised_in_words(const Matrix& matrix) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < situation_ids.size(); ++i) {
    const auto situation = static_cast<Situation>(i);
    const std::size_t count = count_cells(
        matrix, [&](const MatrixCell& cell) { return cell.effort.reach.met.contains(situation); });
    if (count == 0 && situation == Situation::sent_again) continue;
    words.push_back(
        fmt::format("{} in {} of {}", words_of(situation).what, count, counted(matrix.cells.size(), "cell")));
  }
  const std::string held = faults_that_struck_a_held_lock(matrix);
  if (!held.empty()) words.push_back("faults that struck a held lock: " + held);
  std::string idle;
  for (const MatrixCell& cell : matrix.cells)
    if (struck_no_held_lock(cell))
      idle += fmt::format("{}{} under {}", idle.empty() ? "" : ", ", cell.algorithm, id_of(cell.fault));
  if (!idle.empty()) words.push_back("faults that struck no held lock: " + idle);
  return words;
}

}  // namespace holdfast::reports
