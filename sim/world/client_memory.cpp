// What a client remembers of all that it was told: what its tasks go on with, and what its lock object keeps.
#include <algorithm>
#include <utility>

#include "sim/world/client.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};
// Ages are below.
constexpr std::uint32_t places = 1u << 30;

}  // namespace

class Client::Recollection final : public Memory {
 public:
  explicit Recollection(Client& client) : client_(client) {}
  void note(std::int64_t number) override {
    const std::optional<Instant> date = client_.world_.clients_.date_of(number);
    // Durations are in microseconds.
    constexpr std::int64_t of_years = 1'000'000'000'000'000;
    client_.world_.told_.of_date |= !date && number >= of_years;
    if (date) kept.add(*date);
    else client_.world_.note_number(kept, static_cast<std::uint64_t>(number));
  }
  void note(Duration length) override {
    if (length.count().is_unknown()) kept.add(length);
    else note(static_cast<std::int64_t>(length.count()));
  }
  void note(WallTime time) override { note_time(time, time - wall_epoch); }
  void note(SteadyTime time) override { note_time(time, time - steady_epoch); }
  void note(std::string_view text) override {
    oldest_token = std::min(oldest_token, client_.own_token(text));
    client_.mix_word(kept, text);
  }
  void note(const Background& task) override {
    is_mingled |= task.is_running() && task.is_mingled();
    const std::uint64_t place = place_of(client_.state_->beside, task.number());
    note(task.is_running() ? static_cast<std::int64_t>(place) + 1 : std::int64_t{0});
  }

  History kept;
  std::uint32_t oldest_token = none;
  bool is_mingled = false;

 private:
  template <class Time>
  void note_time(Time time, Duration since_begin) {
    if (since_begin.count().is_unknown()) kept.add(Instant(since_begin));
    else note(static_cast<std::int64_t>(time.time_since_epoch().count()));
  }
  Client& client_;
};

std::uint32_t Client::age_of_token(std::uint32_t number) const {
  if (knows_token(number) || is_identity(number)) return state_->age_of_token(number);
  if (world_.told_.of_others && !world_.told_.of_names) {
    const auto rank = world_.clients_.rank_of({id_, number});
    return rank ? places + *rank : forgotten;
  }
  const auto known = std::min(state_->oldest_known_token, state_->oldest_kept_token);
  const auto place = world_.network_.place_of_token(id_, number, known);
  if (!place) return forgotten;
  // Where names are told, servers' keys say the number.
  return world_.told_.of_names ? state_->tokens - number : places + *place;
}

std::uint32_t Client::age_of_acquisition(std::uint32_t number) const {
  if (number >= state_->oldest_open) return state_->acquisitions - number;
  const auto place = world_.network_.place_of_acquisition(id_, number, state_->oldest_open);
  return place ? places + *place : forgotten;
}

std::uint32_t Client::own_token(std::string_view text) const {
  const std::optional<Token> token = world_.clients_.wording_of(text).token;
  return token && token->client == id_ && !is_identity(token->number) ? token->number : none;
}

std::uint32_t Client::oldest_token_in(const Args& values) const {
  std::uint32_t oldest = none;
  for (const std::string_view word : values.list()) oldest = std::min(oldest, own_token(word));
  return oldest;
}

// As mix_text(), of what it remembers.
void Client::mix_word(History& history, std::string_view word) {
  const Wording said = world_.clients_.wording_of(word);
  world_.told_.of_date |= said.may_say_when;
  if (said.token && said.token->client == id_) {
    history.add(said.token->around);
    history.add(std::uint64_t{state_->age_of_token(said.token->number)} << 1 | 1);
  } else {
    world_.clients_.note_others(history, said, world_.told_);
  }
  for (const Instant each : said.dates) history.add(each);
}

void Client::mix_words(History& history, const Args& words) {
  for (const std::string_view word : words.list()) mix_word(history, word);
}

// Where clients share a lock object, each changes what the others keep.
bool Client::forgets() const {
  return has_states_ && !world_.clients_.share_locks() &&
         world_.scenario_.explore.reductions.contains(Reduction::loop_heads);
}

void Client::note_memory() {
  if (!state_->lock || !forgets()) return;
  Recollection recollection(*this);
  state_.change().is_memory_told = state_->lock->recall(recollection);
  if (!state_->is_memory_told) return;
  state_.change().memory = recollection.kept;
  state_.change().is_mingled = recollection.is_mingled;
  state_.change().oldest_kept_token = recollection.oldest_token;
  for (const ClientState::Beside& each : state_->beside)
    state_.change().oldest_kept_token = std::min(state_->oldest_kept_token, each.oldest_known_token);
}

// A lock that keeps nothing may still know of one grant, not of several.
bool Client::is_all_told() const {
  if (state_->is_memory_told) return !state_->is_mingled;
  return world_.card_.is_stateless && state_->again.empty();
}

void Client::end_run() {
  state_.change().task = 0;
  std::erase_if(state_.change().beside, [](const ClientState::Beside& each) { return each.frame.done(); });
  note_memory();
}

// --- tasks beside the program ---

ClientState::Beside& Client::beside(std::uint32_t task) {
  return state_.change().beside[place_of(state_->beside, task) - 1];
}

