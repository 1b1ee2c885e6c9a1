#include "sim/cli/expectation.hpp"

#include <fmt/format.h>

#include "sim/cli/json_file.hpp"
#include "sim/cli/session.hpp"

namespace holdfast::cli {

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

std::size_t note_unexpected(reports::Matrix& matrix, const SavedVerdicts& saved, const std::string& file) {
  std::size_t differing = 0;
  std::size_t compared = 0;
  for (reports::MatrixCell& cell : matrix.cells)
    for (const PropertyResult& result : cell.exploration.properties) {
      cell.unexpected.emplace_back();
      const auto found =
          saved.find({cell.algorithm, std::string(id_of(cell.fault)), std::string(id_of(result.property))});
      if (found == saved.end()) continue;
      ++compared;
      if (found->second == id_of(result.verdict)) continue;
      cell.unexpected.back() = fmt::format("expected {}, found {}", found->second, id_of(result.verdict));
      ++differing;
    }
  if (compared == 0 && !matrix.cells.empty())
    throw UserError(exit_bad_file, fmt::format("{}: has none of the cells compared", file));
  return differing;
}

}  // namespace holdfast::cli
