// Thresholds as bars, a map of two faults as fields. What breaks is red and has a cross.
#include <fmt/format.h>

#include <algorithm>

#include "reports/envelope.hpp"
#include "reports/svg.hpp"

namespace holdfast::reports {
namespace {

constexpr double names = 230;
constexpr double room = 420;
constexpr double row_height = 22;
constexpr double field = 30;

// A bar from nothing to the largest size, red from where the property breaks.
void draw_edge(Svg& svg, const Scale& scale, const Edge& edge, double y) {
  svg.label("side", names - 8, y + 15,
            fmt::format("{} · {}", id_of(scale.fault), shortened(id_of(edge.property), 22)));
  const double unit = room / (scale.count + 1);
  const std::uint32_t end = edge.is_open ? edge.holds_up_to.value_or(0) + (edge.holds_up_to ? 1 : 0)
                                         : edge.breaks_from.value_or(scale.count + 1);
  const std::string holds =
      edge.holds_up_to ? "holds up to " + size_in_words(scale, *edge.holds_up_to) : "never holds";
  if (end > 0) svg.rect("plot-bar", {names, y + 3, end * unit, row_height - 6}, holds);
  const double rest = room - end * unit;
  if (rest > 0)
    svg.rect(edge.is_open ? "stopped" : "overlap", {names + end * unit, y + 3, rest, row_height - 6},
             edge.is_open ? "not known" : "breaks from " + size_in_words(scale, *edge.breaks_from));
  svg.label("clock", names + room + 8, y + 15,
            edge.is_open        ? "not known"
            : !edge.breaks_from ? fmt::format("holds up to {}", size_in_words(scale, scale.count))
            : !edge.holds_up_to ? "breaks without it"
                                : fmt::format("{} holds, {} breaks", size_in_words(scale, *edge.holds_up_to),
                                              size_in_words(scale, *edge.breaks_from)));
}

double draw_layer(Svg& svg, const EnvelopeMap& map, const EnvelopeMap::Layer& layer, double y) {
  svg.label("note", 8, y + 14, id_of(layer.property));
  svg.label("clock", names, y + 14, fmt::format("{} →", id_of(map.across.fault)));
  y += 20;
  for (std::uint32_t x = 0; x < map.width(); ++x)
    svg.label("clock", names + x * field + 4, y + 12, size_in_words(map.across, x));
  svg.label("side", names - 40, y + 12, fmt::format("{} ↓", id_of(map.down.fault)));
  y += 18;
  for (std::uint32_t row = 0; row <= map.down.count; ++row) {
    svg.label("side", names - 8, y + 19, size_in_words(map.down, row));
    for (std::uint32_t x = 0; x < map.width(); ++x) {
      const Verdict verdict = layer.verdicts[row * map.width() + x];
      const Box box{names + x * field, y, field - 2, field - 2};
      const bool is_bad = verdict == Verdict::violated;
      const std::string title =
          fmt::format("{} {}, {} {}: {}", id_of(map.across.fault), size_in_words(map.across, x),
                      id_of(map.down.fault), size_in_words(map.down, row), id_of(verdict));
      svg.rect(is_bad ? "overlap" : verdict == Verdict::unknown ? "stopped" : "track", box, title);
      if (is_bad || verdict == Verdict::unknown)
        svg.label("lost-mark", box.x + box.width / 2, y + 19, is_bad ? "✘" : "?");
    }
    y += field;
  }
  return y + 14;
}

}  // namespace

void write_envelope_svg(const EnvelopeReport& report, std::ostream& out) {
  Svg svg;
  svg.label("note", 8, 18,
            fmt::format("{} · belief {}", shortened(report.algorithm, 40), id_of(report.belief)));
  double y = 30;
  double width = names + room + 190;
  for (const Envelope& envelope : report.envelopes)
    for (const Edge& edge : envelope.edges) {
      draw_edge(svg, envelope.scale, edge, y);
      y += row_height;
    }
  if (report.map) {
    width = std::max(names + report.map->width() * field + 20, 400.0);
    for (const EnvelopeMap::Layer& layer : report.map->layers) y = draw_layer(svg, *report.map, layer, y);
  }
  const std::string title = fmt::format("How much of a fault it takes to break {}", report.algorithm);
  out << svg.picture("envelope", width, y + 8, {.name = "envelope", .title = title, .stands_alone = true},
                     "");
}

}  // namespace holdfast::reports
