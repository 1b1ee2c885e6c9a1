// The reference's clients, with their programs and beliefs, and the network between them and the server.
#pragma once

#include "sim/explore/reference_server_test.hpp"

namespace holdfast::reference {

class Callers : public Keeper {
 protected:
  using Keeper::Keeper;
  enum How : std::uint8_t { plainly, late, lost, copied, sent_again };  // a message leaves

  void begin(std::uint32_t who) {
    clients[who].phase = Phase::running;
    ++clients[who].processes;
    go_on_with(who);
  }
  // A time has come that its program waited for.
  void go_on(std::uint32_t who) {
    Client& client = clients[who];
    if (client.waits == Waits::accessing)
      access(who, experiment->plans[who].program[client.line].op == Op::write);
    if (client.waits != Waits::retrying) ++client.line;
    client.waits = Waits::nothing;
    client.is_slow = false;
    go_on_with(who);
  }
  void go_on_with(std::uint32_t who) {
    while (clients[who].phase == Phase::running && clients[who].waits == Waits::nothing) run_line(who);
    while (is_leaving(clients[who]) && !may_be_held_back(who)) depart(who, plainly, {});
  }
  bool may_be_held_back(std::uint32_t who) const {
    const auto may = [&](Fault fault) { return !rules(fault, who).empty(); };
    const bool may_stop = may(Fault::pause) || may(Fault::crash);
    if (clients[who].phase == Phase::running && may_stop) return true;
    if (clients[who].waits == Waits::acquiring && may(Fault::cancel)) return true;
    return experiment->is_redis &&
           (may(Fault::late_request) || may(Fault::lost_request) || may(Fault::duplicate));
  }

  void run_line(std::uint32_t who) {
    Client& client = clients[who];
    const ClientPlan& plan = experiment->plans[who];
    if (client.line == plan.program.size()) {
      client.line = 0;
      if (++client.rounds == plan.rounds) finish(who);
      return;
    }
    const ProgramStep& line = plan.program[client.line];
    const auto wait = [&](Waits what, Duration least, Duration most) {
      client.waits = what;
      client.timer = {now + least, now + most};
    };
    switch (line.op) {
      case Op::acquire: return acquire(who, line);
      case Op::work: return wait(Waits::working, line.at_least.value_or(line.length), line.length);
      case Op::sleep: return wait(Waits::sleeping, line.length, line.length);
      case Op::release: return release(who);
      case Op::write:
      case Op::read:
        if (!is_careful()) access(who, line.op == Op::write);
        else if (client.believes) return wait(Waits::accessing, {}, {});
        break;
      default: throw Unsupported("caches, and nested holds");
    }
    ++client.line;
  }

  void finish(std::uint32_t who) {
    clients[who].phase = Phase::ended;
    clients[who].over = clients[who].acquisitions;
    clients[who].believes = false;
    emit(Finished{ClientId{who}, {}});
    if (!is_probe(who)) return;
    emit(Ended{});
    has_ended = true;
  }

  void acquire(std::uint32_t who, const ProgramStep& line) {
    ++clients[who].acquisitions;
    ++clients[who].attempts;
    clients[who].waits = Waits::acquiring;
    emit(Acquiring{acquisition_of(who), key_of(who), line.mode});
    take_step(who, {.kind = Input::Kind::acquire, .mode = line.mode});
  }
  void release(std::uint32_t who) {
    clients[who].waits = Waits::releasing;
    clients[who].believes = clients[who].is_inside = false;
    emit(Releasing{acquisition_of(who)});
    take_step(who, {.kind = Input::Kind::release});
  }

  void access(std::uint32_t who, bool is_write) {
    const std::uint64_t fence = clients[who].fence.value_or(newest_fence);
    const bool is_accepted = scenario().fencing == Fencing::none || fence >= newest_fence;
    if (is_accepted && (is_write || scenario().fencing == Fencing::first_read))
      newest_fence = std::max(newest_fence, fence);
    if (is_write) emit(Wrote{acquisition_of(who), is_accepted});
    else emit(Read{acquisition_of(who), is_accepted});
  }

