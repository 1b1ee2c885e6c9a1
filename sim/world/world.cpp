#include "sim/world/world.hpp"

#include <algorithm>

#include "sim/core/invariant.hpp"

namespace holdfast {
namespace {

// Where a rule gives no magnitude: twice the lease, so that whatever waits for the lease to end has time to
// come.
Duration default_magnitude(const Params& params) {
  return params.has("ttl") ? 2 * params.duration("ttl") : 8s;
}

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
      may_fail_over_(faults_.can(Fault::failover) && card.store == StoreKind::redis),
      loses_latest_(card.store == StoreKind::redis ? faults_.loses_latest() : Duration::zero()),
      resource_(scenario.fencing),
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
  if (scenario.explore.strategy == StrategyKind::random) later_ = std::make_unique<Later>();
  if (is_timed() && clients_.size() > Foresight::clients_nearby) foresight_ = std::make_unique<Foresight>();
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
  const bool is_ready = std::exchange(is_collected_, false) || (is_timed() && skip_ahead());
  if (!is_ready) collect_ready();
  while ((ready_.empty() || only_background_is_left()) && !over_) {
    if (next_ == never || only_background_is_left()) come_to_rest();
    else if (next_ > calm_until_) end();
    else advance_to(next_);
    if (!over_) collect_ready();
  }
  if (over_) return true;
  const auto options = static_cast<std::uint32_t>(ready_.size()) + (may_wait_ ? 1 : 0);
  // In the calm phase only several servers, or a task that never ends, leave anything to choose.
  const std::uint32_t picked = calm_ && options == 1 ? 0 : choices_.pick_step(options, *this);
  INVARIANT(picked < options, "a strategy picks one of the options");
  if (foresight_ != nullptr) look_ahead();
  if (picked == ready_.size()) advance_to(std::min(next_, now_ + scenario_.timing.tick));
  else perform(ready_[picked]);
  return true;
}

void World::set_up() {
  touched_ = all_touched;
  for (const auto& each : clients_) {
    if (const auto strike =
            faults_.offer(choices_, Site::clock, {Fault::clock_skew}, each->id(), Place::anywhere)) {
      const bool behind = pick(Site::clock, actor_of(each->id()), 2) != 0;
      each->skew(behind ? -strike->magnitude : strike->magnitude, Fault::clock_skew);
      emit(actor_of(each->id()), ClockSkewed{each->id(), each->wall_offset()});
    }
    const Instant start = now_ + each->plan().start;
    schedule({.kind = Pending::Kind::start, .client = each->id(), .earliest = start, .latest = start});
  }
}

void World::collect_possible() {
  ready_.clear();
  next_ = never;
  may_wait_ = !calm_;
  for (std::uint32_t i = 0; i < pending_.size(); ++i) {
    const Pending& pending = pending_[i];
    if (pending.earliest > now_) {
      next_ = std::min(next_, pending.earliest);
      continue;
    }
    if (is_held_up(pending)) continue;
    ready_.push_back(i);
    if (pending.latest <= now_) may_wait_ = false;
    else next_ = std::min(next_, pending.latest);
  }
  if (ready_.empty()) may_wait_ = false;
  if (!lines_.empty()) next_ = std::min(next_, next_wait_end());
}

// All of a client stops in a pause, not only what was on.
bool World::is_in_pause(const Pending& pending) const {
  return pending.resumes_client() && !pending.ends_pause && client_of(pending.client).is_paused();
}

std::span<const Mover> World::movers() {
  movers_.clear();
  for (const std::uint32_t index : ready_) {
    const Pending& pending = pending_[index];
    const bool races = pending.kind == Pending::Kind::timeout ||
                       (pending.kind != Pending::Kind::start && pending.kind != Pending::Kind::wake &&
                        messages_[pending.slot].call == nullptr);
    movers_.push_back(Mover{actor_of(pending.client), races ? pending.message.value : 0});
  }
  if (may_wait_) movers_.push_back(Mover{Actor{}, 0});
  return movers_;
}

void World::perform(std::size_t index) {
  Due due(pending_[index]);
  only_time_passed_ = false;
  if (index + 1 == pending_.size()) pending_.pop_back();
  else pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(index));
  touch(due.client);
  switch (due.kind) {
    case Pending::Kind::start:
      client(due.client).start();
      client(due.client).check_finished();
      break;
    case Pending::Kind::request: execute(due.slot); break;
    case Pending::Kind::reply:
    case Pending::Kind::timeout:
    case Pending::Kind::wake: wake_client(due); break;
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
  end_lines_of_the_gone();
  const Timing& timing = scenario_.timing;
  const ClientId probe{static_cast<std::uint32_t>(clients_.size())};
  probe_plan_.program.push_back({.op = ProgramStep::Op::acquire, .attempts = timing.recovery_rounds});
  add_client(probe_plan_);
  ++unfinished_;
  classes_.push_back(probe.value);
  schedule({.kind = Pending::Kind::start, .client = probe, .earliest = now_, .latest = now_});
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

void World::wake_client(Due& due) {
  if (due.kind == Pending::Kind::reply && messages_[due.slot].call == nullptr && !receive(due)) return;
  if (due.kind == Pending::Kind::reply) drop_pending(Pending::Kind::timeout, messages_[due.slot]);
  if (due.kind == Pending::Kind::timeout) drop_pending(Pending::Kind::reply, messages_[due.slot]);
  Client& woken = client(due.client);
  if (!due.ends_pause && faults_.may_strike() && is_interrupted(due)) return;
  if (due.ends_pause) {
    --paused_;
    emit(actor_of(woken.id()), Resumed{woken.id(), now_ - woken.resume()});
  }
  std::coroutine_handle<> next;
  if (due.kind == Pending::Kind::wake) {
    woken.observe_end_of(due.sleep);
    woken.observe(0);
    next = due.sleep->wake();
  } else {
    Message& answered = messages_[due.slot];
    const bool ended = due.kind == Pending::Kind::timeout;
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

// A crash or a pause strikes where a client would go on.
bool World::is_interrupted(const Due& due) {
  Client& woken = client(due.client);
  if (woken.is_finished()) return false;  // what still runs there is of no interest
  if (faults_.offer(choices_, Site::crash, {Fault::crash}, woken.id(), woken.place())) {
    note_strike({Fault::crash});
    woken.crash();
    if (woken.is_paused()) --paused_;
    woken.resume();
    const Instant restart = now_ + scenario_.timing.restart;
    schedule({.kind = Pending::Kind::start, .client = woken.id(), .earliest = restart, .latest = restart});
    return true;
  }
  if (woken.is_in_acquire() &&
      faults_.offer(choices_, Site::cancel, {Fault::cancel}, woken.id(), woken.place())) {
    note_strike({Fault::cancel});
    woken.cancel();
    return true;
  }
  if (const auto strike =
          faults_.offer(choices_, Site::clock, {Fault::clock_jump}, woken.id(), woken.place())) {
    const bool back = pick(Site::clock, actor_of(woken.id()), 2) != 0;
    woken.skew(back ? -strike->magnitude : strike->magnitude, Fault::clock_jump);
    emit(actor_of(woken.id()), ClockSkewed{woken.id(), woken.wall_offset()});
  }
  if (const auto strike = faults_.offer(choices_, Site::pause, {Fault::pause}, woken.id(), woken.place())) {
    note_strike({Fault::pause});
    emit(actor_of(woken.id()), Paused{woken.id()});
    woken.pause(now_);
    ++paused_;
    Pending end = due.at(now_);
    end.ends_pause = true;
    end.latest = now_ + strike->magnitude;
    end.earliest = is_timed() ? end.latest : std::min(end.latest, now_ + scenario_.timing.tick);
    schedule(end);
    return true;
  }
  return false;
}

void World::arm(ClientId id, Sleep& sleep) {
  const Instant due = now_ + std::max(Duration::zero(), client(id).true_length(sleep.duration()));
  client(id).begin_wait(&sleep);
  schedule({.kind = Pending::Kind::wake, .client = id, .earliest = due, .latest = due, .sleep = &sleep});
}

void World::disarm(ClientId id, Sleep& sleep) noexcept {
  client(id).end_wait(&sleep);
  if (sleep.place != Later::nowhere) later_->remove(sleep.place);
  else std::erase_if(pending_, [&](const Pending& pending) { return pending.sleep == &sleep; });
}

}  // namespace holdfast
