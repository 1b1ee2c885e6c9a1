// Claim of the engines: they find what the tree of all runs shows, one run after the other.
#include <gtest/gtest.h>

#include "sim/choose/strategies.hpp"
#include "sim/core/arena.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/planted_test.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {
namespace {

using planted::on_time;
using planted::one_attempt;
using planted::too_slow;
using planted::violated;

// The tree of all runs without any state cache: what the cache cuts off must not have hidden a violation. One
// tree at most may have too many runs.
std::uint64_t compare_with_every_schedule(const Comparison& comparison, const std::vector<Card>& locks,
                                          const std::vector<Fault>& faults) {
  constexpr std::uint64_t schedules_max = 200'000;
  std::uint64_t schedules = 0;
  int too_large = 0;
  for (const Card& each : locks)
    for (const Fault fault : faults) {
      if (each.renews) continue;  // its work is long: too many schedules
      const std::uint64_t end = schedules + schedules_max;
      const Scenario scenario = on_time(scenario_of(comparison, each, fault));
      Subject subject(scenario, each);
      PropertySet seen;
      BranchChoices every{{}};
      do {
        every.restart();
        holdfast::Run run(subject, every, false);
        while (run.world.step()) continue;
        for (std::size_t i = 0; i < property_ids.size(); ++i)
          if (run.judge.violated().contains(static_cast<Property>(i))) seen.insert(static_cast<Property>(i));
        ++schedules;
      } while (schedules < end && every.advance());
      too_large += schedules == end;
      if (schedules == end) continue;
      EXPECT_EQ(violated(explore(scenario, each, Budget())), seen) << each.id << " under " << id_of(fault);
    }
  EXPECT_LE(too_large, 1);
  return schedules;
}

TEST(EverySchedule, ShowsWhatTheEnginesFindWhenMessagesTakeNoTime) {
  Comparison tiny = one_attempt();
  tiny.timing.delay_max = 0s;
  std::uint64_t schedules = 0;
  for (const Card& each : planted::on_one_server())
    for (const Fault fault : planted::some_faults(each))
      if (FaultSet{Fault::none, Fault::crash, Fault::lost_reply, Fault::slow_section}.contains(fault))
        schedules += compare_with_every_schedule(tiny, {each}, {fault});
  EXPECT_GT(schedules, 10'000u);
}

// These may strike at any tick.
TEST(EverySchedule, ShowsWhatTheEnginesFindWhereClientsDieAndServersBeginAgain) {
  Comparison tiny = one_attempt();
  tiny.timing.delay_max = 0s;
  const std::vector<Card> locks{*algorithms::find("token"), *algorithms::find("setnx-expire")};
  EXPECT_GT(compare_with_every_schedule(tiny, locks, {Fault::crash, Fault::restart, Fault::eviction}),
            10'000u);
}

TEST(EverySchedule, ShowsWhatTheEnginesFindWhenMessagesTakeTime) {
  if (!Arena::is_available()) GTEST_SKIP() << too_slow;
  std::vector<Card> locks;
  for (const char* id : {"token", "getset", "set-nx-px", "setnx-expire"})
    locks.push_back(*algorithms::find(id));
  EXPECT_GT(compare_with_every_schedule(one_attempt(), locks, {Fault::none, Fault::slow_section}), 10'000u);
}

}  // namespace
}  // namespace holdfast
