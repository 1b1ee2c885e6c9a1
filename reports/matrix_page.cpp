#include "reports/matrix_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/exercised.hpp"
#include "reports/html.hpp"
#include "reports/tables.hpp"
#include "reports/verdicts.hpp"
#include "sim/scenario/specification.hpp"

namespace holdfast::reports {
namespace {

using Strings = std::vector<std::string>;

std::string_view class_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::violated: return "v";
    case Outcome::holds: return "h";
    case Outcome::sampled: return "s";
    case Outcome::unknown: return "u";
    case Outcome::hollow: return "e";
    case Outcome::not_applicable: break;
  }
  return "n";
}

// "token under pause: violated, mutual-exclusion in 14 steps, no-stale-write in 14 steps".
std::string cell_in_words(const MatrixCell& cell, const Summary& summary) {
  std::string text =
      fmt::format("{} under {}: {}", cell.algorithm, id_of(cell.fault), word_of(summary.outcome));
  for (const PropertyResult& result : cell.exploration.properties)
    if (result.verdict == Verdict::violated)
      text += fmt::format(", {}{}{}", id_of(result.property), result.counterexample ? " in " : "",
                          extent_of(result));
  return text;
}

std::string violated_cell(const MatrixCell& cell, const Summary& summary) {
  std::string shortest;
  std::string letters;
  for (std::size_t i = 0; i < cell.exploration.properties.size(); ++i) {
    const PropertyResult& result = cell.exploration.properties[i];
    if (result.verdict != Verdict::violated) continue;
    const std::string page = page_of_trace(trace_file_of(cell, i));
    const char letter = letter_of(result.property);
    const std::string title = std::string(id_of(result.property)) + breaking_in_words(cell, i);
    letters += page.empty() ? fmt::format("<abbr title=\"{}\">{}</abbr> ", title, letter)
                            : fmt::format("<a href=\"{}\" title=\"{}\">{}</a> ", html_text(page), title,
                                          letter);
    if (shortest.empty() && result.counterexample && result.counterexample->steps == summary.steps)
      shortest = page;
  }
  const std::string words = html_text(cell_in_words(cell, summary));
  const std::string main = fmt::format("✘ {}", steps_of(summary));
  const std::string link = shortest.empty() ? fmt::format("<span aria-label=\"{}\">{}</span>", words, main)
                                            : fmt::format("<a href=\"{}\" aria-label=\"{}\">{}</a>",
                                                          html_text(shortest), words, main);
  return fmt::format("<td><div class=\"v\">{}<small>{}</small></div></td>", link, letters);
}

std::string cell_html(const MatrixCell* cell) {
  if (cell == nullptr) return "<td></td>";
  const Summary summary = summary_of(*cell);
  if (summary.outcome == Outcome::violated) return violated_cell(*cell, summary);
  const std::string states = cell->exploration.states > 0 && summary.outcome == Outcome::holds
                                 ? fmt::format("<small>{} states</small>", grouped(cell->exploration.states))
                                 : "";
  return fmt::format("<td><span class=\"{}\" title=\"{}\">{}{}<span class=\"skip\">{}</span></span></td>",
                     class_of(summary.outcome), html_text(cell_in_words(*cell, summary)),
                     glyph_of(summary.outcome), states, word_of(summary.outcome));
}

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

void write_verdicts(const Matrix& matrix, const Grid& grid, std::ostream& out) {
  out << "<section aria-labelledby=\"h-verdicts\"><h2 id=\"h-verdicts\">Verdicts</h2>\n"
         "<p class=\"filter\" hidden><label>Only locks whose name contains <input type=\"search\" "
         "id=\"locks\"></label></p>\n"
         "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"verdict matrix\"><table "
         "class=\"matrix\"><thead><tr>"
         "<th scope=\"col\">lock</th>";
  for (const Fault fault : grid.columns) out << fmt::format("<th scope=\"col\">{}</th>", id_of(fault));
  out << "</tr></thead>\n<tbody>";
  for (const Grid::Line& line : grid.lines) {
    out << fmt::format("<tr data-lock=\"{0}\"><th scope=\"row\">{0}{1}</th>", html_text(line.algorithm),
                       grid.belief ? "" : fmt::format("<br><small>{}</small>", id_of(line.belief)));
    for (const MatrixCell* cell : line.cells) out << cell_html(cell);
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n<ul class=\"legend\">";
  for (const auto& [outcome, meaning] : outcome_legend())
    out << fmt::format("<li><b class=\"{}\">{}</b> {}: {}</li>",
                       outcome == Outcome::violated ? "bad"
                       : outcome == Outcome::holds  ? "good"
                                                    : "doubt",
                       glyph_of(outcome), word_of(outcome), meaning);
  out << "</ul>\n<ul class=\"letters\">";
  for (const Property property : properties_of(matrix))
    out << fmt::format("<li><b>{}</b> {}</li>", letter_of(property), id_of(property));
  out << "</ul></section>\n";
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
  for (const MatrixCell& cell : matrix.cells) {
    const Exploration& it = cell.exploration;
    states += it.states;
    transitions += it.transitions;
    rows.push_back({cell.algorithm, std::string(id_of(cell.fault)),
                    std::string(word_of(summary_of(cell).outcome)), grouped(it.states),
                    grouped(it.transitions), it.runs == 0 ? "" : grouped(it.runs),
                    fmt::format("{:.2f}", it.seconds), what_was_never_met(cell)});
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
    out << fmt::format("<details{}><summary>{} neither hold nor are violated</summary>\n",
                       open.size() <= 12 ? " open" : "", counted(open.size(), "verdict"));
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

void write_matrix_page(const Matrix& matrix, const Environment& environment,
                       const std::vector<Annex>& annexes, std::ostream& out) {
  const Grid grid = grid_of(matrix);
  open_page({"holdfast: which lock holds, under which faults"}, out);
  out << "<a class=\"skip\" href=\"#main\">to the verdicts</a>\n<header><h1>Which lock holds, under which "
         "faults?</h1>\n"
      << fmt::format("<p class=\"diagnosis\">{}{}</p>\n", matrix.interrupted ? "Interrupted: " : "",
                     html_text(tally_of(matrix, " · ")))
      << "<p class=\"tools\"><button type=\"button\" data-do=\"theme\" hidden>Light or dark</button>\n"
         "<button type=\"button\" data-do=\"print\" hidden>Print</button></p></header>\n<main id=\"main\" "
         "tabindex=\"-1\">\n";
  write_verdicts(matrix, grid, out);
  write_bounds_section(matrix, grid, out);
  write_unexpected(matrix, out);
  for (const Annex& annex : annexes) write_annex(annex, out);
  write_costs_section(matrix, out);
  write_explored(matrix, out);
  write_environment(matrix, environment, out);
  out << "</main>\n";
  close_page(out);
}

}  // namespace holdfast::reports
