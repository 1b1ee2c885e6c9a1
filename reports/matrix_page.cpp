#include "reports/matrix_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/exercised.hpp"
#include "reports/html.hpp"
#include "reports/matrix_table.hpp"
#include "reports/matrix_top.hpp"
#include "reports/tables.hpp"
#include "reports/verdicts.hpp"
#include "sim/scenario/specification.hpp"

namespace holdfast::reports {
namespace {

using Strings = std::vector<std::string>;

void write_table(std::string_view kind, const Strings& header, const std::vector<Strings>& rows,
                 std::ostream& out) {
  out << fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{0}\"><table "
      "class=\"{0}\"><thead><tr>",
      kind);
  for (const std::string& name : header) out << fmt::format("<th scope=\"col\">{}</th>", html_text(name));
  out << "</tr></thead>\n<tbody>";
  for (const Strings& row : rows) {
    out << "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      out << (i == 0 ? "<th scope=\"row\">" : "<td>") << html_text(row[i]) << (i == 0 ? "</th>" : "</td>");
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n";
}

void write_bounds_section(const Matrix& matrix, const Grid& grid, std::ostream& out) {
  out << "<section aria-labelledby=\"h-bounds\"><h2 id=\"h-bounds\">What a verdict covers</h2>\n<p>Every "
         "verdict holds within "
         "these bounds, and says nothing beyond them.</p><ul class=\"letters\">";
  for (const std::string& phrase : bounds_in_words(matrix))
    out << fmt::format("<li>{}</li>", html_text(phrase));
  for (const std::string& phrase : deepening_in_words(matrix))
    out << fmt::format("<li>{}</li>", html_text(phrase));
  if (grid.belief) out << fmt::format("<li>belief {}</li>", id_of(*grid.belief));
  out << "</ul></section>\n";
}

void write_costs_section(const Matrix& matrix, std::ostream& out) {
  if (matrix.costs.empty()) return;
  out << "<section aria-labelledby=\"h-costs\"><h2 id=\"h-costs\">Costs and fairness</h2>\n<p>Without "
         "faults, in a simulated "
         "network with realistic delays.</p>\n"
      << cost_plots(matrix.costs);
  std::vector<Strings> rows = cost_rows(matrix.costs, Terminal{});
  const Strings header = rows.front();
  rows.erase(rows.begin());
  out << "<details><summary>As a table</summary>\n";
  write_table("costs", header, rows, out);
  out << "</details></section>\n";
}

// What no run of a cell met.
std::string what_was_never_met(const MatrixCell& cell) {
  const Reach& reach = cell.exploration.reach;
  std::string text;
  const auto note = [&](bool is_met, std::string_view what) {
    if (!is_met) text.append(text.empty() ? "" : ", ").append(what);
  };
  note(cell.fault == Fault::none || reach.struck.contains(cell.fault), "its fault");
  note(!struck_no_held_lock(cell), "its fault while the lock was held");
  for (const Situation situation : never_met(reach)) note(false, words_of(situation).what);
  return text;
}

void write_explored(const Matrix& matrix, std::ostream& out) {
  out << "<section aria-labelledby=\"h-explored\"><h2 id=\"h-explored\">What was explored, and what was "
         "not</h2>\n";
  std::vector<Strings> open;
  std::vector<Strings> rows;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::size_t judged = 0;
  for (const MatrixCell& cell : matrix.cells) {
    const Exploration& it = cell.exploration;
    states += it.states;
    transitions += it.transitions;
    rows.push_back({cell.algorithm, std::string(id_of(cell.fault)),
                    std::string(word_of(summary_of(cell).outcome)), grouped(it.states),
                    grouped(it.transitions), it.runs == 0 ? "" : grouped(it.runs),
                    fmt::format("{:.2f}", it.seconds), what_was_never_met(cell)});
    judged += it.properties.size();
    for (const PropertyResult& result : it.properties) {
      const Outcome outcome = outcome_of(result);
      if (outcome == Outcome::violated || outcome == Outcome::holds) continue;
      open.push_back({cell.algorithm, std::string(id_of(cell.fault)), std::string(id_of(result.property)),
                      std::string(word_of(outcome)), result.note});
    }
  }
  out << fmt::format("<p>{} states and {} steps in {} cells.</p>\n", grouped(states), grouped(transitions),
                     matrix.cells.size());
  if (open.empty()) out << "<p>Every verdict is one of holds and violated.</p>\n";
  else {
    out << fmt::format(
        "<details{}><summary>{} of {} (a cell has one for each property) neither hold nor are "
        "violated</summary>\n",
        open.size() <= 12 ? " open" : "", grouped(open.size()), counted(judged, "verdict"));
    write_table("open", {"lock", "fault", "property", "verdict", "why"}, open, out);
    out << "</details>\n";
  }
  out << "<details><summary>Every cell</summary>\n";
  write_table("explored", {"lock", "fault", "verdict", "states", "steps", "runs", "seconds", "no run met"},
              rows, out);
  out << "</details></section>\n";
}

void write_unexpected(const Matrix& matrix, std::ostream& out) {
  std::vector<Strings> rows;
  bool is_compared = false;
  for (const MatrixCell& cell : matrix.cells)
    for (std::size_t i = 0; i < cell.unexpected.size(); ++i) {
      is_compared = true;
      if (!cell.unexpected[i].empty())
        rows.push_back({cell.algorithm, std::string(id_of(cell.fault)),
                        std::string(id_of(cell.exploration.properties[i].property)), cell.unexpected[i]});
    }
  if (!is_compared) return;
  out << "<section aria-labelledby=\"h-before\"><h2 id=\"h-before\">Compared with what was expected</h2>\n";
  if (rows.empty()) out << "<p>Every verdict is the expected one.</p>\n";
  else write_table("unexpected", {"lock", "fault", "property", "difference"}, rows, out);
  out << "</section>\n";
}

void write_annex(const Annex& annex, std::ostream& out) {
  out << fmt::format("<section class=\"annex\"><h2>{}</h2>\n", html_text(annex.title));
  if (!annex.text.empty()) out << fmt::format("<p>{}</p>\n", html_text(annex.text));
  if (!annex.picture.empty())
    out << fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">{}</div>\n",
                       html_text(annex.title), annex.picture);
  if (!annex.rows.empty()) write_table("annex", annex.header, annex.rows, out);
  out << "</section>\n";
}

