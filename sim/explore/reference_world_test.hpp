// A second simulated world, written from sim/scenario/specification.cpp alone: one server, no connections of
// clients' own. With sim/world it shares the locks and what servers keep, nothing else.
#pragma once

#include <algorithm>
#include <deque>

#include "sim/check/definitions_test.hpp"
#include "sim/explore/reference_client_test.hpp"
#include "sim/explore/reference_owners_test.hpp"
#include "sim/explore/rehearsal.hpp"
#include "sim/stores/kinds.hpp"
#include "sim/world/contents.hpp"

namespace holdfast::reference {

// The whole state of a run. Times are true times.
struct World {
  using Kind = Coming::Kind;
  using Strike = std::function<World&()>;
  struct Server {
    Contents contents;
    OwnersOfKeys owners{};
  };

  const Experiment& experiment;
  Instant now{};
  std::vector<std::shared_ptr<const Process>> clients{};
  std::vector<Coming> coming{};
  Server server{empty()};
  Duration server_offset{};
  std::vector<std::pair<Instant, Server>> writes{};  // the last that can be undone, with what was before
  std::vector<FaultRule> rules = experiment.scenario.faults;  // with what is left of their budgets
  std::uint64_t newest_fence = 0;                             // that the resource has seen
  bool is_calm = false, has_told_time = false;
  std::vector<Event> events{};
  std::size_t judged = 0;  // so many events were there before the last step
  std::string last_step{};
  std::vector<std::uint32_t> path{};  // of every step, which it was of those that were possible

  explicit World(const Experiment& its_experiment) : experiment(its_experiment) {
    for (const ClientPlan& plan : experiment.scenario.clients)
      for (const std::string& pattern : experiment.keys) server.owners[key_of(pattern, plan.key)] = {};
    for (const auto& [key, value] : experiment.scenario.store) execute({"SET", key, value}, {});
    while (clients.size() + 1 < experiment.scenario.clients.size()) add_client();
  }

  // All that may happen now, always in the same order. Nothing: the run is over.
  std::deque<World> next() const {
    static constexpr std::array names{"goes on", "leaves", "answer", "request", "stop ends", "cut ends"};
    std::deque<World> worlds;
    const auto add = [&](std::string_view name, ClientId who) -> World& {
      World& world = worlds.emplace_back(*this);
      world.last_step = fmt::format("{} {}", name_of(who), name);
      world.path.push_back(static_cast<std::uint32_t>(worlds.size() - 1));
      world.judged = events.size();
      return world;
    };
    if (is_calm && clients.back()->has_ended) return worlds;
    bool is_urgent = false;
    for (std::size_t i = 0; i < coming.size(); ++i) {
      if (!is_due(coming[i])) continue;
      World& world = add(names[static_cast<std::size_t>(coming[i].kind)], coming[i].who);
      world.happen(world.take(i));
      is_urgent |= coming[i].to <= now;
    }
    if (is_quiet()) add("calm", {}).calm();
    else if (!is_urgent) add("time passes", {}).pass_time();
    for (std::size_t i = 0; i < rules.size(); ++i) {
      ClientId who{};
      const Strike strike = [&]() -> World& {
        World& world = add(id_of(rules[i].kind), who);
        --world.rules[i].budget;
        return world;
      };
      bool is_somebody_there = rules[i].place == Place::anywhere;
      for (const auto& it : clients) {
        who = it->acquisition.client;
        if (!may_strike(rules[i], who)) continue;
        is_somebody_there = true;
        strike_client(rules[i], *it, strike);
      }
      if (is_somebody_there && rules[i].budget != 0 && !is_calm) strike_server(rules[i], strike);
    }
    for (World& world : worlds) world.forget_writes();
    return worlds;
  }

