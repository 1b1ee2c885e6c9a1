// What was explored and never came to where something could break is hollow, and does not hold.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "sim/explore/planted_test.hpp"
#include "sim/scenario/specification.hpp"

namespace holdfast {
namespace {

using enum Property;
using planted::result_of;
using testing::HasSubstr;

// All begin at once and come back after a second.
Scenario at_once(const Card& card, Fault fault, const char* ttl) {
  Scenario scenario = planted::on_time(scenario_of(planted::coarse(), card, fault));
  scenario.params = {{"ttl", ttl}};
  return scenario;
}

// A's lease lasts 30 s, and B has asked for the last time after a few: the pause is long enough to hurt, but
// nobody is there to profit.
TEST(Hollow, WhereNobodyAsksOnceTheLeaseIsOver) {
  const Card& token = *algorithms::find("token");
  Scenario scenario = at_once(token, Fault::pause, "30s");
  scenario.timing.recovery = 30s;
  const PropertyResult early = result_of(explore(scenario, token, Budget()), mutual_exclusion);
  EXPECT_EQ(early.verdict, Verdict::hollow);
  EXPECT_THAT(early.note, HasSubstr("longer than its first lease"));
  scenario.clients[1].start = 32s;
  EXPECT_EQ(result_of(explore(scenario, token, Budget()), mutual_exclusion).verdict, Verdict::violated);
}

// Even a lock that grants whatever is asked, and deletes blindly.
TEST(Hollow, WhereAClientIsAlone) {
  for (const Card& card :
       {planted::card<planted::Bug::ignores_refusal>(), planted::card<planted::Bug::deletes_blindly>()})
    for (const Fault fault : planted::faults_to_explore()) {
      SCOPED_TRACE(id_of(fault));
      Scenario scenario = at_once(card, fault, "4s");
      scenario.clients.resize(1);
      for (const PropertyResult& result : explore(scenario, card, Budget()).properties)
        if (result.property != truthful_release && result.property != release_frees &&
            result.property != recovery) {
          EXPECT_TRUE(result.verdict == Verdict::hollow || result.verdict == Verdict::not_applicable)
              << id_of(result.property);
        }
    }
}

TEST(Hollow, WhereTheProgramHasNothingThatThePropertyJudges) {
  const Card& token = *algorithms::find("token");
  Scenario scenario = at_once(token, Fault::none, "4s");
  for (ClientPlan& client : scenario.clients)
    std::erase_if(client.program, [](const ProgramStep& step) {
      return step.op == ProgramStep::Op::write || step.op == ProgramStep::Op::release;
    });
  const Exploration found = explore(scenario, token, Budget());
  EXPECT_EQ(result_of(found, mutual_exclusion).verdict, Verdict::holds);
  EXPECT_EQ(result_of(found, no_stale_write).verdict, Verdict::hollow);
  EXPECT_EQ(result_of(found, owner_only_release).verdict, Verdict::hollow);
}

// A holder that renews, or whose key has no end, holds for longer than its first lease without losing it.
TEST(Hollow, NotWhereTheLeaseIsRenewedOrEndless) {
  for (const char* lock : {"token-watchdog", "setnx"}) {
    const Exploration found = planted::explored(*algorithms::find(lock), Fault::slow_section);
    EXPECT_EQ(result_of(found, mutual_exclusion).verdict, Verdict::holds) << lock;
  }
}

// A sample that never met the fault has not tested it.
TEST(Hollow, WhereNoRunOfASampleMetTheFault) {
  const Card& token = *algorithms::find("token");
  Scenario scenario = at_once(token, Fault::pause, "30s");
  scenario.explore.strategy = StrategyKind::random;
  scenario.explore.runs_max = 100;
  EXPECT_EQ(result_of(explore(scenario, token, Budget()), mutual_exclusion).verdict, Verdict::hollow);
}

// What was met is that of transitions, not of the paths on which their states were found first. By day, each
// lock meets two of these faults.
TEST(Hollow, TheSameForBothEnginesAndAnyNumberOfThreads) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::one_engine;
  std::size_t cells = 0;
  for (const Card& card : planted::on_one_server())
    for (const Fault fault : {Fault::none, Fault::lost_reply, Fault::pause, Fault::duplicate}) {
      const bool is_of_the_day = (cells + cells / 4) % 2 == 0;
      ++cells;
      if (!is_of_the_day && !planted::is_night()) continue;
      SCOPED_TRACE(std::string(card.id) + " under " + std::string(id_of(fault)));
      const Scenario scenario = planted::on_time(scenario_of(planted::one_attempt(), card, fault));
      const Reach reach = explore(scenario, card, Budget()).reach;
      EXPECT_EQ(explore(scenario, card, Budget(), Engine::replay).reach, reach);
      EXPECT_EQ(explore(scenario, card, Budget(), Engine::snapshots, 2).reach, reach);
    }
}

// Of every fault it is said where it can hurt, and of every situation what it is.
TEST(Specification, SaysWhereEachFaultCanHurt) {
  for (std::size_t i = 1; i < fault_ids.size(); ++i)
    EXPECT_FALSE(hurts_in(static_cast<Fault>(i)).empty()) << fault_ids[i];
  for (std::size_t i = 0; i < situation_ids.size(); ++i) {
    EXPECT_FALSE(words_of(static_cast<Situation>(i)).what.empty());
    EXPECT_FALSE(words_of(static_cast<Situation>(i)).never.empty());
  }
}

}  // namespace
}  // namespace holdfast
