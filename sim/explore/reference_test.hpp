// A second simulated world, written from sim/scenario/specification.cpp alone: the reference that sim/world
// is compared with. It knows no digests, no caches and no reductions. One server, no connections of clients'
// own.
#pragma once

#include <functional>
#include <set>

#include "sim/explore/reference_state_test.hpp"

namespace holdfast::reference {

class World : public State {
 public:
  // Something that may happen now.
  struct Move {
    std::string_view name;
    std::uint32_t who;  // a client, or what there is several of
    std::function<void(World&)> act;
  };

  explicit World(const Experiment& its_experiment)
      : State{.experiment = &its_experiment, .server = Server{.store = empty_store(its_experiment)}} {
    for (const ClientPlan& plan : experiment->plans) {
      if (plan.drift_ppm != 0 || plan.rounds == 0) throw Unsupported("drift, or endless rounds");
      clients.push_back({.timer = {Instant(plan.start), Instant(std::max(plan.start, plan.start_late))},
                         .offset = plan.wall_offset});
    }
    for (const FaultRule& rule : scenario().faults) budgets.push_back(rule.budget);
    for (const auto& [key, value] : scenario().store) tell(execute(Command("SET", key, value)).second, {});
  }

  // Empty: the run is over. Always in the same order.
  std::vector<Move> moves() const {
    Menu menu;
    if (has_ended) return {};
    for (std::uint32_t who = 0; who < clients.size(); ++who) offer_client(who, menu);
    for (std::uint32_t place = 0; place < messages.size(); ++place) offer_arrival(place, menu);
    for (std::uint32_t place = 0; place < cuts.size(); ++place)
      menu.add("way open", place, cuts[place].end, now, [=](World& w) { w.cuts.erase(w.cuts.begin() + place); });
    if (is_quiet() && !is_calm) menu.add("calm", 0, {now, now}, now, [](World& w) { w.calm(); });
    offer_server_faults(menu);
    if (!menu.is_urgent) menu.moves.push_back({"time passes", 0, [](World& w) { w.pass_time(); }});
    return std::move(menu.moves);
  }
  World after(const Move& move) const {
    World next = *this;
    ++next.steps;
    next.judged = events.size();
    move.act(next);
    return next;
  }

 private:
  using Op = ProgramStep::Op;
  using Phase = Client::Phase;
  using Waits = Client::Waits;
  enum How : std::uint8_t { plainly, late, lost, copied, sent_again };  // a message leaves

  struct Menu {
    // Within the window; time does not pass beyond its end.
    void add(std::string_view name, std::uint32_t who, Window window, Instant now, std::function<void(World&)> act) {
      if (window.from > now) return;
      moves.push_back({name, who, std::move(act)});
      is_urgent |= window.to <= now;
    }
    std::vector<Move> moves{};
    bool is_urgent = false;
  };

  static std::variant<redis::Redis, shdict::Dict> empty_store(const Experiment& experiment) {
    static thread_local redis::Scripts scripts;
    if (experiment.is_redis) return redis::Redis(scripts);
    return shdict::Dict();
  }
  const Scenario& scenario() const { return experiment->scenario; }
  Duration tick() const { return scenario().timing.tick; }
  bool is_probe(std::uint32_t who) const { return who + 1 == clients.size(); }
  Acquisition acquisition_of(std::uint32_t who) const { return {ClientId{who}, clients[who].acquisitions}; }

  // --- what may happen ---