  // Everything that the future depends on, and what judgements of it do. Times count from now.
  std::string text() const {
    const Instant beginning = has_told_time ? Instant() : now - now.time_since_epoch() % timing().tick;
    std::vector<std::string> lines;
    for (const Coming& it : coming)
      lines.push_back(fmt::format("\n{} {} {}..{} {} {} {} {}{}{}{} {} {}", static_cast<int>(it.kind),
                                  it.who.value, since(it.from), since(it.to), is_awaited(it) ? it.number : 0,
                                  since(it.asked),
                                  has_part(server.owners, it.by) ? full_name(it.by) : name(it.by),
                                  it.is_struck, it.is_sent_again, it.cuts_requests, it.cuts_answers,
                                  fmt::join(it.command.argv(), " "), reference::text_of(it.reply)));
    std::sort(lines.begin(), lines.end());
    lines.push_back(
        fmt::format("\n{} {} {} {}", since(beginning), is_calm, newest_fence, server_offset.count()));
    for (const FaultRule& rule : rules) lines.push_back(fmt::format(" {}", rule.budget));
    lines.push_back(text_of(server));
    for (const auto& [at, before] : writes)
      lines.push_back(fmt::format("\nwrite {}", since(at)) + text_of(before));
    for (const auto& it : clients)
      lines.push_back(fmt::format("\n{} {} {} {} {} {}", it->offset.count(), it->believes,
                                  since(it->belief_end()), since(it->asked), since(it->answered), it->text));
    lines.push_back(definitions::remembered(events, *this, has_told_time));
    return fmt::format("{}", fmt::join(lines, ""));
  }
  bool has_coming_by(Acquisition it) const {
    return !it.is_nobody() && has_coming([&](const Coming& each) { return each.by == it; });
  }
  // Nothing of an acquisition that is over is still to be judged.
  std::string name(Acquisition it) const {
    const bool is_over = !it.is_nobody() && it.number <= process(it.client).over;
    return is_over ? std::string() : full_name(it);
  }
  std::string text_of(const Server& it) const {
    std::string text = fmt::format("\nscripts {}", it.contents->digest_of_rest());
    it.contents->visit([&](auto key, auto value, std::optional<std::int64_t> end_ms, bool is_stale) {
      const std::int64_t now_ms = to_milliseconds(server_time().time_since_epoch());
      text += fmt::format("\n{}={} {} {}", key, value, end_ms ? *end_ms - now_ms : -1, is_stale);
    });
    for (const auto& [key, owners] : it.owners)
      text +=
          key + owners.text([&](Acquisition who) { return has_coming_by(who) ? full_name(who) : name(who); });
    return text;
  }
  std::int64_t since(Instant then) const {
    return (then == never ? then.time_since_epoch() : then - now).count();
  }
  // --- what there is ---
  const Process& process(ClientId who) const { return *clients[who.value]; }
  const Timing& timing() const { return experiment.scenario.timing; }
  WallTime server_time() const { return WallTime(Process::epoch + now.time_since_epoch() + server_offset); }
  Contents empty() const {
    static thread_local stores::Kinds kinds;
    return Contents(kinds.make(experiment.card.store));
  }
  template <class Test>
  bool has_coming(Test test) const {
    return std::any_of(coming.begin(), coming.end(), test);
  }
  bool is_stopped(ClientId who) const {
    return has_coming([who](const Coming& it) { return it.kind == Kind::stop_ends && it.who == who; });
  }
  bool is_due(const Coming& it) const {
    return it.from <= now && (it.kind > Kind::answer || !is_stopped(it.who));
  }
  bool is_awaited(const Coming& it) const { return process(it.who).waits_for(it.number); }
  // Every program has ended, and nothing is on its way.
  bool is_quiet() const {
    const auto has_ended = [](const auto& it) { return it->has_ended; };
    return !is_calm && std::all_of(clients.begin(), clients.end(), has_ended) &&
           !has_coming([](const Coming& it) { return it.is_message(); });
  }
  bool may_strike(const FaultRule& rule, ClientId who) const {
    return rule.budget != 0 && !is_calm && (!rule.target || *rule.target == who) &&
           (rule.place == Place::anywhere || rule.place == process(who).place);
  }
  // How many of the last writes this rule can undo.
  std::size_t undoable(const FaultRule& rule) const {
    const auto is_old = [&](const auto& it) { return it.first + rule.magnitude < now; };
    const auto young = std::find_if_not(writes.begin(), writes.end(), is_old);
    if (rule.budget == 0 || is_calm) return 0;
    if (rule.kind == Fault::failover) return std::min<std::size_t>(writes.size(), 2);
    return rule.kind == Fault::restart && rule.loses == DataLoss::latest
               ? static_cast<std::size_t>(writes.end() - young)
               : 0;
  }
  // --- clients and time ---
  void emit(What what, Actor actor = {}) {
    events.push_back({Step{static_cast<std::uint32_t>(path.size())}, now, actor, std::move(what)});
  }
  World& lose(Fault fault, ClientId who) { return emit(MessageFault{fault, {}}, actor_of(who)), *this; }
  void add_client() {
    const ClientId who{static_cast<std::uint32_t>(clients.size())};
    const ClientPlan& plan = experiment.scenario.clients[who.value];
    clients.emplace_back();
    begin({who, 0}, plan.wall_offset, plan.start, plan.start_late);
  }
  void begin(Acquisition before, Duration offset, Duration least, Duration most) {
    clients[before.client.value] = std::make_shared<Process>(experiment, before, offset);
    coming.push_back({Kind::goes_on, before.client, now + least, now + std::max(least, most)});
  }
  void crash(ClientId who) {
    std::erase_if(coming, [&](const Coming& it) {
      return it.who == who && it.kind != Kind::request && it.kind != Kind::cut_ends;
    });
    begin(process(who).acquisition, process(who).offset, timing().restart, timing().restart_late);
    emit(Crashed{who});
  }
  void set_clock(ClientId who, Duration by) {
    emit(ClockSkewed{who, process(who).offset + by, by});
    tell({Kind::passes, who}, by);
  }
  void tell(Coming it, Duration set_by = {}) {
    it.from = now;
    it.offset = process(it.who).offset + set_by;
    const auto process = clients[it.who.value] = this->process(it.who).after(it);
    has_told_time |= process->has_read_clock;
    for (What what : process->said) {
      if (leaves(*this, what, *process)) emit(Left{process->acquisition});
      if (auto* const wrote = std::get_if<Wrote>(&what)) wrote->accepted = accepts(process->grant, true);
      if (auto* const read = std::get_if<Read>(&what))
        read->accepted = accepts(process->grant, experiment.scenario.fencing == Fencing::first_read);
      emit(std::move(what));
    }
    if (is_calm && it.who.value + 1 == clients.size() && process->has_ended) emit(Ended{});
    // A request arrives all the same.
    std::erase_if(coming, [&](const Coming& each) {
      return each.who == it.who && each.kind < Kind::request && each.number != 0 && !is_awaited(each);
    });
    for (const Coming& each : process->begun)
      if (is_awaited(each)) coming.push_back(each);
  }
  // Whether the resource does.
  bool accepts(const Grant& grant, bool counts) {
    const std::uint64_t fence = grant.fence.value_or(newest_fence);
    const bool is_old = fence < newest_fence;
    if (counts) newest_fence = std::max(newest_fence, fence);
    return !is_old || experiment.scenario.fencing == Fencing::none;
  }
  void pass_time() {
    Instant next = is_calm ? never : now - now.time_since_epoch() % timing().tick + timing().tick;
    const auto consider = [&](Instant it) { next = it > now ? std::min(next, it) : next; };
    for (const Coming& it : coming)
      for (const Instant end : {it.from, it.to}) consider(end);
    for (const auto& it : clients) consider(it->belief_end());
    now = next;
    become(server);
    // A deadline that has come goes before whatever else happens at that instant.
    for (const auto& it : clients)
      if (it->belief_end() <= now) tell({Kind::passes, it->acquisition.client});
  }
  void forget_writes() {
    std::size_t kept = 0;
    for (const FaultRule& rule : rules) kept = std::max(kept, undoable(rule));
    writes.erase(writes.begin(), writes.end() - static_cast<std::ptrdiff_t>(kept));
  }
  void calm() {
    is_calm = true;
    std::erase_if(coming, [](const Coming& it) { return it.kind == Kind::cut_ends; });
    emit(Calm{ClientId{static_cast<std::uint32_t>(clients.size())}, {}});
    add_client();
  }
  // --- the network ---
  Coming take(std::size_t place) {
    const Coming it = coming[place];
    coming.erase(coming.begin() + static_cast<std::ptrdiff_t>(place));
    return it;
  }
  void happen(const Coming& it) {
    if (it.kind == Kind::goes_on || it.kind == Kind::answer) return tell(it);
    if (it.kind == Kind::request) return arrive(it);
    if (it.kind != Kind::leaves) return;  // a stop or a cut has ended
    const Instant timeout = now + (it.patience > Duration() ? it.patience : timing().timeout);
    if (experiment.is_redis)
      coming.push_back(
          {Kind::goes_on, it.who, timeout, timeout, it.number, Reply::lost(), it.asked, Command(), it.by});
    travel(Kind::request, it);
  }
  void travel(Kind kind, Coming it) {
    const bool is_cut = has_coming([&](const Coming& cut) {
      return cut.who == it.who && (kind == Kind::request ? cut.cuts_requests : cut.cuts_answers);
    });
    if (is_cut && kind == Kind::request) lose(Fault::partition, it.who);
    if (is_cut) return;
    it.kind = kind;
    it.from = now + timing().delay_min;
    it.to = is_calm ? it.from : now + timing().delay_max;
    it.is_struck = it.is_sent_again = false;
    coming.push_back(std::move(it));
  }
  void arrive(Coming it) {
    it.reply = execute(it.command, it.by);
    if (!is_awaited(it)) return;  // nobody is told the answer, or sends again
    if (it.is_sent_again) return travel(Kind::request, it);
    it.command = Command();
    travel(Kind::answer, it);
  }
  // --- the server ---
  Reply execute(const Command& command, Acquisition by) {
    stores::Effects effects;
    const Changes& changes = effects.changes;
    Server before = server;
    Reply reply = *server.contents->execute({}, command, server_time(), effects);
    has_told_time |= server.contents->told().the_time;
    if (!changes.empty() && !by.is_nobody()) writes.emplace_back(now, std::move(before));
    for (const Change& change : changes)
      if (const auto at = server.owners.find(change.key); at != server.owners.end()) {
        Values left(experiment.asides);
        server.contents->list(change.key, left);
        for (KeyChanged& told : told_of(change, changes, by, left, at->second)) emit(told);
      }
    return reply;
  }
  // By time or by a fault. What has ended by now is not there.
  void become(Server next, Duration set_by = {}) {
    if (set_by != Duration()) emit(ServerClockSet{});
    server_offset += set_by;
    const Server before = std::exchange(server, std::move(next));
    stores::Effects ended;
    server.contents->pass(server_time(), ended);
    for (auto& [key, owners] : server.owners) {
      const auto value = server.contents->value_of(key);
      if (!value) owners = {};
      if (value == before.contents->value_of(key) && owners == before.owners.at(key)) continue;
      for (KeyChanged& told : told_of_loss(key, value.has_value(), before.owners.at(key), owners)) emit(told);
    }
  }
  // --- faults ---
  // For any number of ticks from one to the size of a fault.
  Coming& last(Kind kind, ClientId who, Duration size) {
    if (kind == Kind::stop_ends) emit(Paused{who});
    return coming.emplace_back(Coming{kind, who, now + std::min(timing().tick, size), now + size});
  }
  void strike_client(const FaultRule& rule, const Process& it, const Strike& strike) const {
    const ClientId who = it.acquisition.client;
    const Duration size = rule.magnitude;
    const bool is_fresh = it.acquisition.number == 0 && !it.runs() && now == Instant();
    const bool is_set = rule.kind == Fault::clock_jump || (rule.kind == Fault::clock_skew && is_fresh);
    bool would_go_on = false, has_anything_coming = false;
    for (std::size_t i = 0; i < coming.size(); ++i) {
      if (coming[i].who != who) continue;
      would_go_on |= coming[i].kind <= Kind::answer && is_due(coming[i]);
      has_anything_coming |= coming[i].kind != Kind::cut_ends;
      if (!coming[i].is_struck) strike_coming(rule.kind, size, i, strike);
    }
    if (rule.kind == Fault::crash && it.runs()) strike().crash(who);
    if (rule.kind == Fault::pause && it.runs() && would_go_on) strike().last(Kind::stop_ends, who, size);
    if (rule.kind == Fault::cancel && it.place == Place::acquiring && !is_stopped(who))
      strike().tell({Kind::gives_up, who});
    if (is_set && !it.has_ended)
      for (const Duration by : clock_steps(size, timing().tick)) strike().set_clock(who, by);
    if (rule.kind == Fault::partition && has_anything_coming)
      for (const int ways : {1, 2, 3}) strike().cut(who, (ways & 1) != 0, (ways & 2) != 0, size);
  }
  void cut(ClientId who, bool of_requests, bool of_answers, Duration size) {
    const auto is_its_request = [&](const Coming& it) { return it.who == who && it.kind == Kind::request; };
    if (of_requests && has_coming(is_its_request)) lose(Fault::partition, who);
    std::erase_if(coming, [&](const Coming& it) {
      return it.who == who &&
             (it.kind == Kind::request ? of_requests : it.kind == Kind::answer && of_answers);
    });
    Coming& end = last(Kind::cut_ends, who, size);
    end.cuts_requests = of_requests;
    end.cuts_answers = of_answers;
  }
  void strike_coming(Fault fault, Duration size, std::size_t i, const Strike& strike) const {
    const Coming& it = coming[i];
    const Duration tick = timing().tick, usual = timing().delay_max;
    const bool is_request = it.kind == Kind::request;
    const bool is_message = is_request || it.kind == Kind::answer;
    if (fault == Fault::slow_section && it.is_work && it.to == now && is_due(it))
      strike().coming[i].strike(now + std::min(tick, size), now + size);
    if (!is_message || it.from != now + timing().delay_min) return;  // a message that has just left
    // A loss on the way back is told by the timeout.
    const auto lose = [&]() -> World& { return is_request ? strike().lose(fault, it.who) : strike(); };
    if (fault == (is_request ? Fault::late_request : Fault::late_reply) && size > usual)
      lose().coming[i].strike(now + usual + tick, now + size);
    if (fault == (is_request ? Fault::lost_request : Fault::lost_reply)) lose().take(i);
    if (fault != Fault::duplicate || !is_request) return;
    lose().coming[i].strike(it.from, it.to).is_sent_again = true;
    std::vector<Coming>& both = lose().coming;
    both.push_back(both[i].strike(it.from, it.to));
    both.back().to = std::max(it.from, now + size);
    both.back().number = 0;
  }
  void strike_server(const FaultRule& rule, const Strike& strike) const {
    const Fault fault = rule.kind;
    if (fault == Fault::server_clock_jump)
      for (const Duration by : clock_steps(rule.magnitude, timing().tick)) strike().become(server, by);
    std::vector<Server> left;  // what is, in each of the ways
    stores::Effects none;
    if (fault == Fault::restart || fault == Fault::failover)
      for (std::size_t lost = fault == Fault::restart ? 0 : 1; lost <= undoable(rule); ++lost) {
        left.push_back(lost == 0 ? server : writes[writes.size() - lost].second);
        if (fault == Fault::failover) continue;
        if (rule.loses == DataLoss::everything) left.back().contents = empty();
        else left.back().contents->restart(true, server_time());
      }
    for (std::uint32_t way = 0; fault == Fault::eviction && way < server.contents->ways_to_evict(); ++way) {
      left.push_back(server);
      left.back().contents->evict(way, server_time(), none);
    }
    for (const Server& next : left) {
      World& world = strike();
      if (fault != Fault::eviction) world.writes.clear();
      world.emit(ServerRestarted{});
      world.become(next);
    }
  }
};

}  // namespace holdfast::reference
