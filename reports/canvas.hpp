// One line of a drawing: text is put at columns, in any order; what is put later lies on top.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/terminal.hpp"

namespace holdfast::reports {

class Canvas {
 public:
  void put(std::size_t column, std::string_view text, std::optional<Style> style = std::nullopt);
  // The line, in colour if the terminal has it.
  std::string text(const Terminal& terminal) const;

 private:
  struct Cell {
    std::string glyph = " ";  // empty: covered by the wide glyph before
    std::optional<Style> style;
  };
  std::vector<Cell> cells_;
};

}  // namespace holdfast::reports
