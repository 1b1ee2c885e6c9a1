// What the program of a client does, step by step, and what of it matters later.
#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/world/client.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

// One frame for the whole program, and in it one place for each way of waiting: copies of states hold one
// frame for each client. Endless repetitions are not counted: the number would tell states apart that have
// the same future.
Task<> Client::run_program() {
  using Op = ProgramStep::Op;
  for (round_ = 0; rounds_ == 0 || round_ < rounds_; round_ += rounds_ == 0 ? 0 : 1) {
    bool holds = false;
    for (line_ = 0; line_ < steps_.size(); ++line_) {
      const ProgramStep& step = steps_[line_];
      if (is_skipped(step)) continue;
      if (step.op == Op::acquire) holds = false;
      attempt_ = 0;
      do {
        const std::optional<Duration> wait = begin(step);
        if (wait) co_await sleep(*wait);
        if (step.op != Op::acquire) break;
        begin_acquiring(step.mode);
        acquiring_ = acquiring(step.mode);
        const bool granted = co_await Outcome(*this);
        holds = granted;
        attempt_ = step.attempts == 0 ? 1 : attempt_ + 1;
      } while (!holds && has_attempt(step));
      if (step.op == Op::acquire && !holds) break;
      if (step.op == Op::release) {
        const bool was_again = !again_.empty();
        if (!was_again && !std::exchange(holds, false)) continue;
        if (!was_again) begin_releasing();
        const Release result = co_await releasing();
        end_releasing(result, was_again);
      } else if (step.op == Op::acquire_again) {
        co_await acquire_again(step.mode);
      } else if (step.op == Op::look_up) {
        if (!find_in_cache()) continue;
        if (!holds) break;
        while (line_ + 1 < steps_.size() && steps_[line_ + 1].op != Op::release) ++line_;
      } else {
        finish(step);
      }
    }
    place_ = Place::anywhere;
  }
}

// A client whose belief can end by itself looks before it reads or writes.
bool Client::is_skipped(const ProgramStep& step) {
  const bool is_guarded = step.op == ProgramStep::Op::read || step.op == ProgramStep::Op::write;
  return is_guarded && looks_before_writing() && !is_sure();
}

std::optional<Duration> Client::begin(const ProgramStep& step) {
  using Op = ProgramStep::Op;
  switch (step.op) {
    case Op::acquire: return attempt_ > 0 ? std::optional(begin_wait_to_retry()) : std::nullopt;
    case Op::work: return begin_work(step);
    case Op::fetch: return begin_fetch(step);
    case Op::sleep: world_.emit(actor_of(id_), Slept{id_, step.length}); return step.length;
    // Between looking and writing it may be stopped.
    case Op::write: return looks_before_writing() ? std::optional(Duration::zero()) : std::nullopt;
    default: return std::nullopt;
  }
}

void Client::finish(const ProgramStep& step) {
  using Op = ProgramStep::Op;
  if (step.op == Op::read)
    world_.emit(actor_of(id_), Read{acquisition_, world_.resource_.accept(grant_.fence, Op::read)});
  if (step.op == Op::write)
    world_.emit(actor_of(id_), Wrote{acquisition_, world_.resource_.accept(grant_.fence, Op::write)});
  if (step.op == Op::store) {
    world_.is_cached_ = true;
    world_.emit(actor_of(id_), Stored{acquisition_});
  }
}

// Here, so that what is handed over does not lie in the program's frame.
Task<Attempt> Client::acquiring(Mode mode) { return lock_->acquire(env_, key(), mode); }
Task<> Client::acquire_again(Mode mode) {
  begin_call();
  const Attempt outcome = co_await acquiring(mode);
  end_acquiring_again(outcome);
}
Task<Release> Client::releasing() {
  return lock_->release(env_, key(), again_.empty() ? grant_ : again_.back());
}

// Whoever holds several grants remembers all that it has seen.
bool Client::forgets() const {
  return again_.empty() && world_.scenario_.explore.reductions.contains(Reduction::loop_heads);
}

// A lock that keeps nothing else between calls may know whether it has granted something.
void Client::forget_call(bool has_grant) {
  granted_token_ = 0;
  if (!has_states_ || !world_.card_.is_stateless || !forgets()) return;
  const bool is_endless = steps_[line_].attempts == 0;
  observed_ = Digest{};
  observe(static_cast<std::uint64_t>(round_) << 32 | line_);
  observe(static_cast<std::uint64_t>(is_endless ? 0 : attempt_) << 2 |
          static_cast<std::uint64_t>(unreleased_) << 1 | static_cast<std::uint64_t>(has_grant));
  oldest_known_token_ = tokens_ + 1;
  if (has_grant || writes_after_this()) observe(grant_.fence.value_or(0));
  if (!has_grant) return;
  if (const std::optional<Token> token = world_.token_of(grant_.token); token && token->client == id_)
    oldest_known_token_ = granted_token_ = token->number;
  else observed_ = mix_text(observed_, grant_.token, world_.told_.of_names);
  observe(grant_.lease_until ? grant_.lease_until->time_since_epoch().count() : -1);
  observe(grant_.lease ? grant_.lease->count() : -1);
}

void Client::begin_call() {
  if (!has_states_) return;
  before_call_ = {observed_, tokens_};
  began_beside_ = is_waiting();
}

void Client::know_clients() { world_.told_.of_clients = true; }

