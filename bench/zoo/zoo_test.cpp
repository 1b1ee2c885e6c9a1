// The score of the zoo: every bug is found, nothing else is blamed.
#include "bench/zoo/zoo.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <set>

#include "sim/core/arena.hpp"

namespace holdfast::zoo {
namespace {

std::string words(PropertySet properties) {
  std::string text;
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    if (properties.contains(static_cast<Property>(i))) text += std::string(property_ids[i]) + " ";
  return text;
}

TEST(Zoo, HasThirtyBugsAndMoreAndEachIsInOneLock) {
  EXPECT_GE(all().size(), 30u);
  std::set<std::string_view> ids;
  std::size_t in_locks = 0;
  for (const Planted& planted : all()) {
    EXPECT_TRUE(ids.insert(planted.id).second) << planted.id;
    in_locks += planted.plant == nullptr ? 1 : 0;
  }
  // What a lock calls its bug is in the table, and the other way round.
  std::set<const Card*> hosts;
  std::size_t in_cards = 0;
  for (const Planted& planted : all())
    if (hosts.insert(planted.host).second) in_cards += planted.host->parameters[1].choices.size() - 1;
  EXPECT_EQ(in_locks, in_cards);
  EXPECT_EQ(hosts.size(), 7u);
}

TEST(Zoo, ExhaustiveExplorationFindsEveryBugAndRaisesNoFalseAlarm) {
  if (!Arena::is_available())
    GTEST_SKIP() << "skipped: takes minutes in a sanitizer build, which has no snapshots";
  for (const Planted& planted : all()) {
    SCOPED_TRACE(planted.id);
    const Outcome outcome = outcome_of(planted, Budget());
    EXPECT_TRUE(outcome.is_complete);
    EXPECT_TRUE(is_found(planted, outcome)) << "not broken: " << id_of(planted.breaks);
    EXPECT_EQ(words(false_alarms(planted, outcome)), "");
    EXPECT_EQ(words(unfounded(planted, outcome)), "");
    EXPECT_GT(outcome.steps, 0u);
  }
}

TEST(Zoo, ThePortfolioFindsBugsInAFewHundredRuns) {
  std::size_t found = 0;
  std::size_t tried = 0;
  for (const Planted& planted : all()) {
    if (!can_be_sampled(planted)) continue;
    ++tried;
    found += searched(planted, StrategyKind::portfolio, 1, 1'000, Budget()).median ? 1 : 0;
  }
  EXPECT_GE(found, tried * 3 / 4) << "of " << tried;
}

}  // namespace
}  // namespace holdfast::zoo
