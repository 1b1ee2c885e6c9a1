#include "sim/cli/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/cli/session.hpp"

namespace holdfast::cli {
namespace {

using nlohmann::json;

// The text of a member, which must be there. `pointer` says where `object` is.
std::string text_at(const std::string& file, const json& object, const std::string& pointer,
                    const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string())
    throw UserError(exit_bad_file,
                    fmt::format("{}: error: expected a text\n      at {}/{}", file, pointer, key));
  return *found;
}

json parse(const std::string& text, const std::string& file) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    // error.byte counts from one, and is one more than there are when the text ends too early.
    const auto place =
        text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size() + 1) - (error.byte > 0));
    const auto lines = std::count(text.begin(), place, '\n');
    const auto line_begin = std::find(std::make_reverse_iterator(place), text.rend(), '\n').base();
    throw UserError(exit_bad_file,
                    fmt::format("{}:{}:{}: error: not JSON", file, lines + 1, place - line_begin + 1));
  }
}

}  // namespace

SavedVerdicts read_verdicts(const std::string& file) {
  const json matrix = parse(read_file(file), file);
  const auto cells = matrix.find("cells");
  if (cells == matrix.end() || !cells->is_array() ||
      text_at(file, matrix, "", "schema") != "holdfast/matrix/1")
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
  if (compared == 0) throw UserError(exit_bad_file, fmt::format("{}: has none of the cells compared", file));
  return differing;
}

}  // namespace holdfast::cli
