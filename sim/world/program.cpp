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
  for (state_.change().round = 0; rounds_ == 0 || state_->round < rounds_;
       state_.change().round += rounds_ == 0 ? 0 : 1) {
    bool holds = false;
    bool ends = false;
    for (state_.change().line = 0; state_->line < steps_.size(); ++state_.change().line) {
      const ProgramStep& step = steps_[state_->line];
      if (is_skipped(step)) continue;
      if (step.op == Op::acquire) holds = false;
      if (step.op == Op::period && !has_another_period(step)) co_return;
      state_.change().attempt = 0;
      do {
        const std::optional<Duration> wait = begin(step);
        if (wait) co_await sleep(*wait);
        if (step.op != Op::acquire) break;
        begin_acquiring(step.mode);
        state_.change().acquiring = acquiring(step.mode);
        const bool granted = co_await Outcome(*this);
        holds = granted;
        state_.change().attempt = step.attempts == 0 ? 1 : state_->attempt + 1;
        ends = !holds && wants_to_end();
      } while (!holds && !ends && has_attempt(step));
      if (step.op == Op::acquire && !holds) break;
      if (step.op == Op::release) {
        const bool was_again = !state_->again.empty();
        if (!was_again && !std::exchange(holds, false)) continue;
        if (!was_again) begin_releasing();
        const Release result = co_await releasing();
        end_releasing(result, was_again);
      } else if (step.op == Op::acquire_again) {
        co_await acquire_again(step.mode);
      } else if (step.op == Op::look_up) {
        if (!find_in_cache()) continue;
        if (!holds) break;
        while (state_->line + 1 < steps_.size() && steps_[state_->line + 1].op != Op::release)
          ++state_.change().line;
      } else {
        finish(step);
      }
    }
    state_.change().place = Place::anywhere;
    end_period();
    if (ends || wants_to_end()) break;
  }
}

bool Client::wants_to_end() {
  if (rounds_ != 0 || plan_.ending == Ending::never) return false;
  const bool ends = world_.pick(Site::end, actor_of(id_), 2) != 0;
  observe(ends);
  return ends;
}

Mode Client::mode() const {
  const auto asks = std::find_if(plan_.program.begin(), plan_.program.end(),
                                 [](const ProgramStep& step) { return step.op == ProgramStep::Op::acquire; });
  return asks != plan_.program.end() ? asks->mode : Mode::exclusive;
}

// A client whose belief can end by itself looks before it reads or writes.
bool Client::is_skipped(const ProgramStep& step) {
  using Op = ProgramStep::Op;
  const bool is_guarded = step.op == Op::read || step.op == Op::write || step.op == Op::job;
  return is_guarded && looks_before_writing() && !is_sure();
}

std::optional<Duration> Client::begin(const ProgramStep& step) {
  using Op = ProgramStep::Op;
  switch (step.op) {
    case Op::acquire: return state_->attempt > 0 ? std::optional(begin_wait_to_retry()) : std::nullopt;
    case Op::work: return begin_work(step);
    case Op::fetch: return begin_fetch(step);
    case Op::job: return begin_job(step);
    case Op::period: return until_period(step);
    case Op::sleep: world_.emit(actor_of(id_), Slept{id_, step.length}); return step.length;
    // Between looking and writing it may be stopped.
    case Op::write: return looks_before_writing() ? std::optional(Duration::zero()) : std::nullopt;
    default: return std::nullopt;
  }
}

void Client::finish(const ProgramStep& step) {
  using Op = ProgramStep::Op;
  if (step.op == Op::read)
    world_.emit(actor_of(id_),
                Read{state_->acquisition, world_.resource_.accept(state_->grant.fence, Op::read)});
  if (step.op == Op::write) {
    world_.note(Situation::wrote);
    world_.emit(actor_of(id_),
                Wrote{state_->acquisition, world_.resource_.accept(state_->grant.fence, Op::write)});
  }
  if (step.op == Op::period) world_.emit(actor_of(id_), PeriodBegun{id_, state_->round});
  if (step.op == Op::job) world_.emit(actor_of(id_), JobDone{state_->acquisition, period()});
  if (step.op == Op::store) {
    world_.course_.is_cached = true;
    world_.emit(actor_of(id_), Stored{state_->acquisition});
  }
}

