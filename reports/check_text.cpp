// One lock in full: every property under every fault, then the shortest counterexample as a picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/confidence.hpp"
#include "reports/report.hpp"
#include "reports/tables.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

struct Place {
  const MatrixCell* cell = nullptr;
  std::size_t property = 0;
  const Counterexample* example() const {
    return cell ? &*cell->exploration.properties[property].counterexample : nullptr;
  }
};

Place shortest_counterexample(const Matrix& matrix) {
  Place shortest;
  for (const MatrixCell& cell : matrix.cells)
    for (std::size_t i = 0; i < cell.exploration.properties.size(); ++i) {
      const std::optional<Counterexample>& example = cell.exploration.properties[i].counterexample;
      if (example && (!shortest.cell || example->steps < shortest.example()->steps)) shortest = {&cell, i};
    }
  return shortest;
}

std::string effort_of(const Exploration& exploration) {
  if (exploration.states == 0) return counted(exploration.runs, "run");
  const double missed = exploration.missed_state_probability();
  const double unit = std::pow(10, std::floor(std::log10(missed)));
  return fmt::format("{}, {}, p(missed state) < {:.0e}", counted(exploration.states, "state"),
                     counted(exploration.transitions, "transition"), std::ceil(missed / unit) * unit);
}

// What of a verdict's circumstances is worth a line: how long, how often, a note.
std::string detail_of(const MatrixCell& cell, std::size_t index) {
  const PropertyResult& result = cell.exploration.properties[index];
  const std::string extent = extent_of(result);
  return extent + (extent.empty() || result.note.empty() ? "" : "; ") + result.note +
         breaking_in_words(cell, index);
}

// How far every schedule was explored; or a sample of them.
std::string extent_in_words(const MatrixCell& cell, bool is_sample) {
  std::string text;
  for (const Within& each : cell.within)
    if (is_sample ? each.runs != 0 : each.is_closed)
      text += (text.empty() ? "" : " · ") + scope_in_words(each.scope);
  return text;
}

// Nothing to tell of the single properties: all alike, without notes.
bool is_uniform(const MatrixCell& cell) {
  const std::vector<PropertyResult>& results = cell.exploration.properties;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (outcome_of(results[i]) != outcome_of(results.front()) || !detail_of(cell, i).empty()) return false;
  return true;
}

void write_cell(const MatrixCell& cell, Page& page) {
  const Terminal& terminal = page.terminal();
  const Summary summary = summary_of(cell);
  const std::vector<PropertyResult>& results = cell.exploration.properties;
  const std::string all = is_uniform(cell) ? fmt::format(", all {} properties", results.size()) : "";
  page.paragraph("", fmt::format("{} {}: {}{} ({})",
                                 painted(terminal, style_of(summary.outcome), glyph_of(summary.outcome)),
                                 painted(terminal, Style::strong, id_of(cell.fault)),
                                 word_of(summary.outcome), all, effort_of(cell.exploration)));
  for (std::size_t i = 0; i < results.size() && all.empty(); ++i) {
    const Outcome outcome = outcome_of(results[i]);
    const std::string head =
        fmt::format("    {} {}  ", painted(terminal, style_of(outcome), glyph_of(outcome)),
                    padded(id_of(results[i].property), 18));
    const std::string detail = printable(terminal, detail_of(cell, i));
    page.paragraph(head, fmt::format("{}{}", word_of(outcome), detail.empty() ? "" : ": " + detail));
    if (const std::string file = trace_file_of(cell, i); !file.empty())
      page.line("      " + printable(terminal, file));
  }
  if (const std::string closed = extent_in_words(cell, false); cell.within.size() > 1 && !closed.empty())
    page.paragraph("    closed: ", closed);
  if (const std::string sampled = extent_in_words(cell, true); cell.within.size() > 1 && !sampled.empty())
    page.paragraph("    sampled: ", sampled);
  if (rests_on_sample(cell.exploration))
    for (const std::string& statement : confidence_in_words(cell.exploration))
      page.paragraph("    ", statement);
  if (rests_on_fairness(cell.exploration)) page.paragraph("    ", std::string(fairness));
}

// Which of its awaits nothing is known about.
void write_never_ran(const Matrix& matrix, Page& page) {
  if (matrix.never_ran.empty()) return;
  page.line();
  page.paragraph("", "Awaits that never ran, so that no verdict is about them:");
  for (const NeverRan& each : matrix.never_ran)
    page.paragraph(fmt::format("  {}:{}  ", printable(page.terminal(), each.file), each.line),
                   printable(page.terminal(), each.text));
}

}  // namespace

void write_check_text(const Matrix& matrix, std::ostream& out, const Terminal& terminal) {
  Page page(out, terminal);
  const Grid grid = grid_of(matrix);
  std::string names;
  for (const Grid::Line& line : grid.lines)
    names += (names.empty() ? "" : ", ") + printable(terminal, line.algorithm);
  page.paragraph("", fmt::format("{} under {} · seed {:#x}", painted(terminal, Style::strong, names),
                                 counted(grid.columns.size(), "fault"), matrix.seed));
  write_bounds(matrix, grid.belief, page);
  page.line();
  for (const MatrixCell& cell : matrix.cells) write_cell(cell, page);
  page.line();
  page.paragraph("", fmt::format("{}{} · {:.1f} s", matrix.interrupted ? "interrupted: " : "",
                                 tally_of(matrix, " · "), matrix.seconds));
  write_never_ran(matrix, page);
  write_programs(matrix.programs, page);
  write_costs(matrix.costs, page);
  const Place shortest = shortest_counterexample(matrix);
  if (!shortest.cell) return;
  page.line();
  write_trace({shortest.cell->scenario_of(shortest.property), *shortest.example(),
               trace_file_of(*shortest.cell, shortest.property)},
              View::sequence, out, terminal);
}

}  // namespace holdfast::reports
