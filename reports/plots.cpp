// Costs and fairness as bars. Every axis begins at zero.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "reports/matrix_page.hpp"
#include "reports/svg.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr double plot_width = 358;
constexpr double name_width = 150;
constexpr double cost_height = 20;

struct Series {
  double (*value)(const Cost&);
  std::string_view kind;
  std::string_view name = "";  // these names are words of reports/page/words.json
};
struct Plot {
  std::string_view name;
  std::string_view unit;
  std::array<Series, 2> series;  // the second may have no value
  double most = 0;               // of the axis; 0: as the values are
};

const std::array<Plot, 4> plots{{
    {"plot commands",
     "plot commands unit",
     {{{[](const Cost& it) { return it.commands_per_acquire; }, "plot-bar"}, {}}}},
    {"plot waiting",
     "plot waiting unit",
     {{{[](const Cost& it) { return it.wait_ms_p50; }, "plot-bar", "half"},
       {[](const Cost& it) { return it.wait_ms_p99; }, "plot-bar second", "99 of 100"}}}},
    {"plot overtaken",
     "plot overtaken unit",
     {{{[](const Cost& it) { return static_cast<double>(it.bypass_max); }, "plot-bar"}, {}}}},
    {"plot fairness",
     "plot fairness unit",
     {{{[](const Cost& it) { return it.jain_fairness; }, "plot-bar"}, {}}},
     1},
}};

// Bars that are all as long as each other say less than a sentence.
Json even(const Plot& plot, const std::vector<Cost>& costs) {
  const Series& series = plot.series[0];
  if (plot.series[1].value || plot.most == 0) return {};
  const auto is_less = [&](const Cost& one, const Cost& other) {
    return series.value(one) < series.value(other);
  };
  const auto [least, most] = std::minmax_element(costs.begin(), costs.end(), is_less);
  if (series.value(*most) - series.value(*least) > plot.most / 20) return {};
  return {{"least", fmt::format("{:.3f}", series.value(*least))},
          {"of_least", least->algorithm},
          {"most", fmt::format("{:.3f}", series.value(*most))},
          {"of_most", most->algorithm}};
}

std::string drawn(const Plot& plot, const std::vector<Cost>& costs, Language language) {
  double most = plot.most;
  for (const Cost& cost : costs)
    for (const Series& series : plot.series)
      if (series.value && plot.most == 0) most = std::max(most, series.value(cost));
  const double scale = most > 0 ? (plot_width - name_width - 44) / most : 0;
  const bool is_double = plot.series[1].value != nullptr;
  const double height = is_double ? cost_height + 8 : cost_height;
  Svg svg;
  double y = 4;
  for (const Cost& cost : costs) {
    svg.label("side", name_width - 8, y + 13, shortened(cost.algorithm, 22));
    double top = y + 2;
    for (const Series& series : plot.series) {
      if (!series.value) continue;
      const double value = series.value(cost);
      svg.rect(series.kind,
               {name_width, top, std::max(value * scale, 0.5), is_double ? 11.0 : cost_height - 6});
      svg.label("clock", name_width + value * scale + 5, top + 10,
                fmt::format("{:.{}f}", value, value < 10 ? 2 : 0));
      top += 12;
    }
    y += height;
  }
  svg.line("axis", name_width, 0, name_width, y);
  const std::string title = say(word("plot title", language), word(plot.name, language));
  return svg.picture("plot", plot_width, y + 4, {"plot", title}, "");
}

}  // namespace

Json cost_plots(const std::vector<Cost>& costs, Language language) {
  Json list = Json::array();
  for (const Plot& plot : plots) {
    Json series = Json::array();
    if (plot.series[1].value)
      for (const Series& each : plot.series)
        series.push_back({{"kind", each.kind}, {"of", word(each.name, language)}});
    const Json range = even(plot, costs);
    list.push_back({{"name", word(plot.name, language)},
                    {"unit", word(plot.unit, language)},
                    {"series", std::move(series)},
                    {"range", range},
                    {"picture", range.is_null() ? drawn(plot, costs, language) : ""}});
  }
  return list;
}

}  // namespace holdfast::reports
