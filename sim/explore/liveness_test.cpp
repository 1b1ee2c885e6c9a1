// Claims of the liveness exploration: exact bounds, loops that close, one graph for two engines.
#include "sim/explore/liveness.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "sim/core/arena.hpp"
#include "sim/explore/bypass.hpp"
#include "sim/explore/futures_test.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using planted::result_of;
using enum Property;

// --- a lock with a queue: who asks first is served first ---

// The key's value is the queue, a letter for each client; its first is the holder.
constexpr const char* enter =
    "local queue = redis.call('GET', KEYS[1]) or '' "
    "if not string.find(queue, ARGV[1], 1, true) then queue = queue .. ARGV[1] "
    "redis.call('SET', KEYS[1], queue) end "
    "if string.sub(queue, 1, 1) == ARGV[1] then return 1 end return 0";
constexpr const char* leave =
    "local queue = redis.call('GET', KEYS[1]) or '' "
    "if string.sub(queue, 1, 1) ~= ARGV[1] then return 0 end "
    "if #queue == 1 then redis.call('DEL', KEYS[1]) "
    "else redis.call('SET', KEYS[1], string.sub(queue, 2)) end return 1";

class QueueLock final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string self = name_of(env.self());
    const Reply reply = co_await Redis(env.store()).eval(enter, Keys(key), Args(self));
    if (reply.is(1)) co_return Attempt(Grant(self));
    co_return Attempt::refused("not yet");
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply reply = co_await Redis(env.store()).eval(leave, Keys(key), Args(grant.token));
    co_return reply.is(1) ? Release::released : Release::not_held;
  }
};

const Card& queue_lock() {
  static const Card card{
      .id = "queue",
      .summary = "",
      .source = "",
      .lesson = "",
      .claims = {},
      .parameters = {},
      .make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<QueueLock>(); },
      .is_stateless = true};
  return card;
}

// Clients that never stop, and ask until they are granted.
Comparison endless(std::uint32_t clients) {
  Comparison comparison = planted::coarse();
  comparison.clients = clients;
  comparison.rounds = comparison.attempts = 0;
  comparison.check = {bounded_bypass};
  return comparison;
}

Exploration bypass_of(const Card& card, const Comparison& comparison, Fault fault = Fault::none) {
  return explore(scenario_of(comparison, card, fault), card, Budget());
}

// --- bounds ---

TEST(BoundedBypass, OfAQueueIsTheNumberOfTheOthersWhenMessagesTakeNoTime) {
  for (const std::uint32_t clients : {2u, 3u}) {
    Comparison comparison = endless(clients);
    comparison.timing.delay_max = 0s;
    const Exploration found = bypass_of(queue_lock(), comparison);
    ASSERT_TRUE(found.complete);
    EXPECT_EQ(result_of(found, bounded_bypass).verdict, Verdict::holds);
    EXPECT_EQ(result_of(found, bounded_bypass).bypass_max, clients - 1) << clients;
  }
}

TEST(BoundedBypass, OfAQueueGrowsWithTheWayToTheQueue) {
  const Exploration found = bypass_of(queue_lock(), endless(2));
  ASSERT_TRUE(found.complete);
  EXPECT_EQ(result_of(found, bounded_bypass).bypass_max, 2u);
}

TEST(BoundedBypass, OfClientsThatStopIsTheNumberOfTheirGrants) {
  Comparison comparison = endless(3);
  comparison.rounds = 1;
  const Exploration found = bypass_of(*algorithms::find("token"), comparison);
  EXPECT_EQ(result_of(found, bounded_bypass).verdict, Verdict::holds);
  EXPECT_EQ(result_of(found, bounded_bypass).bypass_max, 2u);
}

// A crashed holder leaves the key for ever: everybody waits, but nobody is overtaken.
TEST(BoundedBypass, DoesNotBlameALockThatIsStuck) {
  const Card& setnx = *algorithms::find("setnx");
  Comparison comparison = endless(2);
  comparison.rounds = 1;
  const Exploration found = bypass_of(setnx, comparison, Fault::crash);
  ASSERT_TRUE(found.complete);
  EXPECT_EQ(result_of(found, bounded_bypass).verdict, Verdict::holds);
  EXPECT_EQ(result_of(found, bounded_bypass).bypass_max, 2u);
  EXPECT_THAT(result_of(found, bounded_bypass).note, testing::HasSubstr("no client is granted"));
  EXPECT_EQ(result_of(bypass_of(setnx, comparison), bounded_bypass).note, "");
}

// --- loops ---

TEST(Starvation, OfEveryLockThatAsksAgainAndAgainIsALoop) {
  for (const std::uint32_t clients : {2u, 3u})
    for (const char* lock : {"token", "set-nx-px", "setnx"}) {
      SCOPED_TRACE(lock);
      const Card& card = *algorithms::find(lock);
      const Scenario scenario = planted::on_time(scenario_of(endless(clients), card, Fault::none));
      const Exploration found = explore(scenario, card, Budget());
      EXPECT_TRUE(found.complete);
      const PropertyResult& result = result_of(found, bounded_bypass);
      ASSERT_EQ(result.verdict, Verdict::violated);
      const Counterexample& example = *result.counterexample;
      ASSERT_TRUE(example.loop);
      EXPECT_EQ(example.loop->grants, 1u) << "the shortest loop grants the lock once";
      EXPECT_LT(example.loop->begin, example.steps);
      EXPECT_TRUE(is_confirmed(scenario, card, example));
    }
}

