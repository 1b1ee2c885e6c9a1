// Who may overtake whom: stores that have queues keep to turns.
#include <gtest/gtest.h>

#include "sim/core/arena.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using enum Fault;

PropertyResult bypass_of(std::string_view id, std::uint32_t clients) {
  Comparison comparison = planted::coarse();
  comparison.clients = clients;
  comparison.rounds = comparison.attempts = 0;
  comparison.timing.delay_max = 0s;
  comparison.check = {Property::bounded_bypass};
  const Card& card = *algorithms::find(id);
  Scenario scenario = scenario_of(comparison, card, none);
  scenario.params.emplace_back("blocking", "yes");
  scenario.store = counted_before(card, scenario.key);
  const Exploration found = explore(scenario, card, Budget());
  EXPECT_TRUE(found.complete);
  return planted::result_of(found, Property::bounded_bypass);
}

void expect_turns(std::string_view id, std::uint32_t clients) {
  const PropertyResult result = bypass_of(id, clients);
  EXPECT_EQ(result.verdict, Verdict::holds) << id;
  EXPECT_EQ(result.bypass_max, clients - 1) << id;
}

// Advisory locks are granted in the order of requests: each of the others goes first once, at most.
TEST(Turns, OfAdvisoryLocksAreKept) {
  for (const std::uint32_t clients : {2u, 3u}) expect_turns("pg-advisory", clients);
}

// Of two who wait for a row either may be the next, again and again: that is no proof of a bound. It is no
// loop of a waiter that keeps asking either, for one that waits at the server asks nothing.
TEST(Turns, OfRowLocksAreNot) {
  EXPECT_EQ(bypass_of("row-lock", 3).verdict, Verdict::unknown);
}

// A queue in the server: a key for each client, in the order of their creation. A client that comes
// back has a later one.
TEST(Turns, OfAQueueOfEtcdAreKept) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_many;
  for (const std::uint32_t clients : {2u, 3u}) expect_turns("etcd-mutex", clients);
}

}  // namespace
}  // namespace holdfast
