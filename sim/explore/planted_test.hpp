// A correct lock (a token, a lease, a release that compares) into which one bug can be planted. For tests.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/arena.hpp"
#include "sim/core/redis_client.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast::planted {

enum class Bug : std::uint8_t {
  none,
  ignores_refusal,      // takes the null reply for success
  deletes_blindly,      // releases without comparing
  renews_blindly,       // a refused client lengthens the lease that it ran into
  overwrites,           // a refused client writes its own token over the holder's
  lies,                 // release always reports success
  frees_nothing,        // release compares another text than the one that was stored
  no_lease,             // the key lives for ever
  keeps_outside_state,  // decides by a counter that is not in its Env
  names_itself,         // its token is its client's name, always the same
  asks_without_end,     // asks again at once when it is refused; its key lives for ever
  keeps_what_it_saw,    // remembers refusals between calls, although its card denies it, where no byte of its
                        // object tells
};

class PlantedLock final : public Lock {
 public:
  PlantedLock(Bug bug, Duration ttl) : bug_(bug), ttl_(ttl) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = bug_ == Bug::names_itself ? name_of(env.self()) : env.random.token();
    SetOptions options = SetOptions().nx();
    if (bug_ != Bug::no_lease && bug_ != Bug::asks_without_end) options.px(ttl_);
    Reply reply = co_await Redis(env.store()).set(key, token, options);
    while (bug_ == Bug::asks_without_end && reply.is_nil()) {
      env.loop_head(Args(token));
      reply = co_await Redis(env.store()).set(key, token, options);
    }
    if (reply.is_lost()) co_return Attempt::failed("timeout");
    if (reply.is_nil() && bug_ == Bug::renews_blindly) co_await Redis(env.store()).pexpire(key, ttl_);
    if (reply.is_nil() && bug_ == Bug::overwrites) co_await Redis(env.store()).set(key, token);
    if (bug_ == Bug::keeps_outside_state && ++outside_state % 2 == 0) co_await env.clock.sleep(1s);
    if (bug_ == Bug::keeps_what_it_saw && reply.is_nil() && ++*refusals_ == 2) co_await env.clock.sleep(1s);
    if (reply.is_nil() && bug_ != Bug::ignores_refusal) co_return Attempt::refused("held");
    Grant grant(token);
    grant.lease = ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    if (bug_ == Bug::deletes_blindly) {
      const Reply deleted = co_await Redis(env.store()).del(key);
      co_return deleted.is(1) ? Release::released : deleted.is(0) ? Release::not_held : Release::unknown;
    }
    const std::string told = bug_ == Bug::frees_nothing ? "s:" + grant.token : grant.token;
    const Reply reply = co_await Redis(env.store())
                            .eval(
                                "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', "
                                "KEYS[1]) end return 0",
                                Keys(key), Args(told));
    if (bug_ == Bug::lies || reply.is(1)) co_return Release::released;
    co_return reply.is(0) ? Release::not_held : Release::unknown;
  }

 private:
  static inline thread_local std::uint64_t outside_state = 0;
  Bug bug_;
  Duration ttl_;
  std::unique_ptr<int> refusals_ = std::make_unique<int>(0);
};

template <Bug bug>
Card card() {
  return Card{.id = "planted",
              .summary = "",
              .source = "",
              .lesson = "",
              .claims = {},
              .parameters = {{"ttl", Parameter::Kind::duration, "4s", ""}},
              .make = [](const Params& params) -> std::unique_ptr<Lock> {
                return std::make_unique<PlantedLock>(bug, params.duration("ttl"));
              },
              .is_stateless = true};
}

inline constexpr const char* too_many = "skipped: too many states for an engine without snapshots";

