#include "reports/lanes.hpp"

#include <algorithm>

#include "sim/core/invariant.hpp"

namespace holdfast::reports {
namespace {

constexpr std::size_t gap_min = 11;    // narrower ones break nearly every word
constexpr std::size_t gap_max = 38;    // wider ones pull the picture apart
constexpr std::size_t last_room = 20;  // beside the last lane there are no arrows, only words

}  // namespace

std::vector<Lane> lanes_of(const Cast& cast, std::size_t left, std::size_t right) {
  std::vector<Lane> lanes;
  const std::size_t clients_left = (cast.clients.size() + 1) / 2;
  const auto add_client = [&](std::size_t i) {
    lanes.push_back({name_of(cast.clients[i]), actor_of(cast.clients[i])});
  };
  for (std::size_t i = 0; i < clients_left; ++i) add_client(i);
  for (const NodeId node : cast.nodes) lanes.push_back({name_of(node, cast.store), actor_of(node)});
  for (std::size_t i = clients_left; i < cast.clients.size(); ++i) add_client(i);
  if (lanes.empty() || right <= left) return {};

  const std::size_t area = right - left;
  const std::size_t last = std::min(area / lanes.size(), last_room);
  const std::size_t gap = lanes.size() == 1 ? area : std::min((area - last) / (lanes.size() - 1), gap_max);
  if (std::min(gap, last) < gap_min) return {};
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    lanes[i].column = left + i * gap;
    lanes[i].room = i + 1 < lanes.size() ? gap : right - lanes[i].column;
  }
  return lanes;
}

std::size_t Lanes::index_of(Actor actor) const {
  const auto found =
      std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& lane) { return lane.actor == actor; });
  INVARIANT(found != lanes_.end(), "everybody who acts in an event has a lane");
  return static_cast<std::size_t>(found - lanes_.begin());
}

std::string Lanes::stroke_of(const Lane& lane, const Standing& standing) const {
  if (lane.actor.kind == Actor::Kind::node) return "│";
  const ClientId client{lane.actor.index};
  const bool believes = standing.believes(client);
  if (standing.is_stopped(client)) return believes ? "┇" : "┆";
  return believes ? "┃" : standing.is_alive(client) ? "│" : " ";
}

Canvas Lanes::empty_row(const Standing& standing) const {
  Canvas row;
  for (const Lane& lane : lanes_) row.put(lane.column, stroke_of(lane, standing));
  return row;
}

void Lanes::tee(Canvas& row, std::size_t lane, bool to_the_right, const Standing& standing) const {
  const bool is_heavy = stroke_of(lanes_[lane], standing) == "┃";
  row.put(lanes_[lane].column, to_the_right ? (is_heavy ? "┠" : "├") : (is_heavy ? "┨" : "┤"));
}

void Lanes::label_arrow(Stroke stroke, Canvas& row, Gap gap, const std::string& label, bool is_fault) const {
  const std::optional<Style> style = is_fault ? std::optional(Style::doubtful) : std::nullopt;
  const std::size_t begin = gap.left + 3;
  if (begin + columns(label) + 2 <= gap.right) {
    row.put(begin - 1, " ");
    row.put(begin, label, style);
    row.put(begin + columns(label), " ");
    return;
  }
  for (const std::string& part : wrapped(label, gap.right - gap.left - 3)) {
    Canvas above = empty_row(stroke.standing);
    above.put(gap.left + 2, part, style);
    stroke.rows.push_back(above);
  }
}

void Lanes::arrow(Stroke stroke, Actor from, Actor to, const std::string& label) const {
  const std::size_t source = index_of(from);
  const std::size_t target = index_of(to);
  const bool to_the_right = source < target;
  const auto [first, last] = std::minmax(source, target);
  Canvas row = empty_row(stroke.standing);
  row.put(lanes_[first].column + 1, repeated("─", lanes_[last].column - lanes_[first].column - 1));
  for (std::size_t i = first + 1; i < last; ++i) row.put(lanes_[i].column, "┼");
  // The client's end carries the label: there, no two arrows of different clients share a gap.
  const bool label_is_first = (from.kind == Actor::Kind::client) == to_the_right;
  const std::size_t beside = label_is_first ? first : last - 1;
  label_arrow(stroke, row, {lanes_[beside].column, lanes_[beside + 1].column}, label, false);
  tee(row, source, to_the_right, stroke.standing);
  if (to_the_right) row.put(lanes_[target].column - 1, "▶");
  else row.put(lanes_[target].column + 1, "◀");
  stroke.rows.push_back(row);
}

void Lanes::stub(Stroke stroke, Actor from, Actor to, const std::string& label, bool is_lost) const {
  const std::size_t source = index_of(from);
  const bool to_the_right = source < index_of(to);
  const std::size_t beside = to_the_right ? source : source - 1;
  const Gap gap{lanes_[beside].column, lanes_[beside + 1].column};
  Canvas row = empty_row(stroke.standing);
  row.put(gap.left + 2, repeated(is_lost ? "─" : "┄", gap.right - gap.left - 3));
  row.put(to_the_right ? gap.left + 1 : gap.right - 1, "─");
  if (!to_the_right && !is_lost) row.put(gap.left + 1, "┄");
  label_arrow(stroke, row, gap, label, is_lost);
  if (is_lost) row.put(to_the_right ? gap.right - 2 : gap.left + 1, "✕", Style::doubtful);
  tee(row, source, to_the_right, stroke.standing);
  stroke.rows.push_back(row);
}

void Lanes::point(Stroke stroke, Actor on, std::string_view mark, const std::string& label,
                  bool is_fault) const {
  const Lane& lane = lanes_[index_of(on)];
  const std::optional<Style> style = is_fault ? std::optional(Style::doubtful) : std::nullopt;
  const std::string text = (is_fault ? "⚡ " : "") + label;
  bool is_first = true;
  for (const std::string& part : wrapped(text, lane.room - 3)) {
    Canvas row = empty_row(stroke.standing);
    if (is_first && !mark.empty()) row.put(lane.column, mark, style);
    row.put(lane.column + 2, part, style);
    stroke.rows.push_back(row);
    is_first = false;
  }
}

void Lanes::banner(Stroke stroke, const std::string& text) const {
  const std::size_t left = lanes_.front().column;
  const std::size_t right = lanes_.back().column + lanes_.back().room;
  for (const std::string& part : wrapped(text, right - left - 1)) {
    Canvas row;
    row.put(left, part);
    stroke.rows.push_back(row);
  }
}

Canvas Lanes::header() const {
  Canvas row;
  for (const Lane& lane : lanes_) row.put(lane.column, lane.name, Style::strong);
  return row;
}

}  // namespace holdfast::reports
