// The whole run as one strip: belief against truth, faults, and every client's own clock. Steps from left to
// right, all equally wide.
#include <algorithm>

#include "reports/svg.hpp"
#include "reports/terminal.hpp"

namespace holdfast::reports {
namespace {

constexpr double bar = 13;
constexpr double ruler = 15;
constexpr double label_room = 52;  // between two numbers of a ruler

class OverviewPainter {
 public:
  OverviewPainter(const Scene& scene, const PictureFrame& frame, Axis axis)
      : scene_(scene),
        frame_(frame),
        axis_(axis),
        column_(axis == Axis::time
                    ? 0
                    : room / static_cast<double>(std::max<std::size_t>(scene.rows.size(), 1))) {}

  std::string paint() {
    const double top = y_;
    paint_steps();
    paint_faults();
    for (const ClientId client : scene_.cast.clients) paint_client(client);
    paint_overlap();
    paint_writes();
    paint_no_return();
    // Apart, so that a page can keep the names in sight while the strip moves below them.
    svg_.open("g", "names");
    svg_.rect("paper", {0, top, overview_left - 3, y_ - top});
    svg_.raw(names_.text());
    svg_.close("g");
    svg_.rect("cursor", {overview_left, top, std::max(column_, 2.0), y_ - top});
    return svg_.picture("overview", overview_width, y_ + 4, frame_, definitions());
  }

 private:
  using Kind = Scene::Span::Kind;
  static constexpr double room = overview_width - overview_left - 4;
  static constexpr double tail = 40;  // the last instant, by time; page.js knows it, too
  double x_of(std::size_t row) const {
    if (axis_ == Axis::order || scene_.rows.empty())
      return overview_left + column_ * static_cast<double>(row);
    if (row >= scene_.rows.size()) return overview_left + room;
    const auto since_begin = [&](const Scene::Row& it) { return (it.at - scene_.rows.front().at).count(); };
    const auto whole = std::max<std::int64_t>(since_begin(scene_.rows.back()), 1);
    return overview_left +
           (room - tail) * static_cast<double>(since_begin(scene_.rows[row])) / static_cast<double>(whole);
  }

  std::string definitions() const {
    std::string text;
    for (const ClientId client : scene_.cast.clients)
      text += fmt::format(
          "<pattern id=\"{0}-o{1}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
          "patternTransform=\"rotate(45)\"><rect class=\"ink {2}\" width=\"3\" height=\"6\"/></pattern>",
          frame_.name, client.value, colour_of(client));
    return text;
  }

  // Stretches of the strip in which a client, or all, are in some state; those closer than one unit are one.
  std::vector<std::pair<double, double>> stretches(Kind kind, Actor on) const {
    std::vector<std::pair<double, double>> list;
    for (const Scene::Span& span : scene_.spans) {
      if (span.kind != kind || span.on != on) continue;
      const double begin = x_of(span.begin);
      const double end = std::max(x_of(span.end), begin + 1);
      if (!list.empty() && column_ < 2 && begin - list.back().second < 1)
        list.back().second = std::max(end, list.back().second);
      else list.emplace_back(begin, end);
    }
    return list;
  }

  void paint_steps() {
    double free = 0;
    for (std::size_t row = 0; row < scene_.rows.size(); ++row) {
      if (column_ >= 3) svg_.line("grid", x_of(row), y_ + 4, x_of(row), y_ + 12);
      if (x_of(row) + column_ / 2 < free - 0.5) continue;
      svg_.label("step-number", x_of(row) + column_ / 2, y_ + 11,
                 std::to_string(scene_.rows[row].step.value));
      free = x_of(row) + column_ / 2 + std::max(column_, 26.0);
    }
    name("", words_.strip_step);
    y_ += 17;
    paint_ruler(words_.true_time, Duration::zero());
  }
  void paint_ruler(std::string_view text, Duration offset) {
    double free = 0;
    for (std::size_t row = 0; row < scene_.rows.size(); ++row) {
      const bool is_new = row == 0 || scene_.rows[row - 1].at != scene_.rows[row].at;
      if (!is_new || x_of(row) < free) continue;
      svg_.line("grid", x_of(row), y_, x_of(row), y_ + ruler - 3);
      svg_.label("clock", x_of(row) + 3, y_ + 10, to_text(scene_.rows[row].at.time_since_epoch() + offset));
      free = x_of(row) + label_room;
    }
    name("faint", text);
    y_ += ruler + 2;
  }

  // Of the part of the strip that is painted next.
  void name(std::string_view kind, std::string_view text) {
    names_.label(fmt::format("side{}{}", kind.empty() ? "" : " ", kind), overview_left - 8, y_ + 11, text);
  }

  std::string fate_of(const Scene::Message& it) const {
    if (it.is_reply) return say(it.is_lost ? words_.lost_answer : words_.late_answer, scene_.name_of(it.to));
    return say(it.is_lost ? words_.lost_request : words_.late_request, scene_.name_of(it.from));
  }

