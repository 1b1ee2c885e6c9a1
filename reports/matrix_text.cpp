// The verdict matrix for a terminal: which lock to take, then locks as rows and faults as columns, or a list
// where that does not fit.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "reports/exercised.hpp"
#include "reports/matrix_top.hpp"
#include "reports/report.hpp"
#include "reports/tables.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

constexpr std::size_t list_below = 80;  // columns: narrower terminals get a list

// A cell as its one or two lines: "✘ MO 8", or "✘ 8" and "MO".
std::vector<std::string> lines_of(const MatrixCell* cell, bool is_stacked) {
  if (cell == nullptr) return {""};
  const Summary summary = summary_of(*cell);
  if (summary.outcome != Outcome::violated) return {std::string(glyph_of(summary.outcome))};
  const std::string steps = summary.steps == 0 ? "" : " " + steps_of(summary);
  const std::string glyph(glyph_of(summary.outcome));
  if (is_stacked) return {glyph + steps, summary.letters};
  return {fmt::format("{} {}{}", glyph, summary.letters, steps)};
}

// "lost-request" on two lines: "lost-", "request".
std::vector<std::string> header_of(Fault fault) {
  const std::string_view id = id_of(fault);
  const std::size_t hyphen = id.find_last_of('-');
  if (hyphen == std::string_view::npos) return {"", std::string(id)};
  return {std::string(id.substr(0, hyphen + 1)), std::string(id.substr(hyphen + 1))};
}

std::vector<std::string> name_of(const Grid& grid, const Grid::Line& line, const Terminal& terminal) {
  const std::string name = printable(terminal, line.algorithm);
  if (grid.belief) return {name};
  return {name, fmt::format("  {}", id_of(line.belief))};
}

class GridTable {
 public:
  GridTable(const Grid& grid, bool is_stacked, std::size_t gap, const Terminal& terminal)
      : grid_(grid), is_stacked_(is_stacked), gap_(gap), terminal_(terminal) {
    for (const Grid::Line& line : grid.lines)
      for (const std::string& part : name_of(grid, line, terminal)) widen(name_, part);
    for (std::size_t i = 0; i < grid.columns.size(); ++i) {
      std::size_t width = 0;
      for (const std::string& part : header_of(grid.columns[i])) widen(width, part);
      for (const Grid::Line& line : grid.lines)
        for (const std::string& part : lines_of(line.cells[i], is_stacked)) widen(width, part);
      widths_.push_back(width);
    }
  }

  std::size_t width() const {
    std::size_t total = name_;
    for (const std::size_t column : widths_) total += gap_ + column;
    return total;
  }

  void write(Page& page) const {
    for (std::size_t i = 0; i < 2; ++i) {
      std::string row = padded("", name_);
      for (std::size_t c = 0; c < widths_.size(); ++c)
        row += std::string(gap_, ' ') + padded(header_of(grid_.columns[c])[i], widths_[c]);
      page.line(row);
    }
    for (const Grid::Line& line : grid_.lines) write_line(line, page);
  }

 private:
  static void widen(std::size_t& width, const std::string& text) { width = std::max(width, columns(text)); }

  void write_line(const Grid::Line& line, Page& page) const {
    const std::vector<std::string> name = name_of(grid_, line, terminal_);
    std::size_t height = name.size();
    for (const MatrixCell* cell : line.cells) height = std::max(height, lines_of(cell, is_stacked_).size());
    for (std::size_t i = 0; i < height; ++i) {
      std::string row = padded(i < name.size() ? name[i] : "", name_);
      for (std::size_t c = 0; c < widths_.size(); ++c) {
        const std::vector<std::string> parts = lines_of(line.cells[c], is_stacked_);
        const std::string part = i < parts.size() ? parts[i] : "";
        const std::string shown =
            part.empty() ? part : painted(terminal_, style_of(summary_of(*line.cells[c]).outcome), part);
        row += std::string(gap_, ' ') + padded(shown, widths_[c]);
      }
      page.line(row);
    }
  }

  const Grid& grid_;
  bool is_stacked_;
  std::size_t gap_;  // columns between columns
  const Terminal& terminal_;
  std::size_t name_ = 0;
  std::vector<std::size_t> widths_;
};

// A matrix for what is too wide: a sign for each cell, with the letter of the first property that breaks.
class CompactTable {
 public:
  CompactTable(const Grid& grid, const Terminal& terminal) : grid_(grid), terminal_(terminal) {
    for (const Grid::Line& line : grid.lines) name_ = std::max(name_, columns(name_in_line(line)));
  }

  std::size_t width() const { return name_ + sign_width * grid_.columns.size(); }

  void write(Page& page) const {
    for (const std::string& line : upright(grid_.columns, name_)) page.line(line);
    for (const Grid::Line& line : grid_.lines) {
      std::string row = padded(name_in_line(line), name_);
      for (const MatrixCell* const cell : line.cells)
        row += padded(cell == nullptr ? "" : " " + sign_of(summary_of(*cell), terminal_), sign_width);
      page.line(row);
    }
  }