void write_environment(const Matrix& matrix, const Environment& environment, std::ostream& out) {
  out << "<section aria-labelledby=\"h-from\"><h2 id=\"h-from\">Where this comes from</h2>\n<dl "
         "class=\"facts-list\">";
  Environment facts{{"holdfast", matrix.version}, {"seed", fmt::format("{:#x}", matrix.seed)}};
  if (matrix.seconds > 0) facts.emplace_back("took", fmt::format("{:.1f} s", matrix.seconds));
  facts.insert(facts.end(), environment.begin(), environment.end());
  for (const auto& [name, value] : facts)
    out << fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_text(name), html_text(value));
  out << "</dl></section>\n";
}

}  // namespace

std::string page_of_trace(std::string_view trace_file) {
  constexpr std::string_view ending = ".trace.json";
  std::string_view name = trace_file.substr(trace_file.rfind('/') + 1);
  if (!name.ends_with(ending)) return {};
  name.remove_suffix(ending.size());
  return std::string(name) + ".html";
}

void write_matrix_page(const Matrix& matrix, const MatrixPageContext& context, std::ostream& out) {
  const Grid grid = grid_of(matrix);
  const std::vector<RankedLocks> ranking = ranked(matrix, grid);
  write_matrix_top(matrix, grid, ranking, context, out);
  write_legend(matrix, context.language, out);
  write_verdict_table(ranking, grid, context, out);
  write_lock_cards(ranking, context, out);
  write_bounds_section(matrix, grid, out);
  write_unexpected(matrix, out);
  for (const Annex& annex : context.annexes) write_annex(annex, out);
  write_costs_section(matrix, out);
  write_explored(matrix, out);
  write_environment(matrix, context.environment, out);
  out << "</main>\n";
  close_page(out);
}

}  // namespace holdfast::reports