  void paint_faults() {
    double free = 0;
    bool is_any = false;
    const auto paint = [&](std::size_t row, const std::string& text) {
      is_any = true;
      if (x_of(row) < free) return;
      svg_.label("fault", x_of(row), y_ + 11, "⚡");
      free = x_of(row) + 10;
      const std::string shown = shortened(text, 40);
      const double rest = overview_width - x_of(row) - 14;
      if (static_cast<double>(columns(shown)) * 6.4 > rest) return;
      svg_.label("fault-word", x_of(row) + 13, y_ + 11, shown);
      free = x_of(row) + 20 + static_cast<double>(columns(shown)) * 6.4;
    };
    std::vector<std::pair<std::size_t, std::string>> list;
    for (const Scene::Note& note : scene_.notes)
      if (note.is_fault) list.emplace_back(note.row, scene_.name_of(note.on) + " " + note.text);
    for (const Scene::Message& it : scene_.messages)
      if (it.is_lost || it.is_late) list.emplace_back(it.sent, fate_of(it));
    std::sort(list.begin(), list.end());
    for (const auto& [row, text] : list) paint(row, text);
    if (!is_any) return;
    name("", words_.faults);
    y_ += 19;
  }

  void paint_client(ClientId client) {
    const Actor on = actor_of(client);
    const double top = y_;
    const std::string colour = colour_of(client);
    svg_.rect("track", {overview_left, y_, room, bar});
    for (const auto& [begin, end] : stretches(Kind::believes, on))
      svg_.raw(
          fmt::format("<rect class=\"belief line {}\" fill=\"url(#{}-o{})\" x=\"{}\" y=\"{}\" width=\"{}\" "
                      "height=\"{}\"/>\n",
                      colour, frame_.name, client.value, svg_number(begin), svg_number(y_),
                      svg_number(end - begin), svg_number(bar)));
    name(colour, say(words_.believes, name_of(client)));
    y_ += bar + 3;
    svg_.rect("track", {overview_left, y_, room, bar});
    for (const auto& [begin, end] : stretches(Kind::named, on))
      svg_.rect("truth ink " + colour, {begin, y_, end - begin, bar});
    name(colour, say(scene_.cast.nodes.size() > 1 ? words_.truth_of_most : words_.truth, name_of(client)));
    y_ += bar + 2;
    paint_bands(Kind::stopped, on, top, "stopped", words_.band_stopped);
    paint_bands(Kind::absent, on, top, "absent", words_.band_absent);
    paint_bands(Kind::slow, on, top, "slow", words_.band_slow);
    // A clock that is right shows true time.
    const Duration offset =
        client.value < scene_.wall_offsets.size() ? scene_.wall_offsets[client.value] : Duration{};
    if (offset != Duration::zero()) paint_ruler(say(words_.clock_of, name_of(client)), offset);
    y_ += 3;
  }

  void paint_bands(Kind kind, Actor on, double top, std::string_view mark, std::string_view name) {
    for (const auto& [begin, end] : stretches(kind, on)) {
      svg_.rect(mark, {begin, top - 2, end - begin, y_ - top + 2});
      if (end - begin > 46) svg_.label("band-word", begin + 4, top + bar - 3, name);
    }
  }

  void paint_overlap() {
    const auto list = stretches(Kind::clash, Actor{});
    if (list.empty()) return;
    for (const auto& [begin, end] : list) {
      svg_.rect("clash", {begin, 17, end - begin, y_ - 17});
      svg_.rect("overlap", {begin, y_, end - begin, bar});
      if (end - begin > 130)
        svg_.label("overlap-word", begin + 5, y_ + 11, fmt::format("▲ {}", words_.both_believe));
      else if (begin - overview_left > 130)
        svg_.label("overlap-word end", begin - 5, y_ + 11, fmt::format("{} ▲", words_.both_believe));
    }
    name("bad", words_.overlap);
    y_ += bar + 4;
  }

  void paint_writes() {
    if (scene_.accesses.empty()) return;
    for (const Scene::Access& it : scene_.accesses) {
      if (it.is_read) continue;
      const double x = x_of(it.row) + column_ / 2;
      svg_.label((it.is_wrong ? "write wrong " : "write ") + colour_of(it.client), x, y_ + 11,
                 fmt::format("{} {}", it.is_wrong ? "✘" : "✎", name_of(it.client)));
      if (it.is_wrong) svg_.line("wrong-write", x, 17, x, y_ - 1);
    }
    name("", words_.writes);
    y_ += bar + 4;
  }

  void paint_no_return() {
    if (!scene_.no_return) return;
    const double x = x_of(*scene_.no_return + 1);
    svg_.path("inevitable",
              fmt::format("M{0} {1}H{2}V{3}H{4}V{1}Z", svg_number(overview_left), svg_number(y_ + bar + 5),
                          svg_number(x), svg_number(y_), svg_number(overview_width - 4)));
    name("", words_.inevitable);
    svg_.line("no-return", x, 17, x, y_ + bar + 5);
    const bool fits = overview_width - x > 230;
    svg_.label(fits ? "return-word" : "return-word end", fits ? x + 6 : x - 6, y_ + 13,
               words_.every_continuation);
    y_ += bar + 9;
  }

  const Scene& scene_;
  const PageWords& words_ = scene_.words->page;
  const PictureFrame& frame_;
  const Axis axis_;
  const double column_;  // how wide a step is
  double y_ = 0;
  Svg svg_;
  Svg names_;
};

}  // namespace

std::string overview_picture(const Scene& scene, const PictureFrame& frame, Axis axis) {
  return OverviewPainter(scene, frame, axis).paint();
}

std::string colour_of(ClientId client) { return fmt::format("k{}", client.value % 8); }

}  // namespace holdfast::reports