// It has far more states than others.
inline bool is_large(const Card& card) {
  constexpr std::string_view large[] = {
      "redisson-fair", "redisson-rw", "redisson-fenced", "redis-semaphore", "redbeat",
      "symfony-lock",  "aioredlock",  "token-semaphore", "redis-in-action", "redis-semaphore-two"};
  // This one stands for those on etcd and ZooKeeper.
  const bool is_by_name = card.is_compared_by_name && card.id != "etcd-lease-key";
  return card.needs_several_servers() || is_by_name ||
         std::find(std::begin(large), std::end(large), card.id) != std::end(large);
}

// By day, tests of every lock under every fault take a sample that never changes; at night, all.
inline bool is_night() { return std::getenv("HOLDFAST_EVERY_CELL") != nullptr; }

// By day it is explored with clients that do all on time.
inline bool is_huge(const Card& card) { return card.is_compared_by_name && is_large(card) && !is_night(); }

// Every lock that is explored within a moment.
inline const std::vector<Card>& on_one_server() {
  static const std::vector<Card> cards = [] {
    std::vector<Card> found;
    for (const Card& each : algorithms::all())
      if (!is_large(each)) found.push_back(each);
    return found;
  }();
  return cards;
}

// All; where there are no snapshots, those that do most to memory: it takes too long otherwise.
inline std::vector<Fault> faults_to_explore() {
  if (!Arena::is_available()) return {Fault::none, Fault::pause, Fault::failover, Fault::cancel};
  std::vector<Fault> faults;
  for (std::size_t i = 0; i < fault_ids.size(); ++i)
    if (simulated_faults.contains(static_cast<Fault>(i))) faults.push_back(static_cast<Fault>(i));
  return faults;
}

// One in `parts` of them: each fault meets one in so many locks, and each lock one in so many faults. At
// night, all.
inline std::vector<Fault> some_faults(const Card& card, std::size_t parts = 3) {
  std::vector<Fault> faults = faults_to_explore();
  if (is_night()) return faults;
  const std::vector<Card>& all = algorithms::all();
  const auto is_it = [&](const Card& each) { return each.id == card.id; };
  const auto place = static_cast<std::size_t>(std::find_if(all.begin(), all.end(), is_it) - all.begin());
  std::erase_if(faults, [&](Fault fault) { return (place + static_cast<std::size_t>(fault)) % parts != 0; });
  return faults;
}

// The default comparison in ticks of a second: spaces are some ten times smaller.
constexpr Comparison coarse() {
  Comparison comparison;
  comparison.timing.tick = 1s;
  return comparison;
}
constexpr Comparison one_attempt() {
  Comparison comparison = coarse();
  comparison.attempts = 1;
  return comparison;
}

// A client that begins, works or comes back does so at one instant: smaller still.
inline Scenario on_time(Scenario scenario) {
  for (ClientPlan& client : scenario.clients) {
    client.start_late = client.start;
    for (ProgramStep& step : client.program) step.at_least.reset();
  }
  scenario.timing.retry_late = scenario.timing.retry;
  scenario.timing.restart_late = scenario.timing.restart;
  return scenario;
}

// Within the bounds of the coarse comparison, or smaller ones.
inline Exploration explored(const Card& card, Fault fault, Comparison comparison = coarse(),
                            Engine engine = Engine::snapshots,
                            std::vector<std::pair<std::string, std::string>> params = {}) {
  Scenario scenario = scenario_of(comparison, card, fault);
  for (auto& param : params) scenario.params.push_back(std::move(param));
  return explore(scenario, card, Budget(), engine);
}

inline const PropertyResult& result_of(const Exploration& exploration, Property property) {
  for (const PropertyResult& result : exploration.properties)
    if (result.property == property) return result;
  throw std::logic_error("the property was not judged");
}

inline PropertySet violated(const Exploration& exploration) {
  PropertySet found;
  for (const PropertyResult& result : exploration.properties)
    if (result.verdict == Verdict::violated) found.insert(result.property);
  return found;
}

inline constexpr const char* one_engine =
    "skipped: a sanitizer build has no arena, so there is only one engine";
inline constexpr const char* too_slow = "skipped: takes minutes in a sanitizer build, which has no snapshots";

}  // namespace holdfast::planted