 private:
  std::string name_in_line(const Grid::Line& line) const {
    const std::string name = printable(terminal_, line.algorithm);
    return grid_.belief ? name : fmt::format("{} ({})", name, id_of(line.belief));
  }

  const Grid& grid_;
  const Terminal& terminal_;
  std::size_t name_ = 0;
};

// One line for each outcome of a lock: "✘ violated  pause MO 8, crash R 12".
void write_list(const Grid& grid, Page& page) {
  const Terminal& terminal = page.terminal();
  for (const Grid::Line& line : grid.lines) {
    std::string name;
    for (const std::string& part : name_of(grid, line, terminal)) name += part;
    page.line(painted(terminal, Style::strong, name));
    for (const auto& [outcome, meaning] : outcome_legend()) {
      std::string faults;
      for (const MatrixCell* cell : line.cells) {
        if (cell == nullptr || summary_of(*cell).outcome != outcome) continue;
        const Summary summary = summary_of(*cell);
        faults += fmt::format("{}{}", faults.empty() ? "" : ", ", id_of(cell->fault));
        if (outcome == Outcome::violated)
          faults += fmt::format("{}{}{}{}", no_break, summary.letters, no_break, steps_of(summary));
      }
      if (faults.empty()) continue;
      page.paragraph(fmt::format("  {} {}  ", glyph_of(outcome), padded(word_of(outcome), 14)), faults);
    }
  }
}

void write_legend(const Matrix& matrix, Page& page) {
  for (const auto& [outcome, meaning] : outcome_legend())
    for (const MatrixCell& cell : matrix.cells)
      if (summary_of(cell).outcome == outcome) {
        page.paragraph(fmt::format("{} ", glyph_of(outcome)),
                       fmt::format("{}: {}", word_of(outcome), meaning));
        break;
      }
  std::string letters;
  for (const Property property : properties_of(matrix))
    letters +=
        fmt::format("{}{}{}{}", letters.empty() ? "" : " · ", letter_of(property), no_break, id_of(property));
  if (!letters.empty()) page.paragraph("", letters);
}

// The most generous layout that fits.
void write_grid(const Grid& grid, Page& page) {
  const Terminal& terminal = page.terminal();
  if (terminal.width < list_below) return write_list(grid, page);
  std::size_t narrowest = 0;
  for (const auto& [is_stacked, gap] : {std::pair(false, 2), std::pair(true, 2), std::pair(true, 1)}) {
    const GridTable table(grid, is_stacked, static_cast<std::size_t>(gap), terminal);
    if (table.width() <= terminal.width) return table.write(page);
    narrowest = table.width();
  }
  const CompactTable compact(grid, terminal);
  if (compact.width() > terminal.width) return write_list(grid, page);
  compact.write(page);
  page.line();
  page.paragraph("",
                 fmt::format("Beside ✘ stands the first letter of those that break; --width {} shows all, "
                             "and the steps of the shortest run.",
                             narrowest));
}

}  // namespace

void write_matrix_alone(const Matrix& matrix, std::ostream& out, const Terminal& terminal) {
  Page page(out, terminal);
  write_grid(grid_of(matrix), page);
}

void write_matrix_text(const Matrix& matrix, std::span<const Card> cards, std::ostream& out,
                       const Terminal& terminal) {
  Page page(out, terminal);
  const Grid grid = grid_of(matrix);
  write_beyond_model(matrix, page);
  for (const std::string& sentence : advice_in_words(grid, ranked(matrix, grid), cards))
    page.paragraph("", printable(terminal, sentence));
  page.line();
  write_grid(grid, page);
  page.line();
  write_legend(matrix, page);
  page.line();
  page.paragraph("", fmt::format("{} under {} · seed {:#x}", counted(grid.lines.size(), "lock"),
                                 counted(grid.faults(), "fault"), matrix.seed));
  page.paragraph("", fmt::format("{}{} · {:.1f} s", matrix.interrupted ? "interrupted: " : "",
                                 tally_of(matrix, " · "), matrix.seconds));
  write_bounds(matrix, grid.belief, page);
  for (const std::string& scope : deepening_in_words(matrix))
    page.paragraph("  with ", printable(terminal, scope));
  if (!terminal.brief) {
    page.line();
    page.paragraph("exercised: ", fmt::format("{}", fmt::join(exercised_in_words(matrix), " · ")));
  }
  if (!matrix.costs.empty()) page.line();
  write_programs(matrix.programs, page);
  write_costs(matrix.costs, page);
}

void write_saved_traces(const Matrix& matrix, std::ostream& out, const Terminal& terminal) {
  Page page(out, terminal);
  std::size_t count = 0;
  std::string first;
  for (const MatrixCell& cell : matrix.cells)
    for (const JudgedProperty& each : cell.properties)
      if (!each.trace_file.empty() && count++ == 0) first = each.trace_file;
  if (count == 0) return;
  const std::string directory = std::filesystem::path(first).parent_path().string();
  page.line();
  page.line(fmt::format("{} in {}", counted(count, "trace"),
                        printable(page.terminal(), directory.empty() ? "." : directory)));
  page.line(fmt::format("next: ./holdfast show {}", printable(page.terminal(), first)));
}

}  // namespace holdfast::reports
