// Times that stand for others. A client of a program that did the same after an earlier time goes on from
// there, and has observed that time. What is presumed so is asked when the exploration is over: each history
// that can have happened is told with its own times to a run of its own, which must do the same at each step.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "sim/core/interruption.hpp"
#include "sim/guest/histories.hpp"
#include "sim/guest/orders.hpp"

namespace holdfast::guest {
namespace {

// Later than any lease, in microseconds: a program that does the same then as at once is taken to do so at
// all times between, until it is asked.
constexpr std::int64_t much_later = std::int64_t{3600} * 1'000'000;

// `event` as it is told at any time.
std::string timeless(Told event) {
  event.elapsed = -1;
  return text_of(event);
}

bool are_equal_actions(const Action& one, const Action& other) {
  return one.effects == other.effects && one.tokens == other.tokens && one.reads == other.reads;
}

// But for texts.
bool is_as_known(const Action& known, const Action& did) {
  const auto is_alike = [](Effect one, const Effect& other) {
    one.text = other.text;
    one.words = other.words;
    return one == other;
  };
  return known.reads == did.reads && std::equal(known.effects.begin(), known.effects.end(),
                                                did.effects.begin(), did.effects.end(), is_alike);
}

// Sleeps that go on after `event`: they end when the client's clock says so, and must not be moved.
bool does_sleep(Node node, const Told& event) {
  std::set<std::uint32_t> ended;
  const auto end = [&](const Told& told) {
    if (told.kind == Told::Kind::woke) ended.insert(told.id);
  };
  end(event);
  for (Node at = node; at->before != nullptr; at = at->before) {
    for (auto each = at->action.effects.rbegin(); each != at->action.effects.rend(); ++each) {
      if (each->kind == Effect::Kind::drop) ended.insert(each->id);
      if (each->kind == Effect::Kind::sleep && !ended.contains(each->id)) return true;
    }
    end(at->event);
  }
  return false;
}

}  // namespace

Standing Histories::stand_in(Node node, const Told& event, std::int64_t elapsed) {
  const std::string key = fmt::format("{} {}", text_of(event), elapsed);
  {
    const std::shared_lock reading(mutex_);
    if (const auto found = node->visits.find(key); found != node->visits.end()) return found->second.after;
  }
  const std::unique_lock writing(mutex_);
  if (const auto found = node->visits.find(key); found != node->visits.end()) return found->second.after;
  Visit visit{.event = event, .at = elapsed};
  const bool may_move = !node->sensitive.contains(timeless(event)) && !does_sleep(node, event);
  const Node after = visit.is_read() && may_move ? class_of(node, event) : exactly(node, event);
  if (runs_.time == TimeToTell::nothing) visit.after = {after, 0};
  else visit.after = {after, may_move || visit.is_read() ? after->event.elapsed : elapsed};
  return node->visits.emplace(key, std::move(visit)).first->second.after;
}

// At once and much later are tried, and the time itself only if these differ.
Node Histories::class_of(Node node, const Told& event) {
  Told at_once = event;
  at_once.elapsed = earliest(node, event);
  const Node first = exactly(node, at_once);
  if (at_once.elapsed >= event.elapsed) return exactly(node, event);
  Told later = at_once;
  later.elapsed += much_later;
  const Node last = exactly(node, later);
  if (are_equal_actions(first->action, last->action)) return first;
  const Node itself = exactly(node, event);
  if (are_equal_actions(first->action, itself->action)) return first;
  return are_equal_actions(last->action, itself->action) ? last : itself;
}

std::uint64_t Histories::version() const {
  const std::shared_lock reading(mutex_);
  return version_;
}

// Goes through all histories that the visits make up. REQUIRES: the mutex.
class Histories::Confirmation {
 public:
  Confirmation(Histories& histories, const std::function<bool()>& is_over)
      : histories_(histories), is_over_(is_over) {}

