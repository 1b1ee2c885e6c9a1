// Claims of a space's bounds: threads, memory, a budget that ends, and what is remembered of scripts.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "sim/core/arena.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/engines.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

Scenario space(const char* lock, Fault fault, std::uint32_t attempts = 1) {
  Comparison comparison = planted::coarse();
  comparison.attempts = attempts;
  return scenario_of(comparison, *algorithms::find(lock), fault);
}

Exploration explored(const Scenario& scenario, unsigned threads = 1, const Budget& budget = {}) {
  return explore(scenario, *algorithms::find(scenario.algorithm), budget, Engine::snapshots, threads);
}

void expect_same(const Exploration& one, const Exploration& other) {
  EXPECT_EQ(one.states, other.states);
  EXPECT_EQ(one.transitions, other.transitions);
  EXPECT_EQ(one.table_bytes, other.table_bytes);
  EXPECT_EQ(one.complete, other.complete);
  ASSERT_EQ(one.properties.size(), other.properties.size());
  for (std::size_t i = 0; i < one.properties.size(); ++i) {
    EXPECT_EQ(one.properties[i].verdict, other.properties[i].verdict);
    EXPECT_EQ(one.properties[i].note, other.properties[i].note);
    const auto& first = one.properties[i].counterexample;
    const auto& second = other.properties[i].counterexample;
    ASSERT_EQ(first.has_value(), second.has_value());
    if (first) {
      EXPECT_EQ(first->fingerprint, second->fingerprint);
    }
  }
}

TEST(Space, IsTheSameForAnyNumberOfThreads) {
  for (const char* lock : {"token", "getset", "set-nx-px"})
    for (const Fault fault : {Fault::none, Fault::pause, Fault::crash}) {
      SCOPED_TRACE(std::string(lock) + " under " + std::string(id_of(fault)));
      const Scenario scenario = space(lock, fault);
      const Exploration alone = explored(scenario);
      EXPECT_GT(alone.table_bytes, 8 * alone.states);
      for (const unsigned threads : {2u, 3u, 8u}) expect_same(explored(scenario, threads), alone);
    }
}

TEST(Space, OfManyStatesIsTheSameForTwoThreadsThatTakeOverBranches) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: without an arena, one thread does it all";
  Comparison comparison = planted::coarse();
  comparison.rounds = 2;
  const Scenario scenario = scenario_of(comparison, *algorithms::find("token"), Fault::pause);
  const Exploration alone = explored(scenario);
  EXPECT_GT(alone.states, 10'000u);
  for (int i = 0; i < 3; ++i) expect_same(explored(scenario, 2), alone);
}

TEST(Space, IsTheSameWhetherThreadsShareJobsOrAJob) {
  const Card* const card = algorithms::find("set-nx-px");
  const std::vector<Job> jobs{{space("set-nx-px", Fault::pause), card}};
  expect_same(explore_all(jobs, 4, Budget(), {}).front(), explored(jobs.front().scenario));
}

TEST(Space, ThatHasNoRoomIsUnknownAndSaysHowFarItGot) {
  Scenario scenario = space("getset", Fault::pause, 2);
  scenario.explore.reductions = {};
  scenario.explore.memory_max = 1 << 20;
  const Exploration found = explored(scenario);
  EXPECT_FALSE(found.complete);
  EXPECT_TRUE(found.memory_full);
  const PropertyResult& recovery = planted::result_of(found, Property::recovery);
  EXPECT_EQ(recovery.verdict, Verdict::unknown);
  EXPECT_EQ(recovery.note, why_unknown(found));
  EXPECT_THAT(recovery.note, testing::StartsWith("there was no room for more than "));
  const Card& card = *algorithms::find("getset");
  EXPECT_TRUE(explore(scenario, card, Budget(), Engine::replay).memory_full);
  scenario.explore.memory_max = std::uint64_t{1} << 26;
  EXPECT_TRUE(explored(scenario).complete);
}

TEST(Space, IsTheSameWhereOnlyAFewCopiesOfItsStatesHaveRoom) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: without an arena, there are no copies";
  for (const ReductionSet reductions :
       {ReductionSet{}, ReductionSet{Reduction::symmetry, Reduction::loop_heads}}) {
    Scenario scenario = planted::on_time(space("set-nx-px", Fault::pause, 1));
    scenario.explore.reductions = reductions;
    const Exploration whole = explored(scenario);
    scenario.explore.memory_max = 2 << 20;  // a quarter: a few copies
    expect_same(explored(scenario), whole);
  }
}

TEST(Space, KeepsAViolationWhoseShortestRunTheBudgetDidNotAllow) {
  if (!Arena::is_available())
    GTEST_SKIP() << "skipped: without an arena, a violation is found by its shortest run only";
  const Scenario scenario = space("set-nx-px", Fault::pause, 2);
  const Exploration whole = explored(scenario);
  std::uint64_t asked = 0;
  const Budget closes_only{[&] { return ++asked > whole.transitions / 256; }, {}};
  const Exploration found = explored(scenario, 1, closes_only);
  EXPECT_TRUE(found.complete);
  ASSERT_EQ(whole.properties.front().verdict, Verdict::violated);
  for (std::size_t i = 0; i < whole.properties.size(); ++i) {
    const PropertyResult& result = found.properties[i];
    EXPECT_EQ(result.verdict, whole.properties[i].verdict);
    if (result.verdict != Verdict::violated) continue;
    EXPECT_EQ(result.note, "perhaps not the shortest: the search was stopped first");
    const Counterexample& example = *result.counterexample;
    EXPECT_GE(example.steps, whole.properties[i].counterexample->steps);
    EXPECT_EQ(replay(scenario, *algorithms::find("set-nx-px"), example.tape, example.steps).fingerprint,
              example.fingerprint);
  }
}

TEST(Space, IsTheSameWhetherScriptsAreRememberedOrExecuted) {
  for (const char* lock : {"token", "lua-setnx-expire"}) {
    Scenario scenario = space(lock, Fault::late_request);
    const Exploration remembered = explored(scenario);
    scenario.explore.remembers_scripts = false;
    expect_same(explored(scenario), remembered);
  }
}

// A lock that asks who it is tells clients apart, in a value that no rule of renaming would recognise: "A".
TEST(Space, DoesNotExchangeClientsThatNameThemselves) {
  const Card naming = planted::card<planted::Bug::names_itself>();
  const Card silent = planted::card<planted::Bug::none>();
  Comparison plain = planted::coarse();
  plain.explore.reductions.erase(Reduction::symmetry);
  EXPECT_EQ(planted::explored(naming, Fault::pause).states,
            planted::explored(naming, Fault::pause, plain).states);
  EXPECT_LT(planted::explored(silent, Fault::pause).states,
            planted::explored(silent, Fault::pause, plain).states);
}

}  // namespace
}  // namespace holdfast
