// GitHub Flavored Markdown.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::reports {

// Text of others, without meaning for Markdown or HTML, on one line.
std::string markdown_text(std::string_view text);
// The first row is the header. REQUIRES: rows of equal size, cells already Markdown.
void write_markdown_table(const std::vector<std::vector<std::string>>& rows, std::ostream& out);

}  // namespace holdfast::reports
