// The score of the zoo: every bug is found, nothing else is blamed.
#include "bench/zoo/zoo.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "sim/core/arena.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/deepening.hpp"

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
  std::set<std::string_view> hosts;
  std::size_t in_cards = 0;
  for (const Planted& planted : all())
    if (hosts.insert(planted.host->id).second) in_cards += planted.host->parameters[1].choices.size() - 1;
  EXPECT_EQ(in_locks, in_cards);
  EXPECT_EQ(hosts.size(), 10u);
}

TEST(Zoo, EachRowSaysWhyItsFaultsAreEnoughAndListsNoneTwiceNorInALargerSet) {
  for (const Planted& planted : all()) {
    SCOPED_TRACE(planted.id);
    EXPECT_GT(planted.reason.size(), 20u);
    ASSERT_FALSE(planted.suffices.empty());
    for (const auto& one : planted.suffices)
      for (const auto& other : planted.suffices) {
        const auto is_in_other = [&](const FaultRule& rule) {
          return std::find(other.begin(), other.end(), rule) != other.end();
        };
        EXPECT_TRUE(&one == &other || !std::all_of(one.begin(), one.end(), is_in_other)) << in_words(one);
      }
  }
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

class EachBug : public testing::TestWithParam<std::size_t> {};

// Each row states, from the code of its bug, under which faults it breaks its property where the same lock
// without the bug does not. Exploration must say the same of every fault of the default comparison.
TEST_P(EachBug, NeedsTheFaultsThatItsReasonNamesAndNoOthersAreEnough) {
  if (!Arena::is_available())
    GTEST_SKIP() << "skipped: takes minutes in a sanitizer build, which has no snapshots";
  // Of other faults, what closes within a second: that all close, and agree, the night shows.
  const Planted& planted = all()[GetParam()];
  EXPECT_THAT(disagreements(planted, Budget(), 20'000), testing::IsEmpty()) << planted.reason;
}
// Only ctest -C Nightly runs it.
TEST_P(EachBug, NeedsTheFaultsThatItsReasonNamesAndNoOthersAreEnoughInAnyScheduleNightly) {
  const Planted& planted = all()[GetParam()];
  EXPECT_THAT(disagreements(planted, Budget()), testing::IsEmpty()) << planted.reason;
}

std::vector<std::size_t> places() {
  std::vector<std::size_t> places(all().size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}
std::string name_of_bug(const testing::TestParamInfo<std::size_t>& info) {
  std::string name(all()[info.param].id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Zoo, EachBug, testing::ValuesIn(places()), name_of_bug);

// Of two readers, the first asks for a longer lease and works for longer: a second one with a shorter lease,
// or that comes later, must not end it. Each of the steps of a plain check is explored as far as it goes
// there.
TEST(Zoo, APlainCheckTriesReadersWithUnequalLeases) {
  Card card = shared();
  card.has_readers = true;
  const auto breaks = [&](std::string_view bug) {
    Comparison comparison;
    comparison.params = {{"bug", std::string(bug)}};
    PropertySet broken;
    for (const Scope& scope : usual_scopes()) {
      if (scope.variant != Variant::readers) continue;
      Scenario scenario = *scenario_at(comparison, scope, card, Fault::none);
      scenario.explore.states_max = usual_states / 8;
      const Exploration found = explore(scenario, card, Budget());
      for (const PropertyResult& each : found.properties)
        if (each.verdict == Verdict::violated) broken.insert(each.property);
    }
    return broken;
  };
  EXPECT_EQ(breaks("none"), PropertySet());
  EXPECT_TRUE(breaks("cuts-the-lease-of-others").contains(Property::mutual_exclusion));
  EXPECT_TRUE(breaks("does-not-extend-for-the-second-reader").contains(Property::mutual_exclusion));
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
