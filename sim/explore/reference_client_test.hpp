// The reference explorer's clients: a program and the code of a lock, told what happens, in order.
//
// Coroutines cannot be copied, so a process is the list of all that it was told since it was made. To take
// one more step, a new one is told the same again.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>

#include "sim/core/lock.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/trace/event.hpp"

namespace holdfast::reference {

// What stays the same in all runs. The scenario leaves nothing to defaults, and its last client is the probe.
struct Experiment {
  const Card& card;
  Scenario scenario;
  std::vector<Params> params{};       // of the clients
  std::vector<std::string> keys{};    // where NAME stands for the name of the lock
  std::vector<std::string> asides{};  // fields that hold no grant
  const bool is_redis = card.store == StoreKind::redis;
  const Belief belief = *scenario.belief;
  const bool has_deadline = belief == Belief::deadline_from_request || belief == Belief::deadline_from_reply;
};

// Something that is going to happen by itself, at any tick of its window.
struct Coming {
  enum class Kind : std::uint8_t { goes_on, leaves, answer, request, stop_ends, cut_ends, gives_up, passes };
  Kind kind = Kind::passes;  // the last two are only told
  ClientId who{};
  Instant from{}, to{};
  std::uint32_t number = 0;  // of what its client waits for; 0: nothing
  Reply reply{};             // of an answer, or of a timeout
  Instant asked = never;     // when its request was made
  Command command{};         // of a request
  Acquisition by{};
  Duration offset{};    // of the client's wall clock, when it has come
  Duration patience{};  // of a request: Call::at_most()
  bool is_work = false, is_struck = false;
  bool is_sent_again = false, cuts_requests = false, cuts_answers = false;

  bool is_message() const { return kind >= Kind::leaves && kind <= Kind::request; }
  // By a fault.
  Coming& strike(Instant earliest, Instant latest) {
    from = earliest;
    to = latest;
    is_struck = true;
    return *this;
  }
};

inline std::vector<Duration> clock_steps(Duration size, Duration tick) {
  std::vector<Duration> steps;
  for (Duration by = size; by > Duration(); by -= tick) steps.insert(steps.end(), {by, -by});
  return steps;
}

inline std::string text_of(const Reply& reply) {
  std::string text = fmt::format("{}:{}:{}(", static_cast<int>(reply.kind()), reply.number(), reply.text());
  for (const Reply& element : reply.elements()) text += text_of(element) + ",";
  return text + ")";
}

class Process final : Store, Clock, Random, Listener {
 public:
  static constexpr Duration epoch = 1'700'000'000s;  // what clocks show when a run begins

  // Of this client, after so many acquisitions.
  Process(const Experiment& experiment, Acquisition before, Duration its_offset)
      : Store(experiment.scenario.driver_retries.value_or(experiment.card.driver_retries)),
        offset(its_offset),
        acquisition(before),
        it_(experiment),
        first_(before) {}
  std::shared_ptr<const Process> after(Coming it) const {
    const auto next = std::make_shared<Process>(it_, first_, offset);
    next->told_ = told_;
    next->told_.push_back(std::make_shared<const Coming>(std::move(it)));
    for (const auto& each : next->told_) next->hear(*each);
    return next;
  }

  bool runs() const { return program_ && !has_ended; }
  bool waits_for(std::uint32_t wait) const { return waits_.contains(wait); }
  // When its belief ends by itself.
  Instant belief_end() const {
    if (!believes || !it_.has_deadline) return never;
    return grant.lease_until ? lease_until() : deadline_;
  }
  Instant lease_until() const {
    return grant.lease_until ? Instant(*grant.lease_until - WallTime(epoch) - offset) : never;
  }

  Duration offset;         // of its wall clock
  bool has_ended = false;  // its program
  Place place = Place::anywhere;
  bool believes = false;
  Grant grant{};                            // the last one
  Acquisition acquisition;                  // the last one
  std::uint32_t over = acquisition.number;  // so many: nothing of these acquisitions is still to be judged
  Instant asked = never,
          answered = never;  // the answer that came last: when the request was made, and when it came
  bool has_read_clock = false;
  std::string text{};  // all that it was told, but for times that it did not see
  // In its last step.
  std::vector<What> said{};
  std::vector<Coming> begun{};
  // It asks for something in this step, though it may not wait for the answer.
  bool sends_more() const {
    return std::any_of(begun.begin(), begun.end(),
                       [](const Coming& each) { return each.kind == Coming::Kind::leaves; });
  }

