#include "sim/world/client.hpp"

#include <algorithm>
#include <exception>

#include "sim/core/invariant.hpp"
#include "sim/world/marks.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

SimStore::SimStore(World& world, ClientId client, NodeId node)
    : Store(world.scenario_.driver_retries.value_or(world.card_.driver_retries)),
      world_(world),
      client_(client),
      node_(node) {}
void SimStore::submit(Call& call) { world_.submit(client_, node_, call); }
void SimStore::forget(Call& call) noexcept { world_.forget(call); }
void SimStore::close(OwnConnection& connection) noexcept { world_.hang_up(connection.id); }

std::unique_ptr<Client::Stores> Client::stores_of(std::size_t nodes) {
  if (nodes == 1) return nullptr;
  auto stores = std::make_unique<Stores>();
  for (std::uint32_t i = 1; i < nodes; ++i) stores->others.emplace_back(world_, store_.client(), NodeId{i});
  stores->all.push_back(&store_);
  for (SimStore& other : stores->others) stores->all.push_back(&other);
  return stores;
}

Client::Client(World& world, ClientId id, const ClientPlan& plan, std::span<const ProgramStep> steps,
               Belief belief, std::size_t nodes)
    : world_(world),
      store_(world, id, NodeId{0}),
      several_(stores_of(nodes)),
      env_(id, several_ ? std::span(several_->all) : std::span(&first_store_, 1), *this, *this, this),
      key_(key_called(plan.key.empty() ? world.scenario_.key : plan.key)),
      keys_of_periods_(keys_for(plan)),
      steps_(steps),
      id_(id),
      drift_ppm_(plan.drift_ppm),
      belief_(belief),
      has_states_(world.has_states_),
      rounds_(plan.rounds),
      state_({.tokens = world.tokens_before_, .oldest_known_token = world.tokens_before_ + 1}, id,
             world.touched_),
      plan_(plan) {
  if (plan.params.empty()) return;
  own_params_ = world.params_;
  for (const auto& [name, text] : plan.params) own_params_->set(name, text);
}

Client::Key Client::key_called(std::string name) const {
  const auto place = static_cast<std::uint32_t>(world_.servers_.locked_place(name));
  return {std::move(name), place};
}

std::vector<Client::Key> Client::keys_for(const ClientPlan& plan) const {
  std::vector<Key> keys;
  if (plan.keying == Keying::period)
    for (std::string& name : names_locked_by(world_.scenario_, plan))
      keys.push_back(key_called(std::move(name)));
  return keys;
}

// When all is over, the lock that has no period is asked for.
const Client::Key& Client::key_of_period() const {
  if (world_.course_.calm) return key_;
  return keys_of_periods_[std::min<std::size_t>(state_->round, keys_of_periods_.size() - 1)];
}

// What still runs in it knows the lock, the clock and the stores.
Client::~Client() { drop_frames(); }

void Client::drop_frames() {
  state_.change().program = Task<>();
  state_.change().acquiring = Task<Attempt>();
  state_.change().lock.reset();
  state_.change().is_memory_told = false;
  state_.change().memory = History();
  state_.change().oldest_kept_token = ~std::uint32_t{0};
}

void Client::start() {
  state_.change().has_begun = true;
  ++state_.change().lives;
  state_.change().lock = world_.clients_.lock_of_process(*this);
  if (!state_->lock) state_.change().lock = world_.card_.make(own_params_ ? *own_params_ : world_.params_);
  world_.emit(actor_of(id_), Started{id_, wall_offset()});
  begin_turn();
  state_.change().program = run_program();
  state_.change().program.start();
}

void Client::crash() {
  drop_frames();
  INVARIANT(!is_waiting(), "a dead client waits for nothing");
  state_.change().observed = state_.change().parts = History();
  state_.change().oldest_known_token = state_->tokens + 1;
  state_.change().granted_token = 0;
  state_.change().open = 0;
  set_grants(0);
  state_.change().claiming = false;
  state_.change().again.clear();
  state_.change().unreleased = false;
  state_.change().place = Place::anywhere;
  world_.emit(actor_of(id_), Crashed{id_});
}

void Client::come_back(std::span<const ProgramStep> steps) {
  steps_ = steps;
  rounds_ = 1;
  state_.change().again.clear();
  state_.change().finished = false;
  world_.clients_.note_return(*this);
  begin_turn();
  state_.change().program = run_program();
  state_.change().program.start();
  check_finished();
}

void Client::give_back() {
  state_.change().finished = false;
  world_.clients_.note_return(*this);
  set_grants(1);
  begin_turn();
  state_.change().program = releasing_once();
  state_.change().program.start();
  check_finished();
}

void Client::give_up_waiting() {
  if (plan_.role == Role::user) world_.emit(actor_of(id_), Stuck{state_->acquisition});
  drop_frames();
  state_.change().observed = state_.change().parts = History();
  state_.change().oldest_known_token = state_->tokens + 1;
  state_.change().granted_token = 0;
  state_.change().open = 0;
  state_.change().place = Place::anywhere;
  state_.change().finished = true;
  world_.clients_.note_end(*this);
}

