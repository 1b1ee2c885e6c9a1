// The sequence diagram: time runs down, one lifeline for each client and node.
#include <algorithm>

#include "reports/svg.hpp"
#include "reports/terminal.hpp"

namespace holdfast::reports {
namespace {

constexpr double row_height = 34;    // at least; more where more is to be said
constexpr double minor_height = 15;  // of a row in which only folded servers do something
constexpr double line_height = 14;
constexpr double divide = 20;  // for the word at the point of no return
constexpr double head_height = 58;
constexpr double gutter = 92;     // numbers and times of steps
constexpr double margin = 136;    // for notes beside the outer lanes
constexpr double bar_width = 9;   // of belief and of truth, one on each side of a lifeline
constexpr double key_width = 18;  // of a key on the lifeline of a node
constexpr double letter_width = 6.7;
constexpr std::size_t lines_most = 4;  // of a note

class SequencePainter {
 public:
  SequencePainter(const Scene& scene, Rows rows, const PictureFrame& frame)
      : scene_(scene), rows_(rows), frame_(frame), gap_(gap_of(lane_count(), has_resource())) {
    for (const Scene::Note& note : scene.notes)
      if (note.row >= rows.begin && note.row < rows.end && has_lane(note.on)) place(note);
    tops_.push_back(head_height);
    for (std::size_t row = rows.begin; row < rows.end; ++row)
      tops_.push_back(tops_.back() + height_of(row) + (scene.no_return == row ? divide : 0));
  }

  std::string paint(bool is_living = false) {
    paint_rows();
    for (const Scene::Span& span : scene_.spans)
      if (shows(span) && span.kind == Scene::Span::Kind::clash) paint_clash(span);
    for (const Actor& lane : scene_.lanes)
      svg_.line("life", x_of(lane), head_height - 12, x_of(lane), bottom());
    for (const Scene::Span& span : scene_.spans)
      if (shows(span) && span.kind != Scene::Span::Kind::clash) paint_span(span);
    paint_no_return();
    for (const Scene::Message& message : scene_.messages) paint_message(message);
    paint_accesses();
    svg_.raw(labels_);  // above all lines
    for (const Notes& notes : notes_) paint_notes(notes);
    for (const Actor& lane : scene_.lanes) paint_head(lane);
    if (is_living) paint_motion();
    return svg_.picture("sequence", width(), bottom() + (is_living ? 34 : 10), frame_, definitions());
  }

 private:
  // Up to five lanes as far apart as is good to read; more as fit into a window.
  static double gap_of(std::size_t lanes, bool has_resource) {
    if (lanes <= 5) return has_resource ? 190 : 200;
    return std::max(144.0, (1228 - gutter - 2 * margin) / static_cast<double>(lanes - 1));
  }
  bool has_resource() const { return !scene_.accesses.empty(); }
  std::size_t lane_count() const { return scene_.lanes.size() + (has_resource() ? 1 : 0); }
  double width() const {
    if (has_resource()) return x_of_resource() + 60;
    return gutter + 2 * margin +
           gap_ * static_cast<double>(std::max<std::size_t>(scene_.lanes.size(), 1) - 1);
  }
  double bottom() const { return tops_.back(); }
  // REQUIRES: the row is shown.
  double top_of(std::size_t row) const { return tops_[row - rows_.begin]; }
  bool is_minor(std::size_t row) const { return row < scene_.is_minor.size() && scene_.is_minor[row]; }
  double height_of(std::size_t row) const {
    if (is_minor(row)) return minor_height;
    double height = row_height;
    for (const Notes& notes : notes_)
      if (notes.row == row)
        height = std::max(height, line_height * static_cast<double>(notes.lines.size()) + 8);
    return height;
  }
  double y_of(std::size_t row) const { return top_of(row) + height_of(row) / 2; }
  // What lies before or after the rows that are shown ends at the edge.
  double clipped(std::size_t row) const {
    if (row < rows_.begin) return head_height - 12;
    return row >= rows_.end ? bottom() : y_of(row);
  }
  double end_of(const Scene::Span& span) const {
    return span.end == scene_.rows.size() ? bottom() : clipped(span.end);
  }
  bool shows(const Scene::Span& span) const {
    return span.begin < rows_.end && (span.end >= rows_.begin) && end_of(span) > clipped(span.begin);
  }
  std::size_t lane_of(Actor actor) const {
    const auto found = std::find(scene_.lanes.begin(), scene_.lanes.end(), actor);
    return static_cast<std::size_t>(found - scene_.lanes.begin());
  }
  bool has_lane(Actor actor) const { return lane_of(actor) < scene_.lanes.size(); }
  double x_of(Actor actor) const { return gutter + margin + gap_ * static_cast<double>(lane_of(actor)); }
  double x_of_resource() const {
    return gutter + margin + gap_ * static_cast<double>(std::max<std::size_t>(scene_.lanes.size(), 1) - 1) +
           150;
  }
  // Left of the nodes: there, outwards is to the left.
  bool is_left(Actor actor) const {
    return actor.kind == Actor::Kind::client && lane_of(actor) < scene_.left;
  }

