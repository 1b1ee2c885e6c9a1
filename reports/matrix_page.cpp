#include "reports/matrix_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/exercised.hpp"
#include "reports/html.hpp"
#include "reports/matrix_table.hpp"
#include "reports/matrix_top.hpp"
#include "reports/tables.hpp"
#include "reports/verdicts.hpp"
#include "sim/scenario/specification.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;
using Strings = std::vector<std::string>;

// With more rows, a reader filters.
constexpr std::size_t rows_at_a_glance = 8;

// For table.mustache: the first column names the rows.
Json table_of(std::string_view kind, const Strings& header, const std::vector<Strings>& rows) {
  Json table{{"kind", kind}, {"name", kind}, {"header", header}, {"rows", Json::array()}};
  for (const Strings& row : rows)
    table["rows"].push_back({{"first", row.front()}, {"others", Strings(row.begin() + 1, row.end())}});
  return table;
}
Json table_of(std::string_view kind, std::initializer_list<std::string_view> columns,
              const std::vector<Strings>& rows, Language language) {
  Strings header;
  for (const std::string_view column : columns) header.push_back(word(column, language));
  Json table = table_of(kind, header, rows);
  table["name"] = word(fmt::format("table {}", kind), language);
  return table;
}

Json costs(const Matrix& matrix, Language language) {
  if (matrix.costs.empty()) return {};
  std::vector<Strings> rows = cost_rows(matrix.costs, Terminal{});
  Strings header;
  for (const std::string& column : rows.front()) header.push_back(word("cost " + column, language));
  rows.erase(rows.begin());
  return {{"plots", cost_plots(matrix.costs, language)}, {"table", table_of("costs", header, rows)}};
}

// What no run of a cell met.
std::string what_was_never_met(const MatrixCell& cell, Language language) {
  const Reach& reach = cell.effort.reach;
  std::string text;
  const auto note = [&](bool is_met, const std::string& what) {
    if (!is_met) text.append(text.empty() ? "" : word("comma", language)).append(what);
  };
  note(cell.fault == Fault::none || reach.struck.contains(cell.fault), word("its fault", language));
  note(!struck_no_held_lock(cell), word("its fault while held", language));
  for (const Situation situation : never_met(reach)) note(false, situation_in_words(situation, language));
  return text;
}

void add_explored(const Matrix& matrix, Language language, Json& data) {
  std::vector<Strings> open;
  std::vector<Strings> rows;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::size_t judged = 0;
  const auto outcome_word = [&](Outcome outcome) {
    return word("outcome " + std::string(word_of(outcome)), language);
  };
  for (const MatrixCell& cell : matrix.cells) {
    const Effort& it = cell.effort;
    states += it.states;
    transitions += it.transitions;
    rows.push_back({cell.algorithm, std::string(id_of(cell.fault)), outcome_word(summary_of(cell).outcome),
                    grouped(it.states), grouped(it.transitions), it.runs == 0 ? "" : grouped(it.runs),
                    fmt::format("{:.2f}", it.seconds), what_was_never_met(cell, language)});
    judged += cell.properties.size();
    for (const JudgedProperty& each : cell.properties) {
      const Outcome outcome = outcome_of(cell, each);
      if (outcome == Outcome::violated || style_of(outcome) == Style::good) continue;
      open.push_back({cell.algorithm, std::string(id_of(cell.fault)),
                      std::string(id_of(each.result.property)), outcome_word(outcome), each.result.note});
    }
  }
  data["explored_in_all"] = {{"states", grouped(states)},
                             {"transitions", grouped(transitions)},
                             {"cells", grouped(matrix.cells.size())}};
  data["explored"] = table_of(
      "explored",
      {"lock", "fault", "verdict", "states_column", "transitions", "runs_column", "seconds", "no run met"},
      rows, language);
  if (open.empty()) return;
  data["open"] = table_of("open", {"lock", "fault", "property", "verdict", "why_open"}, open, language);
  data["open"]["is_short"] = open.size() <= 12;
  data["open"]["verdicts"] = grouped(open.size());
  data["open"]["judged"] = grouped(judged);
}

