#include "sim/cli/expectation.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "sim/cli/options.hpp"

namespace holdfast::cli {
namespace {

using CellKey = std::tuple<std::string, std::string, std::string>;  // algorithm, fault, property

std::map<CellKey, std::string> verdicts_in(std::string_view text, const std::string& file) {
  std::map<CellKey, std::string> verdicts;
  try {
    const nlohmann::json matrix = nlohmann::json::parse(text);
    if (matrix.at("schema") != "holdfast/matrix/1")
      throw UserError(exit_bad_file, fmt::format("{}: its schema is {}, not \"holdfast/matrix/1\"", file, matrix.at("schema").dump()));
    for (const nlohmann::json& cell : matrix.at("cells"))
      verdicts[{cell.at("algorithm"), cell.at("fault"), cell.at("property")}] = cell.at("verdict");
  } catch (const nlohmann::json::exception& error) {
    throw UserError(exit_bad_file, fmt::format("{}: not a saved matrix (holdfast compare --format json): {}", file, error.what()));
  }
  return verdicts;
}

}  // namespace

std::size_t note_unexpected(reports::Matrix& matrix, std::string_view saved, const std::string& file) {
  const std::map<CellKey, std::string> expected = verdicts_in(saved, file);
  std::size_t differing = 0;
  for (reports::MatrixCell& cell : matrix.cells)
    for (const PropertyResult& result : cell.exploration.properties) {
      cell.unexpected.emplace_back();
      const auto found = expected.find({cell.algorithm, std::string(id_of(cell.fault)), std::string(id_of(result.property))});
      if (found == expected.end() || found->second == id_of(result.verdict)) continue;
      cell.unexpected.back() = fmt::format("expected {}, found {}", found->second, id_of(result.verdict));
      ++differing;
    }
  return differing;
}

}  // namespace holdfast::cli
