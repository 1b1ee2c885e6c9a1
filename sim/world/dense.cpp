// Steps where time is dense: each chooses what happens next, and only then, as far as it is compared, when.
//
// What is going to happen next happens at an instant of which the world knows bounds alone: not before it
// may, not after anything else must have happened, and not after a key has died or a belief has ended, for
// these happen by themselves, each at its own instant, before all else at that instant (time.cpp does the
// same tick by tick). So a step of dense time is all passing of time and one event of a run in ticks.
#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

namespace {

bool sets_clocks(Fault fault) { return fault_table.of(fault).sets_clock; }

// It strikes whom something is about to happen to.
bool needs_event(Fault fault) { return fault == Fault::pause || fault == Fault::slow_section; }

}  // namespace

// Where clocks are set to any time, an instant would be several unknowns added up.
void World::begin_dense_time() {
  dense_ = std::make_unique<DenseTime>(choices_);
  for (const FaultRule& rule : faults_.rules())
    if (sets_clocks(rule.kind)) dense_->times.obstruct("a fault sets clocks to any time");
  if (scenario_.timing.delays == Delays::fixed) dense_->times.obstruct("delays are fixed");
  for (const auto& each : clients_)
    if (each->plan().drift_ppm != 0) dense_->times.obstruct("a clock drifts");
}

bool World::take_dense_step() {
  if (network_.has_lines()) let_rivals_go_on();
  collect_coming();
  while (dense_->possible.empty() && !course_.over) {
    come_to_rest();
    if (!course_.over) collect_coming();
  }
  if (course_.over) return true;
  touched_.note_all();
  const auto options = static_cast<std::uint32_t>(dense_->possible.size());
  const Coming picked = dense_->possible[choices_.pick(Site::step, Actor{}, options)];
  if (picked.kind == Coming::Kind::rest) {
    come_to_rest();
    return true;
  }
  if (picked.kind == Coming::Kind::end) {
    narrow(picked);
    end();
    return true;
  }
  if (picked.kind != Coming::Kind::strike || !picked.is_now) {
    narrow(picked);
    now_ = instant_of(picked);
  }
  last_.only_time_passed = false;
  switch (picked.kind) {
    case Coming::Kind::event: happen(picked.index); break;
    case Coming::Kind::death: let_pass(NodeId{picked.index}); break;
    case Coming::Kind::belief: clients_.at(ClientId{picked.index}).end_belief(); break;
    case Coming::Kind::strike: strike(Strike(strikes_[picked.index])); break;
    case Coming::Kind::rest:
    case Coming::Kind::end: break;
  }
  if (network_.has_lines()) let_rivals_go_on();
  forget_past();
  return true;
}

// When it became possible counts no more, once it has.
void World::forget_past() {
  for (Scheduled& each : network_.change_pending()) {
    if (dense_->times.must_precede(each.earliest, now_)) each.earliest = Instant{};
    if (dense_->times.must_precede(each.latest, now_, true)) each.latest = now_;
  }
}

// Or a fault strikes whom it happens to, before.
void World::happen(std::uint32_t index) {
  outlook_.ready.assign(1, index);
  strikes_.clear();
  if (faults_.may_strike()) collect_strikes();
  std::erase_if(strikes_, [](const Strike& each) { return !needs_event(each.fault); });
  const std::uint32_t picked =
      choices_.pick(Site::step, Actor{}, static_cast<std::uint32_t>(strikes_.size()) + 1);
  if (picked == 0) perform(index);
  else strike(Strike(strikes_[picked - 1]));
}