// Null where nothing was expected.
Json expected(const Matrix& matrix, Language language) {
  std::vector<Strings> rows;
  bool is_compared = false;
  for (const MatrixCell& cell : matrix.cells)
    for (const JudgedProperty& each : cell.properties) {
      is_compared |= each.unexpected.has_value();
      if (each.unexpected && !each.unexpected->empty())
        rows.push_back({cell.algorithm, std::string(id_of(cell.fault)),
                        std::string(id_of(each.result.property)), *each.unexpected});
    }
  if (!is_compared) return {};
  return {{"unexpected", rows.empty() ? Json()
                                      : table_of("unexpected", {"lock", "fault", "property", "difference"},
                                                 rows, language)}};
}

Json annexes_of(const std::vector<Annex>& annexes) {
  Json list = Json::array();
  for (const Annex& annex : annexes)
    list.push_back({{"name", annex.title},
                    {"paragraph", annex.text},
                    {"picture", annex.picture},
                    {"table", annex.rows.empty() ? Json() : table_of("annex", annex.header, annex.rows)}});
  return list;
}

}  // namespace

Json phrases_of_bounds(const Matrix& matrix, Language language) {
  Strings phrases = bounds_in_words(matrix, language);
  for (std::string& phrase : deepening_in_words(matrix, language)) phrases.push_back(std::move(phrase));
  return phrases;
}

Json environment_json(const Matrix& matrix, const MatrixPageContext& context) {
  Environment facts{{"holdfast", matrix.version},
                    {word("seed", context.language), fmt::format("{:#x}", matrix.seed)}};
  if (matrix.seconds > 0)
    facts.emplace_back(word("took", context.language), fmt::format("{:.1f} s", matrix.seconds));
  facts.insert(facts.end(), context.environment.begin(), context.environment.end());
  Json list = Json::array();
  for (const auto& [name, value] : facts) list.push_back({{"name", name}, {"value", value}});
  return list;
}

std::string page_of_trace(std::string_view trace_file) {
  constexpr std::string_view ending = ".trace.json";
  std::string_view name = trace_file.substr(trace_file.rfind('/') + 1);
  if (!name.ends_with(ending)) return {};
  name.remove_suffix(ending.size());
  return std::string(name) + ".html";
}

void write_matrix_page(const Matrix& matrix, const MatrixPageContext& context, std::ostream& out) {
  if (!matrix.stores.empty()) return write_stores_page(matrix, context, out);
  const Language language = context.language;
  const Grid grid = grid_of(matrix);
  const std::vector<RankedLocks> ranking = ranked(matrix, grid);
  Json faults = Json::array();
  for (const Fault fault : grid.columns) faults.push_back(id_of(fault));
  Json data{{"extent", extent_in_words(matrix, grid, language)},
            {"beyond_model", beyond_model_in_words(matrix)},
            {"advice", advice_json(grid, ranking, context)},
            {"insights", insights_json(grid, ranking, context)},
            {"outcomes", legend_of_outcomes(matrix, language)},
            {"properties", legend_of_properties(matrix, language)},
            {"faults", std::move(faults)},
            {"groups", groups_of(ranking, context)},
            {"is_explained", !context.cards.empty()},
            {"is_long", ranking.size() > rows_at_a_glance},
            {"bounds", phrases_of_bounds(matrix, language)},
            {"belief", grid.belief ? id_of(*grid.belief) : ""},
            {"expected", expected(matrix, language)},
            {"annexes", annexes_of(context.annexes)},
            {"costs", costs(matrix, language)},
            {"environment", environment_json(matrix, context)}};
  add_explored(matrix, language, data);
  write_page({word("matrix_title", language), language}, "matrix", data, out);
}

}  // namespace holdfast::reports
