#include "reports/history_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "reports/svg.hpp"
#include "reports/verdicts.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

// A phone has room for five commits; names stand above what they name.
constexpr double commit_room = 60;
constexpr double right_room = 50;
constexpr double widest = 1150;
constexpr double row = 34;
constexpr double name_row = 15;
constexpr double plot_tall = 90;
constexpr std::size_t bins = 12;

class Plotter {
 public:
  explicit Plotter(const History& history)
      : history_(history),
        step_(std::min(commit_room, (widest - right_room) / static_cast<double>(std::max<std::size_t>(
                                                                history.commits.size(), 1)))),
        width_(std::max(360.0, step_ * static_cast<double>(history.commits.size()) + right_room)) {}

  std::string verdicts(const std::vector<const History::Verdicts*>& rows, const std::string& title) {
    svg_ = Svg();
    double y = 4;
    for (const History::Verdicts* const it : rows) {
      svg_.label("side start", 0, y + 11, shortened(it->name, 48));
      for (std::size_t i = 0; i < it->values.size(); ++i) {
        if (!it->values[i]) continue;
        const Outcome outcome = outcome_of(PropertyResult{{}, *it->values[i], "", std::nullopt});
        const std::string kind = outcome == Outcome::violated       ? "turned-bad"
                                 : style_of(outcome) == Style::good ? "turned-good"
                                                                    : "turned-open";
        svg_.rect(kind, {x_of(i), y + name_row, step_ - 2, row - name_row - 3},
                  fmt::format("{}: {}", told(i), word_of(outcome)));
        if (step_ > 16)
          svg_.label("turned-sign", x_of(i) + step_ / 2 - 1, y + name_row + 12, glyph_of(outcome));
      }
      y += row;
    }
    return svg_.picture("history", width_, paint_commits(y) + 4, {"verdicts", title}, "");
  }

  // From zero, so that lines of different figures can be compared by eye.
  std::string lines(const History::Cost& cost) {
    svg_ = Svg();
    double most = 0;
    for (const History::Figures& line : cost.lines)
      for (const std::optional<double>& value : line.values) most = std::max(most, value.value_or(0));
    const double top = name_row * static_cast<double>(cost.lines.size()) + 8;
    const auto y_of = [&](double value) { return top + plot_tall * (1 - (most > 0 ? value / most : 0)); };
    svg_.line("axis", 0, y_of(0), width_ - right_room, y_of(0));
    for (std::size_t i = 0; i < cost.lines.size(); ++i) {
      const History::Figures& line = cost.lines[i];
      const std::string colour = fmt::format("k{}", i % 8);
      svg_.label("side start " + colour, 0, 11 + name_row * static_cast<double>(i), shortened(line.name, 48));
      std::string path;
      std::optional<std::size_t> last;
      for (std::size_t at = 0; at < line.values.size(); ++at) {
        if (!line.values[at]) continue;
        path += fmt::format("{}{} {}", last ? "L" : "M", svg_number(x_of(at) + step_ / 2),
                            svg_number(y_of(*line.values[at])));
        svg_.raw(
            fmt::format("<circle class=\"ink {}\" cx=\"{}\" cy=\"{}\" r=\"3\"><title>{}</title></circle>\n",
                        colour, svg_number(x_of(at) + step_ / 2), svg_number(y_of(*line.values[at])),
                        html_text(fmt::format("{}: {}, {:.6g}", told(at), line.name, *line.values[at]))));
        last = at;
      }
      if (!last) continue;
      svg_.path("history-line line " + colour, path);
      svg_.label("clock", x_of(*last) + step_ / 2 + 8, y_of(*line.values[*last]) + 4,
                 fmt::format("{:.4g}", *line.values[*last]));
    }
    return svg_.picture("history", width_, paint_commits(y_of(0) + 4) + 4, {"cost", cost.name}, "");
  }

