// A client's clocks and random numbers.
#include <algorithm>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/core/time_text.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t million = 1'000'000;

Duration stretch(Duration duration, std::int64_t ppm) {
  return ppm == 0 ? duration : duration + duration * ppm / million;
}

}  // namespace

Duration Client::true_length(Duration steady) const {
  if (drift_ppm_ == 0) return steady;
  const std::int64_t rate = million + drift_ppm_;
  return Duration((steady.count() * million + rate - 1) / rate);
}

// Before the run begins, if its clock is far ahead.
Instant Client::true_time(WallTime wall_time) const {
  return Instant(true_length(wall_time - wall_epoch - wall_offset()));
}

WallTime Client::wall_time() const {
  return wall_epoch + stretch(world_.now_.time_since_epoch(), drift_ppm_) + wall_offset();
}

WallTime Client::wall() {
  world_.note_strike(state_->skewed_by);
  const WallTime shown = wall_time();
  observe(Instant(shown - wall_epoch));
  return shown;
}

SteadyTime Client::steady() {
  const Duration shown = stretch(world_.now_.time_since_epoch(), drift_ppm_);
  observe(Instant(shown));
  return steady_epoch + shown;
}

Duration Client::since_first_period() const {
  return stretch(world_.now_ - state_->periods_since, drift_ppm_);
}

void Client::observe(Instant time) {
  world_.told_.of_time = true;
  if (!has_states_) return;
  if (world_.dense_ || world_.clients_.ignore_dates()) return observed_by_task().add(time);
  world_.told_.of_date = true;
  observe(static_cast<std::uint64_t>(time.time_since_epoch().count()));
}

void Client::spell_times(Command& command) {
  const WordsView words = command.argv();
  if (!world_.dense_ || std::none_of(words.begin(), words.end(), has_mark)) return;
  const StoreKind store = world_.card_.store;
  if (store != StoreKind::redis && store != StoreKind::postgres)
    time_oracle->obstruct("a store is told a time in a text");
  Command spelled;
  for (const std::string_view word : words) {
    std::string text(word);
    for (auto mark = find_mark(text); mark; mark = find_mark(text, mark->at + 1)) {
      const std::int64_t bits = time_oracle->spelling(mark->bits, mark->unit);
      if (mark->unit == 1) write_mark(text.data() + mark->at, Ticks::of_bits(bits));
      else write_mark(text.data() + mark->at, MilliTicks::of_bits(bits));
    }
    if (const std::optional<Dated> dated = marks_in(text))
      for (const Instant each : dated->times) observe(each);
    spelled.add(text);
  }
  command = std::move(spelled);
}

// No client is told the time: a state says how long watches have been running.
SteadyTime Client::start(const Stopwatch& watch) {
  stop(watch);
  state_.change().watches.push_back({&watch, world_.now_, state_->task, state_->skew});
  return steady_epoch + stretch(world_.now_.time_since_epoch(), drift_ppm_);
}

const ClientState::Watch& Client::running(const Stopwatch& watch) const {
  const auto found = std::find_if(state_->watches.begin(), state_->watches.end(),
                                  [&](const ClientState::Watch& each) { return each.watch == &watch; });
  INVARIANT(found != state_->watches.end(), "a watch that is asked is running");
  return *found;
}

Duration Client::set_by(const Stopwatch& watch) {
  const Duration by = state_->skew - running(watch).skew;
  if (by != Duration::zero()) world_.note_strike(state_->skewed_by);
  if (world_.faults_.can(Fault::clock_jump)) observe(static_cast<std::uint64_t>(by.count()));
  return by;
}

Duration Client::elapsed(const Stopwatch& watch, SteadyTime) {
  const Duration passed = stretch(world_.now_ - running(watch).since, drift_ppm_);
  observe(passed);
  return passed;
}

// Where nobody compares states, and where a clock does not run as true time does, every time counts.
std::optional<Duration> Client::look(const Stopwatch& watch) {
  if (!world_.may_times_stand_for_others_ || drift_ppm_ != 0 || world_.dense_) return std::nullopt;
  return world_.now_ - running(watch).since;
}

// In the calm phase, what is asked at once is answered in the order of the servers.
ReplyOrders Client::reply_orders() const {
  if (!world_.may_times_stand_for_others_) return ReplyOrders::as_they_come;
  return world_.is_calm() ? ReplyOrders::one : ReplyOrders::one_stands_for_all;
}

