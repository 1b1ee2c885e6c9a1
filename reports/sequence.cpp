#include "reports/sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/lanes.hpp"
#include "reports/story.hpp"

namespace holdfast::reports {
namespace {

// One thing to draw. What is drawn as nothing is not an item.
struct Item {
  enum class Kind : std::uint8_t { arrow, stub, point, banner };
  Kind kind;
  Step step;
  Instant at;
  Actor from;  // of a point: where it is
  Actor to = {};
  std::string label;
  Standing standing;  // just after it
  std::optional<MessageId> message = std::nullopt;
  std::string_view mark = {};  // of a point: instead of the stroke of its lane
  bool is_fault = false;       // of a stub: the message is late or lost
  bool is_lost = false;
  bool is_effect = false;  // of a point: what the command that just arrived did to a key
};

// Turns events into items, in order.
class Planner {
 public:
  Planner(const Counterexample& example, const Terminal& terminal)
      : terminal_(terminal), narrator_(example.events, example.store) {
    for (const StepView& step : steps_of(example.events)) {
      for (std::size_t i = 0; i < step.events.size(); ++i) {
        rest_ = {step.events.begin() + static_cast<std::ptrdiff_t>(i) + 1, step.events.end()};
        take(*step.events[i]);
      }
      named_.emplace_back(step.step, standing_);
    }
  }

  // Messages that arrive as the very next thing lose the stub that shows their departure.
  std::vector<Item> items() {
    std::vector<Item> kept;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const Item& item = items_[i];
      const bool is_folded = item.kind == Item::Kind::stub && !item.is_fault && i + 1 < items_.size() &&
                             items_[i + 1].kind == Item::Kind::arrow && items_[i + 1].message == item.message;
      if (!is_folded) kept.push_back(item);
    }
    return kept;
  }
  // How things stood at the end of each step.
  const std::vector<std::pair<Step, Standing>>& ends() const { return named_; }

 private:
  std::string label_of(const Event& event) const { return printable(terminal_, narrator_.label(event)); }
  void take(const Event& event) {
    const bool was_started = restarted(event);
    standing_.apply(event);
    Item item{Item::Kind::point, event.step, event.at, event.actor, {}, label_of(event), standing_};
    item.is_fault = is_fault(event);
    if (const auto* sent = std::get_if<Sent>(&event.what)) add_departure(item, *sent);
    else if (const auto* executed = std::get_if<Executed>(&event.what)) add_request(item, *executed);
    else if (const auto* pushed = std::get_if<Pushed>(&event.what))
      answers_[pushed->message] = {item.label, item.step, pushed->node, pushed->acquisition.client};
    else if (const auto* delivered = std::get_if<Delivered>(&event.what)) add_reply(item, delivered->message);
    else if (const auto* ignored = std::get_if<Ignored>(&event.what)) add_reply(item, ignored->message);
    else if (const auto* fault = std::get_if<MessageFault>(&event.what)) add_message_fault(item, *fault);
    else if (const auto* changed = std::get_if<KeyChanged>(&event.what)) add_change(item, *changed);
    else if (const std::optional<NodeId> node = struck_server(event)) add_point(item, actor_of(*node));
    else if (std::holds_alternative<Calm>(event.what))
      add_banner(item, printable(terminal_, narrator_.sentence(event)));
    else if (is_told(event, was_started)) add_point(item, actor_of(*client_of(event)));
  }

  // Client events that a reader needs. Left out: what the strokes of the lanes and the requests show anyway.
  bool is_told(const Event& event, bool was_started) const {
    if (const auto* started = std::get_if<Started>(&event.what))
      return was_started || started->wall_offset != Duration::zero();
    if (const auto* acquiring = std::get_if<Acquiring>(&event.what))
      return std::none_of(rest_.begin(), rest_.end(), [&](const Event* later) {
        const Sent* sent = std::get_if<Sent>(&later->what);
        return sent && sent->acquisition == acquiring->acquisition;
      });
    if (std::holds_alternative<Working>(event.what) || std::holds_alternative<Slept>(event.what))
      return false;
    return client_of(event).has_value();
  }
  // It starts, and not for the first time.
  bool restarted(const Event& event) {
    const auto* started = std::get_if<Started>(&event.what);
    return started && !started_.insert(started->client).second;
  }

