// What a lock costs and how fairly it is shared: closed-loop clients in a simulated network, one timed random
// run.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/choose/strategies.hpp"
#include "sim/core/arena.hpp"
#include "sim/core/beyond_model.hpp"
#include "sim/core/invariant.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/parallel.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {
namespace {

// Virtual time of the run: of a lock in C++, and of a program, which takes much longer, for it begins anew
// for each attempt.
constexpr Duration measured = 60s;
constexpr Duration measured_of_guest = 2s;

// Nearest rank. REQUIRES: `durations` is not empty and sorted.
double quantile_ms(const std::vector<Duration>& durations, std::size_t percent) {
  const std::size_t rank = (durations.size() * percent + 99) / 100;
  return std::chrono::duration<double, std::milli>(durations[std::max<std::size_t>(rank, 1) - 1]).count();
}

// Waiting time and overtaking, by client, from the events of one run.
class CostCounter final : public Observer {
 public:
  explicit CostCounter(std::size_t clients) : clients_(clients) {}

  void on(const Event& event) override {
    if (const auto* sent = std::get_if<Sent>(&event.what)) send(of(sent->acquisition), event.step);
    if (std::holds_alternative<Releasing>(event.what)) released_ = is_awaited() ? event.at : never;
    if (const auto* asking = std::get_if<Acquiring>(&event.what)) begin(of(asking->acquisition), event.at);
    if (const auto* granted = std::get_if<Granted>(&event.what)) end(of(granted->acquisition), event.at);
  }

  void fill(Cost& cost) {
    std::sort(waits_.begin(), waits_.end());
    cost.acquired = waits_.size();
    if (waits_.empty()) return;
    cost.commands_per_acquire = by_grant(commands_);
    cost.round_trips_per_acquire = by_grant(round_trips_);
    cost.wasted_polls = by_grant(polls_);
    cost.wait_ms_p50 = quantile_ms(waits_, 50);
    cost.wait_ms_p99 = quantile_ms(waits_, 99);
    std::sort(wake_ups_.begin(), wake_ups_.end());
    if (!wake_ups_.empty()) cost.wake_up_ms_p50 = quantile_ms(wake_ups_, 50);
    if (!wake_ups_.empty()) cost.wake_up_ms_p99 = quantile_ms(wake_ups_, 99);
    cost.bypass_max = bypass_max_;
    double sum = 0;
    double squares = 0;
    for (const PerClient& each : clients_) {
      sum += static_cast<double>(each.grants);
      squares += static_cast<double>(each.grants) * static_cast<double>(each.grants);
    }
    cost.jain_fairness = sum * sum / (static_cast<double>(clients_.size()) * squares);
  }

 private:
  struct PerClient {
    bool waiting = false;
    Instant since{};
    std::uint64_t polls = 0;   // commands of the round trips since then, without the last one
    std::uint64_t latest = 0;  // commands of the last one
    Step sent{};               // when it sent something last
    std::uint32_t bypass = 0;
    std::uint64_t grants = 0;
  };
  PerClient& of(Acquisition acquisition) { return clients_[acquisition.client.value]; }

