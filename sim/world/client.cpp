#include "sim/world/client.hpp"

#include <exception>

#include "sim/world/world.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t million = 1'000'000;

Duration stretch(Duration duration, std::int64_t ppm) { return duration + duration * ppm / million; }

}  // namespace

void SimStore::submit(Call& call) { world_.submit(client_, node_, call); }
void SimStore::forget(Call& call) noexcept { world_.forget(call); }

Client::Client(World& world, ClientId id, ClientPlan plan, Belief belief)
    : world_(world),
      id_(id),
      plan_(std::move(plan)),
      belief_(belief),
      stores_{SimStore(world, id, NodeId{0})},
      store_pointers_{&stores_.front()},
      env_(id, store_pointers_, *this, *this) {}

void Client::start() {
  lock_ = world_.card_.make(world_.params_);
  world_.emit(actor_of(id_), Started{id_, wall_offset()});
  program_ = run_program();
  program_.start();
}

void Client::crash() {
  program_ = Task<>();
  lock_.reset();
  observed_ = Digest{};
  knows_time_ = false;
  claiming_ = false;
  place_ = Place::anywhere;
  world_.emit(actor_of(id_), Crashed{id_});
}

void Client::check_finished() {
  if (!program_.is_done()) return;
  std::string error;
  try {
    program_.take();
  } catch (const std::exception& thrown) {
    error = thrown.what();
  }
  program_ = Task<>();
  finished_ = true;
  knows_time_ = false;
  claiming_ = false;
  place_ = Place::anywhere;
  world_.emit(actor_of(id_), Finished{id_, std::move(error)});
}

void Client::digest(Digester& digester, Instant now) const {
  digester.add(finished_);
  if (finished_) return;
  digester.add(observed_);
  digester.add(static_cast<std::uint64_t>(claiming_) | static_cast<std::uint64_t>(place_) << 8 |
               static_cast<std::uint64_t>(has_program()) << 16);
  digester.add(static_cast<std::uint64_t>(tokens_) << 32 | acquisitions_);
  digester.add(wall_offset().count());
  if (belief_ == Belief::until_release) return;
  digester.add(belief_until() == never ? -1 : (belief_until_ - now).count());
  if (place_ == Place::acquiring) {
    digester.add((now - sent_at_).count());
    digester.add((now - reply_at_).count());
  }
}

// --- the program ---

Task<> Client::run_program() {
  for (round_ = 0; round_ < plan_.rounds; ++round_) {
    for (line_ = 0; line_ < plan_.program.size(); ++line_) {
      const ProgramStep& step = plan_.program[line_];
      if (step.op == ProgramStep::Op::acquire) {
        const bool held = co_await take_lock(step);
        if (!held) break;
      } else if (step.op == ProgramStep::Op::work) {
        const Duration length = begin_work(step.length);
        co_await sleep(length);
      } else if (step.op == ProgramStep::Op::write) {
        co_await write_guarded();
      } else if (step.op == ProgramStep::Op::release) {
        co_await give_back();
      } else {
        world_.emit(actor_of(id_), Slept{id_, step.length});
        co_await sleep(step.length);
      }
    }
    place_ = Place::anywhere;
  }
}

Task<bool> Client::take_lock(ProgramStep step) {
  for (attempt_ = 0; attempt_ < step.attempts; ++attempt_) {
    if (attempt_ > 0) {
      const Duration pause = choose_wait();
      co_await sleep(pause);
    }
    begin_acquiring(step.mode);
    const Attempt outcome = co_await lock_->acquire(env_, world_.scenario_.key, step.mode);
    const bool holds = end_acquiring(step.mode, outcome);
    forget_call(holds);
    if (holds) co_return true;
  }
  co_return false;
}

void Client::forget_call(bool has_grant) {
  if (!world_.card_.is_stateless) return;
  observed_ = Digest{};
  observe(static_cast<std::uint64_t>(round_) << 32 | line_);
  observe(static_cast<std::uint64_t>(attempt_) << 1 | static_cast<std::uint64_t>(has_grant));
  if (!has_grant) {
    knows_time_ = false;
    return;
  }
  observed_ = mix(observed_, digest_of(grant_.token));
  observe(grant_.lease_until ? grant_.lease_until->time_since_epoch().count() : -1);
  observe(grant_.lease ? grant_.lease->count() : -1);
  observe(grant_.fence.value_or(0));
}

void Client::begin_acquiring(Mode mode) {
  acquisition_ = Acquisition{id_, ++acquisitions_};
  place_ = Place::acquiring;
  world_.emit(actor_of(id_), Acquiring{acquisition_, world_.scenario_.key, mode});
}

