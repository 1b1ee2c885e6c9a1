// Writes SVG elements. Numbers have at most one decimal; text is made safe.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

#include "reports/html.hpp"
#include "reports/picture.hpp"

namespace holdfast::reports {

inline std::string svg_number(double value) {
  const double rounded = std::round(value * 10) / 10;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);
}

struct Box {
  double x;
  double y;
  double width;
  double height;
};

class Svg {
 public:
  void open(std::string_view element, std::string_view kind, std::string_view more = {}) {
    text_ += fmt::format("<{} class=\"{}\"{}{}>", element, kind, more.empty() ? "" : " ", more);
  }
  void close(std::string_view element) { text_ += fmt::format("</{}>\n", element); }
  void rect(std::string_view kind, Box box, std::string_view title = {}) {
    text_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", kind,
                         svg_number(box.x), svg_number(box.y), svg_number(box.width), svg_number(box.height));
    end_with(title, "rect");
  }
  void line(std::string_view kind, double x1, double y1, double x2, double y2, std::string_view title = {}) {
    text_ += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", kind, svg_number(x1),
                         svg_number(y1), svg_number(x2), svg_number(y2));
    end_with(title, "line");
  }
  void path(std::string_view kind, std::string_view data) {
    text_ += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", kind, data);
  }
  // A head of an arrow at (x, y) that comes from (from_x, from_y).
  void arrow_head(std::string_view kind, double from_x, double from_y, double x, double y) {
    const double length = std::hypot(x - from_x, y - from_y);
    const double dx = length > 0 ? (x - from_x) / length : 1;
    const double dy = length > 0 ? (y - from_y) / length : 0;
    const auto corner = [&](double side) {
      return svg_number(x - 9 * dx - side * 4 * dy) + " " + svg_number(y - 9 * dy + side * 4 * dx);
    };
    path(kind, fmt::format("M{} {}L{}L{}Z", svg_number(x), svg_number(y), corner(1), corner(-1)));
  }
  void label(std::string_view kind, double x, double y, std::string_view text) {
    text_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", kind, svg_number(x),
                         svg_number(y), html_text(text));
  }
  const std::string& text() const { return text_; }
  void raw(std::string_view text) { text_ += text; }
  // The element itself, `width` by `height`, around what was written so far.
  std::string picture(std::string_view kind, double width, double height, const PictureFrame& frame,
                      std::string_view definitions) const;

 private:
  void end_with(std::string_view title, std::string_view element) {
    if (title.empty()) text_ += "/>\n";
    else text_ += fmt::format("><title>{}</title></{}>\n", html_text(title), element);
  }
  std::string text_;
};

// At most `most` characters, the last one then "…".
std::string shortened(std::string_view text, std::size_t most);

}  // namespace holdfast::reports
