// Costs and fairness as bars. Every axis begins at zero.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "reports/matrix_page.hpp"
#include "reports/svg.hpp"

namespace holdfast::reports {
namespace {

constexpr double plot_width = 358;
constexpr double names = 150;
constexpr double row_height = 20;

struct Series {
  std::string_view name;
  double (*value)(const Cost&);
  std::string_view kind;
};
struct Plot {
  std::string_view title;
  std::string_view unit;
  std::array<Series, 2> series;  // the second may have no value
  double most = 0;               // of the axis; 0: as the values are
};

const std::array<Plot, 4> plots{{
    {"Commands per grant",
     "commands of all clients for each grant; fewer is cheaper",
     {{{"commands", [](const Cost& it) { return it.commands_per_acquire; }, "plot-bar"}, {}}}},
    {"Waiting",
     "milliseconds from the first acquire() of a round to the grant: half of all grants, and 99 of 100",
     {{{"half", [](const Cost& it) { return it.wait_ms_p50; }, "plot-bar"},
       {"99 of 100", [](const Cost& it) { return it.wait_ms_p99; }, "plot-bar second"}}}},
    {"Overtaken",
     "most grants to others while one client waited for one",
     {{{"grants", [](const Cost& it) { return static_cast<double>(it.bypass_max); }, "plot-bar"}, {}}}},
    {"Fairness",
     "Jain's index of grants per client: 1 is even",
     {{{"index", [](const Cost& it) { return it.jain_fairness; }, "plot-bar"}, {}}},
     1},
}};

// Bars that are all as long as each other say less than a sentence.
std::optional<std::string> even(const Plot& plot, const std::vector<Cost>& costs) {
  const Series& series = plot.series[0];
  if (plot.series[1].value || plot.most == 0) return std::nullopt;
  const auto is_less = [&](const Cost& one, const Cost& other) {
    return series.value(one) < series.value(other);
  };
  const auto [least, most] = std::minmax_element(costs.begin(), costs.end(), is_less);
  if (series.value(*most) - series.value(*least) > plot.most / 20) return std::nullopt;
  return fmt::format(
      "<figure><figcaption><b>{}</b><br><small>{}</small></figcaption>\n<p>From {:.3f} ({}) to {:.3f} "
      "({}).</p></figure>\n",
      plot.title, plot.unit, series.value(*least), html_text(least->algorithm), series.value(*most),
      html_text(most->algorithm));
}

std::string plot_of(const Plot& plot, const std::vector<Cost>& costs) {
  if (const std::optional<std::string> text = even(plot, costs)) return *text;
  double most = plot.most;
  for (const Cost& cost : costs)
    for (const Series& series : plot.series)
      if (series.value && plot.most == 0) most = std::max(most, series.value(cost));
  const double scale = most > 0 ? (plot_width - names - 44) / most : 0;
  const bool is_double = plot.series[1].value != nullptr;
  const double height = is_double ? row_height + 8 : row_height;
  Svg svg;
  double y = 4;
  for (const Cost& cost : costs) {
    svg.label("side", names - 8, y + 13, shortened(cost.algorithm, 22));
    double top = y + 2;
    for (const Series& series : plot.series) {
      if (!series.value) continue;
      const double value = series.value(cost);
      svg.rect(series.kind, {names, top, std::max(value * scale, 0.5), is_double ? 11.0 : row_height - 6});
      svg.label("clock", names + value * scale + 5, top + 10,
                fmt::format("{:.{}f}", value, value < 10 ? 2 : 0));
      top += 12;
    }
    y += height;
  }
  svg.line("axis", names, 0, names, y);
  std::string legend;
  if (is_double)
    for (const Series& series : plot.series)
      legend += fmt::format(
          " <span class=\"key\"><svg class=\"picture swatch\" width=\"16\" height=\"12\" "
          "aria-hidden=\"true\"><rect class=\"{}\" "
          "width=\"16\" height=\"12\"/></svg> {}</span>",
          series.kind, series.name);
  return fmt::format("<figure><figcaption><b>{}</b><br><small>{}</small> {}</figcaption>\n{}</figure>\n",
                     plot.title, plot.unit, legend,
                     svg.picture("plot", plot_width, y + 4,
                                 {"plot", fmt::format("{} by lock; see the table", plot.title)}, ""));
}

}  // namespace

std::string cost_plots(const std::vector<Cost>& costs) {
  std::string text = "<div class=\"plots\">\n";
  for (const Plot& plot : plots) text += plot_of(plot, costs);
  return text + "</div>\n";
}

}  // namespace holdfast::reports
