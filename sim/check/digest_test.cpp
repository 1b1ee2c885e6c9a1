// The digest of the judge is sound and tight: runs with equal digests have equal futures, and what no
// judgement can depend on any more leaves no mark in it.
#include <gtest/gtest.h>

#include <set>

#include "sim/check/judge_digest_test.hpp"
#include "sim/check/story_test.hpp"

namespace holdfast {
namespace {

// --- stories whose futures are equal, or not ---

Digest digest_after(const std::string& text, PropertySet properties = checkers::all()) {
  Judge judge(properties);
  Instant now{};
  for (const Event& event : Story(text + "; Z works").events()) {
    judge.on(event);
    now = event.at;
  }
  return digest_of(judge, now);
}

TEST(JudgeDigest, ForgetsTheDead) {
  const Digest fresh = digest_after("");
  EXPECT_EQ(digest_after("A acquiring; A refused"), fresh);
  EXPECT_EQ(digest_after("A acquiring; A creates; A granted; A crashed"), fresh);
  EXPECT_EQ(digest_after("A acquiring; A creates; A granted; A writes; A finished"), fresh);
  EXPECT_EQ(digest_after("A acquiring; A creates; A granted; A releasing; A removes; A released"), fresh);
  EXPECT_EQ(digest_after("A acquiring; B acquiring; A creates; B removes; A refused; B refused; B1 creates"),
            fresh);
}

TEST(JudgeDigest, ForgetsStepsAndPastInstants) {
  const std::string rest = "A acquiring; A creates until 9s; 5s; A granted; B acquiring";
  EXPECT_EQ(digest_after("1s; " + rest), digest_after("4s; Z works; Z works; " + rest));
  EXPECT_EQ(digest_after("A acquiring; A granted until 2s; 3s"),
            digest_after("A acquiring; A granted until 4s; 9s"));
  EXPECT_EQ(digest_after("A acquiring; A creates; 1s", {Property::recovery}),
            digest_after("2s", {Property::recovery}));
}

TEST(JudgeDigest, ForgetsTheLossThatAGrantOrARewriteOverrides) {
  // But for the order of numbers, in which its write has a place.
  PropertySet others = checkers::all();
  others.erase(Property::fence_order);
  EXPECT_EQ(digest_after("A acquiring; A creates; key expires", others), digest_after("A acquiring", others));
  EXPECT_EQ(digest_after("A acquiring; A creates; B acquiring; B removes; A creates"),
            digest_after("A acquiring; A creates; B acquiring"));
}

TEST(JudgeDigest, RemembersWhatMatters) {
  const std::vector<std::string> stories{
      "A acquiring",
      "A acquiring; A refused; A acquiring",
      "A acquiring shared",
      "A acquiring; A creates",
      "A acquiring; A granted",
      "A acquiring; A granted shared",
      "A acquiring; A granted until 1s",
      "A acquiring; A granted until 2s",
      "A acquiring; A creates; A granted",
      "A acquiring; A creates; A granted; A removes",
      "A acquiring; A creates; A granted; A belief-ends",
      "A acquiring; A creates; A granted; A releasing",
      "A acquiring; A granted; A belief-ends",
      "A acquiring; A granted; A belief-ends; B acquiring; B granted; B crashed",
      "A acquiring; A creates; Z removes",
      "A acquiring; A creates; Z removes; 1s",
      "A acquiring; A creates; Z touches",
      "A acquiring; A creates; Z touches; Z removes",
      "A acquiring; A granted; A acquiring",
      "P calm",
      "Q calm",
      "A acquiring; A granted; B acquiring; B granted; A crashed; B crashed",
  };
  std::set<Digest> digests;
  for (const std::string& story : stories) digests.insert(digest_after(story));
  EXPECT_EQ(digests.size(), stories.size());
}

TEST(JudgeDigest, LeavesOutWhatOnlyViolatedOrUnaskedPropertiesNeed) {
  const std::string lost = "A acquiring; A creates; A granted; key expires";
  const std::string held = "A acquiring; A creates; A granted";
  EXPECT_NE(digest_after(lost), digest_after(held));
  EXPECT_EQ(digest_after(lost, {Property::mutual_exclusion}),
            digest_after(held, {Property::mutual_exclusion}));
  const std::string lie = "; B acquiring; B granted; B releasing; B released";
  EXPECT_EQ(digest_after(lost + lie, {Property::truthful_release}),
            digest_after(held + lie, {Property::truthful_release}));
}

}  // namespace
}  // namespace holdfast