  // A further attempt of the same round goes on waiting.
  void begin(PerClient& client, Instant at) {
    if (client.waiting) return;
    client.waiting = true;
    client.since = at;
    client.bypass = 0;
    client.polls = client.latest = 0;
  }
  // What is sent in one step leaves together: one round trip, whether or not it is answered.
  void send(PerClient& client, Step step) {
    ++commands_;
    const bool is_first = std::exchange(client.sent, step) != step;
    round_trips_ += is_first ? 1 : 0;
    if (is_first) client.polls += std::exchange(client.latest, 0);
    ++client.latest;
  }
  bool is_awaited() const {
    return std::any_of(clients_.begin(), clients_.end(), [](const PerClient& each) { return each.waiting; });
  }
  double by_grant(std::uint64_t count) const {
    return static_cast<double>(count) / static_cast<double>(waits_.size());
  }
  void end(PerClient& client, Instant at) {
    client.waiting = false;
    polls_ += client.polls;
    if (released_ != never) wake_ups_.push_back(at - std::exchange(released_, never));
    ++client.grants;
    bypass_max_ = std::max(bypass_max_, client.bypass);
    waits_.push_back(at - client.since);
    for (PerClient& other : clients_)
      if (other.waiting) ++other.bypass;
  }
  std::vector<PerClient> clients_;
  std::vector<Duration> waits_;
  std::vector<Duration> wake_ups_;
  Instant released_ = never;
  std::uint64_t commands_ = 0;
  std::uint64_t round_trips_ = 0;
  std::uint64_t polls_ = 0;
  std::uint32_t bypass_max_ = 0;
};

Scenario contention(const Card& card, std::uint32_t clients, std::uint64_t seed) {
  using Op = ProgramStep::Op;
  Scenario scenario;
  scenario.algorithm = card.id;
  scenario.runs_on = card.store;
  ClientPlan plan;
  plan.rounds = 1'000'000;
  plan.program = {{.op = Op::acquire, .attempts = 1'000'000},
                  {.op = Op::work, .length = 5ms},
                  {.op = Op::write},
                  {.op = Op::release}};
  for (std::uint32_t i = 0; i < clients; ++i) {
    plan.id = name_of(ClientId{i});
    scenario.clients.push_back(plan);
  }
  scenario.timing = Timing{.tick = 1ms,
                           .delay_min = 200us,
                           .delay_max = 1ms,
                           .timeout = 500ms,
                           .retry = 10ms,
                           .retry_late = 10ms,
                           .restart = 100ms,
                           .recovery = 2s};
  scenario.explore.strategy = StrategyKind::random;
  scenario.explore.seed = seed;
  return scenario;
}

void fill_cost(const Card& card, const Params& params, std::uint32_t clients, std::uint64_t seed,
               Cost& cost) {
  const Scenario scenario = contention(card, clients, seed);
  stores::Kinds kinds;
  RandomChoices choices(seed);
  Trace trace(false);
  CostCounter counter(clients);
  trace.subscribe(counter);
  World world(scenario, card, params, kinds, choices, trace, {}, World::States::unasked);
  const Instant end(card.is_guest ? measured_of_guest : measured);
  while (world.now() < end && world.step()) continue;
  counter.fill(cost);
}

Cost measure_cost(const Card& card, std::uint32_t clients, std::uint64_t seed, const Texts& texts) {
  Params params(card.parameters);
  for (const auto& [name, text] : texts)
    if (params.has(name)) params.set(name, text);
  Cost cost{.algorithm = std::string(card.id), .workload = "contend", .clients = clients};
  Cost alone;
  try {
    fill_cost(card, params, clients, seed, cost);
    fill_cost(card, params, 1, seed, alone);
  } catch (const BeyondModel&) {
    return cost;  // a lock that was never granted costs nothing, either
  }
  cost.commands_alone = alone.commands_per_acquire;
  cost.round_trips_alone = alone.round_trips_per_acquire;
  // What it takes to be granted the lock is not wasted, in several commands either.
  cost.wasted_polls = std::max(0.0, cost.wasted_polls - alone.wasted_polls);
  return cost;
}

}  // namespace

std::vector<Cost> measure_costs(const std::vector<const Card*>& cards, std::uint32_t clients,
                                std::uint64_t seed, unsigned threads, const Texts& params) {
  std::vector<Cost> costs(cards.size());
  for_each_index(cards.size(), threads,
                 [&](std::size_t i) { costs[i] = measure_cost(*cards[i], clients, seed, params); });
  return costs;
}

std::uint64_t measure_timed(const Card& card, std::uint32_t clients, std::uint32_t locks, std::uint64_t seed,
                            Duration simulated) {
  INVARIANT(clients >= 1 && clients <= timed_clients_max && locks >= 1 && locks <= timed_locks_max,
            "the caller knows what can be simulated");
  Scenario scenario = contention(card, clients, seed);
  // Each its lock, and not all at the same instant.
  for (std::uint32_t i = 0; i < clients; ++i) {
    scenario.clients[i].key = "lock:" + std::to_string(i % locks);
    scenario.clients[i].start = std::chrono::microseconds(std::uint64_t{i} * 7 % 100'003);
  }
  const Params params(card.parameters);
  stores::Kinds kinds;
  std::optional<Arena> arena;
  if (Arena::is_available()) arena.emplace(Arena::Pages::huge);
  const Arena::Inside inside(arena ? &*arena : nullptr);
  RandomChoices choices(seed);
  Trace trace(false);
  World world(scenario, card, params, kinds, choices, trace, {}, World::States::unasked);
  std::uint64_t events = 0;
  while (world.now() < Instant(simulated) && world.step()) ++events;
  return events;
}

}  // namespace holdfast