void Client::cancel() {
  state_.change().acquiring = Task<Attempt>();
  state_.change().parts = History();
  state_.change().cancelled = true;
  observe(Mark::cancelled);
  world_.emit(actor_of(id_), Cancelled{state_->acquisition});
  begin_turn();
  run(std::exchange(state_.change().after_acquire, nullptr));
  check_finished();
}

bool Client::Outcome::await_resume() {
  const Attempt attempt = take();
  const bool holds = client_.end_acquiring(client_.steps_[client_.state_->line].mode, attempt);
  client_.forget_call(holds);
  return holds;
}

Attempt Client::Outcome::take() {
  if (std::exchange(client_.state_.change().cancelled, false)) return Attempt::failed("cancelled");
  const Task<Attempt> finished = std::move(client_.state_.change().acquiring);
  return inner_.await_resume();
}

void Client::begin_turn() {
  if (world_.dense_) world_.dense_->times.call(this);
}

// What it does next may follow from that, and not only from what it was told.
void Client::note_comparison(bool is_less) { observe(Mark::compared | std::uint64_t{is_less} << 8); }

void Client::check_finished() {
  if (world_.dense_) world_.dense_->times.call(nullptr);
  end_run();
  if (world_.clients_.share_locks()) world_.clients_.note_run(*this);
  if (state_->lock) state_->lock->require_usable();
  if (!state_->program.is_done()) return;
  std::string error;
  try {
    state_.change().program.take();
  } catch (const UnusableLock&) {
    throw;
  } catch (const std::exception& thrown) {
    error = thrown.what();
  }
  state_.change().program = Task<>();
  state_.change().finished = true;
  world_.clients_.note_end(*this);
  set_grants(0);
  state_.change().claiming = false;
  state_.change().place = Place::anywhere;
  forget_program();
  world_.emit(actor_of(id_), Finished{id_, std::move(error)});
}

Digest Client::mix_state(Digest history, Instant now) const {
  return holdfast::mix_state(history, *state_, now, belief_, world_.faults_.can(Fault::clock_skew),
                             world_.told_.of_time, world_.may_come_back(), is_reply_dead(),
                             [this](const Token& token) { return world_.clients_.age_of(token); });
}

void Client::note_tokens(const NoteToken& note) const {
  if (state_->finished && !state_->waits.are_any() && !world_.may_come_back()) return;
  state_->observed.for_each_token(note);
  state_->parts.for_each_token(note);
  if (state_->is_memory_told) state_->memory.for_each_token(note);
  for (const ClientState::Beside& each : state_->beside) {
    each.observed.for_each_token(note);
    each.parts.for_each_token(note);
  }
}

bool Client::is_reply_dead() const {
  return world_.leaves_out_dead_ && is_waiting() && state_->sleeps == 0 && !world_.clients_.share_locks();
}

void Client::observe_rank_of(const void* wait) {
  const std::uint64_t rank = state_->waits.rank_of(wait);
  if (rank > 0) observe(Mark::wait_rank | rank << 8);
}

// Their order does not matter: they are looked at when all are here.
void Client::observe_part(NodeId node, const Reply& reply) {
  if (!has_states_) return;
  History part;
  part.add(Mark::part | std::uint64_t{node.value} << 8);
  mix_reply(part, reply);
  parts_of_task().add_to_set(part);
}

void Client::observe_parts() {
  observe(Mark::part);
  observed_by_task().add_to_set(parts_of_task());
  parts_of_task() = History();
}

void Client::observe(const Reply& reply) {
  if (has_states_) mix_reply(observed_by_task(), reply);
}

void Client::mix_text(History& history, std::string_view text) const {
  const Wording said = world_.clients_.wording_of(text);
  world_.told_.of_date |= said.may_say_when;
  // A name that it does not remember is like another client's.
  const bool is_own = said.token && said.token->client == id_ && knows_token(said.token->number);
  if (is_own) {
    if (said.token->around != 0) history.add(said.token->around);
    history.add(std::uint64_t{state_->age_of_token(said.token->number)} << 1 | 1);
  } else {
    world_.clients_.note_others(history, said, world_.told_);
  }
  for (const Instant each : said.dates) history.add(each);
}

void Client::mix_reply(History& history, const Reply& reply) const {
  history.add(static_cast<std::uint64_t>(reply.kind()) |
              static_cast<std::uint64_t>(reply.text().empty()) << 3 |
              static_cast<std::uint64_t>(reply.elements().size()) << 4);
  if (reply.is_unknown()) {
    std::vector<Instant> times;
    history.add(static_cast<std::uint64_t>(dates_of(reply.milliseconds().count(), times)));
    for (const Instant each : times) history.add(each);
  } else if (reply.kind() == Reply::Kind::integer) {
    const std::optional<Instant> date = world_.clients_.date_of(reply.number());
    world_.told_.of_date |= !date && world_.clients_.may_be_date(reply.number());
    if (date) history.add(*date);
    else world_.note_number(history, static_cast<std::uint64_t>(reply.number()));
  }
  if (!reply.text().empty()) mix_text(history, reply.text());
  for (const Reply& element : reply.elements()) mix_reply(history, element);
}

}  // namespace holdfast