  std::string definitions() const {
    std::string text = fmt::format(
        "<pattern id=\"{0}-clash\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\"><rect class=\"clash-ink\" width=\"3\" height=\"8\"/></pattern>",
        frame_.name);
    for (const ClientId client : scene_.cast.clients)
      text += fmt::format(
          "<pattern id=\"{0}-b{1}\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
          "patternTransform=\"rotate(-45)\"><rect class=\"ink {2}\" width=\"2.6\" height=\"5\"/></pattern>",
          frame_.name, client.value, colour_of(client));
    return text;
  }

  void paint_rows() {
    for (std::size_t row = rows_.begin; row < rows_.end; ++row) {
      const Scene::Row& it = scene_.rows[row];
      std::string kind = row == scene_.clash_to ? "row bad" : row == scene_.clash_from ? "row cause" : "row";
      svg_.open("g", kind, fmt::format("data-step=\"{}\"", it.step.value));
      svg_.rect("hit", {0, top_of(row), width(), height_of(row)});
      svg_.raw(fmt::format("<a href=\"#step-{}\">", it.step.value));
      svg_.label("number", 34, y_of(row) + 4, std::to_string(it.step.value));
      svg_.raw("</a>");
      const bool is_new_time = row == rows_.begin || scene_.rows[row - 1].at != it.at;
      if (is_new_time) svg_.label("time", gutter - 8, y_of(row) + 4, words_for(it.at));
      if (row != rows_.begin && is_new_time) svg_.line("tick", 0, top_of(row), width(), top_of(row));
      if (row == scene_.clash_to) svg_.label("mark", 3, y_of(row) + 5, "✘");
      svg_.close("g");
    }
  }

  void paint_clash(const Scene::Span& span) {
    const double y = clipped(span.begin);
    const double height = end_of(span) - y;
    svg_.rect("clash", {gutter, y, width() - gutter, height});
    svg_.raw(fmt::format("<rect fill=\"url(#{}-clash)\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                         frame_.name, svg_number(gutter), svg_number(y), svg_number(width() - gutter),
                         svg_number(height)));
  }