void World::collect_coming() {
  dense_->possible.clear();
  strikes_.clear();
  outlook_.ready.clear();
  dense_->waiting.clear();
  for (Scheduled& each : network_.change_pending()) {
    if (is_held_up(each)) continue;
    // What was held up is due.
    if (each.latest < now_) each.latest = now_;
  }
  const std::span<const Scheduled> pending = network_.pending();
  for (std::uint32_t i = 0; i < pending.size(); ++i)
    if (!is_held_up(pending[i])) dense_->waiting.push_back(i);
  dense_->by_itself.clear();
  for (std::uint32_t i = 0; i < servers_.all().size(); ++i) {
    const Server& host = servers_.at(NodeId{i});
    dense_->by_itself.push_back(
        {Coming::Kind::death, i, std::min(servers_.next_death(host), servers_.next_wait_end(host))});
  }
  for (const auto& each : clients_)
    dense_->by_itself.push_back({Coming::Kind::belief, each->id().value, each->belief_until()});
  std::erase_if(dense_->by_itself, [](const Coming& each) { return each.at == never; });
  const bool is_any_due =
      !dense_->waiting.empty() || (network_.has_lines() && servers_.next_wait_end() != never);
  outlook_.is_at_rest = !is_any_due || do_all_wait_in_vain() || only_background_is_left();
  if (faults_.may_strike()) offer_faults();
  if (outlook_.is_at_rest) {
    dense_->possible.insert(dense_->possible.begin(), Coming{Coming::Kind::rest});
    return;
  }
  dense_->probe = dense_->times.unknown();
  std::vector<Coming> possible;
  const auto add = [&](const Coming& moment) {
    const Instant at = collect_limits(moment);
    if (dense_->times.may_lie(at, dense_->limits)) possible.push_back(moment);
  };
  for (const std::uint32_t index : dense_->waiting) add({Coming::Kind::event, index});
  for (const Coming& each : dense_->by_itself) add(each);
  if (course_.calm_until != never) add({Coming::Kind::end});
  for (const Coming& each : dense_->possible)
    if (each.is_now) possible.push_back(each);
    else add(each);
  dense_->possible = std::move(possible);
  INVARIANT(!dense_->possible.empty() || !dense_->times.obstacle().empty(),
            "time can pass, or something happens");
}

// A message is struck when it leaves; all else at any instant.
void World::offer_faults() {
  collect_strikes();
  for (std::uint32_t i = 0; i < strikes_.size(); ++i) {
    const Fault fault = strikes_[i].fault;
    if (needs_event(fault)) continue;
    const Struck whom = fault_table.of(fault).strikes;
    Coming moment{Coming::Kind::strike, i};
    moment.is_now = whom == Struck::request || whom == Struck::reply;
    dense_->possible.push_back(moment);
  }
}

// From now on, only this can have come next.
void World::narrow(const Coming& to) {
  collect_limits(to);
  for (const Limit& each : dense_->limits) {
    const bool is_still_possible = dense_->times.limit(each);
    INVARIANT(is_still_possible || !dense_->times.obstacle().empty(), "what was possible is possible");
  }
}

// Within which this comes next. Returns the instant that lies within them: when it happens, or the end.
Instant World::collect_limits(const Coming& moment) {
  dense_->limits.clear();
  const auto precedes = [&](Instant one, Instant other, bool strictly = false) {
    if (const auto limit = dense_->times.limit_of(one, other, strictly)) dense_->limits.push_back(*limit);
  };
  const std::span<const Scheduled> pending = network_.pending();
  if (moment.kind == Coming::Kind::end) {
    for (const std::uint32_t each : dense_->waiting)
      precedes(course_.calm_until, pending[each].earliest, true);
    return course_.calm_until;
  }
  const Instant at = moment.at != never ? moment.at : dense_->probe;
  precedes(now_, at);
  precedes(at, course_.calm_until);
  if (moment.kind == Coming::Kind::event) precedes(pending[moment.index].earliest, at);
  for (const std::uint32_t each : dense_->waiting) precedes(at, pending[each].latest);
  bool is_behind = false;
  for (const Coming& each : dense_->by_itself) {
    const bool is_it = each.kind == moment.kind && each.index == moment.index;
    is_behind |= is_it;
    // Of two that happen by themselves at one instant the first comes first.
    if (!is_it) precedes(at, each.at, !is_behind);
  }
  return at;
}

// What happens at one instant alone needs no name for it.
Instant World::instant_of(const Coming& moment) {
  if (moment.at != never) return moment.at;
  if (moment.kind != Coming::Kind::event) return dense_->probe;
  const Scheduled& event = network_.pending()[moment.index];
  return is_now(event.earliest, event.latest) ? event.latest : dense_->probe;
}

}  // namespace holdfast