 private:
  using Op = ProgramStep::Op;

  void hear(const Coming& it) {
    now_ = it.from;
    offset = it.offset;
    said.clear();
    begun.clear();
    text += fmt::format(" {} {} {}", static_cast<int>(it.kind), it.number, text_of(it.reply));
    if (belief_end() <= now_) stop_believing();
    if (it_.has_deadline && it.asked != never) std::tie(asked, answered) = std::pair(it.asked, now_);
    if (it.kind == Coming::Kind::gives_up) say(Cancelled{acquisition});
    if (it.kind == Coming::Kind::gives_up) refuse();
    if (it.reply.is_lost()) say(GaveUp{MessageId{}, it.by});
    if (it.number != 0) run(waits_.extract(it.number).mapped()(it.reply));
    if (it.number == 0 && it.kind != Coming::Kind::passes) {
      program_ = {};
      program_ = program();
      program_.start();
    }
    if (needs_more_) throw std::domain_error("a connection of its own, WAIT, or chance");
    if (has_ended || !program_.is_done()) return;
    has_ended = true;
    believes = false;
    over = acquisition.number;
    say(Finished{acquisition.client, {}});
  }
  void say(What what) { said.push_back(std::move(what)); }

  // From where it stands: at its beginning, or where acquire() was given up.
  Task<> program() {
    const ClientPlan& plan = it_.scenario.clients[acquisition.client.value];
    const Timing& timing = it_.scenario.timing;
    const bool is_probe = &plan == &it_.scenario.clients.back();
    for (; round_ < plan.rounds; ++round_, line_ = 0) {
      for (; line_ < plan.program.size(); ++line_) {
        const ProgramStep& line = plan.program[line_];
        const bool is_access = line.op == Op::read || line.op == Op::write;
        // Where beliefs end, a client looks first, and may be stopped between its look and its access.
        const bool looks = is_access && it_.belief != Belief::until_release;
        if (looks && !believes) continue;
        if (line.op == Op::release && place != Place::in_section) continue;
        if (line.op == Op::work || line.op == Op::sleep || looks) {
          Sleep rest = wait(line.at_least.value_or(line.length), line.length, line.op == Op::work);
          co_await rest;
        }
        if (line.op == Op::read) say(Read{acquisition});
        if (line.op == Op::write) say(Wrote{acquisition});
        if (line.op == Op::release) {
          place = Place::releasing;
          believes = false;
          say(Releasing{acquisition});
          const Release released = co_await lock_->release(env_, plan.key, grant);
          place = Place::anywhere;
          say(Released{acquisition, released});
        }
        if (line.op != Op::acquire) continue;
        for (bool is_granted = false; !is_granted && attempts_ < line.attempts;) {
          if (attempts_ > 0) {
            Sleep retry = is_probe ? wait(timing.recovery, {}) : wait(timing.retry, timing.retry_late);
            co_await retry;
          }
          ++attempts_;
          ++acquisition.number;
          place = Place::acquiring;
          say(Acquiring{acquisition, plan.key, line.mode});
          const Attempt attempt = co_await lock_->acquire(env_, plan.key, line.mode);
          is_granted = take(attempt, line.mode);
        }
        attempts_ = 0;
        if (place != Place::in_section) break;
      }
      place = Place::anywhere;
    }
  }
  Sleep wait(Duration least, Duration most, bool is_work = false) {
    longest_ = most;
    is_work_ = is_work;
    return sleep(least);
  }
  // Who looks at a deadline does not take a grant that is over.
  bool take(const Attempt& attempt, Mode mode) {
    believes = attempt.is_granted();
    if (believes) grant = attempt.grant();
    if (believes) deadline_ = grant.lease ? base() + *grant.lease : never;
    if (!believes) return refuse(attempt.kind());
    if (belief_end() <= now_) return refuse();
    place = Place::in_section;
    say(Granted{acquisition, mode, lease_until(), grant.fence, {}});
    return true;
  }
  bool refuse(Attempt::Kind kind = Attempt::Kind::failed) {
    believes = false;
    place = Place::anywhere;
    if (over + 1 == acquisition.number) ++over;
    say(Refused{acquisition, kind, {}});
    return false;
  }
  void stop_believing() {
    believes = false;
    say(BeliefEnded{acquisition, it_.belief});
  }
  Instant base() const { return it_.belief == Belief::deadline_from_request ? asked : answered; }

