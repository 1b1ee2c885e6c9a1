#include "sim/world/world.hpp"

#include <algorithm>
#include <array>

#include "sim/core/invariant.hpp"
#include "sim/world/magnitude.hpp"

namespace holdfast {
namespace {

// Locks that count whole seconds behave alike at times that differ by whole seconds. None counts longer
// units.
constexpr Duration whole = 1s;

bool is_progress_asked(const Scenario& scenario) {
  return scenario.check.empty() || scenario.check.contains(Property::progress);
}

std::size_t nodes_of(const Params& params) {
  return params.has("nodes") ? static_cast<std::size_t>(params.count("nodes")) : 1;
}

}  // namespace

const LockFacts World::unrehearsed;

World::World(const Scenario& scenario, const Card& card, const Params& params, stores::Kinds& kinds,
             Choices& choices, Trace& trace, Knowledge known, States states, const LockFacts& facts)
    : scenario_(scenario),
      card_(card),
      params_(params),
      facts_(facts),
      kinds_(kinds),
      belief_(scenario.belief.value_or(card.belief)),
      has_states_(states != States::unasked),
      may_times_stand_for_others_(has_states_ && states != States::earnest),
      leaves_out_dead_(has_states_ && scenario.explore.reductions.contains(Reduction::dead_values)),
      joins_replies_(states == States::joined && nodes_of(params) > 1),
      tokens_before_(tokens_before(scenario)),
      is_timed_(scenario.explore.strategy == StrategyKind::random),
      asks_for_progress_(is_progress_asked(scenario)),
      choices_(choices),
      trace_(trace),
      faults_(scenario.faults, default_magnitude(params, facts), touched_, *scenario.explore.faults),
      network_(now_, is_timed_, touched_),
      servers_(scenario, card.store, nodes_of(params), kinds, faults_, now_, facts),
      resource_(scenario.fencing),
      told_(known),
      clients_(scenario, network_, has_states_, card.ignores_date, !card.counters.empty()) {
  INVARIANT(!scenario.clients.empty(), "a scenario has clients");
  for (const ClientPlan& plan : scenario.clients) add_client(plan);
  // A replica may know names that no other part remembers. And a shared lock object knows names.
  told_.of_names |= clients_.share_locks() || servers_.are_locks_named_by_tokens(clients_);
  if (servers_.keeps_past()) clients_.note_others(told_);
  if (scenario.timing.tick == Duration::zero()) begin_dense_time();
  if (!scenario.store.empty())
    for (Server& each : servers_.all()) note_keys(each.shelf);
  network_.reserve(clients_.size());
  outlook_.ready.reserve(2 * clients_.size() + 2);
}

// What runs in a lock object belongs to any of those that share it.
World::~World() {
  course_.over = true;  // what ends with them is no part of the run
  for (const auto& each : clients_) each->drop_frames();
}

// Clients that do the same share the steps: of many, one copy stays near to the processor.
void World::add_client(const ClientPlan& plan) {
  std::span<const ProgramStep> steps = plan.program;
  const ClientId id{static_cast<std::uint32_t>(clients_.size())};
  if (id.value > 0)
    if (const Client& before = clients_.at(ClientId{id.value - 1}); before.plan().program == plan.program)
      steps = before.steps();
  clients_.add(std::make_unique<Client>(*this, id, plan, steps, belief_, servers_.all().size()));
}

bool World::take_step() {
  if (course_.over) return false;
  ++step_.value;
  run_position.step = step_.value;
  last_.only_time_passed = true;
  last_.was_needless = false;
  if (step_.value == 1) {
    set_up();
    return true;
  }
  if (dense_) return take_dense_step();
  // Time may have passed that ended what they waited for.
  if (network_.has_lines() && let_rivals_go_on()) outlook_.is_collected = false;
  if (!std::exchange(outlook_.is_collected, false)) collect();
  while (!is_anything_enabled() && !course_.over) {
    pass();
    if (!course_.over) collect();
  }
  if (course_.over) return true;
  const auto calm = static_cast<std::uint32_t>(outlook_.ready.size()) + (outlook_.may_wait ? 1 : 0);
  const std::uint32_t options = this->options();
  // In the calm phase only several servers, or a task that never ends, leave anything to choose.
  const std::uint32_t picked = course_.calm && options == 1 ? 0 : choices_.pick_step(options, *this);
  INVARIANT(picked < options, "a strategy picks one of the options");
  if (picked >= calm) strike(Strike(strikes_[picked - calm]));
  else if (picked < outlook_.ready.size()) perform(outlook_.ready[picked]);
  else if (outlook_.is_at_rest) come_to_rest();
  else advance_to(std::min(outlook_.next, now_ + scenario_.timing.tick));
  if (network_.has_lines()) let_rivals_go_on();
  return true;
}

void World::set_up() {
  if (scenario_.away > 0) choose_who_is_away();
  if (scenario_.timing.delays == Delays::fixed) choose_delays();
  // Where longer ticks are whole seconds, too, the first client starts at one of them, or between two.
  const Duration tick = scenario_.timing.tick;
  const bool is_never_between = tick > whole && tick % whole == Duration::zero();
  const Duration least = is_never_between ? whole / 2 : std::max(Duration::zero(), whole - tick);
  const Duration first_wait = dense_ ? Duration::zero() : least;  // nobody knows when a dense run begins
  course_.waits_for_first =
      !is_timed() && std::all_of(clients_.begin(), clients_.end(), [&](const auto& each) {
        return each->plan().start == scenario_.clients.front().start;
      });
  for (const auto& each : clients_) {
    const ClientPlan& plan = each->plan();
    const Duration late = std::max(plan.start, plan.start_late);
    schedule({.kind = Scheduled::Kind::start,
              .client = each->id(),
              .earliest = now_ + plan.start,
              .latest = now_ + (course_.waits_for_first ? std::min(late, plan.start + first_wait) : late)});
  }
}

void World::choose_who_is_away() {
  course_.away = NodeId{pick(Site::variant, Actor{}, static_cast<std::uint32_t>(servers_.all().size()))};
  for (const auto& each : clients_)
    emit(actor_of(*course_.away), Partitioned{each->id(), *course_.away, never, true, true});
}

void World::choose_delays() {
  const Timing& timing = scenario_.timing;
  const auto ticks = static_cast<std::uint32_t>((timing.delay_max - timing.delay_min) / timing.tick);
  for (const auto& each : clients_)
    for (std::size_t node = 0; node < servers_.all().size(); ++node)
      delays_.push_back(pick(Site::delay, actor_of(each->id()), ticks + 1));
}

// The first client has started; from now on the others may take their time.
void World::open_start_windows() {
  for (Scheduled& each : network_.change_pending()) {
    if (each.kind != Scheduled::Kind::start) continue;
    const ClientPlan& plan = clients_.at(each.client).plan();
    each.latest = Instant{} + std::max(plan.start, plan.start_late);
  }
}

void World::collect() {
  outlook_.ready.clear();
  strikes_.clear();
  if (is_timed()) network_.take_due();
  outlook_.next = network_.next_due();
  bool is_urgent = false;
  const std::span<const Scheduled> pending = network_.pending();
  for (std::uint32_t i = 0; i < pending.size(); ++i) {
    const Scheduled& each = pending[i];
    if (each.earliest > now_) {
      outlook_.next = std::min(outlook_.next, each.earliest);
      continue;
    }
    if (is_held_up(each)) continue;
    outlook_.ready.push_back(i);
    if (each.latest <= now_) is_urgent = true;
    else outlook_.next = std::min(outlook_.next, each.latest);
  }
  if (network_.has_lines()) outlook_.next = std::min(outlook_.next, servers_.next_wait_end());
  outlook_.is_at_rest = (outlook_.ready.empty() && (outlook_.next == never || do_all_wait_in_vain())) ||
                        only_background_is_left();
  if (outlook_.is_at_rest) outlook_.ready.clear();
  outlook_.may_wait = outlook_.ready.empty() || (!is_urgent && !course_.calm);
  // In timed runs faults strike where something else may happen.
  if (faults_.may_strike() && (!is_timed() || !outlook_.ready.empty())) collect_strikes();
}

// All of a client stops in a pause, not only what was on.
bool World::is_in_pause(const Scheduled& each) const {
  return each.resumes_client() && clients_.at(each.client).is_paused();
}

World::Option World::option_of(const Scheduled& each) const {
  using Kind = Scheduled::Kind;
  constexpr std::array kinds{Action::Kind::start,   Action::Kind::request, Action::Kind::reply,
                             Action::Kind::timeout, Action::Kind::wake,    Action::Kind::send,
                             Action::Kind::resume,  Action::Kind::heal};
  Option option{{.kind = kinds[static_cast<std::size_t>(each.kind)], .actor = actor_of(each.client)}, 0};
  if (!each.is_of_message()) return option;
  const Message& message = network_.at(each.slot);
  option.action.how.node = message.node;
  if (each.kind == Kind::timeout || message.call == nullptr) option.strand = each.message.value;
  return option;
}

std::span<const Enabled::Option> World::all() {
  std::vector<Option>& options = outlook_.options;
  options.clear();
  for (const std::uint32_t index : outlook_.ready) options.push_back(option_of(network_.pending()[index]));
  if (outlook_.may_wait) options.push_back({});
  for (const Strike& each : strikes_)
    options.push_back(
        {{.kind = Action::Kind::strike, .fault = each.fault, .actor = each.actor, .how = each.how}, 0});
  for (std::size_t i = 0; i < options.size(); ++i)
    for (std::size_t before = i; before-- > 0;) {
      Action same = options[before].action;
      same.nth = 0;
      if (same != options[i].action) continue;
      options[i].action.nth = options[before].action.nth + 1;
      break;
    }
  return options;
}

void World::perform(std::size_t index) {
  using Kind = Scheduled::Kind;
  last_.was_needless = joins_replies_ && !dense_ && is_tried_later(network_.pending()[index]);
  Scheduled due = network_.take(index);
  last_.only_time_passed = false;
  switch (due.kind) {
    case Kind::start:
      if (std::exchange(course_.waits_for_first, false)) open_start_windows();
      clients_.at(due.client).start();
      clients_.at(due.client).check_finished();
      break;
    case Kind::request: execute(due.slot); break;
    case Kind::reply:
    case Kind::timeout:
    case Kind::wake: wake_client(due); break;
    case Kind::send: depart(due.slot); break;
    case Kind::resume: resume_client(due.client); break;
    case Kind::heal: heal(due.slot); break;
  }
}

// --- clients ---

void World::wake_client(Scheduled& due) {
  using Kind = Scheduled::Kind;
  if (due.kind == Kind::reply && network_.at(due.slot).call == nullptr && !network_.receive(due)) return;
  if (due.kind == Kind::timeout && is_patient(network_.at(due.slot))) return wait_on(due.slot);
  if (due.kind == Kind::reply) network_.drop(Kind::timeout, network_.change(due.slot));
  if (due.kind == Kind::timeout) network_.drop(Kind::reply, network_.change(due.slot));
  Client& woken = clients_.at(due.client);
  woken.begin_turn();
  std::coroutine_handle<> next;
  if (due.kind == Kind::wake) {
    woken.note_sleep_end();
    woken.observe_end_of(due.sleep);
    woken.observe(0);
    next = due.sleep->wake();
  } else {
    Message& answered = network_.change(due.slot);
    const bool ended = due.kind == Kind::timeout;
    const bool lost = ended && (!answered.only_listens() || answered.listens_for_ever());
    answered.remove(due.kind);
    if (ended) answered.reply = lost ? Reply::lost() : Reply::nil();
    if (lost && answered.connection.value != 0) lose(*network_.change_line_of(answered.connection));
    Call& call = *std::exchange(answered.call, nullptr);
    if (lost) note_content(answered);
    const bool is_repeated = lost && call.repeats() > 0;
    if (lost) emit(actor_of(woken.id()), GaveUp{answered.id, answered.acquisition, is_repeated});
    else if (!ended && hears<Delivered>())
      emit(actor_of(woken.id()),
           Delivered{answered.id, answered.acquisition, trace_.is_recording() ? answered.reply : Reply()});
    if (lost) note(is_repeated ? Situation::sent_again : Situation::gave_up);
    if (lost && !is_repeated) woken.note_doubt();
    woken.note_reply(answered.sent_at, now_);
    const bool is_part = call.is_part();
    if (is_part) {
      woken.begin_turn_of(&call);
      woken.end_wait(&call);
      woken.observe_part(answered.node, answered.reply);
    } else {
      woken.observe_end_of(&call);
      woken.observe(answered.reply);
    }
    next = call.complete(std::move(answered.reply));
    network_.settle(network_.change(due.slot));  // a driver that asks again may have moved it
    if (is_part && next) woken.observe_parts();
  }
  if (next) woken.observe_memory();
  run(next);
  woken.check_finished();
}

void World::arm(ClientId id, Sleep& sleep, Duration window, bool is_work) {
  const Client& sleeper = clients_.at(id);
  const Instant due = now_ + std::max(Duration::zero(), sleeper.true_length(sleep.duration()));
  sleep.place = Agenda::none;
  clients_.at(id).begin_wait(&sleep);
  clients_.at(id).note_sleep();
  schedule({.kind = Scheduled::Kind::wake,
            .is_work = is_work,
            .client = id,
            .earliest = due,
            .latest = due + sleeper.true_length(window),
            .sleep = &sleep});
}

void World::disarm(ClientId id, Sleep& sleep) noexcept {
  clients_.at(id).end_wait(&sleep);
  clients_.at(id).note_sleep_end();
  network_.drop(sleep);
}

}  // namespace holdfast
