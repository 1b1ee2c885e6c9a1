// The verdict matrix as a table of GitHub Flavored Markdown.
#include <fmt/format.h>

#include "reports/exercised.hpp"
#include "reports/markdown.hpp"
#include "reports/matrix_top.hpp"
#include "reports/report.hpp"
#include "reports/tables.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

std::string cell_text(const MatrixCell* cell) {
  if (cell == nullptr) return "";
  const Summary summary = summary_of(*cell);
  if (summary.outcome != Outcome::violated) return std::string(glyph_of(summary.outcome));
  return fmt::format("{} {}{}", glyph_of(summary.outcome), summary.letters,
                     summary.steps == 0 ? "" : " " + steps_of(summary));
}

void write_legend(const Matrix& matrix, std::ostream& out) {
  std::string text;
  for (const auto& [outcome, meaning] : outcome_legend())
    text += fmt::format("- {} {}: {}\n", glyph_of(outcome), word_of(outcome), meaning);
  out << text << '\n';
  std::string letters;
  for (const Property property : properties_of(matrix))
    letters += fmt::format("{}**{}** {}", letters.empty() ? "" : " · ", letter_of(property), id_of(property));
  if (!letters.empty()) out << letters << "\n\n";
}

}  // namespace

void write_matrix_markdown(const Matrix& matrix, std::span<const Card> cards, std::ostream& out) {
  const Grid grid = grid_of(matrix);
  for (const std::string& each : beyond_model_in_words(matrix))
    out << fmt::format("**{}**\n\n", markdown_text(each));
  for (const std::string& each : advice_in_words(grid, ranked(matrix, grid), cards))
    out << fmt::format("{}\n\n", markdown_text(each));
  std::vector<std::string> header{"lock"};
  for (const Fault fault : grid.columns) header.emplace_back(id_of(fault));
  std::vector<std::vector<std::string>> rows{header};
  for (const Grid::Line& line : grid.lines) {
    const std::string belief = grid.belief ? "" : fmt::format(" ({})", id_of(line.belief));
    std::vector<std::string> row{markdown_text(line.algorithm) + belief};
    for (const MatrixCell* cell : line.cells) row.push_back(cell_text(cell));
    rows.push_back(row);
  }
  write_markdown_table(rows, out);
  out << '\n';
  write_legend(matrix, out);
  std::string bounds = fmt::format("{}", fmt::join(bounds_in_words(matrix), " · "));
  if (grid.belief) bounds += fmt::format(" · belief {}", id_of(*grid.belief));
  out << "Bounds: " << bounds << ".\n\n";
  for (const std::string& scope : deepening_in_words(matrix))
    out << "- with " << markdown_text(scope) << '\n';
  if (deepens(matrix)) out << '\n';
  out << fmt::format("{}{} · seed {:#x} · holdfast {}\n", matrix.interrupted ? "Interrupted: " : "",
                     tally_of(matrix, " · "), matrix.seed, markdown_text(matrix.version));
  if (!matrix.cells.empty())
    out << fmt::format("\nExercised: {}.\n", fmt::join(exercised_in_words(matrix), " · "));
  if (matrix.costs.empty()) return;
  out << '\n';
  std::vector<std::vector<std::string>> costs = cost_rows(matrix.costs, Terminal{});
  for (std::size_t i = 1; i < costs.size(); ++i) costs[i][0] = markdown_text(matrix.costs[i - 1].algorithm);
  write_markdown_table(costs, out);
}

void write_runs_markdown(const std::vector<ScenarioRun>& runs, std::ostream& out) {
  std::vector<std::vector<std::string>> rows{{"scenario", "lock", "result", "why"}};
  for (const ScenarioRun& run : runs) {
    const std::string why = unmet_expectation(run.scenario, run.exploration);
    rows.push_back({markdown_text(run.file), markdown_text(run.scenario.algorithm),
                    why.empty() ? "✔ as expected" : "✘ not as expected", markdown_text(why)});
  }
  write_markdown_table(rows, out);
}

}  // namespace holdfast::reports