TEST(Starvation, IsConfirmedOnlyWhereTheLoopCloses) {
  const Card& token = *algorithms::find("token");
  const Scenario scenario = scenario_of(endless(2), token, Fault::none);
  const Exploration found = explore(scenario, token, Budget());
  Counterexample example = *result_of(found, bounded_bypass).counterexample;
  EXPECT_TRUE(is_confirmed(scenario, token, example));
  EXPECT_EQ(replay(scenario, token, example.tape, example.steps).fingerprint, example.fingerprint);
  const std::uint32_t begin = example.loop->begin;
  for (std::uint32_t other = 0; other < example.steps + 3; ++other) {
    example.loop->begin = other;
    EXPECT_EQ(is_confirmed(scenario, token, example), other == begin) << other;
  }
}

TEST(Starvation, IsFoundBeforeTheGraphIsComplete) {
  Comparison comparison = endless(2);
  comparison.explore.states_max = 1'300;
  const Exploration found = bypass_of(*algorithms::find("token"), comparison);
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(result_of(found, bounded_bypass).verdict, Verdict::violated);
}

TEST(Starvation, IsUnknownWithoutEnoughOfTheGraph) {
  Comparison comparison = endless(2);
  comparison.explore.states_max = 50;
  const PropertyResult small = result_of(bypass_of(*algorithms::find("token"), comparison), bounded_bypass);
  EXPECT_EQ(small.verdict, Verdict::unknown);
  EXPECT_THAT(small.note, testing::HasSubstr("it ended early"));
  Card dated = *algorithms::find("getset");
  dated.ignores_date = false;
  const PropertyResult timed = result_of(bypass_of(dated, endless(2)), bounded_bypass);
  EXPECT_EQ(timed.verdict, Verdict::unknown);
  EXPECT_THAT(timed.note, testing::HasSubstr("reads clocks"));
}

// --- the graph ---

TEST(LivenessGraph, IsTheSameForBothEngines) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::one_engine;
  for (const Card& each : planted::on_one_server())
    for (const Fault fault : {Fault::none, Fault::pause, Fault::lost_reply}) {
      Comparison comparison = endless(2);
      comparison.explore.reductions = {Reduction::loop_heads};
      comparison.explore.states_max = 2'000;
      const Scenario scenario = scenario_of(comparison, each, fault);
      Subject copied_from(scenario, each);
      Subject replayed_from(scenario, each);
      const StateGraph copied = graph_of(copied_from, Budget(), Engine::snapshots);
      const StateGraph replayed = graph_of(replayed_from, Budget(), Engine::replay);
      SCOPED_TRACE(std::string(each.id) + " under " + std::string(id_of(fault)));
      EXPECT_EQ(copied.complete, replayed.complete);
      EXPECT_TRUE(copied.states == replayed.states);
      EXPECT_TRUE(copied.steps == replayed.steps);
    }
}

// Where rounds and attempts are not counted, states are taken for one that finite clients tell apart.
TEST(LivenessGraph, TakesForOneOnlyWhatHasOneFuture) {
  if (!Arena::is_available())
    GTEST_SKIP() << "skipped: a sanitizer build has no arena, so every way is taken from the start";
  std::uint64_t states = 0;
  for (const char* id : {"token", "set-nx-px", "setnx", "setnx-expire"}) {
    Comparison comparison = endless(2);
    comparison.check = {mutual_exclusion, no_stale_write, owner_only_release, owner_only_change};
    const Card& card = *algorithms::find(id);
    states += count_states_with_one_future(scenario_of(comparison, card, Fault::none), card);
  }
  EXPECT_GT(states, 1'000u);
}

// --- cycles ---

// Three states, 0 → 1 ⇄ 2; client 0 waits in 1 and 2.
StateGraph circle(StateGraph::Step there, StateGraph::Step back) {
  StateGraph graph;
  there.to = 2;
  back.to = 1;
  graph.states = {{{}, 0, 0, 0, 0}, {{}, 1, 1, 0, 1}, {{}, 1, 2, 1, 2}};
  graph.steps = {{1}, there, back};
  return graph;
}

TEST(Cycles, StarveOnlyWhereTimePassesTheWaiterAsksAndOthersAreGranted) {
  const Bypass starving = bypass_on(circle({.granted = 2, .time_passes = true}, {.answered = 1}), 1);
  ASSERT_TRUE(starving.lasso.has_value());
  EXPECT_EQ(starving.lasso->stem, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(starving.lasso->loop, (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(starving.lasso->grants, 1u);
  const Bypass timeless = bypass_on(circle({.granted = 2}, {.answered = 1}), 1);
  EXPECT_TRUE(!timeless.lasso && timeless.is_timeless);
  const Bypass silent = bypass_on(circle({.granted = 2}, {.time_passes = true}), 1);
  EXPECT_TRUE(!silent.lasso && silent.is_timeless);
  const Bypass stuck = bypass_on(circle({.answered = 1}, {.time_passes = true}), 1);
  EXPECT_TRUE(!stuck.lasso && !stuck.is_timeless && stuck.is_stuck);
  const Bypass served = bypass_on(circle({.granted = 1, .answered = 1}, {.time_passes = true}), 1);
  EXPECT_TRUE(!served.lasso && !served.is_timeless && !served.is_stuck);
}

}  // namespace
}  // namespace holdfast