  void add_departure(Item item, const Sent& sent) {
    item.kind = Item::Kind::stub;
    item.from = actor_of(sent.acquisition.client);
    item.to = actor_of(sent.node);
    item.message = sent.message;
    sent_[sent.message] = item.step;
    items_.push_back(item);
  }
  void add_request(Item item, const Executed& executed) {
    const Sent* sent = narrator_.sent(executed.message);
    const ClientId client = sent ? sent->acquisition.client : executed.acquisition.client;
    answers_[executed.message] = {item.label, item.step, executed.node, client};
    item.kind = Item::Kind::arrow;
    item.from = actor_of(executed.acquisition.client);
    item.to = actor_of(executed.node);
    item.message = executed.message;
    if (sent) item.label = label_of({item.step, item.at, item.from, *sent});
    const bool is_next =
        !items_.empty() && items_.back().message == executed.message && !items_.back().is_fault;
    if (!is_next && sent) item.label = words_since("", sent_[executed.message]);
    items_.push_back(item);
  }
  void add_reply(Item item, MessageId message) {
    const auto answer = answers_.find(message);
    if (answer == answers_.end()) return;
    const bool is_ignored = item.label != answer->second.label;
    const std::string label = is_just_before(message)
                                  ? answer->second.label
                                  : words_since(answer->second.label, answer->second.step);
    item.kind = Item::Kind::arrow;
    item.from = actor_of(answer->second.node);
    item.to = actor_of(answer->second.client);
    item.label = is_ignored ? label + ": " + item.label : label;
    item.message = message;
    items_.push_back(item);
  }
  // The last arrow is that of this message's request, and all that came after it are the effects of the
  // command.
  bool is_just_before(MessageId message) const {
    for (auto item = items_.rbegin(); item != items_.rend(); ++item) {
      if (item->kind == Item::Kind::arrow && item->message == message) return true;
      if (!item->is_effect) return false;
    }
    return false;
  }
  void add_message_fault(Item item, const MessageFault& fault) {
    item.is_fault = true;
    item.is_lost = fault.fault == Fault::lost_request || fault.fault == Fault::lost_reply;
    const auto answer = answers_.find(fault.message);
    const bool is_reply = fault.fault == Fault::lost_reply || fault.fault == Fault::late_reply;
    if (is_reply && answer != answers_.end()) {
      item.kind = Item::Kind::stub;
      item.from = actor_of(answer->second.node);
      item.to = actor_of(answer->second.client);
      item.label = answer->second.label + " ⚡ " + item.label;
      item.message = fault.message;
      items_.push_back(item);
      return;
    }
    const auto departure = std::find_if(items_.rbegin(), items_.rend(), [&](const Item& it) {
      return it.kind == Item::Kind::stub && it.message == fault.message;
    });
    if (departure == items_.rend()) return;
    departure->is_fault = true;
    departure->is_lost = item.is_lost;
    departure->label += " ⚡ " + item.label;
  }
  void add_change(Item item, const KeyChanged& changed) {
    const bool is_own_doing =
        changed.kind == KeyChanged::Kind::expired || changed.kind == KeyChanged::Kind::lost;
    item.is_effect = !is_own_doing;
    if (is_own_doing) item.mark = "◆";
    if (!item.label.empty()) add_point(item, actor_of(changed.node));
  }
  void add_point(Item item, Actor on) {
    if (item.label.empty()) return;
    item.from = on;
    // What one client does in one step, one after the other, stands in one place.
    Item* last = items_.empty() ? nullptr : &items_.back();
    const bool is_same = last && last->kind == Item::Kind::point && last->from == on &&
                         last->step == item.step && last->mark.empty() && item.mark.empty() &&
                         last->is_fault == item.is_fault;
    if (!is_same) return items_.push_back(item);
    last->label += ", " + item.label;
    last->standing = item.standing;
  }
  void add_banner(Item item, std::string text) {
    item.kind = Item::Kind::banner;
    item.label = std::move(text);
    items_.push_back(item);
  }

