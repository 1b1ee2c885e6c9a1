// The reference's server: what its commands, time and faults do to keys, and whom that is told of.
#pragma once

#include "sim/explore/reference_state_test.hpp"

namespace holdfast::reference {

class Keeper : public State {
 public:
  explicit Keeper(const Experiment& its_experiment)
      : State{.experiment = &its_experiment, .server = Server{.store = empty_store(its_experiment)}} {}

 protected:
  using Op = ProgramStep::Op;
  using Phase = Client::Phase;
  using Waits = Client::Waits;

  static std::variant<redis::Redis, shdict::Dict> empty_store(const Experiment& experiment) {
    static thread_local redis::Scripts scripts;
    if (experiment.is_redis) return redis::Redis(scripts);
    return shdict::Dict();
  }
  const Scenario& scenario() const { return experiment->scenario; }
  Duration tick() const { return scenario().timing.tick; }
  bool is_probe(std::uint32_t who) const { return who + 1 == clients.size(); }
  Acquisition acquisition_of(std::uint32_t who) const { return {ClientId{who}, clients[who].acquisitions}; }

  static bool is_leaving(const Client& client) {
    return std::any_of(client.requests.begin(), client.requests.end(),
                       [](const auto& it) { return !it.second.left; });
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
  const std::string& key_of(std::uint32_t who) const {
    const std::string& own = experiment->plans[who].key;
    return own.empty() ? scenario().key : own;
  }

  std::pair<Reply, Changes> execute(const Command& command) {
    Changes changes;
    Reply reply =
        std::visit([&](auto& store) { return store.execute(command, server_time(), changes); }, server.store);
    if (const auto* const redis = std::get_if<redis::Redis>(&server.store))
      has_told_time |= redis->has_told_time();
    return {std::move(reply), std::move(changes)};
  }
  void expire() {
    Changes changes;
    std::visit([&](auto& store) { store.expire_due(server_time(), changes); }, server.store);
    tell(changes, {});
  }
  bool can_age() const { return rules(Fault::failover).empty(); }
  Duration longest_memory() const {
    return *std::max_element(experiment->sizes.begin(), experiment->sizes.end());
  }
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
      else if (was != is)
        emit(KeyChanged{.key = key, .kind = KeyChanged::Kind::restored, .before = was, .after = is});
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
      const bool is_written =
          change.kind == Change::Kind::created || change.kind == Change::Kind::overwritten;
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