// Here, so that what is handed over does not lie in the program's frame.
Task<Attempt> Client::acquiring(Mode mode) { return state_->lock->acquire(env_, key(), mode); }
Task<> Client::acquire_again(Mode mode) {
  begin_call();
  const Attempt outcome = co_await acquiring(mode);
  end_acquiring_again(outcome);
  if (state_->is_memory_told) forget_call(true);
}
Task<Release> Client::releasing() {
  return state_->lock->release(env_, key(), state_->again.empty() ? state_->grant : state_->again.back());
}

Task<> Client::releasing_once() {
  begin_releasing();
  const Release result = co_await releasing();
  end_releasing(result, false);
}

void Client::know_clients() { world_.told_.of_clients = true; }

void Client::lost(const std::string& token) {
  if (belief_ == Belief::notified && state_->claiming && state_->grant.token == token) end_belief();
}

void Client::close_acquisition() {
  INVARIANT(state_->open > 0, "what is closed was open");
  --state_.change().open;
}

void Client::set_grants(std::uint32_t grants, bool writes_late) {
  const bool held = holds();
  state_.change().grants = grants;
  state_.change().writes_late = writes_late;
  world_.clients_.note_holding(held, holds());
}

void Client::begin_acquiring(Mode mode) {
  state_.change().acquisition = Acquisition{id_, ++state_.change().acquisitions};
  if (state_.change().open++ == 0) state_.change().oldest_open = state_->acquisitions;
  if (state_->writes_late) set_grants(state_->grants);
  state_.change().sent_at = state_.change().reply_at = world_.now_;
  state_.change().place = Place::acquiring;
  begin_call();
  if (world_.hears<Acquiring>())
    world_.emit(actor_of(id_), Acquiring{state_->acquisition, world_.text(key()), mode});
}

bool Client::end_acquiring(Mode mode, const Attempt& attempt) {
  const auto refuse = [&](const Attempt& refusal) {
    state_.change().place = Place::anywhere;
    close_acquisition();
    if (refusal.kind() == Attempt::Kind::refused && !world_.facts_.is_free_beside) note_end_of_call();
    if (world_.hears<Refused>())
      world_.emit(actor_of(id_), Refused{state_->acquisition, refusal.kind(), world_.text(refusal.why())});
    return false;
  };
  if (!attempt.is_granted()) return refuse(attempt);
  state_.change().unreleased = true;
  state_.change().grant = attempt.grant();
  expect_belief_end();
  if (state_->belief_until <= world_.now_)
    return refuse(Attempt::failed("the lease was over before the grant arrived"));
  state_.change().place = Place::in_section;
  state_.change().claiming = true;
  set_grants(state_->grants + 1);
  world_.note(world_.course_.calm ? Situation::recovered : Situation::granted);
  world_.reach_.numbered |= state_->grant.fence.has_value();
  // Whose number is which has an order that no client's own part can say.
  world_.told_.of_numbers |= state_->grant.fence.has_value();
  world_.told_.of_clients |= state_->grant.fence.has_value();
  world_.told_.of_date |= world_.clients_.may_be_date(state_->grant.fence.value_or(0));
  world_.emit(actor_of(id_),
              Granted{state_->acquisition, mode,
                      state_->grant.lease_until ? true_time(*state_->grant.lease_until) : never,
                      state_->grant.fence, world_.text(state_->grant.token)});
  return true;
}

void Client::end_belief() {
  state_.change().claiming = false;
  world_.emit(actor_of(id_), BeliefEnded{state_->acquisition, belief_});
}

Duration Client::begin_wait_to_retry() {
  const Timing& timing = world_.scenario_.timing;
  if (&plan_ == &world_.probe_plan_ || world_.course_.turn != World::Turn::probe) return timing.recovery;
  state_.change().sleep_window = std::max(timing.retry_late, timing.retry) - timing.retry;
  return timing.retry;
}

// Returns how long it takes at least.
Duration Client::note_work(const ProgramStep& step) {
  const Duration least = std::min(step.at_least.value_or(step.length), step.length);
  state_.change().sleep_window = step.length - least;
  state_.change().sleep_is_work = true;
  return least;
}

