#include "sim/cli/never_ran.hpp"

#include <algorithm>

namespace holdfast::cli {
namespace {

// A compiler may know a file by another way to it: relative to the project, or from the root.
bool is_same_file(std::string_view one, std::string_view other) {
  const std::string_view longer = one.size() > other.size() ? one : other;
  const std::string_view shorter = one.size() > other.size() ? other : one;
  if (!longer.ends_with(shorter)) return false;
  return longer.size() == shorter.size() || longer[longer.size() - shorter.size() - 1] == '/';
}

bool ran(const AwaitLine& await, const reports::MatrixCell& cell) {
  const auto is_it = [&](const SourceLine& at) {
    return at.line >= await.first_line && at.line <= await.last_line && is_same_file(at.file, await.file);
  };
  return std::any_of(cell.effort.awaits.begin(), cell.effort.awaits.end(), is_it);
}

}  // namespace

std::vector<reports::NeverRan> never_ran(const reports::Matrix& matrix,
                                         const std::vector<const Card*>& cards) {
  std::vector<reports::NeverRan> list;
  for (const Card* card : cards) {
    std::vector<const reports::MatrixCell*> cells;
    for (const reports::MatrixCell& cell : matrix.cells)
      if (cell.algorithm == card->id && !cell.effort.awaits.empty()) cells.push_back(&cell);
    if (cells.empty() && !matrix.shard) continue;
    for (const AwaitLine& await : card->awaits)
      if (std::none_of(cells.begin(), cells.end(), [&](const auto* cell) { return ran(await, *cell); }))
        list.push_back(
            {std::string(card->id), std::string(await.file), await.first_line, std::string(await.text)});
  }
  return list;
}

}  // namespace holdfast::cli