void Client::lost(const std::string& token) {
  if (belief_ == Belief::notified && claiming_ && grant_.token == token) end_belief();
}

// Of the call so far, only the line of the loop and the values matter. What runs beside it has a history of
// its own, which is not kept apart: then nothing is forgotten.
void Client::keep_only(const Args& values, Where where) {
  if (!has_states_ || !forgets() || began_beside_ || is_waiting()) return;
  const bool is_stateless = world_.card_.is_stateless;
  if (is_stateless) oldest_known_token_ = granted_token_ != 0 ? granted_token_ : tokens_ + 1;
  observed_ = mix(before_call_.observed,
                  std::uint64_t{where.line()} << 32 | (is_stateless ? 0 : tokens_ - before_call_.tokens));
  for (const std::string_view word : values.list()) {
    observed_ = mix_text(observed_, word, world_.told_.of_names);
    if (const auto token = world_.token_of(word); token && token->client == id_)
      oldest_known_token_ = std::min(oldest_known_token_, token->number);
  }
}

void Client::close_acquisition() {
  INVARIANT(open_ > 0, "what is closed was open");
  --open_;
}

void Client::set_grants(std::uint32_t grants, bool writes_late) {
  const bool held = holds();
  grants_ = grants;
  writes_late_ = writes_late;
  world_.holders_ += std::uint32_t{holds()} - std::uint32_t{held};
}

void Client::begin_acquiring(Mode mode) {
  acquisition_ = Acquisition{id_, ++acquisitions_};
  if (open_++ == 0) oldest_open_ = acquisitions_;
  if (writes_late_) set_grants(grants_);
  sent_at_ = reply_at_ = world_.now_;
  place_ = Place::acquiring;
  begin_call();
  if (world_.hears<Acquiring>())
    world_.emit(actor_of(id_), Acquiring{acquisition_, world_.text(key()), mode});
}

bool Client::end_acquiring(Mode mode, const Attempt& attempt) {
  const auto refuse = [&](const Attempt& refusal) {
    place_ = Place::anywhere;
    close_acquisition();
    if (world_.hears<Refused>())
      world_.emit(actor_of(id_), Refused{acquisition_, refusal.kind(), world_.text(refusal.why())});
    return false;
  };
  world_.sightings_.contended |= attempt.kind() == Attempt::Kind::refused;
  if (!attempt.is_granted()) return refuse(attempt);
  unreleased_ = true;
  grant_ = attempt.grant();
  expect_belief_end();
  if (belief_until_ <= world_.now_)
    return refuse(Attempt::failed("the lease was over before the grant arrived"));
  place_ = Place::in_section;
  claiming_ = true;
  set_grants(grants_ + 1);
  world_.sightings_.calm_acquired |= world_.calm_;
  world_.emit(actor_of(id_),
              Granted{acquisition_, mode, grant_.lease_until ? true_time(*grant_.lease_until) : never,
                      grant_.fence, world_.text(grant_.token)});
  return true;
}

void Client::end_belief() {
  claiming_ = false;
  world_.emit(actor_of(id_), BeliefEnded{acquisition_, belief_});
}

Duration Client::begin_wait_to_retry() {
  const Timing& timing = world_.scenario_.timing;
  if (&plan_ == &world_.probe_plan_) return timing.recovery;
  sleep_window_ = std::max(timing.retry_late, timing.retry) - timing.retry;
  return timing.retry;
}

// Returns how long it takes at least.
Duration Client::note_work(const ProgramStep& step) {
  const Duration least = std::min(step.at_least.value_or(step.length), step.length);
  sleep_window_ = step.length - least;
  sleep_is_work_ = true;
  return least;
}

Duration Client::begin_work(const ProgramStep& step) {
  world_.emit(actor_of(id_), Working{acquisition_, step.length});
  return note_work(step);
}

Duration Client::begin_fetch(const ProgramStep& step) {
  world_.emit(actor_of(id_), Fetching{acquisition_, step.length});
  return note_work(step);
}

bool Client::find_in_cache() {
  observe(world_.is_cached_);
  world_.emit(actor_of(id_), LookedUp{id_, world_.is_cached_});
  return world_.is_cached_;
}

// It stays the same acquisition: whatever the lock does to the key, its own holder does.
void Client::end_acquiring_again(const Attempt& attempt) {
  if (attempt.is_granted()) again_.push_back(attempt.grant());
  unreleased_ |= attempt.is_granted();
  world_.emit(actor_of(id_), AcquiredAgain{acquisition_, attempt.kind(), world_.text(attempt.why())});
}

bool Client::looks_before_writing() const { return belief_ != Belief::until_release; }

bool Client::is_sure() {
  observe(claiming_);
  return claiming_;
}

void Client::begin_releasing() {
  claiming_ = false;
  set_grants(grants_ - 1, writes_late(steps_));
  place_ = Place::releasing;
  begin_call();
  world_.emit(actor_of(id_), Releasing{acquisition_});
}

void Client::end_releasing(Release result, bool was_again) {
  unreleased_ = false;
  if (was_again) {
    again_.pop_back();
    return world_.emit(actor_of(id_), ReleasedAgain{acquisition_, result});
  }
  place_ = Place::anywhere;
  close_acquisition();
  world_.emit(actor_of(id_), Released{acquisition_, result});
  forget_call(false);
}

}  // namespace holdfast