  void step(std::uint32_t who, Input input) {
    take_step(who, std::move(input));
    go_on_with(who);
  }
  void take_step(std::uint32_t who, Input input) {
    Client& client = clients[who];
    input.wall = wall_of(client);
    input.steady = SteadyTime(epoch + now.time_since_epoch());
    const std::string name = fmt::format("{}{}", static_cast<char>('A' + who), client.processes);
    Process process(experiment->card, experiment->params[who], key_of(who), ClientId{who}, name);
    for (const auto& before : client.told) process.step(*before);
    Output out = process.step(input);
    client.told_text += fmt::format("{}{}{}{}{},", static_cast<int>(input.kind), input.number,
                                    static_cast<int>(input.mode), reference::text_of(input.reply),
                                    out.has_read_clock ? input.wall.time_since_epoch().count() : 0);
    client.told.push_back(std::make_shared<const Input>(std::move(input)));
    has_told_time |= out.has_read_clock;
    for (auto& [call, command] : out.calls) client.requests[call].command = std::move(command);
    for (const auto& [sleep, length] : out.sleeps) client.sleeps[sleep] = now + std::max(length, Duration());
    for (const std::uint32_t call : out.forgotten_calls) forget(who, call);
    for (const std::uint32_t sleep : out.forgotten_sleeps) client.sleeps.erase(sleep);
    for (const auto& [token, lease] : out.leases) note_lease(who, token, lease);
    if (out.attempt) take(who, *out.attempt);
    if (!out.release) return;
    emit(Released{acquisition_of(who), *out.release});
    client.waits = Waits::nothing;
    ++client.line;
  }

  void take(std::uint32_t who, const Attempt& attempt) {
    Client& client = clients[who];
    if (!attempt.is_granted()) return refuse(who, attempt.kind());
    const Grant& grant = attempt.grant();
    client.wall_deadline = grant.lease_until;
    const Instant lease_until = client.wall_deadline ? *deadline_of(client) : never;
    if (!has_deadline()) client.wall_deadline.reset();
    client.deadline.reset();
    if (has_deadline() && grant.lease) client.deadline = base_of(client) + *grant.lease;
    // Who looks at a deadline does not take a grant that is over.
    if (deadline_of(client).value_or(never) <= now) return refuse(who, Attempt::Kind::refused);
    client.waits = Waits::nothing;
    client.attempts = 0;
    client.believes = client.is_inside = true;
    client.token = grant.token;
    client.fence = grant.fence;
    emit(Granted{acquisition_of(who),
                 experiment->plans[who].program[client.line++].mode,
                 lease_until,
                 grant.fence,
                 {}});
  }
  bool has_deadline() const {
    return belief() == Belief::deadline_from_request || belief() == Belief::deadline_from_reply;
  }
  Instant base_of(const Client& client) const {
    return belief() == Belief::deadline_from_request ? client.asked : client.answered;
  }
  void note_lease(std::uint32_t who, const std::string& token, std::optional<Duration> lease) {
    Client& client = clients[who];
    if (!client.believes || client.token != token) return;
    if (!lease && belief() == Belief::notified) stop_believing(who);
    if (lease && has_deadline()) client.deadline = base_of(client) + *lease;
  }
  // A deadline that has come goes before whatever else happens at that instant.
  void end_belief_due(std::uint32_t who) {
    const Client& client = clients[who];
    if (client.believes && deadline_of(client).value_or(never) <= now) stop_believing(who);
  }
  void stop_believing(std::uint32_t who) {
    clients[who].believes = false;
    emit(BeliefEnded{acquisition_of(who), belief()});
  }

  void refuse(std::uint32_t who, Attempt::Kind kind) {
    Client& client = clients[who];
    emit(Refused{acquisition_of(who), kind, {}});
    if (client.over + 1 == client.acquisitions) ++client.over;
    const std::vector<ProgramStep>& program = experiment->plans[who].program;
    const Timing& timing = scenario().timing;
    client.waits = Waits::nothing;
    if (client.attempts == program[client.line].attempts) {
      client.attempts = 0;
      client.line = static_cast<std::uint32_t>(program.size());
      return;
    }
    client.waits = Waits::retrying;
    client.timer = {now + timing.retry, now + std::max(timing.retry, timing.retry_late)};
    if (is_probe(who)) client.timer = {now + timing.recovery, now + timing.recovery};
  }

