// Verdicts do not hang on the grid: half a tick turns none, runs at instants that are drawn deny none, and
// what a small fault breaks a larger one breaks, too. Every lock on one server, under every fault.
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "sim/core/arena.hpp"
#include "sim/explore/planted_test.hpp"
#include "sim/scenario/fields.hpp"
#include "sim/scenario/sizes.hpp"

namespace holdfast {
namespace {

// How far spaces are explored: what is not closed within so many states is not compared.
struct GrainBounds {
  const char* name;
  std::uint32_t attempts;
  std::uint64_t states_max;
  std::uint64_t runs;
};
constexpr GrainBounds every_build{"EveryBuild", 1, 20'000, 200};
constexpr GrainBounds nightly{"Nightly", 2, 10'000'000, 20'000};

Scenario within(const GrainBounds& bounds, const Card& card, Fault fault) {
  Comparison comparison;
  comparison.attempts = bounds.attempts;
  Scenario scenario = scenario_of(comparison, card, fault);
  if (bounds.attempts == 1) {
    scenario = planted::on_time(std::move(scenario));
    scenario.clients[1].start_late = comparison.ttl;  // so that it may come when a lease has ended
  }
  scenario.explore.states_max = bounds.states_max;
  return scenario;
}

// What `other` broke of what `whole` says holds. REQUIRES: `whole` is closed.
std::string denied(const Exploration& whole, const Exploration& other) {
  std::string text;
  for (std::size_t i = 0; i < whole.properties.size(); ++i)
    if (whole.properties[i].verdict == Verdict::holds && other.properties[i].verdict == Verdict::violated)
      text += std::string(" ") + std::string(id_of(whole.properties[i].property));
  return text;
}

class Grain : public testing::TestWithParam<GrainBounds> {
 protected:
  void SetUp() override {
    if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  }
};

TEST_P(Grain, TurnsNoVerdictOfAClosedCell) {
  int cells = 0, closed = 0, closed_finer = 0;
  for (const Card& card : planted::on_one_server())
    for (const Fault fault : planted::some_faults(card, 6)) {
      const Scenario scenario = within(GetParam(), card, fault);
      const Exploration whole = explore(scenario, card, Budget());
      ++cells;
      if (!whole.complete) continue;
      ++closed;
      SCOPED_TRACE(std::string(card.id) + " under " + std::string(id_of(fault)));
      Scenario finer = scenario;
      finer.timing.tick /= 2;
      const Exploration halved = explore(finer, card, Budget());
      closed_finer += halved.complete;
      EXPECT_EQ(denied(whole, halved), "") << "with half the tick";
      if (halved.complete) {
        EXPECT_EQ(denied(halved, whole), "") << "with twice the tick";
      }
      Scenario drawn = scenario;
      drawn.explore.strategy = StrategyKind::random;
      drawn.explore.runs_max = GetParam().runs;
      EXPECT_EQ(denied(whole, explore(drawn, card, Budget())), "") << "at instants that are drawn";
      if (!measured_faults.contains(fault)) continue;
      Scenario smaller = scenario;
      smaller.faults[0].magnitude = 2s;
      EXPECT_EQ(denied(whole, explore(smaller, card, Budget())), "") << "with a smaller fault";
    }
  std::cout << cells << " cells, " << closed << " closed, " << closed_finer << " also with half the tick\n";
  EXPECT_GT(closed_finer, cells / 4);
}

INSTANTIATE_TEST_SUITE_P(EveryLock, Grain, testing::Values(every_build),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(NightlyEveryLock, Grain, testing::Values(nightly),
                         [](const auto& info) { return info.param.name; });

// 800 ticks are more sizes than a question has room for: they are tried four ticks apart, the whole first.
TEST(Ticks, TooFineForTheSizeOfAClocksErrorLeaveSomeSizesOut) {
  EXPECT_EQ(between_sizes(8s, 10ms), Duration(40ms));
  EXPECT_EQ(between_sizes(8s, 500ms), Duration(500ms));
  EXPECT_EQ(between_sizes(254s, 1s), Duration(1s));
  EXPECT_EQ(between_sizes(254'001ms, 1s), Duration(2s));
  EXPECT_EQ(between_sizes(300ms, 1s), Duration(1s));
}

}  // namespace
}  // namespace holdfast
