// The whole run on one strip: belief against truth, faults, and every client's own clock. Steps from left to
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
  OverviewPainter(const Scene& scene, const PictureFrame& frame)
      : scene_(scene),
        frame_(frame),
        column_((overview_width - overview_left - 4) /
                static_cast<double>(std::max<std::size_t>(scene.rows.size(), 1))) {}

  std::string paint() {
    const double top = y_;
    paint_steps();
    paint_faults();
    for (const ClientId client : scene_.cast.clients) paint_client(client);
    paint_overlap();
    paint_no_return();
    svg_.rect("cursor", {overview_left, top, std::max(column_, 2.0), y_ - top});
    return svg_.picture("overview", overview_width, y_ + 4, frame_, definitions());
  }

 private:
  using Kind = Scene::Span::Kind;
  double x_of(std::size_t row) const { return overview_left + column_ * static_cast<double>(row); }

  std::string definitions() const {
    std::string text;
    for (const ClientId client : scene_.cast.clients)
      text += fmt::format(
          "<pattern id=\"{0}-o{1}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
          "patternTransform=\"rotate(45)\"><rect class=\"ink {2}\" width=\"3\" height=\"6\"/></pattern>",
          frame_.name, client.value, colour_of(client));
    return text;
  }

  // Stretches of the strip in which a client, or everybody, is in some state; those closer than one unit are
  // one.
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
      if (x_of(row) + column_ / 2 < free) continue;
      svg_.label("step-number", x_of(row) + column_ / 2, y_ + 11,
                 std::to_string(scene_.rows[row].step.value));
      free = x_of(row) + column_ / 2 + std::max(column_, 26.0);
    }
    svg_.label("side", overview_left - 8, y_ + 11, "step");
    y_ += 17;
    paint_ruler("true time", Duration::zero());
  }
  void paint_ruler(const std::string& name, Duration offset) {
    double free = 0;
    for (std::size_t row = 0; row < scene_.rows.size(); ++row) {
      const bool is_new = row == 0 || scene_.rows[row - 1].at != scene_.rows[row].at;
      if (!is_new || x_of(row) < free) continue;
      svg_.line("grid", x_of(row), y_, x_of(row), y_ + ruler - 3);
      svg_.label("clock", x_of(row) + 3, y_ + 10, to_text(scene_.rows[row].at.time_since_epoch() + offset));
      free = x_of(row) + label_room;
    }
    svg_.label("side faint", overview_left - 8, y_ + 10, name);
    y_ += ruler + 2;
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
      const double room = overview_width - x_of(row) - 14;
      if (static_cast<double>(columns(shown)) * 6.4 > room) return;
      svg_.label("fault-word", x_of(row) + 13, y_ + 11, shown);
      free = x_of(row) + 20 + static_cast<double>(columns(shown)) * 6.4;
    };
    std::vector<std::pair<std::size_t, std::string>> list;
    for (const Scene::Note& note : scene_.notes)
      if (note.is_fault) list.emplace_back(note.row, name_of(note.on) + " " + note.text);
    for (const Scene::Message& it : scene_.messages)
      if (it.is_lost || it.is_late)
        list.emplace_back(it.sent,
                          fmt::format("{} of {} {}", it.is_reply ? "answer" : "request",
                                      name_of(it.is_reply ? it.to : it.from), it.is_lost ? "lost" : "late"));
    std::sort(list.begin(), list.end());
    for (const auto& [row, text] : list) paint(row, text);
    if (!is_any) return;
    svg_.label("side", overview_left - 8, y_ + 11, "faults");
    y_ += 19;
  }

  void paint_client(ClientId client) {
    const Actor on = actor_of(client);
    const double top = y_;
    const std::string colour = colour_of(client);
    svg_.rect("track", {overview_left, y_, overview_width - overview_left - 4, bar});
    for (const auto& [begin, end] : stretches(Kind::believes, on))
      svg_.raw(
          fmt::format("<rect class=\"belief line {}\" fill=\"url(#{}-o{})\" x=\"{}\" y=\"{}\" width=\"{}\" "
                      "height=\"{}\"/>\n",
                      colour, frame_.name, client.value, svg_number(begin), svg_number(y_),
                      svg_number(end - begin), svg_number(bar)));
    svg_.label("side " + colour, overview_left - 8, y_ + 11, name_of(client) + " believes");
    y_ += bar + 3;
    svg_.rect("track", {overview_left, y_, overview_width - overview_left - 4, bar});
    for (const auto& [begin, end] : stretches(Kind::named, on))
      svg_.rect("truth ink " + colour, {begin, y_, end - begin, bar});
    svg_.label("side " + colour, overview_left - 8, y_ + 11, "store says " + name_of(client));
    y_ += bar + 2;
    for (const auto& [kind, name] : {std::pair(Kind::stopped, "stopped"), std::pair(Kind::absent, "absent"),
                                     std::pair(Kind::slow, "slow")})
      for (const auto& [begin, end] : stretches(kind, on)) {
        svg_.rect(name, {begin, top - 2, end - begin, y_ - top + 2});
        if (end - begin > 46) svg_.label("band-word", begin + 4, top + bar - 3, name);
      }
    paint_ruler(name_of(client) + "'s clock",
                client.value < scene_.wall_offsets.size() ? scene_.wall_offsets[client.value] : Duration{});
    y_ += 3;
  }

  void paint_overlap() {
    const auto list = stretches(Kind::clash, Actor{});
    if (list.empty()) return;
    for (const auto& [begin, end] : list) {
      svg_.rect("clash", {begin, 17, end - begin, y_ - 17});
      svg_.rect("overlap", {begin, y_, end - begin, bar});
      if (end - begin > 110) svg_.label("overlap-word", begin + 5, y_ + 11, "▲ both believe");
      else if (begin - overview_left > 110)
        svg_.label("overlap-word end", begin - 5, y_ + 11, "both believe ▲");
    }
    svg_.label("side bad", overview_left - 8, y_ + 11, "overlap");
    y_ += bar + 4;
  }

  void paint_no_return() {
    if (!scene_.no_return) return;
    const double x = x_of(*scene_.no_return + 1);
    svg_.path("inevitable",
              fmt::format("M{0} {1}H{2}V{3}H{4}V{1}Z", svg_number(overview_left), svg_number(y_ + bar),
                          svg_number(x), svg_number(y_ + 2), svg_number(overview_width - 4)));
    svg_.label("side", overview_left - 8, y_ + 11, "inevitable");
    svg_.line("no-return", x, 17, x, y_ + bar);
    const bool fits = overview_width - x > 230;
    svg_.label(fits ? "return-word" : "return-word end", fits ? x + 6 : x - 6, y_ + 11,
               "from here, every continuation breaks it");
    y_ += bar + 4;
  }

  const Scene& scene_;
  const PictureFrame& frame_;
  const double column_;
  double y_ = 0;
  Svg svg_;
};

