// Claims of sampling: every strategy finds planted bugs, says what it did, and does the same again.
#include "sim/explore/sampling.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "bench/depths.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

constexpr std::array strategies{StrategyKind::random, StrategyKind::pct, StrategyKind::walk,
                                StrategyKind::swarm, StrategyKind::portfolio};

std::optional<std::uint64_t> first_run(const depths::Planted& bug, StrategyKind strategy,
                                       std::uint64_t runs_max) {
  Scenario scenario = depths::scenario_of(bug);
  scenario.explore.strategy = strategy;
  scenario.explore.runs_max = runs_max;
  return runs_until(scenario, bug.card, bug.property);
}

TEST(Strategies, EachFindsEveryPlantedBugOfDepthTwoAndThree) {
  for (const depths::Planted& bug : depths::all())
    for (const StrategyKind strategy : strategies) {
      if (bug.depth > 3) continue;
      EXPECT_TRUE(first_run(bug, strategy, 10'000)) << id_of(strategy) << " misses " << bug.card.id;
    }
}

TEST(Strategies, ThePortfolioFindsEveryPlantedBug) {
  for (const depths::Planted& bug : depths::all())
    EXPECT_TRUE(first_run(bug, StrategyKind::portfolio, 30'000)) << bug.card.id;
}

// The bugs are what they are said to be: with one of their faults too few, nothing happens.
TEST(Strategies, ThePlantedBugsNeedEveryOneOfTheirFaults) {
  for (const depths::Planted& bug : depths::all())
    for (std::size_t without = 0; without < bug.faults.size(); ++without) {
      depths::Planted less = bug;
      less.faults.erase(less.faults.begin() + static_cast<std::ptrdiff_t>(without));
      for (const StrategyKind strategy : {StrategyKind::random, StrategyKind::portfolio})
        EXPECT_FALSE(first_run(less, strategy, 2'000)) << bug.card.id;
      if (!Arena::is_available()) continue;
      Scenario scenario = depths::scenario_of(less);
      scenario.explore.states_max = 50'000;
      EXPECT_EQ(planted::violated(explore(scenario, less.card, Budget())), PropertySet()) << bug.card.id;
    }
}

Scenario pause_of_token(StrategyKind strategy, std::uint64_t runs) {
  Scenario scenario = scenario_of(planted::coarse(), *algorithms::find("token"), Fault::pause);
  scenario.explore.strategy = strategy;
  scenario.explore.runs_max = runs;
  return scenario;
}

TEST(Strategies, EachDoesTheSameForTheSameSeed) {
  for (const StrategyKind strategy : strategies) {
    const Scenario scenario = pause_of_token(strategy, 300);
    const Exploration one = explore(scenario, *algorithms::find("token"), Budget());
    const Exploration two = explore(scenario, *algorithms::find("token"), Budget());
    EXPECT_EQ(one.transitions, two.transitions) << id_of(strategy);
    EXPECT_EQ(one.depth_max, two.depth_max) << id_of(strategy);
    EXPECT_EQ(one.sample->circumstances, two.sample->circumstances) << id_of(strategy);
    EXPECT_FALSE(one.complete);
  }
}

// Where time passes in ticks, a sample is drawn from the schedules that an exhaustive exploration takes.
TEST(Strategies, FindNothingThatAnExhaustiveExplorationDoesNotFind) {
  for (const char* id : {"token", "set-nx-px", "getset"})
    for (const Fault fault : {Fault::none, Fault::pause, Fault::late_request}) {
      const Card& card = *algorithms::find(id);
      Scenario scenario = scenario_of(planted::coarse(), card, fault);
      const PropertySet all = planted::violated(explore(scenario, card, Budget()));
      for (const StrategyKind strategy :
           {StrategyKind::pct, StrategyKind::walk, StrategyKind::swarm, StrategyKind::portfolio}) {
        scenario.explore.strategy = strategy;
        scenario.explore.runs_max = 1'000;
        const PropertySet some = planted::violated(explore(scenario, card, Budget()));
        EXPECT_EQ(some.bits() & ~all.bits(), 0u) << id << " under " << id_of(fault);
      }
    }
}

TEST(Confidence, APctSampleStatesItsGuaranteeForEachDepth) {
  const Exploration found =
      explore(pause_of_token(StrategyKind::pct, 1'200), *algorithms::find("token"), Budget());
  const SampleClaim& claim = found.sample.value();
  // Two clients, time, and a timeout that is due together with the answer when a pause ends.
  EXPECT_EQ(claim.strands, 4u);
  EXPECT_EQ(claim.alternatives, 2u);  // either client is stopped
  EXPECT_EQ(claim.independent_runs, 0u);
  ASSERT_EQ(claim.depths.size(), 6u);
  EXPECT_LT(claim.depths[0].miss_at_most, 1e-9);
  for (std::size_t i = 0; i < claim.depths.size(); ++i) {
    const DepthClaim& depth = claim.depths[i];
    EXPECT_EQ(depth.depth, i + 1);
    EXPECT_LE(depth.runs, 100u);  // of 1,200 runs with 6 depths, half of them with drawn values
    const double marks = static_cast<double>(claim.questions) * claim.alternatives;
    const double hit = 1 / (claim.strands * std::pow(marks, static_cast<double>(i)));
    EXPECT_NEAR(depth.miss_at_most, std::pow(1 - hit, static_cast<double>(depth.runs)), 1e-9);
  }
}

TEST(Confidence, CountsTheRunsThatAreIndependentOfEachOther) {
  const auto independent = [](StrategyKind strategy) {
    return explore(pause_of_token(strategy, 1'000), *algorithms::find("token"), Budget())
        .sample->independent_runs;
  };
  EXPECT_EQ(independent(StrategyKind::random), 1'000u);
  EXPECT_EQ(independent(StrategyKind::swarm), 1'000u);
  EXPECT_EQ(independent(StrategyKind::walk), 900u);  // it learns from the first hundred
  EXPECT_EQ(independent(StrategyKind::portfolio), 200u);
}

}  // namespace
}  // namespace holdfast