  // What the lock asks for.
  void submit(Call& call) override {
    needs_more_ |= call.connection() != nullptr || call.command().argv().front() == "WAIT";
    call.message = MessageId{++numbers_};
    if (!call.since) call.since = now_;
    waits_[numbers_] = [&call](const Reply& reply) { return call.complete(reply); };
    begun.push_back({Coming::Kind::leaves,
                     acquisition.client,
                     now_,
                     now_,
                     numbers_,
                     {},
                     *call.since,
                     call.command(),
                     acquisition});
    begun.back().patience = call.at_most();
  }
  void forget(Call& call) noexcept override { waits_.erase(call.message.value); }
  void arm(Sleep& sleep) override {
    const Instant end = now_ + std::max(sleep.duration(), Duration());
    const Instant latest = std::max(end, now_ + std::exchange(longest_, Duration()));
    sleep.place = ++numbers_;
    waits_[numbers_] = [&sleep](const Reply&) { return sleep.wake(); };
    begun.push_back({Coming::Kind::goes_on, acquisition.client, end, latest, numbers_});
    begun.back().is_work = std::exchange(is_work_, false);
  }
  void disarm(Sleep& sleep) noexcept override { waits_.erase(sleep.place); }
  WallTime wall() override { return WallTime(steady().time_since_epoch() + offset); }
  SteadyTime steady() override {
    has_read_clock = true;
    text += fmt::format(" at {} {}", now_.time_since_epoch().count(), offset.count());
    return SteadyTime(epoch + now_.time_since_epoch());
  }
  std::string token() override {
    return fmt::format("{}{}-{}", name_of(acquisition.client), 100 + first_.number, 100 + ++tokens_);
  }
  std::string identity() override {
    return fmt::format("{}{}-0", name_of(acquisition.client), 100 + first_.number);
  }
  Duration jitter(Duration most) override { return needs_more_ = true, most; }
  void keep_only(const Args&, Where) override {}
  void know_clients() override {}
  void renewed(const std::string& token, Duration lease) override {
    if (believes && grant.token == token) deadline_ = base() + lease;
  }
  void lost(const std::string& token) override {
    if (believes && grant.token == token && it_.belief == Belief::notified) stop_believing();
  }

  const Experiment& it_;
  const Acquisition first_;
  std::vector<std::shared_ptr<const Coming>> told_{};
  Instant now_{};
  Instant deadline_ = never;
  std::uint32_t round_ = 0, line_ = 0, attempts_ = 0, tokens_ = 0;
  std::uint32_t numbers_ = 1000 * first_.number;  // of another process, others
  Duration longest_{};                            // of the wait that the program begins next
  bool is_work_ = false;                          // that wait is
  bool needs_more_ = false;
  std::map<std::uint32_t, std::function<std::coroutine_handle<>(const Reply&)>> waits_{};
  Store* const store_ = this;
  Env env_{acquisition.client, std::span(&store_, 1), *this, *this, this};
  std::unique_ptr<Lock> lock_ = it_.card.make(it_.params[acquisition.client.value]);
  Task<> program_{};  // ends before the lock, whose members it uses
};

// Whether a call ends with this, nothing of its client is under way or begins now, and what it wrote stands
// for longer than a round trip.
template <class World>
bool leaves(const World& world, const What& what, const Process& it) {
  const Refused* const refused = std::get_if<Refused>(&what);
  const bool is_end =
      refused != nullptr ? refused->kind == Attempt::Kind::refused : std::holds_alternative<Released>(what);
  const Acquisition who = refused != nullptr ? refused->acquisition : it.acquisition;
  const WallTime soon = world.server_time() + 2 * world.timing().delay_max + world.timing().tick;
  const auto stands = [&](const auto& each) {
    const auto end = world.server.contents->expiry_of(each.first);
    return each.second.has(who) && (!end || *end >= soon);
  };
  const auto is_sent = [&](const Coming& each) {
    return each.who == who.client && each.kind == Coming::Kind::request;
  };
  return is_end && std::any_of(world.server.owners.begin(), world.server.owners.end(), stands) &&
         !world.has_coming(is_sent) && !it.sends_more();
}

}  // namespace holdfast::reference
