// Claims about locks that wait at the server: engines, symmetry and the state cache treat connections of
// clients' own as they treat all else.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/arena.hpp"
#include "sim/explore/futures_test.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using planted::one_attempt;
using planted::too_slow;
using planted::violated;

// Comparisons tell locks to try once. These wait on connections of their own.
struct Waiter {
  const char* id;
  std::vector<std::pair<std::string, std::string>> params;
};
const std::vector<Waiter>& waiters() {
  static const std::vector<Waiter> all{
      {"python-redis-lock", {{"ttl", "4s"}, {"blocking", "yes"}}},
      {"python-redis-lock", {{"ttl", "0s"}, {"blocking", "yes"}}},
  };
  return all;
}
Scenario waiting_scenario(const Waiter& waiter, Fault fault, const Comparison& comparison) {
  Scenario scenario = scenario_of(comparison, *algorithms::find(waiter.id), fault);
  for (ProgramStep& step : scenario.clients.front().program)
    if (step.op == ProgramStep::Op::work) step.length = comparison.section;
  scenario.clients.assign(comparison.clients, scenario.clients.front());
  scenario.clients.back().id = "B";
  scenario.params = waiter.params;
  return planted::on_time(scenario);
}

TEST(WaitingLocks, AreExploredAlikeByBothEnginesAndUnderSymmetry) {
  if (!Arena::is_available()) GTEST_SKIP() << too_slow;
  Comparison plain = one_attempt();
  plain.explore.reductions.erase(Reduction::symmetry);
  for (const Waiter& waiter : waiters())
    for (const Fault fault : planted::faults_to_explore()) {
      SCOPED_TRACE(std::string(waiter.id) + " under " + std::string(id_of(fault)));
      const Card& each = *algorithms::find(waiter.id);
      const Scenario scenario = waiting_scenario(waiter, fault, one_attempt());
      const Exploration copied = explore(scenario, each, Budget());
      const Exploration replayed = explore(scenario, each, Budget(), Engine::replay);
      const Exploration full = explore(waiting_scenario(waiter, fault, plain), each, Budget());
      EXPECT_TRUE(copied.complete && full.complete);
      EXPECT_EQ(copied.states, replayed.states);
      EXPECT_EQ(copied.transitions, replayed.transitions);
      EXPECT_LE(copied.states, full.states);
      EXPECT_EQ(violated(copied), violated(replayed));
      EXPECT_EQ(violated(copied), violated(full));
      EXPECT_GT(copied.states, 100u);
    }
}

TEST(WaitingLocks, AreTakenForOneOnlyWhereTheyHaveOneFuture) {
  if (!Arena::is_available()) GTEST_SKIP() << too_slow;
  for (const Waiter& waiter : waiters())
    for (const Fault fault :
         {Fault::none, Fault::crash, Fault::lost_reply, Fault::restart, Fault::partition}) {
      const Scenario scenario = waiting_scenario(waiter, fault, one_attempt());
      EXPECT_GT(count_states_with_one_future(scenario, *algorithms::find(waiter.id)), 100u);
    }
}

// Who is refused waits on two connections of its own at once. It begins both waits when another's request may
// be on its way.
class WaitsTwice final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const Reply set = co_await Redis(env.store()).setnx(key, "1");
    if (set.is(1)) {
      Grant grant("1");
      co_return Attempt(grant);
    }
    const Background beside(wait_later(env));
    co_await env.clock.sleep(1s);
    co_await Redis(env.store()).get(key);
    RedisConnection first(env.store());
    co_await first.blpop("never", 4s);
    co_return Attempt::refused("nothing came");
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    co_await Redis(env.store()).del(key);
    co_return Release::released;
  }

 private:
  static Task<> wait_later(Env& env) {
    co_await env.clock.sleep(1s);
    RedisConnection second(env.store());
    co_await second.blpop("never", 4s);
  }
};

// In which of the world's slots their messages lie says only what went on before.
TEST(WaitingLocks, ThatWaitTwiceAtOnceAreTheSameInAnySlots) {
  if (!Arena::is_available()) GTEST_SKIP() << too_slow;
  Card card;
  card.id = "waits-twice";
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<WaitsTwice>(); };
  Comparison comparison = one_attempt();
  comparison.timing.delay_max = 0s;
  for (const Fault fault : {Fault::none, Fault::restart, Fault::partition}) {
    Scenario scenario = planted::on_time(scenario_of(comparison, card, fault));
    for (ClientPlan& client : scenario.clients)
      for (ProgramStep& step : client.program)
        if (step.op == ProgramStep::Op::work) step.length = 1s;
    EXPECT_GT(count_states_with_one_future(scenario, card, 10'000), 30u) << id_of(fault);
  }
}

// Requests that nobody waits for any more, and answers that come after their time.
TEST(UnwaitedServers, AreExploredAlikeByBothEngines) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::one_engine;
  Comparison alone = one_attempt();
  alone.clients = 1;
  const Card& redsync = *algorithms::find("redsync");
  for (const Fault fault : {Fault::none, Fault::cancel, Fault::lost_reply}) {
    Scenario scenario = planted::on_time(scenario_of(alone, redsync, fault));
    scenario.params.emplace_back("fail-fast", "yes");
    scenario.params.emplace_back("timeout-factor", "25");
    scenario.explore.reductions.erase(Reduction::joint_replies);
    const Exploration copied = explore(scenario, redsync, Budget());
    const Exploration replayed = explore(scenario, redsync, Budget(), Engine::replay);
    EXPECT_EQ(copied.states, replayed.states) << scenario.name;
    EXPECT_EQ(violated(copied), violated(replayed));
    EXPECT_GT(count_states_with_one_future(scenario, redsync, 2'000), 100u);
  }
}

// Where messages take no time, a client that asks again at once would keep time from passing, and the end of
// the calm phase would never come.
TEST(WaitingLocks, ThatAskWithoutEndAtOneInstantDoNotStopTime) {
  for (const Duration longest : {Duration(1s), Duration(0s)}) {
    Comparison comparison = one_attempt();
    comparison.timing.delay_max = longest;
    const Card card = planted::card<planted::Bug::asks_without_end>();
    Scenario scenario = scenario_of(comparison, card, Fault::crash);
    scenario.clients.back().rounds = 0;
    EXPECT_TRUE(violated(explore(scenario, card, Budget(), Engine::snapshots)).contains(Property::recovery));
  }
}
// Acquire and release, each in one round trip. Its second command, a subscription or a cancelled request, may
// get no answer; so do requests of Redlock to several servers leave together.
TEST(Costs, RoundTripsOfALoneClientAreCountedWithoutAnswers) {
  std::vector<const Card*> cards;
  for (const char* id : {"token", "redisson", "redisson-rw", "redisson-fair", "node-redlock"})
    cards.push_back(algorithms::find(id));
  for (const Cost& cost : measure_costs(cards, 2, 1, 1)) {
    EXPECT_DOUBLE_EQ(cost.round_trips_alone, 2) << cost.algorithm;
    EXPECT_GE(cost.round_trips_per_acquire, 2) << cost.algorithm;
    EXPECT_LE(cost.round_trips_per_acquire, cost.commands_per_acquire) << cost.algorithm;
  }
}

}  // namespace
}  // namespace holdfast
