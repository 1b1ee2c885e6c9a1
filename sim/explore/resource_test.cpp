// The resource as a register that clients read and write, with and without numbers; restarts that lose less
// than everything.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <utility>

#include "sim/core/arena.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using planted::Bug;
using planted::card;
using enum Property;

constexpr PropertySet of_resource = {fenced_writes, no_lost_update};

Scenario with_resource(const Card& lock, Fault fault, Fencing fencing) {
  Comparison comparison = planted::coarse();
  comparison.check = of_resource;
  comparison.fencing = fencing;
  return scenario_of(comparison, lock, fault);
}

PropertySet broken(const Scenario& scenario, const Card& lock) {
  return planted::violated(explore(scenario, lock, Budget()));
}

TEST(Resource, NumbersProtectWritesFromTheFirstWriteAndUpdatesOnlyFromTheFirstRead) {
  const Card& fenced = *algorithms::find("fenced");
  const auto broken_under_pause = [&](Fencing fencing) {
    return broken(with_resource(fenced, Fault::pause, fencing), fenced);
  };
  EXPECT_EQ(broken_under_pause(Fencing::none), of_resource);
  EXPECT_EQ(broken_under_pause(Fencing::first_write), PropertySet{no_lost_update});
  EXPECT_EQ(broken_under_pause(Fencing::first_read), PropertySet{});
}

TEST(Resource, ALockWithoutNumbersLosesUpdatesWhateverTheResourceDoes) {
  const Card& token = *algorithms::find("token");
  EXPECT_EQ(broken(with_resource(token, Fault::pause, Fencing::first_read), token),
            PropertySet{no_lost_update});
  EXPECT_EQ(broken(with_resource(token, Fault::none, Fencing::none), token), PropertySet{});
}

TEST(Resource, ARefusalTakenForSuccessLosesAnUpdateWithoutAnyFault) {
  const Card good = card<Bug::none>();
  const Card bad = card<Bug::ignores_refusal>();
  EXPECT_EQ(broken(with_resource(bad, Fault::none, Fencing::none), bad), PropertySet{no_lost_update});
  EXPECT_EQ(broken(with_resource(good, Fault::none, Fencing::none), good), PropertySet{});
}

// Its numbers become smaller from grant to grant.
class CountsDown final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const Reply set = co_await Redis(env.store()).set(key, "x", SetOptions().px(4s).nx());
    if (!set.is_ok()) co_return Attempt::refused("held");
    const Reply number = co_await Redis(env.store()).incr(key + ":number");
    Grant grant("x");
    if (number.kind() == Reply::Kind::integer)
      grant.fence = static_cast<std::uint64_t>(100 - number.number());
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    co_await Redis(env.store()).del(key);
    co_return Release::unknown;
  }
};

TEST(Resource, NumbersThatBecomeSmallerAreFoundOutWithoutAnyFault) {
  Card down = card<Bug::none>();
  down.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<CountsDown>(); };
  Scenario scenario = with_resource(down, Fault::none, Fencing::none);
  EXPECT_EQ(broken(scenario, down), PropertySet{fenced_writes});
  // A resource that compares refuses them: nothing is accepted that should not be.
  scenario.fencing = Fencing::first_write;
  EXPECT_EQ(broken(scenario, down), PropertySet{});
}

TEST(Resource, BothEnginesFindTheSameStates) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::one_engine;
  for (const char* const id : {"fenced", "token"})
    for (const Fault fault : {Fault::none, Fault::pause, Fault::restart})
      for (const Fencing fencing : {Fencing::none, Fencing::first_write, Fencing::first_read}) {
        const Card& lock = *algorithms::find(id);
        Scenario scenario = with_resource(lock, fault, fencing);
        scenario.check.insert({mutual_exclusion, no_stale_write, owner_only_release, owner_only_change,
                               truthful_release, recovery});
        const Exploration copied = explore(scenario, lock, Budget());
        const Exploration replayed = explore(scenario, lock, Budget(), Engine::replay);
        EXPECT_EQ(copied.states, replayed.states) << id << id_of(fault) << id_of(fencing);
        EXPECT_EQ(copied.transitions, replayed.transitions) << id << id_of(fault) << id_of(fencing);
        EXPECT_EQ(planted::violated(copied), planted::violated(replayed)) << id << id_of(fault);
      }
}

TEST(Resource, AnOverlapIsToleratedUpToItsBoundByBothEngines) {
  const Card& token = *algorithms::find("token");
  const auto explored = [&](Duration overlap, Engine engine) {
    Comparison comparison = planted::coarse();
    comparison.check = {mutual_exclusion};
    comparison.belief = Belief::deadline_from_reply;
    comparison.section = 6s;
    Scenario scenario = scenario_of(comparison, token, Fault::none);
    scenario.timing.tick = 500ms;
    scenario.timing.retry = scenario.timing.retry_late = 4500ms;
    scenario.overlap_max = overlap;
    return explore(scenario, token, Budget(), engine);
  };
  // An answer travels for at most a second. A key dies just after a tick, so the next one comes at the next.
  EXPECT_EQ(planted::violated(explored(0s, Engine::snapshots)), PropertySet{mutual_exclusion});
  EXPECT_EQ(planted::violated(explored(499ms, Engine::snapshots)), PropertySet{mutual_exclusion});
  const Exploration tolerant = explored(500ms, Engine::snapshots);
  EXPECT_EQ(planted::violated(tolerant), PropertySet{});
  EXPECT_EQ(tolerant.states, explored(500ms, Engine::replay).states);
}