  bool is_quiet() const {
    return messages.empty() && std::all_of(clients.begin(), clients.end() - 1, [](const Client& client) {
             return client.phase == Phase::ended && !is_leaving(client);
           });
  }
  static bool is_leaving(const Client& client) {
    return std::any_of(client.requests.begin(), client.requests.end(), [](const auto& it) { return !it.second.left; });
  }
  static bool is_at(Place place, const Client& client) {
    if (place == Place::acquiring) return client.waits == Waits::acquiring;
    if (place == Place::releasing) return client.waits == Waits::releasing;
    return place == Place::anywhere || client.is_inside;
  }
  bool may_hit(const FaultRule& rule, std::uint32_t who) const {
    return !is_probe(who) && (!rule.target || rule.target->value == who) && is_at(rule.place, clients[who]);
  }
  // The rules by which this fault may still strike this client; the server, where there is none.
  std::vector<std::size_t> rules(Fault fault, std::optional<std::uint32_t> who = {}) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < budgets.size() && !is_calm; ++i) {
      const FaultRule& rule = scenario().faults[i];
      bool strikes = who ? may_hit(rule, *who) : rule.place == Place::anywhere;
      for (std::uint32_t each = 0; !who && each < clients.size(); ++each) strikes |= may_hit(rule, each);
      if (rule.kind == fault && budgets[i] != 0 && strikes) found.push_back(i);
    }
    return found;
  }
  template <class Act>
  void offer(Menu& menu, Fault fault, std::optional<std::uint32_t> who, Act act) const {
    for (const std::size_t rule : rules(fault, who)) {
      const Duration size = experiment->sizes[rule];
      const auto strike = [rule, size, act](World& w) {
        --w.budgets[rule];
        act(w, size);
      };
      menu.moves.push_back({id_of(fault), who.value_or(0), strike});
    }
  }

  void offer_client(std::uint32_t who, Menu& menu) const {
    const Client& client = clients[who];
    const bool runs = client.phase == Phase::running;
    const auto stop = [=](World& w, Duration size) { w.clients[who].stopped = {w.now + w.tick(), w.now + size}; };
    const std::size_t before = menu.moves.size();
    if (client.stopped) menu.add("goes on", who, *client.stopped, now, [=](World& w) { w.clients[who].stopped.reset(); });
    else if (is_leaving(client)) offer_departures(who, menu);
    else offer_steps(who, menu);
    if (menu.moves.size() > before && runs && !client.stopped) offer(menu, Fault::pause, who, stop);
    if (runs) offer(menu, Fault::crash, who, [=](World& w, Duration) { w.crash(who); });
    if (client.waits == Waits::acquiring && !client.stopped)
      offer(menu, Fault::cancel, who, [=](World& w, Duration) { w.cancel(who); });
    if (client.waits == Waits::working && client.timer.to == now && !client.is_slow && !client.stopped)
      offer(menu, Fault::slow_section, who, [=](World& w, Duration size) {
        w.clients[who].is_slow = true;
        w.clients[who].timer = {w.now + w.tick(), w.now + size};
      });
    for (const int sign : {1, -1}) {
      const auto set = [=](World& w, Duration size) {
        w.clients[who].offset += sign * size;
        w.emit(ClockSkewed{ClientId{who}, w.clients[who].offset, sign * size});
        w.end_belief_due(who);
      };
      if (client.phase == Phase::fresh && now == Instant()) offer(menu, Fault::clock_skew, who, set);
      if (client.phase != Phase::ended) offer(menu, Fault::clock_jump, who, set);
    }
    const bool is_heard = client.phase != Phase::ended || !client.requests.empty() || !client.sleeps.empty();
    for (const int ways : {1, 2, 3})
      if (is_heard && experiment->is_redis)
        offer(menu, Fault::partition, who, [=](World& w, Duration size) { w.cut(who, (ways & 1) != 0, (ways & 2) != 0, size); });
  }

  void offer_steps(std::uint32_t who, Menu& menu) const {
    const Client& client = clients[who];
    const bool begins = client.phase == Phase::fresh || client.phase == Phase::crashed;
    if (begins && (!is_probe(who) || is_calm)) menu.add("begins", who, client.timer, now, [=](World& w) { w.begin(who); });
    if (client.waits >= Waits::retrying)
      menu.add("time has come", who, client.timer, now, [=](World& w) { w.go_on(who); });
    for (std::uint32_t place = 0; place < messages.size(); ++place)
      if (is_awaited(messages[place]) && messages[place].client == who)
        menu.add("gets answer", who, messages[place].window, now, [=](World& w) { w.deliver(place); });
    for (const auto& [call, request] : client.requests)
      menu.add("times out", who, {request.deadline, request.deadline}, now, [=, call = call](World& w) { w.answer(who, call, Reply::lost()); });
    for (const auto& [sleep, end] : client.sleeps)
      menu.add("wakes", who, {end, end}, now, [=, sleep = sleep](World& w) {
        w.clients[who].sleeps.erase(sleep);
        w.step(who, {.kind = Input::Kind::wake, .number = sleep});
      });
  }
  static bool is_awaited(const Message& message) { return !message.is_request && message.call != 0; }

  // A request that is about to leave is all that its client can do next.
  void offer_departures(std::uint32_t who, Menu& menu) const {
    const auto leave = [=](How how) { return [=](World& w, Duration size) { w.depart(who, how, size); }; };
    menu.add("request leaves", who, {now, now}, now, [=](World& w) { w.depart(who, plainly, {}); });
    if (!experiment->is_redis || is_cut(who, true)) return;
    offer(menu, Fault::late_request, who, leave(late));
    offer(menu, Fault::lost_request, who, leave(lost));
    offer(menu, Fault::duplicate, who, leave(copied));
    offer(menu, Fault::duplicate, who, leave(sent_again));
  }

  void offer_arrival(std::uint32_t place, Menu& menu) const {
    const Message& message = messages[place];
    if (message.window.from > now || is_awaited(message)) return;
    const auto arrives = [=](How how) { return [=](World& w, Duration size) { w.arrive(place, how, size); }; };
    const std::string_view name = message.is_request ? "request arrives" : "answer dropped";
    menu.add(name, message.client, message.window, now, [=](World& w) { w.arrive(place, plainly, {}); });
    const bool is_answered = message.is_request && message.call != 0 && !message.is_sent_again;
    if (!is_answered || !experiment->is_redis || is_cut(message.client, false)) return;
    offer(menu, Fault::late_reply, message.client, arrives(late));
    offer(menu, Fault::lost_reply, message.client, arrives(lost));
  }

  void offer_server_faults(Menu& menu) const {
    for (const int sign : {1, -1})
      offer(menu, Fault::server_clock_jump, {}, [=](World& w, Duration size) {
        w.server_offset += sign * size;
        w.expire();
      });
    for (std::uint32_t lost = 0; lost <= writes.size(); ++lost) {
      // A rule that loses everything, or nothing, is taken once.
      for (const std::size_t rule : rules(Fault::restart)) {
        const DataLoss loses = scenario().faults[rule].loses;
        const bool is_young = lost == 0 || writes[writes.size() - lost].at >= now - experiment->sizes[rule];
        if (lost != 0 && (loses != DataLoss::latest || !is_young)) continue;
        menu.moves.push_back({"restart", lost, [=](World& w) {
                                --w.budgets[rule];
                                w.restart(loses, lost);
                              }});
      }
      if (lost == 1 || lost == 2)
        if (experiment->is_redis) offer(menu, Fault::failover, {}, [=](World& w, Duration) { w.put_back(lost); });
    }
    for (std::size_t key = 0; key < living_keys().size(); ++key)
      offer(menu, Fault::eviction, {}, [=](World& w, Duration) { w.evict(key); });
  }

  // --- clients ---

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
    return experiment->is_redis && (may(Fault::late_request) || may(Fault::lost_request) || may(Fault::duplicate));
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
    if (is_accepted && (is_write || scenario().fencing == Fencing::first_read)) newest_fence = std::max(newest_fence, fence);
    if (is_write) emit(Wrote{acquisition_of(who), is_accepted});
    else emit(Read{acquisition_of(who), is_accepted});
  }

  const std::string& key_of(std::uint32_t who) const {
    const std::string& own = experiment->plans[who].key;
    return own.empty() ? scenario().key : own;
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
    emit(Granted{acquisition_of(who), experiment->plans[who].program[client.line++].mode, lease_until, grant.fence, {}});
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
    const auto it = std::find_if(requests.begin(), requests.end(), [](const auto& each) { return !each.second.left; });
    it->second.left = now;
    if (experiment->is_redis) it->second.deadline = now + scenario().timing.timeout;
    Message message{.client = who, .call = it->first, .by = acquisition_of(who), .command = it->second.command};
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
    std::erase_if(messages, [&](const Message& it) { return it.client == who && (it.is_request ? of_requests : of_answers); });
    cuts.push_back({who, of_requests, of_answers, {now + tick(), now + size}});
  }

  // --- time and the server ---

  void pass_time() {
    Instant next = is_calm ? never : now - now.time_since_epoch() % tick() + tick();
    const auto consider = [&](Instant instant) {
      if (instant > now) next = std::min(next, instant);
    };
    const auto consider_window = [&](const Window& window) {
      consider(window.from);
      consider(window.to);
    };
    for (const Client& client : clients) {
      if (client.phase != Phase::ended) consider_window(client.timer);
      if (client.stopped) consider_window(*client.stopped);
      if (client.believes) consider(deadline_of(client).value_or(never));
      for (const auto& [call, request] : client.requests) consider(request.deadline);
      for (const auto& [sleep, end] : client.sleeps) consider(end);
    }
    for (const Message& message : messages) consider_window(message.window);
    for (const Cut& cut : cuts) consider_window(cut.end);
    now = next;
    expire();
    for (std::uint32_t who = 0; who < clients.size(); ++who) end_belief_due(who);
    std::erase_if(writes, [&](const Write& it) { return can_age() && it.at < now - longest_memory(); });
  }
  void calm() {
    is_calm = true;
    cuts.clear();
    writes.clear();
    clients.back().timer = {now, now};
    emit(Calm{ClientId{static_cast<std::uint32_t>(clients.size() - 1)}, {}});
  }

  std::pair<Reply, Changes> execute(const Command& command) {
    Changes changes;
    Reply reply = std::visit([&](auto& store) { return store.execute(command, server_time(), changes); }, server.store);
    if (const auto* const redis = std::get_if<redis::Redis>(&server.store)) has_told_time |= redis->has_told_time();
    return {std::move(reply), std::move(changes)};
  }
  void expire() {
    Changes changes;
    std::visit([&](auto& store) { store.expire_due(server_time(), changes); }, server.store);
    tell(changes, {});
  }
  bool can_age() const { return rules(Fault::failover).empty(); }
  Duration longest_memory() const { return *std::max_element(experiment->sizes.begin(), experiment->sizes.end()); }
  void note_write(const std::shared_ptr<const Server>& before, const Changes& changes) {
    const bool is_write = std::any_of(changes.begin(), changes.end(),
                                      [](const Change& it) { return it.kind != Change::Kind::expired; });
    const bool is_undone = !rules(Fault::failover).empty() || !rules(Fault::restart).empty();
    if (is_write && is_undone) writes.push_back({now, before});
    if (is_write && rules(Fault::restart).empty() && writes.size() > 2) writes.erase(writes.begin());
  }
  void put_back(std::uint32_t lost) {
    const Server before = server;
    if (lost != 0) server = *writes[writes.size() - lost].before;
    writes.clear();
    Changes ended;
    std::visit([&](auto& store) { store.expire_due(server_time(), ended); }, server.store);
    for (const Change& change : ended) server.writers.erase(change.key);
    tell_difference(before);
  }
  void restart(DataLoss loses, std::uint32_t lost) {
    if (loses != DataLoss::everything) {
      put_back(lost);
      if (experiment->is_redis) execute({"SCRIPT", "FLUSH"});
      return;
    }
    const Server before = std::exchange(server, Server{.store = empty_store(*experiment)});
    writes.clear();
    tell_difference(before);
  }

  std::optional<std::string> value_in(const Server& it, const std::string& key) const {
    return std::visit([&](const auto& store) { return store.value_of(key); }, it.store);
  }
  void tell_difference(const Server& before) {
    for (const std::string& key : lock_keys()) {
      const std::optional<std::string> now_there = value_in(server, key);
      if (!value_in(before, key) && !now_there) continue;
      const Acquisition was = writer_in(before, key);
      const Acquisition is = writer_in(server, key);
      if (!now_there) emit(KeyChanged{.key = key, .kind = KeyChanged::Kind::lost, .before = was});
      else if (was != is) emit(KeyChanged{.key = key, .kind = KeyChanged::Kind::restored, .before = was, .after = is});
    }
  }
  static Acquisition writer_in(const Server& it, const std::string& key) {
    const auto found = it.writers.find(key);
    return found == it.writers.end() ? Acquisition() : found->second;
  }
  std::set<std::string> lock_keys() const {
    std::set<std::string> keys;
    for (std::uint32_t who = 0; who < clients.size(); ++who) keys.insert(key_of(who));
    return keys;
  }

  std::vector<std::string> living_keys() const {
    std::vector<std::string> keys;
    if (const auto* const redis = std::get_if<redis::Redis>(&server.store)) {
      redis->visit([&](std::string_view key, std::string_view, auto) { keys.emplace_back(key); });
      return keys;
    }
    for (const auto& [key, entry] : std::get<shdict::Dict>(server.store).entries())
      if (!entry.is_stale) keys = {key};
    return keys;
  }
  void evict(std::size_t which) {
    const std::string key = living_keys()[which];
    const Server before = server;
    execute({experiment->is_redis ? "DEL" : "DELETE", key});
    server.writers.erase(key);
    tell_difference(before);
  }

  // What a command did, or time.
  void tell(const Changes& changes, Acquisition by) {
    const std::set<std::string> keys = lock_keys();
    for (const Change& change : changes) {
      KeyChanged told{.key = change.key, .by = by, .before = writer_in(server, change.key)};
      switch (change.kind) {
        case Change::Kind::created: told.kind = KeyChanged::Kind::created; break;
        case Change::Kind::overwritten: told.kind = KeyChanged::Kind::overwritten; break;
        case Change::Kind::removed: told.kind = KeyChanged::Kind::removed; break;
        case Change::Kind::expired: told.kind = KeyChanged::Kind::expired; break;
        case Change::Kind::ttl_changed: told.kind = KeyChanged::Kind::ttl_changed; break;
      }
      const bool is_written = change.kind == Change::Kind::created || change.kind == Change::Kind::overwritten;
      if (change.kind == Change::Kind::expired) told.by = {};
      if (is_written) told.after = by;
      if (change.kind == Change::Kind::ttl_changed) told.after = told.before;
      if (told.after.is_nobody()) server.writers.erase(change.key);
      else server.writers[change.key] = told.after;
      if (keys.contains(change.key)) emit(told);
    }
  }
  void emit(What what) {
    events.push_back(std::make_shared<const Event>(Event{Step{steps}, now, {}, std::move(what)}));
  }
};

}  // namespace holdfast::reference
