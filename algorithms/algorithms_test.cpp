// Every lock is held to what its card claims, within small bounds: `holdfast compare` goes as far as claims.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>

#include "sim/core/arena.hpp"
#include "sim/core/card_ids_test.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

// Of those whose schedules take minutes; at night there is no end.
constexpr std::uint64_t states_by_day = 100'000;

class EveryLock : public testing::TestWithParam<std::string> {};

TEST_P(EveryLock, KeepsWhatItsCardClaims) {
  const Card& card = *algorithms::find(GetParam());
  const Comparison comparison = planted::one_attempt();
  if ((planted::is_large(card) || card.is_compared_by_name) && !Arena::is_available())
    GTEST_SKIP() << planted::too_many;
  const bool is_huge = planted::is_huge(card);
  for (const Fault fault : is_huge ? planted::some_faults(card) : planted::faults_to_explore()) {
    PropertySet claimed;
    for (const Claim& claim : card.claims)
      if (claim.under.contains(fault)) claimed.insert(claim.properties);
    if (claimed.empty()) continue;
    Scenario scenario = scenario_of(comparison, card, fault);
    // Sanitizer builds are slow.
    if (is_huge) scenario.explore.states_max = states_by_day;
    if (!Arena::is_available() || is_huge) scenario = planted::on_time(std::move(scenario));
    const Exploration found = explore(scenario, card, Budget());
    for (const PropertyResult& result : found.properties) {
      if (!claimed.contains(result.property)) continue;
      const bool is_left_open = is_huge && result.verdict == Verdict::unknown;
      EXPECT_TRUE(result.verdict == Verdict::holds || result.verdict == Verdict::not_applicable ||
                  result.verdict == Verdict::hollow || is_left_open)
          << id_of(fault) << ": " << id_of(result.property) << " is " << id_of(result.verdict);
    }
  }
}

// Comparisons tell locks to try once. These wait inside acquire(), as their users have them do.
TEST(Waiting, InsideAcquireBreaksNoClaim) {
  struct Waiter {
    std::string id;
    std::vector<std::pair<std::string, std::string>> params;
  };
  const std::vector<Waiter> waiters{{"redis-py", {{"blocking", "for-ever"}, {"sleep", "1s"}}},
                                    {"bsm-redislock", {{"retry", "linear"}, {"backoff", "1s"}}},
                                    {"ticket", {{"timeout", "3s"}, {"sleep", "1s"}}},
                                    {"python-redis-lock", {{"blocking", "yes"}}}};
  const Comparison comparison = planted::one_attempt();
  for (const Waiter& waiter : waiters) {
    SCOPED_TRACE(waiter.id);
    const Exploration found = planted::explored(*algorithms::find(waiter.id), Fault::lost_reply, comparison,
                                                Engine::snapshots, waiter.params);
    EXPECT_EQ(planted::violated(found), PropertySet{});
    EXPECT_TRUE(found.complete);
  }
}

TEST_P(EveryLock, ClaimsOnlyFaultsThatCanBeSimulated) {
  for (const Claim& claim : algorithms::find(GetParam())->claims)
    EXPECT_TRUE(simulated_faults.contains_all(claim.under));
}

INSTANTIATE_TEST_SUITE_P(Card, EveryLock, testing::ValuesIn(card_ids()), name_of_card);

}  // namespace
}  // namespace holdfast
