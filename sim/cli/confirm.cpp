#include "sim/cli/confirm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "sim/cli/time_scale.hpp"
#include "sim/explore/explore.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::cli {
namespace {

// What one tick may take in real time, tried in this order: the next one if a lock cannot be asked for times
// so short (EXPIRE takes whole seconds), or if this machine is too busy for them.
constexpr std::array<Duration, 6> ticks{50ms, 100ms, 250ms, 500ms, 1s, 2s};
// Redis is asked for times to live in milliseconds; shorter ones leave no room for how long things take.
constexpr Duration ttl_least = 50ms;
constexpr Duration margin_least = 10ms;
constexpr Duration length_most = 10min;
// As in sim/world: what every wall clock shows when a run begins.
constexpr WallTime epoch{1'700'000'000s};

// The same happens in both, at other times.
bool is_same_run(const std::vector<Event>& one, const std::vector<Event>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](const Event& a, const Event& b) {
    return a.step == b.step && a.actor == b.actor && a.what.index() == b.what.index();
  });
}

template <class... Kinds>
bool has(const std::vector<Event>& events) {
  return std::any_of(events.begin(), events.end(),
                     [](const Event& event) { return (std::holds_alternative<Kinds>(event.what) || ...); });
}

// Why a WAIT of the run would be answered otherwise; empty if none would. A replica follows one server, as
// long as that one runs, and is not kept from it while a client waits.
std::string wait_in_vain(const std::vector<Event>& events, bool are_private) {
  std::set<std::uint32_t> waits;
  std::set<NodeId> alone;
  for (const Event& event : events) {
    if (const auto* const sent = std::get_if<Sent>(&event.what); sent && live::is_wait(*sent))
      waits.insert(sent->message.value);
    if (const auto* const over = std::get_if<FailedOver>(&event.what)) alone.insert(over->node);
    if (const auto* const restarted = std::get_if<ServerRestarted>(&event.what))
      alone.insert(restarted->node);
    const auto* const executed = std::get_if<Executed>(&event.what);
    if (executed == nullptr || !waits.contains(executed->message.value)) continue;
    if (!are_private) return "a client waits for a replica, which takes a private server";
    if (executed->reply.is(0)) return "a replica lags while a client waits for it";
    if (alone.contains(executed->node)) return "a client waits for a replica of one that has just begun";
  }
  return std::string();
}

// Why the run cannot be made real on such servers; empty if it can.
std::string obstacle(const std::vector<Event>& events, StoreKind kind, bool are_private) {
  if (has<ServerClockSet>(events)) return "it sets a server's clock, which is this machine's";
  if (kind == StoreKind::postgres && has<FailedOver>(events)) return "a standby of PostgreSQL takes over";
  if (kind == StoreKind::postgres && has<SessionEnded>(events))
    return "the server ends a session of its choice";
  if (kind != StoreKind::postgres && has<ServerRecovered>(events))
    return "a server restarts and has kept data";
  if (!are_private && has<ServerRestarted>(events))
    return "it restarts the server, which needs a private one";
  if (!are_private && has<FailedOver, Evicted>(events)) return "its faults of servers need a private server";
  std::map<NodeId, int> takeovers;
  for (const Event& event : events) {
    if (const auto* const sent = std::get_if<Sent>(&event.what); sent && sent->argv.front() == "SUBSCRIBE")
      return "a client listens to a channel";
    if (const auto* const over = std::get_if<FailedOver>(&event.what); over && ++takeovers[over->node] > 1)
      return "replicas take over from one server twice";
  }
  return wait_in_vain(events, are_private);
}

// Of each server from which a replica takes over: the first message that this replica sees nothing of. Which
// commands changed anything is what the simulated server says.
std::map<NodeId, MessageId> unseen_by_replicas(const std::vector<Event>& events, const Texts& store) {
  std::map<NodeId, MessageId> unseen;
  if (!has<FailedOver>(events)) return unseen;
  redis::Scripts scripts;
  std::map<NodeId, redis::Redis> servers;
  std::map<NodeId, std::vector<MessageId>> writes;
  std::map<std::uint32_t, const Sent*> requests;
  for (const Event& event : events) {
    const WallTime now = epoch + event.at.time_since_epoch();
    Changes changes;
    if (const auto* const sent = std::get_if<Sent>(&event.what)) requests[sent->message.value] = sent;
    if (const auto* const executed = std::get_if<Executed>(&event.what)) {
      const auto [found, is_new] = servers.try_emplace(executed->node, scripts);
      redis::Redis& server = found->second;
      Changes before;
      if (is_new)
        for (const auto& [key, value] : store) server.execute({"SET", key, value}, now, before);
      Pushes unheard;
      server.expire_due(now, before, unheard);
      server.execute(requests.at(executed->message.value)->argv, now, changes);
      if (!changes.empty()) writes[executed->node].push_back(executed->message);
    }
    if (const auto* const over = std::get_if<FailedOver>(&event.what))
      unseen[over->node] = *(writes[over->node].end() - over->lost);
  }
  return unseen;
}

}  // namespace

