// Worlds of so many clients that what comes next is fetched ahead: every lock, and every fault that takes
// away what was about to be needed.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "sim/choose/strategies.hpp"
#include "sim/core/card_ids_test.hpp"
#include "sim/core/lock.hpp"
#include "sim/redis/scripts.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

constexpr std::uint32_t crowd_size = 1'100;
constexpr std::uint32_t locks = 130;
constexpr int steps = 15'000;

using Op = ProgramStep::Op;

Scenario crowd(const Card& card) {
  Scenario scenario;
  scenario.algorithm = card.id;
  scenario.explore.strategy = StrategyKind::random;
  for (const Fault kind : {Fault::crash, Fault::cancel, Fault::pause, Fault::lost_reply, Fault::late_request,
                           Fault::duplicate, Fault::restart})
    scenario.faults.push_back({.kind = kind, .budget = 200, .magnitude = 50ms});
  for (std::uint32_t i = 0; i < crowd_size; ++i)
    scenario.clients.push_back(
        {.id = name_of(ClientId{i}),
         .start = Duration(i % 64),
         .rounds = i % 10 == 0 ? 2u : 0u,
         .key = "lock:" + std::to_string(i % locks),
         .program = {
             {.op = Op::acquire, .attempts = 3}, {.op = Op::work, .length = 20ms}, {.op = Op::release}}});
  scenario.timing.timeout = 100ms;
  return scenario;
}

// How far a run came: the time, and how often clients tried.
std::tuple<Instant, std::uint64_t, bool> run(const Card& card) {
  const Scenario scenario = crowd(card);
  const Params params(card.parameters);
  redis::Scripts scripts;
  RandomChoices choices(1);
  Trace trace(false);
  World world(scenario, card, params, scripts, choices, trace, {}, World::States::unasked);
  for (int i = 0; i < steps && world.step(); ++i) continue;
  std::uint64_t tried = 0;
  for (std::uint32_t i = 0; i < crowd_size; ++i) tried += world.acquisitions(ClientId{i});
  return {world.now(), tried, world.is_over()};
}

class Crowd : public testing::TestWithParam<std::string> {};

TEST_P(Crowd, GoesTheSameWayTwice) {
  const Card& card = *algorithms::find(GetParam());
  const auto [now, tried, is_over] = run(card);
  EXPECT_GT(now, Instant());
  EXPECT_GE(tried, crowd_size);
  EXPECT_FALSE(is_over);
  EXPECT_EQ(run(card), std::tuple(now, tried, is_over));
}

INSTANTIATE_TEST_SUITE_P(EveryLock, Crowd, testing::ValuesIn(card_ids()), name_of_card);

// Measured with nothing fetched ahead.
TEST(Foresight, ChangesNothing) {
  EXPECT_EQ(run(*algorithms::find("token")), std::tuple(Instant(9'800'010us), 5'316, false));
  EXPECT_EQ(run(*algorithms::find("redisson")), std::tuple(Instant(9'700'008us), 5'248, false));
}

}  // namespace
}  // namespace holdfast
