// Claims of what a sample says: bounds are rounded up, what was never met is told.
#include "reports/confidence.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace holdfast::reports {
namespace {

using testing::ElementsAre;

Exploration sampled(SampleClaim claim) {
  Exploration exploration;
  exploration.properties = {{Property::recovery, Verdict::sampled, {}, std::nullopt}};
  for (std::size_t i = 0; i < situation_ids.size(); ++i)
    exploration.reach.met.insert(static_cast<Situation>(i));
  exploration.sample = std::move(claim);
  return exploration;
}

TEST(Confidence, TellsTheGuaranteeOfPctForTheDepthsAtWhichItIsOne) {
  const Exploration exploration = sampled({.strands = 3,
                                           .questions = 17,
                                           .alternatives = 1,
                                           .depths = {{1, 200, 1e-12}, {2, 200, 0.0123}, {3, 200, 0.97}}});
  EXPECT_THAT(confidence_in_words(exploration, exploration.has(Verdict::violated)),
              ElementsAre("PCT missed a violation with a probability of at most: one of depth 1 with "
                          "0.0001 %, of depth 2 with 2 %; deeper ones may be missed (600 runs with "
                          "marks, 3 strands and 17 questions at most)"));
}

TEST(Confidence, SaysSoWhenPctGuaranteesNothing) {
  const Exploration exploration =
      sampled({.strands = 3, .questions = 17, .alternatives = 1, .depths = {{2, 1, 0.99}}});
  EXPECT_THAT(confidence_in_words(exploration, exploration.has(Verdict::violated)),
              ElementsAre("PCT guarantees nothing yet: too few runs (1 run with marks, 3 strands and 17 "
                          "questions at most)"));
}

TEST(Confidence, TellsTheRuleOfThree) {
  EXPECT_THAT(confidence_in_words(sampled({.independent_runs = 4'000}), false),
              ElementsAre("at most 0.08 % of runs drawn like these violate, with 95 % confidence (4,000 "
                          "independent runs)"));
  EXPECT_EQ(sample_json(sampled({.independent_runs = 4'000}))["violating_at_most"], 3.0 / 4'000);
  EXPECT_EQ(sample_json(sampled({.independent_runs = 1}))["violating_at_most"], 1.0);
  EXPECT_TRUE(sample_json(sampled({}))["violating_at_most"].is_null());
}

// What was violated is violated by more than the bound, which is that of the others alone.
TEST(Confidence, SaysNothingOfWhatWasViolated) {
  Exploration exploration = sampled({.independent_runs = 4'000});
  exploration.properties.push_back({Property::mutual_exclusion, Verdict::violated, {}, Counterexample()});
  EXPECT_THAT(confidence_in_words(exploration, exploration.has(Verdict::violated)),
              ElementsAre("at most 0.08 % of runs drawn like these violate one of the properties that none "
                          "violated, with 95 % confidence (4,000 independent runs)"));
}

TEST(Confidence, TellsWhatWasNeverMet) {
  Exploration exploration = sampled({});
  EXPECT_TRUE(confidence_in_words(exploration, exploration.has(Verdict::violated)).empty());
  exploration.reach.met.erase(Situation::wrote);
  exploration.reach.met.erase(Situation::lease_ended);
  EXPECT_THAT(confidence_in_words(exploration, exploration.has(Verdict::violated)),
              ElementsAre("never met: no client wrote to the resource; no key expired while its client "
                          "believed that it held the lock"));
  EXPECT_EQ(sample_json(exploration)["never_met"].dump(), R"(["wrote","lease-ended"])");
}

TEST(Confidence, RestsOnASampleOnlyWhereNothingBetterIsKnown) {
  Exploration exploration = sampled({});
  EXPECT_TRUE(rests_on_sample(exploration));
  exploration.properties.front().verdict = Verdict::violated;
  EXPECT_FALSE(rests_on_sample(exploration));
}

}  // namespace
}  // namespace holdfast::reports