  std::string titled(const Scene::Span& span, std::string_view meaning) const {
    return fmt::format("{}: {}", scene_.name_of(span.on), meaning);
  }
  void paint_span(const Scene::Span& span) {
    using Kind = Scene::Span::Kind;
    if (!has_lane(span.on)) return;
    const double x = x_of(span.on);
    const double y = clipped(span.begin);
    const double height = end_of(span) - y;
    const double outward = is_left(span.on) ? -1 : 1;
    const double outer = outward < 0 ? x - bar_width - 1 : x + 1;
    const double inner = outward < 0 ? x + 1 : x - bar_width - 1;
    switch (span.kind) {
      case Kind::believes: {
        const std::string title = titled(span, scene_.words->page.legend_belief);
        svg_.raw(
            fmt::format("<rect class=\"belief line {}\" fill=\"url(#{}-b{})\" x=\"{}\" y=\"{}\" width=\"{}\" "
                        "height=\"{}\"><title>{}</title></rect>\n",
                        colour_of(*span.owner), frame_.name, span.owner->value, svg_number(outer),
                        svg_number(y), svg_number(bar_width), svg_number(height), html_text(title)));
        return;
      }
      case Kind::named:
        return svg_.rect("truth ink " + colour_of(*span.owner), {inner, y, bar_width, height},
                         titled(span, scene_.words->page.legend_truth));
      case Kind::stopped:
        return svg_.rect("stopped", {x - 22, y, 44, height}, titled(span, scene_.words->label_paused));
      case Kind::absent:
        return svg_.rect("absent", {x - 22, y, 44, height}, titled(span, scene_.words->label_crashed));
      case Kind::slow:
        return svg_.rect("slow", {x - 22, y, 44, height}, titled(span, scene_.words->label_slow));
      case Kind::key: return paint_key(span, x, y, height);
      case Kind::clash: return;
    }
  }
  void paint_key(const Scene::Span& span, double x, double y, double height) {
    const std::string kind = span.owner ? "key ink " + colour_of(*span.owner) : "key ink nobody";
    svg_.rect(kind, {x - key_width / 2, y, key_width, height}, span.label);
    if (span.owner && height >= 16) svg_.label("owner", x, y + 14, name_of(*span.owner));
  }

  void paint_no_return() {
    if (!scene_.no_return || *scene_.no_return < rows_.begin || *scene_.no_return >= rows_.end) return;
    const double y = top_of(*scene_.no_return) + height_of(*scene_.no_return);
    svg_.line("no-return", 0, y + divide - 2, width(), y + divide - 2);
    svg_.label("no-return", width() - 6, y + divide - 7, scene_.words->page.point_of_no_return);
  }

  void paint_message(const Scene::Message& it) {
    const std::size_t last = it.arrived.value_or(it.sent);
    if (it.sent >= rows_.end || last < rows_.begin || !has_lane(it.from) || !has_lane(it.to)) return;
    const Actor client = it.is_reply ? it.to : it.from;
    const std::string colour = colour_of(ClientId{client.index});
    const double side = x_of(it.to) > x_of(it.from) ? 1 : -1;
    double x1 = x_of(it.from) + side * (it.is_reply ? key_width / 2 : bar_width + 2);
    double y1 = it.sent < rows_.begin ? head_height - 12 : y_of(it.sent);
    double x2 = x_of(it.to) - side * (it.is_reply ? bar_width + 3 : key_width / 2 + 1);
    double y2 = it.arrived ? clipped(*it.arrived) : y1 + row_height * 0.6;
    if (!it.arrived) x2 = x1 + (x2 - x1) * 0.55;
    std::string kind = fmt::format("message line {}{}{}", colour, it.is_reply ? " reply" : "",
                                   it.is_lost      ? " lost"
                                   : it.is_late    ? " late"
                                   : it.is_ignored ? " ignored"
                                                   : "");
    svg_.line(kind, x1, y1, x2, y2, scene_.name_of(client) + ": " + it.label);
    if (it.arrived && *it.arrived < rows_.end) svg_.arrow_head("head ink " + colour, x1, y1, x2, y2);
    if (!it.arrived) svg_.label(it.is_lost ? "lost-mark" : "open-mark", x2, y2 + 5, it.is_lost ? "✕" : "…");
    label_message(it, side, {x1, y1, x2, y2});
  }
  // Beside the client: above where a request leaves, below where an answer arrives.
  void label_message(const Scene::Message& it, double side, Box line) {
    if (is_minor(it.is_reply && it.arrived ? *it.arrived : it.sent)) return;
    Svg labels;
    const auto room = static_cast<std::size_t>((gap_ - 44) / letter_width);
    std::string text = shortened(it.label, room - (it.is_lost || it.is_late ? 6 : 0));
    if (it.is_lost) text += " ⚡ " + std::string(scene_.words->label_message_lost);
    else if (it.is_late) text += " ⚡ " + std::string(scene_.words->label_message_late);
    if (!it.is_reply && it.sent >= rows_.begin)
      labels.label(side > 0 ? "what start" : "what end", line.x + side * 6, line.y - 5, text);
    else if (it.is_reply && it.arrived && *it.arrived < rows_.end)
      labels.label(side > 0 ? "what end" : "what start", line.width - side * 8, line.height + 13, text);
    else if (it.is_reply && it.sent >= rows_.begin)
      labels.label(side > 0 ? "what start" : "what end", line.x + side * 6, line.y + 15, text);
    labels_ += labels.text();
  }

