// The page of stores compared: one answer, the questions of a reader, the signs with links to their runs.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/html.hpp"
#include "reports/matrix_page.hpp"
#include "reports/stores.hpp"
#include "reports/verdicts.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

// Of page.css.
std::string_view class_of(StoreSign sign) {
  constexpr std::array<std::string_view, 8> classes{"v", "u", "u", "s", "u", "h", "h", "n"};
  return classes[static_cast<std::size_t>(sign)];
}

// For verdict.mustache.
Json cell_json(const StoreLine& line, Fault fault, const StoreCell& cell, Language language) {
  std::string told =
      say(word("cell", language), line.row->algorithm, id_of(fault), in_words(cell.sign, language));
  if (cell.run != nullptr && cell.run->result.counterexample)
    told += fmt::format("{}{}{}{}", word("comma", language), id_of(cell.run->result.property),
                        word("within", language), extent_of(cell.run->result, language));
  return {{"is_violated", cell.run != nullptr},
          {"class", class_of(cell.sign)},
          {"told", told},
          {"shown", glyph_of(cell.sign)},
          {"outcome", in_words(cell.sign, language)},
          {"href", cell.run == nullptr ? "" : page_of_trace(cell.run->trace_file)}};
}

// The same of how often a waiter is overtaken.
Json fair_json(const StoreLine& line, Language language) {
  const bool is_broken = line.fair != nullptr && line.fair->result.verdict == Verdict::violated;
  return {{"is_violated", is_broken},
          {"class", is_broken ? "s" : "n"},
          {"told", line.fair == nullptr ? ""
                                        : line.row->algorithm + word("colon", language) +
                                              extent_of(line.fair->result, language)},
          {"shown", overtaking_of(line)},
          {"href", is_broken ? page_of_trace(line.fair->trace_file) : ""}};
}

Json lines_json(const StoreTable& table, Language language) {
  Json lines = Json::array();
  const StoreRow* before = nullptr;
  for (const StoreLine& line : table.lines) {
    const bool is_new = before == nullptr || before->store != line.row->store;
    before = line.row;
    Json cells = Json::array();
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      cells.push_back(cell_json(line, table.columns[i], line.cells[i], language));
    cells.push_back(fair_json(line, language));
    lines.push_back(
        {{"store", is_new ? store_names[static_cast<std::size_t>(line.row->store)] : ""},
         {"lock", line.row->algorithm},
         {"tenure",
          line.row->tenure ? word(fmt::format("tenure {}", id_of(*line.row->tenure)), language) : ""},
         {"cells", std::move(cells)},
         {"measures", costs_of(line)}});
  }
  return lines;
}

Json signs_json(const Json& lines, Language language) {
  Json signs = Json::array();
  for (std::size_t i = store_sign_ids.size(); i-- > 0;) {
    const auto sign = static_cast<StoreSign>(i);
    const auto is_of = [&](const Json& cell) { return cell["shown"] == glyph_of(sign); };
    const auto has_it = [&](const Json& line) {
      return std::any_of(line["cells"].begin(), line["cells"].end(), is_of);
    };
    if (std::any_of(lines.begin(), lines.end(), has_it))
      signs.push_back(
          {{"kind", class_of(sign)}, {"glyph", glyph_of(sign)}, {"meaning", in_words(sign, language)}});
  }
  return signs;
}

}  // namespace

void write_stores_page(const Matrix& matrix, const MatrixPageContext& context, std::ostream& out) {
  const Language language = context.language;
  const StoreTable table = store_table(matrix);
  Json answers = Json::array();
  for (const StoreAnswer& each : store_answers(table, language))
    answers.push_back({{"asks", each.asks}, {"says", each.says}});
  Json columns = Json::array();
  for (const Fault fault : table.columns) columns.push_back(struck_in_words(fault, language));
  for (const std::string_view measure : {"overtaken", "measure alone", "measure contended", "measure wait"})
    columns.push_back(word(measure, language));
  Json lines = lines_json(table, language);
  const Json data{{"beyond_model", beyond_model_in_words(matrix)},
                  {"answers", std::move(answers)},
                  {"columns", std::move(columns)},
                  {"signs", signs_json(lines, language)},
                  {"lines", std::move(lines)},
                  {"bounds", phrases_of_bounds(matrix, language)},
                  {"environment", environment_json(matrix, context)}};
  write_page({word("stores_title", language), language}, "stores", data, out);
}

}  // namespace holdfast::reports