  static std::string histogram(const History::Times& times) {
    const auto [least, most] = std::minmax_element(times.samples.begin(), times.samples.end());
    const double width = std::max(*most - *least, 1.0) / static_cast<double>(bins);
    std::array<std::size_t, bins> counts{};
    for (const double sample : times.samples)
      ++counts[std::min(static_cast<std::size_t>((sample - *least) / width), bins - 1)];
    const double scale = 60 / static_cast<double>(*std::max_element(counts.begin(), counts.end()));
    Svg svg;
    for (std::size_t i = 0; i < bins; ++i) {
      const double tall = scale * static_cast<double>(counts[i]);
      svg.rect("plot-bar", {10 + 28 * static_cast<double>(i), 66 - tall, 26, tall},
               fmt::format("{:.4g} ms: {}", (*least + width * static_cast<double>(i)) / 1e6, counts[i]));
    }
    svg.line("axis", 10, 66, 346, 66);
    svg.label("clock", 10, 80, fmt::format("{:.4g} ms", *least / 1e6));
    svg.label("clock end", 346, 80, fmt::format("{:.4g} ms", *most / 1e6));
    return svg.picture("plot", 358, 86, {"histogram", times.name}, "");
  }

 private:
  double x_of(std::size_t commit) const { return step_ * static_cast<double>(commit); }
  std::string told(std::size_t commit) const {
    const HistoryCommit& it = history_.commits[commit];
    return fmt::format("{} {} {}", it.name, it.date, it.subject);
  }
  // Names below, as many as have room.
  double paint_commits(double y) {
    double free = 0;
    for (std::size_t i = 0; i < history_.commits.size(); ++i) {
      if (x_of(i) < free) continue;
      svg_.label("clock", x_of(i), y + 13, history_.commits[i].name);
      free = x_of(i) + commit_room - 1;
    }
    return y + 18;
  }

  const History& history_;
  const double step_;
  const double width_;
  Svg svg_;
};

template <class Values>
bool changes(const Values& values) {
  const auto is_there = [](const auto& value) { return value.has_value(); };
  const auto first = std::find_if(values.begin(), values.end(), is_there);
  return std::any_of(first, values.end(), [&](const auto& value) { return value && *value != **first; });
}

bool is_proved(Verdict verdict) {
  return style_of(outcome_of(PropertyResult{{}, verdict, "", std::nullopt})) == Style::good;
}

}  // namespace

std::vector<HistoryTurn> turns_of(const History& history) {
  std::vector<HistoryTurn> turns;
  for (std::size_t i = 0; i < history.commits.size(); ++i) {
    HistoryTurn turn{&history.commits[i]};
    for (const History::Verdicts& it : history.verdicts) {
      std::optional<Verdict> before;
      for (std::size_t at = 0; at < i; ++at)
        if (it.values[at]) before = it.values[at];
      if (!before || !it.values[i]) continue;
      turn.broke += *before != Verdict::violated && *it.values[i] == Verdict::violated;
      turn.mended += *before == Verdict::violated && is_proved(*it.values[i]);
    }
    if (turn.broke + turn.mended != 0) turns.push_back(turn);
  }
  return turns;
}

void write_history_page(const History& history, Language language, std::ostream& out) {
  Plotter plotter(history);
  std::vector<const History::Verdicts*> turned;
  std::vector<const History::Verdicts*> steady;
  for (const History::Verdicts& it : history.verdicts) (changes(it.values) ? turned : steady).push_back(&it);
  Json data{
      {"title", say(word("history_heading", language), history.baseline)},
      {"extent", say(word("history_extent", language), history.commits.size(), turned.size(), steady.size())},
      {"picture", turned.empty() ? "" : plotter.verdicts(turned, word("history_turned", language))},
      {"turns", Json::array()},
      {"steady", Json()},
      {"costs", Json::array()},
      {"times", Json::array()},
      {"commits", Json::array()}};
  for (const HistoryTurn& it : turns_of(history))
    data["turns"].push_back({{"name", it.commit->name},
                             {"at", it.commit->date},
                             {"what", it.commit->subject},
                             {"broke", it.broke == 0 ? "" : std::to_string(it.broke)},
                             {"mended", it.mended == 0 ? "" : std::to_string(it.mended)}});
  if (!steady.empty())
    data["steady"] = {{"picture", plotter.verdicts(steady, word("history_steady", language))}};
  for (const History::Cost& cost : history.costs)
    data["costs"].push_back({{"name", cost.name}, {"picture", plotter.lines(cost)}});
  for (const History::Times& times : history.times)
    if (!times.samples.empty())
      data["times"].push_back({{"name", times.name}, {"picture", Plotter::histogram(times)}});
  data["has_turns"] = !data["turns"].empty();
  data["has_times"] = !data["times"].empty();
  for (const HistoryCommit& it : history.commits)
    data["commits"].push_back({{"name", it.name}, {"at", it.date}, {"what", it.subject}});
  write_page({say(word("history_heading", language), history.baseline), language}, "history", data, out);
}

}  // namespace holdfast::reports