// One swatch, drawn like the mark that it stands for.
std::string swatch(std::string_view mark, std::string_view meaning) {
  return fmt::format(
      "<li><svg class=\"picture swatch\" width=\"26\" height=\"14\" aria-hidden=\"true\">{}</svg> {}</li>",
      mark, meaning);
}

}  // namespace

std::string overview_picture(const Scene& scene, const PictureFrame& frame) {
  return OverviewPainter(scene, frame).paint();
}

std::string colour_of(ClientId client) { return fmt::format("k{}", client.value % 8); }

std::string picture_legend() {
  constexpr std::string_view hatch =
      "<defs><pattern id=\"legend-b\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(-45)\"><rect class=\"ink k0\" width=\"2.6\" height=\"5\"/></pattern></defs>"
      "<rect class=\"belief line k0\" fill=\"url(#legend-b)\" x=\"1\" y=\"1\" width=\"24\" height=\"12\"/>";
  return "<ul class=\"legend\">" + swatch(hatch, "believes that it holds") +
         swatch("<rect class=\"truth ink k0\" x=\"1\" y=\"1\" width=\"24\" height=\"12\"/>",
                "the store names it") +
         swatch("<rect class=\"clash\" x=\"1\" y=\"1\" width=\"24\" height=\"12\"/>",
                "▲ two beliefs exclude each other") +
         swatch("<rect class=\"stopped\" x=\"1\" y=\"1\" width=\"24\" height=\"12\"/>",
                "stopped, crashed or slow") +
         swatch("<line class=\"message line k0\" x1=\"1\" y1=\"7\" x2=\"25\" y2=\"7\"/>", "request") +
         swatch("<line class=\"message line k0 reply\" x1=\"1\" y1=\"7\" x2=\"25\" y2=\"7\"/>", "answer") +
         swatch("<line class=\"message line k0 late\" x1=\"1\" y1=\"7\" x2=\"25\" y2=\"7\"/>",
                "late, or lost ✕") +
         swatch("<text class=\"note fault\" x=\"8\" y=\"11\">⚡</text>", "a fault") + "</ul>\n";
}

}  // namespace holdfast::reports