// When a belief in this grant ends by itself; `never` if it does not.
Instant Client::belief_end(const Grant& grant) const {
  if (belief_ != Belief::until_release && grant.lease_until) return true_time(*grant.lease_until);
  if (belief_ == Belief::deadline_from_request && grant.lease) return sent_at_ + true_length(*grant.lease);
  if (belief_ == Belief::deadline_from_reply && grant.lease) return reply_at_ + true_length(*grant.lease);
  return never;
}

bool Client::end_acquiring(Mode mode, const Attempt& attempt) {
  const auto refuse = [&](Attempt::Kind kind, const std::string& why) {
    place_ = Place::anywhere;
    world_.emit(actor_of(id_), Refused{acquisition_, kind, why});
    return false;
  };
  world_.sightings_.contended |= attempt.kind() == Attempt::Kind::refused;
  if (!attempt.is_granted()) return refuse(attempt.kind(), attempt.why());
  grant_ = attempt.grant();
  belief_until_ = belief_end(grant_);
  if (belief_until_ <= world_.now_)
    return refuse(Attempt::Kind::failed, "the lease was over before the grant arrived");
  place_ = Place::in_section;
  claiming_ = true;
  world_.sightings_.calm_acquired |= world_.calm_;
  world_.emit(actor_of(id_),
              Granted{acquisition_, mode, grant_.lease_until ? true_time(*grant_.lease_until) : never,
                      grant_.fence, grant_.token});
  return true;
}

void Client::end_belief() {
  claiming_ = false;
  world_.emit(actor_of(id_), BeliefEnded{acquisition_, belief_});
}

Duration Client::choose_wait() {
  const Timing& timing = world_.scenario_.timing;
  if (world_.calm_) return timing.recovery;
  if (timing.retry == timing.retry_late) return timing.retry;
  const std::uint32_t late = world_.pick(Site::wait, actor_of(id_), 2);
  observe(late);
  return late != 0 ? timing.retry_late : timing.retry;
}

Duration Client::begin_work(Duration length) {
  const auto slow = world_.faults_.offer(world_.choices_, Site::section, {Fault::slow_section}, id_, place_);
  observe(slow.has_value());
  if (slow) {
    world_.sightings_.struck.insert(Fault::slow_section);
    world_.emit(actor_of(id_), SlowSection{acquisition_});
    length += slow->magnitude;
  }
  world_.emit(actor_of(id_), Working{acquisition_, length});
  return length;
}

// A client whose belief can end by itself looks at its clock first; between looking and writing it may be
// stopped.
Task<> Client::write_guarded() {
  if (belief_ != Belief::until_release) {
    observe(claiming_);
    if (!claiming_) co_return;
    co_await sleep(Duration::zero());
  }
  world_.emit(actor_of(id_), Wrote{acquisition_, true});
}

Task<> Client::give_back() {
  claiming_ = false;
  place_ = Place::releasing;
  world_.emit(actor_of(id_), Releasing{acquisition_});
  const Release result = co_await lock_->release(env_, world_.scenario_.key, grant_);
  place_ = Place::anywhere;
  world_.emit(actor_of(id_), Released{acquisition_, result});
  forget_call(false);
}

// --- clocks and chance ---

Duration Client::true_length(Duration steady) const {
  if (plan_.drift_ppm == 0) return steady;
  const std::int64_t rate = million + plan_.drift_ppm;
  return Duration((steady.count() * million + rate - 1) / rate);
}

Instant Client::true_time(WallTime wall_time) const {
  const Duration since_epoch = wall_time - World::epoch - wall_offset();
  return Instant(since_epoch < Duration::zero() ? Duration::zero() : true_length(since_epoch));
}

WallTime Client::wall() {
  knows_time_ = true;
  if (skew_ != Duration::zero()) world_.sightings_.struck.insert(Fault::clock_skew);
  const WallTime shown =
      World::epoch + stretch(world_.now_.time_since_epoch(), plan_.drift_ppm) + wall_offset();
  observe(shown.time_since_epoch().count());
  return shown;
}

SteadyTime Client::steady() {
  knows_time_ = true;
  const SteadyTime shown{stretch(world_.now_.time_since_epoch(), plan_.drift_ppm)};
  observe(shown.time_since_epoch().count());
  return shown;
}

void Client::arm(Sleep& sleep) { world_.arm(id_, sleep); }
void Client::disarm(Sleep& sleep) noexcept { world_.disarm(sleep); }

std::string Client::token() {
  observe(++tokens_);
  return name_of(id_) + std::to_string(tokens_);
}

Duration Client::jitter(Duration most) {
  const std::uint32_t options = world_.is_timed() ? 17 : 2;
  const std::uint32_t picked = world_.pick(Site::jitter, actor_of(id_), options);
  observe(picked);
  return most * picked / (options - 1);
}

}  // namespace holdfast