  void forget(std::uint32_t who, std::uint32_t call) {
    clients[who].requests.erase(call);
    for (Message& message : messages)
      if (message.client == who && message.call == call) message.call = 0;
  }
  void deliver(std::uint32_t place) {
    const Message message = messages[place];
    Client& client = clients[message.client];
    client.asked = *client.requests[message.call].left;
    client.answered = now;
    messages.erase(messages.begin() + place);
    answer(message.client, message.call, message.reply);
  }
  void answer(std::uint32_t who, std::uint32_t call, const Reply& reply) {
    forget(who, call);
    step(who, {.kind = Input::Kind::answer, .number = call, .reply = reply});
  }

  void crash(std::uint32_t who) {
    Client& client = clients[who];
    while (!client.requests.empty()) forget(who, client.requests.begin()->first);
    const Timing& timing = scenario().timing;
    Client next{.phase = Phase::crashed, .offset = client.offset};
    next.timer = {now + timing.restart, now + std::max(timing.restart, timing.restart_late)};
    next.acquisitions = next.over = client.acquisitions;
    next.processes = client.processes;
    client = std::move(next);
    emit(Crashed{ClientId{who}});
  }
  void cancel(std::uint32_t who) {
    emit(Cancelled{acquisition_of(who)});
    take_step(who, {.kind = Input::Kind::cancel});
    refuse(who, Attempt::Kind::failed);
    go_on_with(who);
  }

  // --- the network ---

  bool is_cut(std::uint32_t who, bool of_requests) const {
    return std::any_of(cuts.begin(), cuts.end(), [&](const Cut& it) {
      return it.client == who && (of_requests ? it.of_requests : it.of_answers);
    });
  }
  void send(Message message) {
    const Timing& timing = scenario().timing;
    if (is_cut(message.client, message.is_request)) return;
    if (message.window.to == Instant())
      message.window = {now + timing.delay_min, now + (is_calm ? timing.delay_min : timing.delay_max)};
    if (!experiment->is_redis) message.window = {now, now};
    messages.push_back(std::move(message));
  }
  Window late_window(Duration size) const { return {now + scenario().timing.delay_max + tick(), now + size}; }

  void depart(std::uint32_t who, How how, Duration size) {
    std::map<std::uint32_t, Request>& requests = clients[who].requests;
    const auto it =
        std::find_if(requests.begin(), requests.end(), [](const auto& each) { return !each.second.left; });
    it->second.left = now;
    if (experiment->is_redis) it->second.deadline = now + scenario().timing.timeout;
    Message message{
        .client = who, .call = it->first, .by = acquisition_of(who), .command = it->second.command};
    message.is_sent_again = how == sent_again;
    if (how == late) message.window = late_window(size);
    if (how != lost) send(message);
    if (how != copied) return;
    message.call = 0;
    message.is_copy = true;
    message.window = {now + scenario().timing.delay_min, now + size};
    send(message);
  }

  void arrive(std::uint32_t place, How how, Duration size) {
    Message message = messages[place];
    messages.erase(messages.begin() + place);
    if (!message.is_request) return;
    const auto before = std::make_shared<const Server>(server);
    auto [reply, changes] = execute(message.command);
    tell(changes, message.by);
    note_write(before, changes);
    message.window = {};
    if (!std::exchange(message.is_sent_again, false)) {
      message.is_request = false;
      message.reply = std::move(reply);
      message.command = Command();
      if (how == late) message.window = late_window(size);
      if (how == lost || message.is_copy) return;
    }
    send(std::move(message));
  }

  void cut(std::uint32_t who, bool of_requests, bool of_answers, Duration size) {
    std::erase_if(messages, [&](const Message& it) {
      return it.client == who && (it.is_request ? of_requests : of_answers);
    });
    cuts.push_back({who, of_requests, of_answers, {now + tick(), now + size}});
  }
};

}  // namespace holdfast::reference