  // The resource stands on the right of all: what reaches it has passed the lock.
  void paint_accesses() {
    if (!has_resource()) return;
    const double x = x_of_resource();
    svg_.line("life", x, head_height - 12, x, bottom());
    for (const Scene::Access& it : scene_.accesses) {
      if (it.row < rows_.begin || it.row >= rows_.end || !has_lane(actor_of(it.client))) continue;
      const std::string colour = it.is_wrong ? "wrong" : colour_of(it.client);
      const double y = y_of(it.row) + 11;
      const double begin = x_of(actor_of(it.client)) + bar_width + 2;
      const Words& words = *scene_.words;
      const std::string_view label = it.is_read ? it.is_accepted ? words.label_read : words.label_read_refused
                                     : it.is_accepted ? words.label_wrote
                                                      : words.label_write_refused;
      svg_.line("access line " + colour, begin, y, x - 3, y,
                fmt::format("{}: {}", name_of(it.client), label));
      svg_.arrow_head("head ink " + colour, begin, y, x - 2, y);
      Svg labels;
      labels.label(it.is_wrong ? "what end fault" : "what end", x - 14, y - 5,
                   fmt::format("{}{} {}", it.is_wrong ? "✘ " : "", name_of(it.client), label));
      labels_ += labels.text();
    }
    svg_.rect("name node", {x - 46, 12, 92, 28});
    svg_.label("name node", x, 31, scene_.words->page.resource);
  }

  // All that is said at one place in one row, one below the other.
  struct Notes {
    std::size_t row;
    Actor on;
    std::vector<std::pair<std::string, bool>> lines;  // and whether it is a fault
  };
  void place(const Scene::Note& note) {
    const bool is_node = note.on.kind == Actor::Kind::node;
    const bool is_outer = lane_of(note.on) == 0 || lane_of(note.on) + 1 == lane_count();
    const double room = is_node ? gap_ * 0.8 : is_outer ? margin - 28 : gap_ - 50;
    std::vector<std::string> lines = wrapped((note.is_fault ? "⚡ "
                                              : is_node     ? "◆ "
                                                            : "") +
                                                 printable(Terminal{}, note.text),
                                             static_cast<std::size_t>(room / letter_width));
    if (lines.size() > lines_most) {
      lines.resize(lines_most);
      lines.back() += "…";
    }
    const auto here = std::find_if(notes_.begin(), notes_.end(),
                                   [&](const Notes& it) { return it.row == note.row && it.on == note.on; });
    Notes& notes = here != notes_.end() ? *here : notes_.emplace_back(Notes{note.row, note.on, {}});
    for (std::string& line : lines) notes.lines.emplace_back(std::move(line), note.is_fault);
  }
  void paint_notes(const Notes& notes) {
    const bool left = is_left(notes.on);
    const bool is_node = notes.on.kind == Actor::Kind::node;
    const double x = x_of(notes.on) + (left ? -1 : 1) * (is_node ? key_width / 2 + 5 : 26);
    double y = y_of(notes.row) + 4 - line_height * (static_cast<double>(notes.lines.size()) - 1) / 2;
    for (const auto& [line, is_fault] : notes.lines) {
      svg_.label(fmt::format("note {}{}", left ? "end" : "start", is_fault ? " fault" : ""), x, y, line);
      y += line_height;
    }
  }

