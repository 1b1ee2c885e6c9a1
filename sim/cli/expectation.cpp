#include "sim/cli/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/json_file.hpp"
#include "sim/cli/session.hpp"

namespace holdfast::cli {
namespace {

using Cell = SavedVerdicts::key_type;

std::string told(const Cell& cell, const std::string& what) {
  const auto& [algorithm, fault, property] = cell;
  return fmt::format("{} under {}, {}: {}", algorithm, fault, property, what);
}

bool is_of_another_shard(const reports::Matrix& matrix, const Cell& cell) {
  if (!matrix.shard) return false;
  const auto& [algorithm, fault, property] = cell;
  const auto is_own = [&](const reports::MatrixCell& own) {
    return own.algorithm == algorithm && id_of(own.fault) == fault;
  };
  const std::vector<std::string>& whole = matrix.shard->whole;
  return std::find(whole.begin(), whole.end(), fmt::format("{}+{}", algorithm, fault)) != whole.end() &&
         std::none_of(matrix.cells.begin(), matrix.cells.end(), is_own);
}

}  // namespace

SavedVerdicts read_verdicts(const std::string& file) {
  const nlohmann::ordered_json matrix = read_json(file);
  require_schema(file, matrix, "holdfast/matrix/1", "a matrix (holdfast compare --format json)");
  const auto cells = matrix.find("cells");
  if (cells == matrix.end() || !cells->is_array())
    throw UserError(exit_bad_file,
                    fmt::format("{}:1:1: error: not a matrix (holdfast compare --format json)", file));
  SavedVerdicts verdicts;
  for (std::size_t i = 0; i < cells->size(); ++i) {
    const std::string pointer = fmt::format("/cells/{}", i);
    const auto text = [&](const char* key) { return text_at(file, (*cells)[i], pointer, key); };
    const std::string verdict = text("verdict");
    if (!from_id<Verdict>(verdict_ids, verdict))
      throw UserError(
          exit_bad_file,
          fmt::format("{}: error: unknown verdict \"{}\"{}\n      at {}/verdict · allowed: {}", file, verdict,
                      did_you_mean(verdict, {verdict_ids.begin(), verdict_ids.end()}), pointer,
                      fmt::join(verdict_ids, ", ")));
    verdicts[{text("algorithm"), text("fault"), text("property")}] = verdict;
  }
  return verdicts;
}

std::vector<std::string> note_unexpected(reports::Matrix& matrix, const SavedVerdicts& saved,
                                         const std::string& file) {
  std::vector<std::string> differing;
  SavedVerdicts missing = saved;
  for (reports::MatrixCell& cell : matrix.cells)
    for (reports::JudgedProperty& each : cell.properties) {
      const PropertyResult& result = each.result;
      std::string& unexpected = each.unexpected.emplace();
      const auto found =
          missing.find({cell.algorithm, std::string(id_of(cell.fault)), std::string(id_of(result.property))});
      if (found == missing.end()) continue;
      if (found->second != id_of(result.verdict)) {
        unexpected = fmt::format("expected {}, found {}", found->second, id_of(result.verdict));
        differing.push_back(told(found->first, unexpected));
      }
      missing.erase(found);
    }
  if (missing.size() == saved.size() && !matrix.cells.empty())
    throw UserError(exit_bad_file, fmt::format("{}: has none of the cells of this comparison", file));
  for (const auto& [cell, verdict] : missing)
    if (!is_of_another_shard(matrix, cell))
      differing.push_back(told(cell, fmt::format("expected {}, not explored", verdict)));
  return differing;
}

}  // namespace holdfast::cli
