#include "reports/markdown.hpp"

#include "reports/terminal.hpp"
#include "sim/core/invariant.hpp"

namespace holdfast::reports {

std::string markdown_text(std::string_view text) {
  // CommonMark: every ASCII punctuation character may be escaped with a backslash. A hyphen inside a word
  // needs none.
  constexpr std::string_view meaningful = "\\`*_{}[]<>()#+!|~&$@:";
  std::string escaped;
  for (const char letter : printable(Terminal{}, text)) {
    if (meaningful.find(letter) != std::string_view::npos) escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

void write_markdown_table(const std::vector<std::vector<std::string>>& rows, std::ostream& out) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INVARIANT(rows[i].size() == rows.front().size(), "a table has as many cells in every row");
    out << '|';
    for (const std::string& cell : rows[i]) out << ' ' << cell << " |";
    out << '\n';
    if (i != 0) continue;
    for (std::size_t c = 0; c < rows[0].size(); ++c) out << (c == 0 ? "|---|" : "---|");
    out << '\n';
  }
}

}  // namespace holdfast::reports