  void begin(Node begun) {
    way_.assign(1, {&histories_.root_, timeless(begun->event), begun, begun->event});
    go_through(begun, {0}, known(&histories_.real_, way_.back()), true);
  }
  // From now on; nothing was refuted so far.
  void ask_for_orders() {
    asks_for_orders_ = true;
    answer_ = {};
  }
  bool is_refuted() const { return !refuted_.empty() || !out_of_order_.empty(); }
  // Of which nothing more is taken for granted.
  Answer finish() {
    for (const auto& [node, event] : refuted_) {
      node->sensitive.insert(event);
      std::erase_if(node->visits, [&](const auto& each) { return timeless(each.second.event) == event; });
    }
    for (const Node each : out_of_order_) histories_.let_order_matter(each);
    answer_.is_refuted = is_refuted();
    if (has_enough()) ++answer_.all;
    return answer_;
  }
  std::size_t moved() const { return moved_.size(); }
  std::size_t joint() const { return joint_.size(); }

 private:
  // `offsets`: by how much clients, which have come here by `way_`, are ahead of the times that stand for
  // theirs. `is_own`: no time was told for which another stood. `real`: null, none of these was told.
  void go_through(Node node, const std::set<std::int64_t>& offsets, const Real* real, bool is_own) {
    if (has_enough()) return;
    const std::int64_t last = way_.back().told.elapsed;
    std::map<std::pair<std::string, Node>, Next> all;
    for (const auto& [key, visit] : node->visits)
      for (const std::int64_t offset : offsets) note(node, visit, offset, last, all);
    for (auto& [key, next] : all) {
      if (refuted_.contains({node, next.step.event})) continue;
      const bool is_its_own =
          is_own && (!next.is_read || next.step.told.elapsed == key.second->event.elapsed);
      way_.push_back(next.step);
      go_through(key.second, next.offsets, known(real, next.step), is_its_own);
      way_.pop_back();
    }
    if (all.empty()) ask(real, is_own);
  }

  // Of the way to here, whether it was told as it is, and then in all orders of replies.
  void ask(const Real* real, bool is_own) {
    if (!asks_for_orders_) {
      if (is_own) return;
      ++answer_.all;
      if ((real != nullptr && real->is_told) || (!is_over_() && tell())) ++answer_.asked;
      return;
    }
    Orders orders(way_);
    if (is_own && orders.count() == 1) return;
    joint_.insert(orders.places().begin(), orders.places().end());
    answer_.all += orders.count();
    const bool was_told = is_own || (real != nullptr && real->is_told);
    const bool is_one = orders.count() == 1 || (real != nullptr && real->joint == orders.places());
    if (was_told && (is_one || tell(orders))) answer_.asked += orders.count();
    else if (was_told) ++answer_.asked;
  }

  static std::pair<std::string, Node> key_of(const RealStep& step) {
    return {step.node->action.reads == TimeToTell::nothing ? step.event : text_of(step.told), step.node};
  }
  static const Real* known(const Real* before, const RealStep& step) {
    if (before == nullptr) return nullptr;
    const auto found = before->next.find(key_of(step));
    return found == before->next.end() ? nullptr : &found->second;
  }
  Real& note_told() {
    Real* at = &histories_.real_;
    for (const RealStep& step : way_) at = &at->next[key_of(step)];
    at->is_told = true;
    return *at;
  }

  struct Next {
    RealStep step = {};
    std::set<std::int64_t> offsets = {};
    bool is_read = false;
  };

  // More are not even counted, nor all of these told.
  bool has_enough() const {
    constexpr std::uint64_t counted_max = 200'000;
    return answer_.all >= counted_max;
  }

  // Where a step reads no clock, when it happened shows only in a later one.
  void note(Node node, const Visit& visit, std::int64_t offset, std::int64_t last,
            std::map<std::pair<std::string, Node>, Next>& all) {
    Told told = visit.event;
    const std::int64_t real = visit.at + offset;
    if (real < last) return;
    if (visit.is_read()) told.elapsed = real;
    if (visit.is_read() && visit.after.elapsed != visit.at) moved_.insert(&visit);
    Next& next = all[{text_of(told), visit.after.node}];
    told.elapsed = next.offsets.empty() ? real : std::min(real, next.step.told.elapsed);
    next.step = {node, timeless(visit.event), visit.after.node, told};
    next.is_read = visit.is_read();
    next.offsets.insert(real - visit.after.elapsed);
    if (histories_.runs_.time == TimeToTell::nothing) next.step.told.elapsed = -1;
  }