  struct Answer {
    std::string label;
    Step step;
    NodeId node;
    ClientId client;  // whose answer it is
  };
  const Terminal& terminal_;
  Narrator narrator_;
  Standing standing_;
  std::vector<const Event*> rest_;  // of the step
  std::set<ClientId> started_;
  std::map<MessageId, Step> sent_;
  std::map<MessageId, Answer> answers_;
  std::vector<Item> items_;
  std::vector<std::pair<Step, Standing>> named_;
};

// The columns left and right of the lanes.
struct Frame {
  std::size_t step = 4;  // width of the numbers
  std::size_t time = 4;
  std::size_t held = 7;
  std::size_t left() const { return 2 + step + 2 + time + 3; }
};

Frame frame_of(const std::vector<Item>& items, const std::vector<std::pair<Step, Standing>>& ends,
               std::size_t nodes) {
  Frame frame;
  for (const Item& item : items) {
    frame.step = std::max(frame.step, std::to_string(item.step.value).size());
    frame.time = std::max(frame.time, words_for(item.at).size());
  }
  for (const auto& [step, standing] : ends) frame.held = std::max(frame.held, columns(standing.named(nodes)));
  return frame;
}

void draw_item(const Lanes& lanes, const Item& item, std::vector<Canvas>& rows) {
  const Lanes::Stroke stroke{item.standing, rows};
  switch (item.kind) {
    case Item::Kind::arrow: return lanes.arrow(stroke, item.from, item.to, item.label);
    case Item::Kind::stub: return lanes.stub(stroke, item.from, item.to, item.label, item.is_lost);
    case Item::Kind::point: return lanes.point(stroke, item.from, item.mark, item.label, item.is_fault);
    case Item::Kind::banner: return lanes.banner(stroke, item.label);
  }
}

// Explains the signs that occur.
void write_legend(const std::vector<Canvas>& rows, Page& page) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> signs{
      {{"┃", "believes that it holds"},
       {"┆", "is stopped"},
       {"┇", "is stopped, and believes"},
       {"◆", "a key goes away by itself"},
       {"┄", "still on its way"},
       {"(step", "number): sent then, arrives now"},
       {"✕", "never arrives"},
       {"⚡", "a fault"}}};
  Terminal plain = page.terminal();
  plain.colour = false;
  std::string legend;
  for (const auto& [sign, meaning] : signs) {
    const bool occurs = std::any_of(rows.begin(), rows.end(), [&](const Canvas& row) {
      return row.text(plain).find(sign) != std::string::npos;
    });
    if (occurs) legend += fmt::format("{}{}{}{}", legend.empty() ? "" : " · ", sign, no_break, meaning);
  }
  if (!legend.empty()) page.paragraph("  ", legend);
}

// A row of the drawing and where it belongs.
struct Placed {
  const Item* item;
  bool is_first;
  Canvas row;
};

void write_rows(std::vector<Placed> placed, const Frame& frame, std::size_t held_column,
                const Planner& planner, std::size_t nodes, std::optional<Step> violating, Page& page) {
  std::size_t marked = placed.size();
  for (std::size_t i = 0; violating && i < placed.size(); ++i)
    if (placed[i].item->step <= *violating) marked = i;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    Canvas& row = placed[i].row;
    const Item& item = *placed[i].item;
    if (i == marked) row.put(0, "✘", Style::bad);
    if (placed[i].is_first) {
      const std::string number = std::to_string(item.step.value);
      row.put(2 + frame.step - number.size(), number);
      const std::string time = words_for(item.at);
      row.put(2 + frame.step + 2 + frame.time - time.size(), time);
    }
    for (const auto& [step, standing] : planner.ends())
      if (step == item.step) row.put(held_column, standing.named(nodes));
    page.line(row.text(page.terminal()));
  }
}

}  // namespace

bool draw_sequence(const Counterexample& example, std::optional<Step> violating, Page& page) {
  Planner planner(example, page.terminal());
  const std::vector<Item> items = planner.items();
  const Cast cast = cast_of(example);
  const Frame frame = frame_of(items, planner.ends(), cast.nodes.size());
  const std::size_t width = std::max(page.terminal().width, width_min);
  if (width < frame.left() + frame.held + 2) return false;
  const std::size_t held_column = width - frame.held;
  std::vector<Lane> lane_list = lanes_of(cast, frame.left(), held_column - 1);
  if (lane_list.empty()) return false;
  const std::size_t lanes_end = lane_list.back().column + std::min<std::size_t>(lane_list.back().room, 24);
  const std::size_t held_at = std::min(held_column, lanes_end + 1);
  lane_list.back().room = lanes_end - lane_list.back().column;
  const Lanes lanes(lane_list);

  std::vector<Placed> placed;
  std::vector<Canvas> all_rows;
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::vector<Canvas> rows;
    draw_item(lanes, items[i], rows);
    const bool begins_step = i == 0 || items[i - 1].step != items[i].step;
    for (std::size_t r = 0; r < rows.size(); ++r)
      placed.push_back({&items[i], begins_step && r == 0, rows[r]});
    all_rows.insert(all_rows.end(), rows.begin(), rows.end());
  }
  Canvas header = lanes.header();
  header.put(2 + frame.step - 4, "step");
  header.put(2 + frame.step + 2 + frame.time - 4, "time");
  header.put(held_at, "held by");
  page.line(header.text(page.terminal()));
  write_rows(std::move(placed), frame, held_at, planner, cast.nodes.size(), violating, page);
  page.line();
  write_legend(all_rows, page);
  return true;
}

}  // namespace holdfast::reports