std::uint32_t Client::begin_beside(const Args& values, Where where, std::coroutine_handle<> frame) {
  note_memory();
  if (!state_->is_memory_told) return 0;
  const std::uint32_t caller = std::exchange(state_.change().task, ++state_.change().tasks);
  state_.change().beside.push_back(
      {state_->task, caller, where.line(), values, frame, oldest_token_in(values), {}, {}});
  observe(where.line());
  mix_words(observed_by_task(), values);
  observe_memory();
  return state_->task;
}

void Client::end_turn() { state_.change().task = beside(state_->task).caller; }

void Client::end_beside(std::uint32_t task) noexcept {
  std::erase_if(state_.change().beside, [&](const ClientState::Beside& each) { return each.number == task; });
}

// --- what is forgotten ---

void Client::begin_call() {
  state_.change().in_doubt = false;
  if (!has_states_) return;
  note_memory();
  observe_memory();
  state_.change().before_call = {state_->observed, state_->tokens};
  state_.change().began_beside = state_->waits.are_any_of(0);
}

// The release of the last one is told its token.
void Client::observe_grant(const Grant& grant) {
  const bool is_last = &grant == &state_->grant;
  if (const Wording said = world_.clients_.wording_of(grant.token);
      is_last && said.token && said.token->client == id_) {
    world_.told_.of_date |= said.may_say_when;
    state_.change().granted_token = said.token->number;
    state_.change().oldest_known_token = state_->oldest_granted();
    if (said.token->around != 0) observe(said.token->around);
    for (const Instant each : said.dates) observe(each);
  } else if (is_last) {
    mix_text(state_.change().observed, grant.token);
  }
  observe(std::uint64_t{grant.lease_until.has_value()} << 1 | std::uint64_t{grant.lease.has_value()});
  if (grant.lease_until) observe(Instant(*grant.lease_until - wall_epoch));
  if (grant.lease) observe(*grant.lease);
}

// A call is over: where the lock object tells what it has kept of it, only that matters now, where the
// program stands, and what it was granted. A lock that keeps nothing may know whether it has granted
// something.
void Client::forget_call(bool has_grant) {
  state_.change().granted_token = 0;
  note_memory();
  if (!forgets() || !is_all_told()) return;
  // What is released beyond the program, where a client is cancelled, has no line of it.
  const bool has_line = state_->line < steps_.size();
  const bool is_endless = has_line && steps_[state_->line].attempts == 0;
  state_.change().observed = History();
  observe(static_cast<std::uint64_t>(state_->round) << 32 | state_->line);
  observe(static_cast<std::uint64_t>(is_endless ? 0 : state_->attempt) << 2 |
          static_cast<std::uint64_t>(state_->unreleased) << 1 | static_cast<std::uint64_t>(has_grant));
  // A program that does not release has more of them, and may be refused beside what it has.
  observe(std::uint64_t{state_->open} << 33 | std::uint64_t{state_->grants} << 1 |
          static_cast<std::uint64_t>(state_->writes_late));
  state_.change().oldest_known_token = state_->tokens + 1;
  if (has_states_ && (has_grant || (has_line && writes_after_this())))
    world_.note_number(state_.change().observed, state_->grant.fence.value_or(0));
  if (!has_grant) return;
  observe_grant(state_->grant);
  for (const Grant& each : state_->again) {
    state_.change().oldest_known_token = std::min(state_->oldest_known_token, own_token(each.token));
    mix_word(state_.change().observed, each.token);
    observe_grant(each);
  }
}

// Of the call so far, only the line of the loop and the values matter. Where something runs beside the task
// whose history is not kept apart, nothing is forgotten.
void Client::keep_only(const Args& values, Where where) {
  if (!forgets() || state_->waits.are_any_of(state_->task)) return;
  note_memory();
  if (state_->task != 0) {
    ClientState::Beside& task = beside(state_->task);
    task.oldest_known_token = std::min(oldest_token_in(task.values), oldest_token_in(values));
    task.observed = History();
    task.observed.add(task.line);
    task.observed.add(where.line());
    mix_words(task.observed, task.values);
    mix_words(task.observed, values);
    return observe_memory();
  }
  if (state_->began_beside || (!state_->again.empty() && !is_all_told())) return;
  if (is_all_told()) state_.change().oldest_known_token = state_->oldest_granted();
  const std::uint32_t made = is_all_told() ? 0 : state_->tokens - state_->before_call.tokens;
  state_.change().observed = state_->before_call.observed;
  observe(std::uint64_t{where.line()} << 32 | made);
  for (const Grant& each : state_->again) {
    state_.change().oldest_known_token = std::min(state_->oldest_known_token, own_token(each.token));
    mix_word(state_.change().observed, each.token);
  }
  state_.change().oldest_known_token = std::min(state_->oldest_known_token, oldest_token_in(values));
  for (const std::string_view word : values.list()) mix_text(state_.change().observed, word);
  observe_memory();
}

// The program is over: what is left is what its lock object keeps, and what it may still give back.
void Client::forget_program() {
  if (!forgets() || !state_->is_memory_told || state_->is_mingled) return;
  state_.change().observed = History();
  state_.change().oldest_known_token = state_->oldest_granted();
  if (was_granted()) observe_grant(state_->grant);
}

}  // namespace holdfast
