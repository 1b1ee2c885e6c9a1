#include "reports/canvas.hpp"

namespace holdfast::reports {

void Canvas::put(std::size_t column, std::string_view text, std::optional<Style> style) {
  std::size_t begin = 0;
  std::size_t last = column;  // where the glyph that is being put began
  while (begin < text.size()) {
    std::size_t end = begin + 1;
    while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;  // the rest of a UTF-8 sequence
    const std::string_view glyph = text.substr(begin, end - begin);
    const std::size_t width = columns(glyph);
    if (width == 0) {  // a mark on the glyph before it, or on the blank where the text begins
      if (cells_.size() <= last) cells_.resize(last + 1);
      cells_[last].glyph += glyph;
    } else {
      if (cells_.size() < column + width) cells_.resize(column + width);
      cells_[column] = {std::string(glyph), style};
      if (width == 2) cells_[column + 1] = {"", style};
      last = column;
      column += width;
    }
    begin = end;
  }
}

std::string Canvas::text(const Terminal& terminal) const {
  std::string line;
  for (std::size_t i = 0; i < cells_.size();) {
    std::string part;
    const std::optional<Style> style = cells_[i].style;
    for (; i < cells_.size() && cells_[i].style == style; ++i) part += cells_[i].glyph;
    line += style ? painted(terminal, *style, part) : part;
  }
  return line;
}

}  // namespace holdfast::reports