TEST(Restart, ForgetsAsMuchAsItsFileLacks) {
  const Card& token = *algorithms::find("token");
  const auto broken_when_it_loses = [&](DataLoss loses) {
    Comparison comparison = planted::coarse();
    comparison.check = {mutual_exclusion, recovery};
    Scenario scenario = scenario_of(comparison, token, Fault::restart);
    scenario.faults.front().loses = loses;
    return broken(scenario, token);
  };
  EXPECT_EQ(broken_when_it_loses(DataLoss::everything), PropertySet{mutual_exclusion});
  EXPECT_EQ(broken_when_it_loses(DataLoss::latest), PropertySet{mutual_exclusion});
  EXPECT_EQ(broken_when_it_loses(DataLoss::nothing), PropertySet{});
}

TEST(Restart, BothEnginesFindTheSameStatesWhateverIsLost) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::one_engine;
  const Card& token = *algorithms::find("token");
  for (const DataLoss loses : {DataLoss::latest, DataLoss::nothing}) {
    Comparison comparison = planted::coarse();
    comparison.attempts = 1;
    Scenario scenario = scenario_of(comparison, token, Fault::restart);
    scenario.faults.front().loses = loses;
    const Exploration copied = explore(scenario, token, Budget());
    const Exploration replayed = explore(scenario, token, Budget(), Engine::replay);
    EXPECT_EQ(copied.states, replayed.states) << id_of(loses);
    EXPECT_EQ(copied.transitions, replayed.transitions) << id_of(loses);
    EXPECT_EQ(planted::violated(copied), planted::violated(replayed)) << id_of(loses);
  }
}

// Each client writes after it has released.
Scenario with_late_writes(const Card& lock, Fault fault, Fencing fencing) {
  Scenario scenario = with_resource(lock, fault, fencing);
  scenario.check.insert(no_stale_write);
  for (ClientPlan& plan : scenario.clients) std::swap(plan.program[3], plan.program[4]);
  return scenario;
}

TEST(Resource, AWriteAfterTheReleaseIsFoundWithoutAnyFaultAndRefusedByNumber) {
  const Card& fenced = *algorithms::find("fenced");
  const auto broken_by_late_writes = [&](Fencing fencing) {
    return broken(with_late_writes(fenced, Fault::none, fencing), fenced);
  };
  EXPECT_EQ(broken_by_late_writes(Fencing::none),
            PropertySet({no_stale_write, fenced_writes, no_lost_update}));
  EXPECT_EQ(broken_by_late_writes(Fencing::first_write), PropertySet({no_stale_write, no_lost_update}));
  EXPECT_EQ(broken_by_late_writes(Fencing::first_read), PropertySet{});
}

TEST(Resource, AWriteAfterTheReleaseIsStaleThoughTheNextHolderHasReleasedToo) {
  using Op = ProgramStep::Op;
  const Card& token = *algorithms::find("token");
  Scenario scenario = with_resource(token, Fault::none, Fencing::none);
  scenario.check = {no_stale_write};
  scenario.clients[0].program = {
      {.op = Op::acquire}, {.op = Op::release}, {.op = Op::sleep, .length = 20s}, {.op = Op::write}};
  scenario.clients[1].program = {{.op = Op::acquire, .attempts = 2}, {.op = Op::release}};
  EXPECT_EQ(broken(scenario, token), PropertySet{no_stale_write});
  // Nobody was granted the lock between its grant and its write.
  scenario.clients[1].program = {{.op = Op::sleep, .length = 20s}, {.op = Op::sleep, .length = 20s}};
  EXPECT_EQ(broken(scenario, token), PropertySet{});
}

TEST(Resource, LateWritesLeadToTheSameStatesInBothEnginesAndToTheSameVerdictsWithoutReductions) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::one_engine;
  for (const char* const id : {"fenced", "token"})
    for (const Fault fault : {Fault::none, Fault::crash, Fault::late_request})
      for (const Fencing fencing : {Fencing::none, Fencing::first_write, Fencing::first_read}) {
        const Card& lock = *algorithms::find(id);
        Scenario scenario = with_late_writes(lock, fault, fencing);
        const Exploration copied = explore(scenario, lock, Budget());
        const Exploration replayed = explore(scenario, lock, Budget(), Engine::replay);
        EXPECT_EQ(copied.states, replayed.states) << id << id_of(fault) << id_of(fencing);
        EXPECT_EQ(copied.transitions, replayed.transitions) << id << id_of(fault) << id_of(fencing);
        EXPECT_EQ(planted::violated(copied), planted::violated(replayed)) << id << id_of(fault);
        scenario.explore.reductions = {};
        EXPECT_EQ(planted::violated(copied), broken(scenario, lock)) << id << id_of(fault) << id_of(fencing);
      }
}

}  // namespace
}  // namespace holdfast
