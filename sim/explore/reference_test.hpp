// A second simulated world, written from sim/scenario/specification.cpp alone: the reference that sim/world
// is compared with. It knows no digests, no caches and no reductions. One server, no connections of clients'
// own.
#pragma once

#include <functional>
#include <set>

#include "sim/explore/reference_clients_test.hpp"

namespace holdfast::reference {

class World : public Callers {
 public:
  // Something that may happen now.
  struct Move {
    std::string_view name;
    std::uint32_t who;  // a client, or what there is several of
    std::function<void(World&)> act;
  };

  explicit World(const Experiment& its_experiment) : Callers(its_experiment) {
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
      menu.add("way open", place, cuts[place].end, now,
               [=](World& w) { w.cuts.erase(w.cuts.begin() + place); });
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
  struct Menu {
    // Within the window; time does not pass beyond its end.
    void add(std::string_view name, std::uint32_t who, Window window, Instant now,
             std::function<void(World&)> act) {
      if (window.from > now) return;
      moves.push_back({name, who, std::move(act)});
      is_urgent |= window.to <= now;
    }
    std::vector<Move> moves{};
    bool is_urgent = false;
  };

  // --- what may happen ---

  bool is_quiet() const {
    return messages.empty() && std::all_of(clients.begin(), clients.end() - 1, [](const Client& client) {
             return client.phase == Phase::ended && !is_leaving(client);
           });
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
    const auto stop = [=](World& w, Duration size) {
      w.clients[who].stopped = {w.now + w.tick(), w.now + size};
    };
    const std::size_t before = menu.moves.size();
    if (client.stopped)
      menu.add("goes on", who, *client.stopped, now, [=](World& w) { w.clients[who].stopped.reset(); });
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
        offer(menu, Fault::partition, who,
              [=](World& w, Duration size) { w.cut(who, (ways & 1) != 0, (ways & 2) != 0, size); });
  }

  void offer_steps(std::uint32_t who, Menu& menu) const {
    const Client& client = clients[who];
    const bool begins = client.phase == Phase::fresh || client.phase == Phase::crashed;
    if (begins && (!is_probe(who) || is_calm))
      menu.add("begins", who, client.timer, now, [=](World& w) { w.begin(who); });
    if (client.waits >= Waits::retrying)
      menu.add("time has come", who, client.timer, now, [=](World& w) { w.go_on(who); });
    for (std::uint32_t place = 0; place < messages.size(); ++place)
      if (is_awaited(messages[place]) && messages[place].client == who)
        menu.add("gets answer", who, messages[place].window, now, [=](World& w) { w.deliver(place); });
    for (const auto& [call, request] : client.requests)
      menu.add("times out", who, {request.deadline, request.deadline}, now,
               [=, call = call](World& w) { w.answer(who, call, Reply::lost()); });
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
    const auto arrives = [=](How how) {
      return [=](World& w, Duration size) { w.arrive(place, how, size); };
    };
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
        if (experiment->is_redis)
          offer(menu, Fault::failover, {}, [=](World& w, Duration) { w.put_back(lost); });
    }
    for (std::size_t key = 0; key < living_keys().size(); ++key)
      offer(menu, Fault::eviction, {}, [=](World& w, Duration) { w.evict(key); });
  }

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
};

}  // namespace holdfast::reference
