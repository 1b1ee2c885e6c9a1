#include "sim/world/world.hpp"

#include <algorithm>
#include <array>

#include "sim/core/invariant.hpp"

namespace holdfast {
namespace {

// Where a rule gives no magnitude: twice the lease, so that whatever waits for the lease to end has time to
// come.
Duration default_magnitude(const Params& params) {
  return params.has("ttl") ? 2 * params.duration("ttl") : 8s;
}

// Locks that count whole seconds behave alike at times that differ by whole seconds. None counts longer
// units.
constexpr Duration whole = 1s;

std::size_t nodes_of(const Params& params) {
  return params.has("nodes") ? static_cast<std::size_t>(params.count("nodes")) : 1;
}

}  // namespace

World::World(const Scenario& scenario, const Card& card, const Params& params, redis::Scripts& scripts,
             Choices& choices, Trace& trace, Knowledge known, States states)
    : scenario_(scenario),
      card_(card),
      params_(params),
      belief_(scenario.belief.value_or(card.belief)),
      has_states_(states == States::asked),
      tokens_before_(tokens_before(scenario)),
      choices_(choices),
      trace_(trace),
      faults_(scenario.faults, default_magnitude(params)),
      loses_latest_(faults_.loses_latest()),
      resource_(scenario.fencing),
      is_timed_(scenario.explore.strategy == StrategyKind::random),
      told_(known) {
  INVARIANT(!scenario.clients.empty(), "a scenario has clients");
  for (std::size_t i = 0; i < nodes_of(params); ++i)
    servers_.push_back({{Contents(card.store, scripts), {}, {}}, {}, {}});
  for (Server& each : servers_)
    if (card.store == StoreKind::redis) each.shelf.data.redis().set_replicas(1);
  note_locked();
  for (const ClientPlan& plan : scenario.clients) add_client(plan);
  // What a replica still knows, nobody else may remember.
  if (keeps_past()) told_.of_names = true;
  some_finish_ = std::any_of(scenario.clients.begin(), scenario.clients.end(),
                             [](const ClientPlan& plan) { return plan.rounds != 0; });
  for (const auto& each : clients_) unfinished_ += goes_on(*each) ? 0 : 1;
  if (has_states_) note_classes();
  fill_stores();
  // As much as a small run ever needs, so that nothing grows while it goes on.
  pending_.reserve(2 * clients_.size() + 2);
  ready_.reserve(2 * clients_.size() + 2);
  messages_.reserve(clients_.size() + 1);
}

World::~World() = default;

// Clients that do the same share the steps: of many, one copy stays near to the processor.
void World::add_client(const ClientPlan& plan) {
  std::span<const ProgramStep> steps = plan.program;
  if (!clients_.empty() && clients_.back()->plan().program == plan.program) steps = clients_.back()->steps();
  const ClientId id{static_cast<std::uint32_t>(clients_.size())};
  clients_.push_back(std::make_unique<Client>(*this, id, plan, steps, belief_, servers_.size()));
}

bool World::step() {
  if (over_) return false;
  ++step_.value;
  run_position.step = step_.value;
  only_time_passed_ = was_private_ = true;
  if (step_.value == 1) {
    set_up();
    return true;
  }
  if (!std::exchange(is_collected_, false)) collect();
  while (!is_anything_enabled() && !over_) {
    pass();
    if (!over_) collect();
  }
  if (over_) return true;
  const auto calm = static_cast<std::uint32_t>(ready_.size()) + (may_wait_ ? 1 : 0);
  const std::uint32_t options = calm + faults();
  // In the calm phase only several servers, or a task that never ends, leave anything to choose.
  const std::uint32_t picked = calm_ && options == 1 ? 0 : choices_.pick_step(options, *this);
  INVARIANT(picked < options, "a strategy picks one of the options");
  if (picked >= calm) strike(Strike(strikes_[picked - calm]));
  else if (picked < ready_.size()) perform(ready_[picked]);
  else if (is_at_rest_) come_to_rest();
  else advance_to(std::min(next_, now_ + scenario_.timing.tick));
  return true;
}

// Nothing is enabled: on to the next thing, whenever that is.
void World::pass() {
  if (is_at_rest_) come_to_rest();
  else if (next_ > calm_until_) end();
  else advance_to(next_);
}

void World::set_up() {
  touched_ = all_touched;
  const Duration first_wait = std::max(Duration::zero(), whole - scenario_.timing.tick);
  waits_for_first_ = !is_timed() && std::all_of(clients_.begin(), clients_.end(), [&](const auto& each) {
    return each->plan().start == clients_.front()->plan().start;
  });
  for (const auto& each : clients_) {
    const ClientPlan& plan = each->plan();
    const Duration late = std::max(plan.start, plan.start_late);
    schedule({.kind = Scheduled::Kind::start,
              .client = each->id(),
              .earliest = now_ + plan.start,
              .latest = now_ + (waits_for_first_ ? std::min(late, plan.start + first_wait) : late)});
  }
}

// The first client has started; from now on the others may take their time.
void World::open_start_windows() {
  touched_ = all_touched;
  for (Scheduled& each : pending_) {
    if (each.kind != Scheduled::Kind::start) continue;
    const ClientPlan& plan = client_of(each.client).plan();
    each.latest = Instant{} + std::max(plan.start, plan.start_late);
  }
}

void World::collect() {
  ready_.clear();
  strikes_.clear();
  if (is_timed()) take_due();
  next_ = is_timed() ? agenda_.next() : never;
  bool is_urgent = false;
  for (std::uint32_t i = 0; i < pending_.size(); ++i) {
    const Scheduled& each = pending_[i];
    if (each.earliest > now_) {
      next_ = std::min(next_, each.earliest);
      continue;
    }
    if (is_held_up(each)) continue;
    ready_.push_back(i);
    if (each.latest <= now_) is_urgent = true;
    else next_ = std::min(next_, each.latest);
  }
  if (!lines_.empty()) next_ = std::min(next_, next_wait_end());
  is_at_rest_ = (ready_.empty() && next_ == never) || only_background_is_left();
  if (is_at_rest_) ready_.clear();
  may_wait_ = ready_.empty() || (!is_urgent && !calm_);
  // In timed runs faults strike where something else may happen.
  if (faults_.may_strike() && (!is_timed() || !ready_.empty())) collect_strikes();
}

// All of a client stops in a pause, not only what was on.
bool World::is_in_pause(const Scheduled& each) const {
  return each.resumes_client() && client_of(each.client).is_paused();
}

World::Option World::option_of(const Scheduled& each) const {
  using Kind = Scheduled::Kind;
  constexpr std::array kinds{Action::Kind::start, Action::Kind::request, Action::Kind::reply,
                             Action::Kind::timeout, Action::Kind::wake, Action::Kind::send,
                             Action::Kind::resume, Action::Kind::heal};
  Option option{{.kind = kinds[static_cast<std::size_t>(each.kind)], .actor = actor_of(each.client)}, 0};
  if (!each.is_of_message()) return option;
  const Message& message = messages_[each.slot];
  option.action.variant = message.node.value;
  if (each.kind == Kind::timeout || message.call == nullptr) option.strand = each.message.value;
  return option;
}

std::span<const Enabled::Option> World::all() {
  options_.clear();
  for (const std::uint32_t index : ready_) options_.push_back(option_of(pending_[index]));
  if (may_wait_) options_.push_back({});
  for (const Strike& each : strikes_)
    options_.push_back({{.kind = Action::Kind::strike,
                         .fault = each.fault,
                         .actor = each.actor,
                         .variant = each.variant},
                        0});
  for (std::size_t i = 0; i < options_.size(); ++i)
    for (std::size_t before = i; before-- > 0;) {
      Action same = options_[before].action;
      same.nth = 0;
      if (same != options_[i].action) continue;
      options_[i].action.nth = options_[before].action.nth + 1;
      break;
    }
  return options_;
}

void World::perform(std::size_t index) {
  using Kind = Scheduled::Kind;
  Scheduled due = pending_[index];
  only_time_passed_ = false;
  if (index + 1 == pending_.size()) pending_.pop_back();
  else pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(index));
  touch(due.client);
  switch (due.kind) {
    case Kind::start:
      if (std::exchange(waits_for_first_, false)) open_start_windows();
      client(due.client).start();
      client(due.client).check_finished();
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

// Nothing is left to happen: the clients are done. First the calm phase, then the end.
void World::come_to_rest() {
  INVARIANT(std::none_of(messages_.begin(), messages_.end(),
                         [](const Message& each) { return each.id != MessageId{} && each.call == nullptr; }),
            "a run rests only when every message has landed");
  INVARIANT(unfinished_ <= stuck(), "a client waits only for what will happen, or for ever");
  if (calm_) {
    for (const auto& each : clients_)
      if (!each->is_finished() && !goes_on(*each)) emit(actor_of(each->id()), Stuck{each->acquisition()});
    return end();
  }
  calm_ = true;
  touched_ = all_touched;
  faults_.stop();
  cuts_.clear();
  std::erase_if(pending_, [](const Scheduled& each) { return each.kind == Scheduled::Kind::heal; });
  end_lines_of_the_gone();
  const Timing& timing = scenario_.timing;
  const ClientId probe{static_cast<std::uint32_t>(clients_.size())};
  probe_plan_.program.push_back({.op = ProgramStep::Op::acquire, .attempts = timing.recovery_rounds});
  add_client(probe_plan_);
  ++unfinished_;
  classes_.push_back(probe.value);
  schedule({.kind = Scheduled::Kind::start, .client = probe, .earliest = now_, .latest = now_});
  const Duration bound = timing.recovery * (timing.recovery_rounds - 1);
  if (std::any_of(clients_.begin(), clients_.end(), [this](const auto& each) { return goes_on(*each); }))
    calm_until_ = now_ + bound;
  emit(Actor{}, Calm{probe, bound});
}

void World::end() {
  over_ = true;
  emit(Actor{}, Ended{});
}

// --- clients ---

void World::resume_client(ClientId id) {
  Client& paused = client(id);
  --paused_;
  paused.resume_handle() = Agenda::none;
  emit(actor_of(id), Resumed{id, now_ - paused.resume()});
}

void World::wake_client(Scheduled& due) {
  using Kind = Scheduled::Kind;
  if (due.kind == Kind::reply && messages_[due.slot].call == nullptr && !receive(due)) return;
  if (due.kind == Kind::reply) drop_pending(Kind::timeout, messages_[due.slot]);
  if (due.kind == Kind::timeout) drop_pending(Kind::reply, messages_[due.slot]);
  Client& woken = client(due.client);
  std::coroutine_handle<> next;
  if (due.kind == Kind::wake) {
    woken.observe_end_of(due.sleep);
    woken.observe(0);
    next = due.sleep->wake();
  } else {
    Message& answered = messages_[due.slot];
    const bool ended = due.kind == Kind::timeout;
    const bool lost = ended && !answered.only_listens();
    answered.remove(due.kind);
    if (ended) answered.reply = lost ? Reply::lost() : Reply::nil();
    if (lost && answered.connection.value != 0) lose(*line_of(answered.connection));
    Call& call = *std::exchange(answered.call, nullptr);
    if (lost) note_content(answered);
    if (lost) emit(actor_of(woken.id()), GaveUp{answered.id, answered.acquisition});
    else if (!ended && hears<Delivered>())
      emit(actor_of(woken.id()),
           Delivered{answered.id, answered.acquisition, trace_.is_recording() ? answered.reply : Reply()});
    sightings_.gave_up |= lost;
    woken.note_reply(answered.sent_at, now_);
    const bool is_part = call.is_part();
    if (is_part) {
      woken.end_wait(&call);
      woken.observe_part(answered.node, answered.reply);
    } else {
      woken.observe_end_of(&call);
      woken.observe(answered.reply);
    }
    next = call.complete(std::move(answered.reply));
    settle(answered);
    if (is_part && next) woken.observe_parts();
  }
  run(next);
  woken.check_finished();
}

void World::arm(ClientId id, Sleep& sleep, Duration window, bool is_work) {
  const Client& sleeper = client(id);
  const Instant due = now_ + std::max(Duration::zero(), sleeper.true_length(sleep.duration()));
  sleep.place = Agenda::none;
  client(id).begin_wait(&sleep);
  schedule({.kind = Scheduled::Kind::wake,
            .is_work = is_work,
            .client = id,
            .earliest = due,
            .latest = due + sleeper.true_length(window),
            .sleep = &sleep});
}

void World::disarm(ClientId id, Sleep& sleep) noexcept {
  client(id).end_wait(&sleep);
  if (sleep.place != Agenda::none) agenda_.remove(std::exchange(sleep.place, Agenda::none));
  else std::erase_if(pending_, [&](const Scheduled& each) { return each.sleep == &sleep; });
}

}  // namespace holdfast