// As if they had not been used since they were started.
std::span<live::ServerForRun> Confirmer::unused_servers(StoreKind kind, std::size_t count) {
  if (kind == StoreKind::shared_dict) {
    const std::span<live::ServerForRun> dictionaries = dictionaries_.first(count);
    for (live::ServerForRun& each : dictionaries) each.restart();
    return dictionaries;
  }
  // Names that no performance had before are enough.
  if (kind == StoreKind::postgres) return databases_.first(count);
  const std::span<live::ServerForRun> servers = servers_.first(count);
  for (std::size_t i = 0; i < std::min(used_, count); ++i)
    if (live::RedisProcess* const process = servers[i].process()) process->restart();
  used_ = std::max(used_, count);
  return servers;
}

namespace {

// Why a run of these clients cannot be performed on its store; empty if it can. An etcd and a ZooKeeper count
// what they do, and say so in their answers, and when leases and sessions end there is a window, which cannot
// be steered.
std::string lacks_stage(const Card& card, const std::vector<ClientPlan>& clients) {
  if (has_step(clients, ProgramStep::Op::acquire_again))
    return "a client acquires the lock again while it holds it";
  if (share_locks(clients)) return "clients share a lock object";
  if (card.store == StoreKind::etcd || card.store == StoreKind::zookeeper)
    return "when leases end, and which numbers are given, cannot be chosen on a real " +
           std::string(id_of(card.store));
  return card.store == StoreKind::postgres ? missing_for(card.store) : std::string();
}

}  // namespace

Confirmation Confirmer::confirm(const Scenario& scenario, const Card& card, const Counterexample& example,
                                const std::function<bool()>& should_stop) {
  Confirmation result{.kind = Confirmation::Kind::impossible};
  const auto impossible = [&](std::string why) {
    result.why = std::move(why);
    return result;
  };
  if (std::string why = lacks_stage(card, scenario.clients); !why.empty()) return impossible(std::move(why));
  const Replay original = replay(scenario, card, example.tape, example.steps);
  const bool is_dictionary = card.store == StoreKind::shared_dict;
  const bool are_ours = card.store != StoreKind::redis;
  const bool are_private = are_ours || servers_.are_private();
  if (const std::string why = obstacle(original.events, card.store, are_private); !why.empty())
    return impossible(why);
  if (is_dictionary && has<Evicted>(original.events))
    return impossible("a dictionary drops a key of its choice");
  Params unscaled(card.parameters);
  for (const auto& [name, text] : scenario.params) unscaled.set(name, text);
  const std::size_t nodes = servers_of(card, unscaled);
  if (!are_ours && !servers_.are_enough_for(nodes))
    return impossible(fmt::format("it takes {} servers, and --redis names fewer", nodes));
  result.why = "its times cannot be made real: leases would end too close to other events";
  for (const Duration tick : ticks) {
    const std::span<live::ServerForRun> servers = unused_servers(card.store, nodes);
    result.version = servers.front().version();
    const std::string prefix = fmt::format("{}{}:", servers.front().key_prefix(), ++performances_);
    const Scenario scaled = TimeScale(tick, scenario.timing.tick)(scenario, card, prefix);
    const Replay expected = replay(scaled, card, example.tape, example.steps);
    if (expected.divergence || !is_same_run(original.events, expected.events)) continue;
    const live::Pace pace = live::pace_of(expected.events);
    if (pace.margin < margin_least || pace.ttl_min < ttl_least) continue;
    if (pace.real(expected.events.back().at) > length_most) break;
    Params params(card.parameters);
    for (const auto& [name, text] : scaled.params) params.set(name, text);
    std::map<ClientId, std::int32_t> drift_ppm;
    for (std::uint32_t i = 0; i < scaled.clients.size(); ++i)
      drift_ppm[ClientId{i}] = scaled.clients[i].drift_ppm;
    std::map<ClientId, Params> own_params;
    for (std::uint32_t i = 0; i < scaled.clients.size(); ++i) {
      if (scaled.clients[i].params.empty()) continue;
      Params& own = own_params.emplace(ClientId{i}, params).first->second;
      for (const auto& [name, text] : scaled.clients[i].params) own.set(name, text);
    }
    std::map<NodeId, MessageId> unseen = unseen_by_replicas(expected.events, scaled.store);
    result.performance = live::perform_run(
        {expected.events, example.tape, card, params, epoch, std::move(drift_ppm), pace,
         std::move(own_params), scaled.store, std::move(unseen),
         scaled.driver_retries.value_or(card.driver_retries), card.store != StoreKind::postgres},
        servers, should_stop);
    result.tick = tick * pace.per_mille / 1000;
    const std::optional<live::Departure>& departure = result.performance.departure;
    result.kind = !departure                                     ? Confirmation::Kind::confirmed
                  : result.performance.was_late || should_stop() ? Confirmation::Kind::unsure
                                                                 : Confirmation::Kind::differs;
    result.why = departure ? fmt::format("step {}: {}", departure->step.value, departure->what) : "";
    if (result.kind != Confirmation::Kind::unsure || should_stop()) break;
  }
  return result;
}

}  // namespace holdfast::cli