Duration Client::begin_work(const ProgramStep& step) {
  world_.emit(actor_of(id_), Working{state_->acquisition, step.length});
  return note_work(step);
}

Duration Client::begin_fetch(const ProgramStep& step) {
  world_.emit(actor_of(id_), Fetching{state_->acquisition, step.length});
  return note_work(step);
}

Duration Client::begin_job(const ProgramStep& step) {
  world_.emit(actor_of(id_), JobBegun{state_->acquisition, period(), step.length});
  return note_work(step);
}

std::uint32_t Client::period() const { return state_->periods_since == never ? 0 : state_->round; }

// One whose time passed while the client was away is left out; after a crash, those before, too.
bool Client::has_another_period(const ProgramStep& step) {
  if (state_->periods_since == never) return true;
  const Duration passed = since_first_period();
  const auto next = static_cast<std::uint32_t>((passed + step.length - Duration(1)) / step.length);
  state_.change().round = std::max(state_->round, next);
  return state_->round < rounds_;
}

// The first begins at once.
std::optional<Duration> Client::until_period(const ProgramStep& step) {
  if (state_->periods_since != never) return state_->round * step.length - since_first_period();
  state_.change().periods_since = world_.now_;
  return std::nullopt;
}

// What it still holds is left to its lease: it believes no more that it has it.
void Client::end_period() {
  const auto is_job = [](const ProgramStep& step) { return step.op == ProgramStep::Op::job; };
  if (std::none_of(steps_.begin(), steps_.end(), is_job)) return;
  world_.emit(actor_of(id_), PeriodOver{id_, period()});
  if (state_->open == 0) return;
  set_grants(0);
  state_.change().claiming = false;
  state_.change().again.clear();
  state_.change().open = 0;
  forget_call(false);
}

bool Client::find_in_cache() {
  observe(world_.course_.is_cached);
  world_.emit(actor_of(id_), LookedUp{id_, world_.course_.is_cached});
  return world_.course_.is_cached;
}

// It stays the same acquisition: the holder does all that the lock does to the key.
void Client::end_acquiring_again(const Attempt& attempt) {
  if (attempt.is_granted()) state_.change().again.push_back(attempt.grant());
  state_.change().unreleased |= attempt.is_granted();
  world_.emit(actor_of(id_), AcquiredAgain{state_->acquisition, attempt.kind(), world_.text(attempt.why())});
}

bool Client::looks_before_writing() const { return belief_ != Belief::until_release; }

bool Client::is_sure() {
  observe(state_->claiming);
  return state_->claiming;
}

// False: what it leaves will be gone soon, or may be.
bool Client::note_end_of_call() {
  const Timing& timing = world_.scenario_.timing;
  const Duration round_trip = 2 * timing.delay_max + timing.tick;
  if (!world_.servers_.have_grant_of(state_->acquisition, Duration::zero())) return true;
  if (!world_.servers_.have_grant_of(state_->acquisition, round_trip) || world_.goes_on(id_)) return false;
  if (!state_->in_doubt) world_.emit(actor_of(id_), Left{state_->acquisition});
  return true;
}

void Client::begin_releasing() {
  state_.change().claiming = false;
  set_grants(state_->grants - 1, writes_late(steps_));
  state_.change().place = Place::releasing;
  begin_call();
  if (world_.servers_.have_grant_of(state_->acquisition, Duration::zero()))
    world_.note(Situation::held_to_release);
  world_.emit(actor_of(id_), Releasing{state_->acquisition});
}

void Client::end_releasing(Release result, bool was_again) {
  state_.change().unreleased = false;
  if (was_again) {
    state_.change().again.pop_back();
    world_.emit(actor_of(id_), ReleasedAgain{state_->acquisition, result});
    if (state_->is_memory_told) forget_call(true);
    return;
  }
  state_.change().place = Place::anywhere;
  close_acquisition();
  world_.note(Situation::released);
  if (note_end_of_call()) world_.note(Situation::released_at_rest);
  world_.emit(actor_of(id_), Released{state_->acquisition, result});
  forget_call(false);
}

}  // namespace holdfast
