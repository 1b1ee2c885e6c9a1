// Stores compared, for a terminal, as a table of GitHub Flavored Markdown, and for spreadsheets.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/html.hpp"
#include "reports/markdown.hpp"
#include "reports/stores.hpp"
#include "reports/tables.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

using Row = std::vector<std::string>;

Style style_of(StoreSign sign) {
  if (sign <= StoreSign::stuck) return Style::bad;
  if (sign <= StoreSign::not_proved) return Style::doubtful;
  return sign == StoreSign::not_applicable ? Style::faint : Style::good;
}

std::uint32_t steps_of(const JudgedProperty* run) {
  return run != nullptr && run->result.counterexample ? run->result.counterexample->steps : 0;
}

std::string text_of(const StoreCell& cell) {
  const std::uint32_t steps = steps_of(cell.run);
  return fmt::format("{}{}", glyph_of(cell.sign), steps == 0 ? "" : fmt::format(" {}", steps));
}

// "client clock" on two lines.
Row halves_of(const std::string& title) {
  const std::size_t space = title.rfind(' ');
  if (space == std::string::npos) return {"", title};
  return {title.substr(0, space), title.substr(space + 1)};
}

std::string tenure_of(const StoreRow& row) {
  return row.tenure ? word(fmt::format("tenure {}", id_of(*row.tenure)), Language::en) : "";
}

