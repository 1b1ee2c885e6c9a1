// The smallest sets of faults that break a lock, exactly.
#include "sim/explore/assumptions.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Assumptions assumptions(const char* lock, PropertySet check, const std::vector<Fault>& faults,
                        std::uint32_t together) {
  Comparison comparison = planted::coarse();
  comparison.check = check;
  const Card& card = *algorithms::find(lock);
  const Job job{scenario_of(comparison, card, Fault::none), &card};
  return assumptions_of(job, faults, together, 1, Budget(), nullptr);
}

std::vector<std::string> words_for(const std::vector<FaultSet>& sets) {
  std::vector<std::string> words;
  for (const FaultSet set : sets) {
    std::string word;
    for (std::size_t i = 0; i < fault_ids.size(); ++i)
      if (set.contains(static_cast<Fault>(i))) word += (word.empty() ? "" : "+") + std::string(fault_ids[i]);
    words.push_back(word);
  }
  return words;
}

std::vector<std::string> breaking(const Assumption& it) {
  std::vector<FaultSet> sets;
  for (const BreakingSet& set : it.breaks) sets.push_back(set.faults);
  return words_for(sets);
}

const std::vector<Fault> some_faults{Fault::crash,        Fault::pause,      Fault::slow_section,
                                     Fault::late_request, Fault::late_reply, Fault::lost_request,
                                     Fault::lost_reply};

TEST(Assumptions, OfTheTokenLockAreAboutTimeAlone) {
  const Assumptions found =
      assumptions("token", {Property::mutual_exclusion, Property::owner_only_release, Property::recovery},
                  some_faults, 2);
  EXPECT_THAT(breaking(found.properties[0]), ElementsAre("pause", "slow-section"));
  EXPECT_THAT(breaking(found.properties[1]), IsEmpty());
  EXPECT_THAT(breaking(found.properties[2]), IsEmpty());
  EXPECT_EQ(found.properties[2].holds.size(), 21u);  // every pair of seven
}

// Who was stopped may see the timeout first, although the answer is there (specification, pause 6).
TEST(Assumptions, OfSetnxExpireAreThatNobodyDiesStopsOrGivesUpBetweenTheCommands) {
  const Assumptions found = assumptions("setnx-expire", {Property::recovery}, some_faults, 2);
  EXPECT_THAT(breaking(found.properties[0]),
              ElementsAre("crash", "pause", "late-request", "late-reply", "lost-request", "lost-reply"));
  EXPECT_THAT(words_for(found.properties[0].holds), ElementsAre("slow-section"));
}

TEST(Assumptions, EverySetThatBreaksIsAsSmallAsItCanBeAndEverySetThatHoldsAsLarge) {
  const Assumptions found = assumptions("getset", {Property::mutual_exclusion, Property::owner_only_release},
                                        {Fault::crash, Fault::lost_request, Fault::clock_skew}, 2);
  for (const Assumption& it : found.properties) {
    EXPECT_THAT(it.open, IsEmpty());
    for (const BreakingSet& one : it.breaks) {
      for (const BreakingSet& other : it.breaks)
        EXPECT_TRUE(&one == &other || !one.faults.contains_all(other.faults));
      for (const FaultSet whole : it.holds) EXPECT_FALSE(whole.contains_all(one.faults));
    }
  }
}

TEST(Assumptions, AFaultThatNeverStrikesIsLeftOutOfLargerSets) {
  const Assumptions found =
      assumptions("token", {Property::recovery}, {Fault::pause, Fault::clock_skew, Fault::crash}, 2);
  EXPECT_EQ(found.idle, FaultSet{Fault::clock_skew});
  EXPECT_EQ(found.sets, 5u);  // none, three alone, one pair
  EXPECT_THAT(words_for(found.properties[0].holds), ElementsAre("clock-skew", "crash+pause"));
}

}  // namespace
}  // namespace holdfast
