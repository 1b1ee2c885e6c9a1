#include "reports/svg.hpp"

#include "reports/terminal.hpp"

namespace holdfast::reports {

std::string Svg::picture(std::string_view kind, double width, double height, const PictureFrame& frame,
                         std::string_view definitions) const {
  const std::string style =
      frame.stands_alone
          ? fmt::format("<style>{}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
                        asset("picture.css").text)
          : "";
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture {}\" viewBox=\"0 0 {} {}\" width=\"{}\" "
      "height=\"{}\" role=\"{}\" aria-label=\"{}\">\n{}<defs>{}</defs>\n{}</svg>\n",
      kind, svg_number(width), svg_number(height), svg_number(width), svg_number(height),
      kind == "sequence" && !frame.stands_alone ? "group" : "img", html_text(frame.title), style, definitions,
      text_);
}

std::string shortened(std::string_view text, std::size_t most) {
  const std::string safe = printable(Terminal{}, text);
  if (columns(safe) <= most) return safe;
  std::string cut;
  for (std::size_t i = 0; i < safe.size() && columns(cut) + 1 < most;) {
    std::size_t length = 1;
    while (i + length < safe.size() && (static_cast<unsigned char>(safe[i + length]) & 0xc0u) == 0x80)
      ++length;
    cut += safe.substr(i, length);
    i += length;
  }
  return cut + "…";
}

}  // namespace holdfast::reports