// The heads of all columns, on two lines, then a line for each store and each of its locks.
std::vector<Row> rows_of(const StoreTable& table, const Terminal& terminal) {
  std::vector<Row> rows(2, Row{"", ""});
  const auto head = [&](const std::string& title) {
    for (std::size_t i = 0; i < 2; ++i) rows[i].push_back(halves_of(title)[i]);
  };
  for (const Fault fault : table.columns) head(struck_in_words(fault, Language::en));
  head(word("overtaken", Language::en));
  const auto is_empty = [](const std::string& half) { return half.empty(); };
  if (std::all_of(rows.front().begin(), rows.front().end(), is_empty)) rows.erase(rows.begin());
  const StoreRow* before = nullptr;
  for (const StoreLine& line : table.lines) {
    if (before == nullptr || before->store != line.row->store)
      rows.push_back(
          {painted(terminal, Style::strong, store_names[static_cast<std::size_t>(line.row->store)])});
    before = line.row;
    Row row{"  " + printable(terminal, line.row->algorithm), tenure_of(*line.row)};
    for (const StoreCell& cell : line.cells)
      row.push_back(painted(terminal, style_of(cell.sign), text_of(cell)));
    row.push_back(overtaking_of(line));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::size_t width_of(const std::vector<Row>& rows) {
  std::size_t width = 0;
  for (std::size_t column = 0; column < rows.front().size(); ++column) {
    std::size_t widest = 0;
    for (const Row& row : rows)
      if (column < row.size()) widest = std::max(widest, columns(row[column]));
    width += widest + (column == 0 ? 0 : 2);
  }
  return width;
}

// A paragraph for each sign of a lock, where there is no room for columns.
void write_list(const StoreTable& table, Page& page) {
  for (const StoreLine& line : table.lines) {
    page.line(fmt::format(
        "{}: {}", store_names[static_cast<std::size_t>(line.row->store)],
        painted(page.terminal(), Style::strong, printable(page.terminal(), line.row->algorithm))));
    for (std::size_t i = 0; i < store_sign_ids.size(); ++i) {
      std::string faults;
      for (std::size_t c = 0; c < line.cells.size(); ++c) {
        if (line.cells[c].sign != static_cast<StoreSign>(i)) continue;
        const std::uint32_t steps = steps_of(line.cells[c].run);
        faults += (faults.empty() ? "" : ", ") + struck_in_words(table.columns[c], Language::en);
        if (steps != 0) faults += fmt::format("{}{}", no_break, steps);
      }
      if (!faults.empty()) page.paragraph(fmt::format("  {} ", glyph_of(static_cast<StoreSign>(i))), faults);
    }
    page.paragraph("  ", fmt::format("{} {}", word("overtaken", Language::en), overtaking_of(line)));
  }
}

bool has(const StoreTable& table, StoreSign sign) {
  return std::any_of(table.lines.begin(), table.lines.end(), [&](const StoreLine& line) {
    return std::any_of(line.cells.begin(), line.cells.end(),
                       [&](const StoreCell& cell) { return cell.sign == sign; });
  });
}

// The signs that occur, and what each means.
std::vector<std::pair<StoreSign, std::string>> legend_of(const StoreTable& table) {
  std::vector<std::pair<StoreSign, std::string>> legend;
  for (std::size_t i = store_sign_ids.size(); i-- > 0;)
    if (const auto sign = static_cast<StoreSign>(i); has(table, sign))
      legend.emplace_back(sign, in_words(sign, Language::en));
  return legend;
}

}  // namespace

void write_stores_text(const Matrix& matrix, std::ostream& out, const Terminal& terminal) {
  Page page(out, terminal);
  const StoreTable table = store_table(matrix);
  for (const StoreAnswer& answer : store_answers(table)) {
    if (!answer.asks.empty()) page.paragraph("", answer.asks);
    page.paragraph(answer.asks.empty() ? "" : "  ", printable(terminal, answer.says));
  }
  page.line();
  write_beyond_model(matrix, page);
  const std::vector<Row> rows = rows_of(table, terminal);
  if (width_of(rows) <= terminal.width) write_columns(rows, rows.front().size(), page);
  else write_list(table, page);
  page.line();
  for (const auto& [sign, meaning] : legend_of(table))
    page.paragraph(fmt::format("{} ", glyph_of(sign)), meaning);
  page.paragraph("", word("overtaken_of", Language::en));
  page.line();
  write_bounds(matrix, grid_of(matrix).belief, page);
  for (const std::string& scope : deepening_in_words(matrix))
    page.paragraph("  with ", printable(terminal, scope));
  page.paragraph("", fmt::format("{}{:.1f} s", matrix.interrupted ? "interrupted: " : "", matrix.seconds));
  if (!matrix.costs.empty()) page.line();
  write_costs(matrix.costs, page);
}

void write_stores_markdown(const Matrix& matrix, std::ostream& out) {
  const StoreTable table = store_table(matrix);
  for (const StoreAnswer& answer : store_answers(table))
    out << (answer.asks.empty()
                ? fmt::format("**{}**\n\n", markdown_text(answer.says))
                : fmt::format("- {} {}\n", markdown_text(answer.asks), markdown_text(answer.says)));
  std::vector<Row> rows{{"store", "lock", "ends with"}};
  for (const Fault fault : table.columns) rows.front().push_back(struck_in_words(fault, Language::en));
  for (const std::string_view measure : {"overtaken", "measure alone", "measure contended", "measure wait"})
    rows.front().push_back(word(measure, Language::en));
  for (const StoreLine& line : table.lines) {
    Row row{std::string(store_names[static_cast<std::size_t>(line.row->store)]),
            markdown_text(line.row->algorithm), tenure_of(*line.row)};
    for (const StoreCell& cell : line.cells) row.push_back(text_of(cell));
    row.push_back(overtaking_of(line));
    for (std::string& cost : costs_of(line)) row.push_back(std::move(cost));
    rows.push_back(std::move(row));
  }
  out << '\n';
  write_markdown_table(rows, out);
  out << '\n';
  for (const auto& [sign, meaning] : legend_of(table))
    out << fmt::format("- {} {}\n", glyph_of(sign), meaning);
  out << fmt::format("- {}\n\nBounds: {}.\n", word("overtaken_of", Language::en),
                     fmt::join(bounds_in_words(matrix), " · "));
}

void write_stores_csv(const Matrix& matrix, std::ostream& out) {
  const StoreTable table = store_table(matrix);
  out << "store,tenure,algorithm,fault,sign,steps,property\n";
  for (const StoreLine& line : table.lines)
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const StoreCell& cell = line.cells[i];
      const std::uint32_t steps = steps_of(cell.run);
      out << fmt::format("{},{},{},{},{},{},{}\n", id_of(line.row->store),
                         line.row->tenure ? id_of(*line.row->tenure) : "", field_of_csv(line.row->algorithm),
                         id_of(table.columns[i]), id_of(cell.sign), steps == 0 ? "" : std::to_string(steps),
                         cell.run == nullptr ? "" : id_of(cell.run->result.property));
    }
}

}  // namespace holdfast::reports