void Client::go_on_from(const Stopwatch& watch, Duration passed, bool has_read) {
  for (ClientState::Watch& each : state_.change().watches)
    if (each.watch == &watch) each.since = world_.now_ - passed;
  if (has_read) observe(static_cast<std::uint64_t>(passed.count()));
}

void Client::stop(const Stopwatch& watch) noexcept {
  std::erase_if(state_.change().watches,
                [&](const ClientState::Watch& running) { return running.watch == &watch; });
}

// When a belief in this grant ends by itself; `never` if it does not.
Instant Client::belief_end(const Grant& grant) const {
  if (belief_ == Belief::notified) return never;
  if (belief_ != Belief::until_release && grant.lease_until) return true_time(*grant.lease_until);
  if (belief_ == Belief::deadline_from_request && grant.lease)
    return state_->sent_at + true_length(*grant.lease);
  if (belief_ == Belief::deadline_from_reply && grant.lease)
    return state_->reply_at + true_length(*grant.lease);
  return never;
}

void Client::expect_belief_end() {
  state_.change().belief_until = belief_end(state_->grant);
  if (!world_.dense_) world_.beliefs_end_ = std::min(world_.beliefs_end_, state_->belief_until);
}

void Client::renewed(const std::string& token, Duration lease) {
  if (!state_->claiming || state_->grant.token != token) return;
  state_.change().grant.lease = lease;
  expect_belief_end();
}

void Client::skew(Duration by, Fault fault) {
  const bool had_deadline = has_wall_deadline();
  state_.change().skew += by;
  state_.change().skewed_by.insert(fault);
  world_.emit(actor_of(id_), ClockSkewed{id_, wall_offset(), by});
  if (!had_deadline) return;
  expect_belief_end();
  if (state_->belief_until <= world_.now_) end_belief();
}

void Client::arm(Sleep& sleep) {
  const Duration window = std::exchange(state_.change().sleep_window, Duration::zero());
  world_.arm(id_, sleep, window, std::exchange(state_.change().sleep_is_work, false));
}
void Client::disarm(Sleep& sleep) noexcept { world_.disarm(id_, sleep); }

std::string Client::token() {
  note_token();
  return text_of(Token{id_, state_->tokens});
}

// Nothing is counted: whose it is its name says.
std::string Client::identity() { return text_of(Token{id_, identities + state_->lives}); }

void Client::note_token() {
  ++state_.change().tokens;
  if (!has_states_) return;
  // What all tasks know was counted back from the token before.
  const auto count = [](History& observed, History& parts) {
    observed.add(2);
    if (!parts.is_empty()) parts.add(2);
  };
  ClientState& its = state_.change();
  count(its.observed, its.parts);
  for (ClientState::Beside& each : its.beside) count(each.observed, each.parts);
  // And whose it is.
  if (!state_->beside.empty()) observe(2);
  if (is_waiting()) world_.note_token(*this);
}

// Runs that made nothing are like none: what those after them make depends on how much was made before.
std::uint64_t Client::chance() { return chance_of(id_.value, state_->tokens); }

void Client::made(const Made& what) {
  note_token();
  if (!has_states_) return;
  ClientState& state = state_.change();
  state.made_texts = mix(state.made_texts, digest_of(what.text));
  const Token token{id_, state.tokens, what.around.empty() ? 0 : digest_of(what.around).low};
  if (!world_.clients_.note_made(what.text, token, what)) world_.told_.of_names = true;
}

// Any length up to the whole.
Duration Client::jitter_in_dense_time(Duration most) {
  const Instant end = world_.dense_->times.unknown();
  Times& times = world_.dense_->times;
  const bool is_possible = times.order(world_.now_, end) && times.order(end, world_.now_ + most);
  INVARIANT(is_possible, "a length lies between zero and the whole");
  observe(end - world_.now_);
  return end - world_.now_;
}

Duration Client::jitter(Duration most) {
  // Timed runs draw one of this many equal parts; others take any number of ticks, and the whole.
  constexpr std::uint32_t parts = 16;
  constexpr std::int64_t ticks_max = 16;
  if (world_.dense_) return jitter_in_dense_time(most);
  const Duration tick = world_.scenario_.timing.tick;
  const std::int64_t ticks = std::min<std::int64_t>((most + tick - Duration(1)) / tick, ticks_max);
  const auto whole_ticks = static_cast<std::uint32_t>(std::max<std::int64_t>(ticks, 1));
  const std::uint32_t options = world_.is_timed() ? parts : whole_ticks;
  const std::uint32_t picked = world_.pick(Site::jitter, actor_of(id_), options + 1);
  observe(picked);
  return most * picked / options;
}

}  // namespace holdfast