  // A row a second; the whole stays for a while before it begins again.
  static constexpr double stay = 6;
  std::string when(std::size_t row) const {
    return fmt::format("{:.4f}", static_cast<double>(row) / (static_cast<double>(scene_.rows.size()) + stay));
  }
  std::string motion(std::string_view attribute, const std::string& values, const std::string& times) const {
    return fmt::format(
        "<animate attributeName=\"{}\" calcMode=\"discrete\" dur=\"{}s\" repeatCount=\"indefinite\" "
        "values=\"{}\" keyTimes=\"{}\"/>",
        attribute, svg_number(static_cast<double>(scene_.rows.size()) + stay), values, times);
  }
  void paint_motion() {
    std::string tops;
    std::string times;
    for (std::size_t row = 0; row < scene_.rows.size(); ++row) {
      tops += (row == 0 ? "" : ";") + svg_number(tops_[row + 1]);
      times += (row == 0 ? "" : ";") + when(row);
    }
    svg_.raw(fmt::format(
        "<rect class=\"curtain paper\" x=\"0\" y=\"{0}\" width=\"{1}\" height=\"{0}\">{2}</rect>\n",
        svg_number(bottom() + 1), svg_number(width()), motion("y", tops, times)));
    using Kind = Scene::Span::Kind;
    const auto first = [&](Kind kind) {
      return std::find_if(scene_.spans.begin(), scene_.spans.end(),
                          [&](const Scene::Span& span) { return span.kind == kind; });
    };
    const auto row_of = [&](auto span) {
      return span == scene_.spans.end() ? scene_.rows.size() : span->begin;
    };
    const auto holds = first(Kind::believes);
    const std::size_t clash = row_of(first(Kind::clash));
    std::size_t fault = scene_.rows.size();
    for (const Scene::Note& note : scene_.notes)
      if (note.is_fault) fault = std::min(fault, note.row);
    const PageWords& words = scene_.words->page;
    if (holds != scene_.spans.end())
      paint_caption("", say(words.at_work, name_of(*holds->owner)), holds->begin, std::min(fault, clash));
    paint_caption("fault", words.fault_strikes, fault, clash);
    paint_caption("fault", words.two_holders, clash, scene_.rows.size() + 1);
  }
  void paint_caption(std::string_view kind, std::string_view text, std::size_t begin, std::size_t end) {
    if (begin >= std::min(end, scene_.rows.size())) return;
    const bool is_last = end > scene_.rows.size();
    svg_.open("g", "caption");
    svg_.raw(
        motion("opacity", is_last ? "0;1" : "0;1;0", "0;" + when(begin) + (is_last ? "" : ";" + when(end))));
    svg_.label(fmt::format("heading {}", kind), gutter, bottom() + 24, text);
    svg_.close("g");
  }

  void paint_head(Actor lane) {
    const bool is_client = lane.kind == Actor::Kind::client;
    const std::string kind = is_client ? "name ink " + colour_of(ClientId{lane.index}) : "name node";
    const double room = std::max(92.0, 8.8 * static_cast<double>(columns(scene_.name_of(lane))) + 20);
    svg_.rect(kind, {x_of(lane) - room / 2, 12, room, 28});
    svg_.label(is_client ? "name" : "name node", x_of(lane), 31, scene_.name_of(lane));
  }

  const Scene& scene_;
  const Rows rows_;
  const PictureFrame& frame_;
  const double gap_;
  std::vector<Notes> notes_;
  std::vector<double> tops_;  // of the rows that are shown, and the end of the last
  Svg svg_;
  std::string labels_;
};

}  // namespace

std::string living_picture(const Scene& scene, const PictureFrame& frame) {
  return SequencePainter(scene, all_rows(scene), frame).paint(true);
}

std::string sequence_picture(const Scene& scene, Rows rows, const PictureFrame& frame) {
  return SequencePainter(scene, rows, frame).paint();
}

}  // namespace holdfast::reports
