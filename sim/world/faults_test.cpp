// Worlds in which every fault may strike: whatever comes together, every lock goes the same way twice.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/choose/strategies.hpp"
#include "sim/core/card_ids_test.hpp"
#include "sim/core/lock.hpp"
#include "sim/stores/kinds.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

constexpr int steps_max = 2'000;  // some runs have no end: a lock that is renewed for ever

Scenario everything(const Card& card, StrategyKind strategy) {
  Scenario scenario;
  scenario.algorithm = card.id;
  scenario.explore.strategy = strategy;
  for (std::size_t i = 1; i < fault_ids.size(); ++i)
    scenario.faults.push_back({.kind = static_cast<Fault>(i), .budget = 2, .magnitude = 3s});
  for (std::uint32_t i = 0; i < 3; ++i)
    scenario.clients.push_back(
        {.id = name_of(ClientId{i}), .start_late = 2s, .rounds = 2, .program = default_program()});
  return scenario;
}

// The states that it went through.
Digest run(const Scenario& scenario, const Card& card, Choices& choices) {
  const Params params(card.parameters);
  stores::Kinds kinds;
  Trace trace(false);
  World world(scenario, card, params, kinds, choices, trace);
  Digest states;
  for (int step = 0; step < steps_max && world.step(); ++step) {
    std::vector<Digest> parts(world.client_count());
    for (std::uint32_t i = 0; i < parts.size(); ++i) parts[i] = world.mix_client(Digest{}, ClientId{i});
    states = sum(mix(states, 1), world.mix_rest(parts));
    for (const Digest& part : parts) states = sum(states, part);
  }
  return states;
}

class UnderEveryFault : public testing::TestWithParam<std::string> {};

TEST_P(UnderEveryFault, ATapeGivesTheSameStatesAgain) {
  const Card& card = *algorithms::find(GetParam());
  for (const StrategyKind strategy : {StrategyKind::exhaustive, StrategyKind::random}) {
    const Scenario scenario = everything(card, strategy);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      RandomChoices random(seed);
      Recorder recorder(random);
      const Digest states = run(scenario, card, recorder);
      ReplayChoices replay(recorder.tape());
      EXPECT_EQ(run(scenario, card, replay), states) << seed;
      EXPECT_FALSE(replay.divergence().has_value()) << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLock, UnderEveryFault, testing::ValuesIn(card_ids()), name_of_card);

}  // namespace
}  // namespace holdfast