  // Whether a new run does the same on `way`: the late one, so that it does not go by the date instead.
  bool does_same(const RealWay& way) const {
    try {
      ++histories_.statistics_.sessions;
      const std::unique_ptr<Session> session =
          histories_.runs_.begin(way.front().told.chance.value_or(first_twin), 1);
      Names texts;
      return std::all_of(way.begin(), way.end(), [&](const RealStep& step) {
        const Action did = histories_.tell(*session, with_texts(step.told, texts));
        if (!is_as_known(step.node->action, did)) return false;
        follow(step.node->action, did, texts);
        return true;
      });
    } catch (const Interrupted&) {
      throw;
    } catch (const UnusableLock&) {  // not deterministic, beyond the model, or it depends on more
      return false;
    }
  }

  bool tell() {
    if (!does_same(way_)) return blame(), false;
    note_told();
    return true;
  }
  // The first order is told.
  bool tell(Orders& orders) {
    const auto is_known = [this](Node place) { return out_of_order_.contains(place); };
    if (std::any_of(orders.places().begin(), orders.places().end(), is_known)) return false;
    while (orders.go_on()) {
      if (is_over_()) return false;
      if (does_same(orders.way())) continue;
      for (const Node each : orders.moved()) out_of_order_.insert(each);
      return false;
    }
    note_told().joint = orders.places();
    return true;
  }

  static bool is_read(const RealStep& step) { return step.node->action.reads != TimeToTell::nothing; }

  // The first time without which it would have done the same, if all others were as far apart as those that
  // stood for them.
  void blame() {
    std::size_t begin = 0;
    bool is_own = true;
    for (std::size_t end = 0; end < way_.size(); ++end) {
      if (!is_read(way_[end])) continue;
      RealWay way = way_;
      const std::int64_t ahead = way[end].told.elapsed - way[end].node->event.elapsed;
      is_own = is_own && ahead == 0;
      for (std::size_t i = end + 1; i < way.size(); ++i)
        way[i].told.elapsed = way[i].node->event.elapsed + ahead;
      if (!is_own && !does_same(way)) return refute(begin, end + 1);
      begin = end + 1;
    }
    refute(0, way_.size());
  }

  void refute(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) refuted_.insert({way_[i].before, way_[i].event});
  }

  Histories& histories_;
  const std::function<bool()>& is_over_;
  RealWay way_;
  std::set<std::pair<Node, std::string>> refuted_;
  std::set<const Visit*> moved_;
  bool asks_for_orders_ = false;
  std::set<Node> joint_;
  std::set<Node> out_of_order_;
  Answer answer_;
};

Presumed::Answer Histories::ask(const std::function<bool()>& is_over) {
  if (!runs_.has_classes) return {};
  const std::unique_lock writing(mutex_);
  if (are_orders_refuted()) return {.is_refuted = true};
  const bool is_any_asked = std::any_of(root_.next.begin(), root_.next.end(),
                                        [](const auto& begun) { return !begun.second->visits.empty(); });
  // Every new process begins as a copy of this one, and the search has just left its memory.
  if (is_any_asked) malloc_trim(0);
  Confirmation confirmation(*this, is_over);
  for (const auto& [key, begun] : root_.next) confirmation.begin(begun);
  if (!confirmation.is_refuted()) {
    confirmation.ask_for_orders();
    for (const auto& [key, begun] : root_.next) confirmation.begin(begun);
  }
  const Answer answer = confirmation.finish();
  if (answer.is_refuted) ++version_;
  statistics_.stood_for = confirmation.moved();
  statistics_.joint = confirmation.joint();
  statistics_.to_confirm = answer.all;
  statistics_.confirmed = answer.asked;
  return answer;
}

}  // namespace holdfast::guest
