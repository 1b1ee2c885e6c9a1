// Claims of the partial-order reduction: it leaves out states, but none in which runs end, and no violation.
#include <gtest/gtest.h>

#include "sim/core/arena.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/engines.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

constexpr std::uint64_t states_max = 5'000;

enum class Network : std::uint8_t { slow, prompt };

Scenario scenario_for(const Card& card, Fault fault, Network network, std::uint32_t clients) {
  Comparison comparison = planted::coarse();
  comparison.clients = clients;
  Scenario scenario = scenario_of(comparison, card, fault);
  if (network == Network::prompt) scenario.timing.delay_max = scenario.timing.delay_min = 0s;
  scenario.explore.states_max = states_max;
  return scenario;
}

struct Pair {
  Exploration whole;
  Exploration reduced;
  bool is_complete() const { return whole.complete && reduced.complete; }
};

Exploration explored(Scenario scenario, const Card& card, bool is_reduced, unsigned threads = 1) {
  if (is_reduced) scenario.explore.reductions.insert(Reduction::partial_order);
  Knowledge known;
  const Budget unlimited{[] { return false; }};
  return explore_depth_first(scenario, card, unlimited, threads, known);
}

Pair both(const Scenario& scenario, const Card& card) {
  return {explored(scenario, card, false), explored(scenario, card, true)};
}

PropertySet found_violated(const Exploration& exploration) {
  PropertySet found;
  for (const PropertyResult& each : exploration.properties) found.insert(each.property);
  return found;
}

// All faults, of which some cannot strike. How many spaces were small enough to be compared.
int compare(const Card& card, Network network, std::uint32_t clients) {
  int count = 0;
  for (std::size_t i = 0; i < fault_ids.size(); ++i) {
    const auto fault = static_cast<Fault>(i);
    SCOPED_TRACE(std::string(card.id) + " under " + std::string(id_of(fault)));
    const Pair pair = both(scenario_for(card, fault, network, clients), card);
    if (!pair.is_complete()) continue;
    ++count;
    EXPECT_EQ(found_violated(pair.reduced), found_violated(pair.whole));
    EXPECT_EQ(pair.reduced.ends, pair.whole.ends);
    EXPECT_EQ(pair.reduced.reach, pair.whole.reach);
    EXPECT_LE(pair.reduced.states, pair.whole.states);
    EXPECT_LE(pair.reduced.transitions, pair.whole.transitions);
  }
  return count;
}

TEST(PartialOrder, ChangesNoVerdictOfAnyLockUnderAnyFault) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: only snapshots have this reduction";
  int count = 0;
  for (const Card& card : algorithms::all()) count += compare(card, Network::slow, 2);
  EXPECT_GT(count, 100);
}

TEST(PartialOrder, ChangesNoVerdictWhereMessagesTakeNoTime) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: only snapshots have this reduction";
  int count = 0;
  for (const Card& card : algorithms::all()) count += compare(card, Network::prompt, 3);
  EXPECT_GT(count, 100);
}

TEST(PartialOrder, LeavesOutStates) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: only snapshots have this reduction";
  const Card& card = *algorithms::find("token");
  const Pair slow = both(scenario_for(card, Fault::none, Network::slow, 3), card);
  EXPECT_LT(slow.reduced.states, slow.whole.states);
  const Scenario scenario = scenario_for(card, Fault::none, Network::prompt, 3);
  const Pair prompt = both(scenario, card);
  EXPECT_LT(prompt.reduced.states, prompt.whole.states);
  const Exploration together = explored(scenario, card, true, 3);
  EXPECT_EQ(together.states, prompt.reduced.states);
  EXPECT_EQ(together.transitions, prompt.reduced.transitions);
}

}  // namespace
}  // namespace holdfast
