// Thresholds as bars, a map of two faults as fields. What breaks is red and has a cross.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "reports/envelope.hpp"
#include "reports/svg.hpp"
#include "reports/terminal.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

constexpr double names_width = 230;
constexpr double room = 420;
constexpr double edge_height = 22;
constexpr double field = 46;

// A bar from nothing to the largest size, red from where the property breaks.
void draw_edge(Svg& svg, const Scale& scale, const Edge& edge, double y) {
  svg.label("side", names_width - 8, y + 15,
            fmt::format("{} · {}", id_of(scale.fault), shortened(id_of(edge.property), 22)));
  const double unit = room / (scale.count + 1);
  const std::uint32_t end = edge.is_open ? edge.holds_up_to.value_or(0) + (edge.holds_up_to ? 1 : 0)
                                         : edge.breaks_from.value_or(scale.count + 1);
  const std::string holds =
      edge.holds_up_to ? "holds up to " + size_in_words(scale, *edge.holds_up_to) : "never holds";
  if (end > 0) svg.rect("plot-bar", {names_width, y + 3, end * unit, edge_height - 6}, holds);
  const double rest = room - end * unit;
  if (rest > 0)
    svg.rect(edge.is_open ? "stopped" : "overlap", {names_width + end * unit, y + 3, rest, edge_height - 6},
             edge.is_open ? "not known" : "breaks from " + size_in_words(scale, *edge.breaks_from));
  svg.label("clock", names_width + room + 8, y + 15,
            edge.is_open        ? "not known"
            : !edge.breaks_from ? fmt::format("holds up to {}", size_in_words(scale, scale.count))
            : !edge.holds_up_to ? "breaks without it"
                                : fmt::format("{} holds, {} breaks", size_in_words(scale, *edge.holds_up_to),
                                              size_in_words(scale, *edge.breaks_from)));
}

double draw_layer(Svg& svg, const EnvelopeMap& map, const EnvelopeMap::Layer& layer, double y) {
  svg.label("note", 8, y + 14, id_of(layer.property));
  svg.label("clock", names_width, y + 14, fmt::format("{} →", id_of(map.across.fault)));
  y += 20;
  for (std::uint32_t x = 0; x < map.width(); ++x)
    svg.label("clock", names_width + x * field + 4, y + 12, size_in_words(map.across, x));
  svg.label("side", names_width - 40, y + 12, fmt::format("{} ↓", id_of(map.down.fault)));
  y += 18;
  for (std::uint32_t row = 0; row <= map.down.count; ++row) {
    svg.label("side", names_width - 8, y + 28, size_in_words(map.down, row));
    for (std::uint32_t x = 0; x < map.width(); ++x) {
      const Verdict verdict = layer.verdicts[row * map.width() + x];
      const Box box{names_width + x * field, y, field - 2, field - 2};
      const bool is_bad = verdict == Verdict::violated;
      const std::string title =
          fmt::format("{} {}, {} {}: {}", id_of(map.across.fault), size_in_words(map.across, x),
                      id_of(map.down.fault), size_in_words(map.down, row), id_of(verdict));
      svg.rect(is_bad ? "overlap" : verdict == Verdict::unknown ? "stopped" : "track", box, title);
      const bool is_unknown = verdict == Verdict::unknown;
      svg.label(is_bad || is_unknown ? "lost-mark" : "held-mark", box.x + box.width / 2, y + 28,
                is_bad       ? "✘"
                : is_unknown ? "?"
                             : "✔");
    }
    y += field;
  }
  return y + 14;
}

double draw_lines(Svg& svg, std::string_view kind, const std::string& text, double width, double y) {
  for (const std::string& line : wrapped(text, static_cast<std::size_t>((width - 16) / 6.8))) {
    svg.label(kind, 8, y, line);
    y += 17;
  }
  return y;
}

double draw_legend(Svg& svg, std::string_view holding, double y) {
  double x = 8;
  for (const auto& [kind, mark, meaning] :
       {std::tuple(holding, "✔", "holds"), std::tuple(std::string_view("overlap"), "✘", "breaks"),
        std::tuple(std::string_view("stopped"), "?", "not known")}) {
    svg.rect(kind, {x, y - 10, 22, 12});
    svg.label("note", x + 28, y, fmt::format("{} {}", mark, meaning));
    x += 130;
  }
  return y + 22;
}

double draw_map(Svg& svg, const EnvelopeMap& map, double width, double y) {
  std::string even;
  for (const EnvelopeMap::Layer& layer : map.layers)
    if (is_same_everywhere(layer))
      even += fmt::format("{}{} {}", even.empty() ? "" : ", ", id_of(layer.property),
                          id_of(layer.verdicts.front()));
    else y = draw_layer(svg, map, layer, y);
  return even.empty() ? y : draw_lines(svg, "note", "the same everywhere: " + even, width, y + 6);
}

}  // namespace

void write_envelope_svg(const EnvelopeReport& report, std::ostream& out) {
  const std::string title = fmt::format("How much of a fault breaks {}", shortened(report.algorithm, 40));
  double width = names_width + room + 190;
  if (report.map) width = std::max(names_width + report.map->width() * field + 20, 640.0);
  Svg svg;
  svg.label("heading", 8, 24, title);
  std::string bounds = fmt::format("belief {}", id_of(report.belief));
  for (const std::string& phrase : bounds_in_words(Matrix{.bounds = report.bounds})) bounds += " · " + phrase;
  double y = draw_legend(svg, report.map ? "track" : "plot-bar",
                         draw_lines(svg, "time start", bounds, width, 46) + 6);
  for (const Envelope& envelope : report.envelopes)
    for (const Edge& edge : envelope.edges) {
      draw_edge(svg, envelope.scale, edge, y);
      y += edge_height;
    }
  if (report.map) y = draw_map(svg, *report.map, width, y);
  out << svg.picture("envelope", width, y + 8, {.name = "envelope", .title = title, .stands_alone = true},
                     "");
}

}  // namespace holdfast::reports
