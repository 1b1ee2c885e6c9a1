// What is judged of the resource that clients read and write.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/check/checker.hpp"
#include "sim/check/story_test.hpp"

namespace holdfast {
namespace {

bool is_violated(Property property, const std::string& text) {
  Judge judge({property});
  for (const Event& event : Story(text).events()) judge.on(event);
  return !judge.violated().empty();
}

TEST(NoLostUpdate, SaysWhoseWriteIsGoneAndWhenTheWriterHadRead) {
  const std::string text =
      a_holds +
      "A reads; A belief-ends; key expires; B acquiring; B creates; 5s; B granted; B reads; 6s; A writes; "
      "7s; B writes";
  Judge judge({Property::no_lost_update});
  for (const Event& event : Story(text).events()) judge.on(event);
  ASSERT_EQ(judge.findings().size(), 1u);
  EXPECT_EQ(
      judge.findings().front().because,
      "At 7s a write of B replaced what A had written at 6s: B had read the resource before, at 5s, and "
      "knew nothing of it.");
}

TEST(NoLostUpdate, AWriteThatRestsOnNoReadingOrWasRefusedLosesNothing) {
  const std::string b_read = a_holds + "B acquiring; B granted; B reads; ";
  EXPECT_TRUE(is_violated(Property::no_lost_update, b_read + "A writes; B writes"));
  EXPECT_FALSE(is_violated(Property::no_lost_update, b_read + "A write-refused; B writes"));
  EXPECT_FALSE(is_violated(Property::no_lost_update, b_read + "A writes; B write-refused"));
  EXPECT_FALSE(is_violated(Property::no_lost_update, b_read + "A writes; B reads; B writes"));
  EXPECT_FALSE(is_violated(Property::no_lost_update, a_holds + "B acquiring; B granted; A writes; B writes"));
}

// Of a judge who knows that A writes late.
std::vector<Finding> late_findings(Property property, const std::string& text) {
  Judge judge({property}, {}, 1);
  for (const Event& event : Story(text).events()) judge.on(event);
  return judge.findings();
}

const std::string a_released = "A releasing; A removes; A released; ";

TEST(NoStaleWrite, AWriteAfterTheReleaseIsStaleOnceAnotherWasGranted) {
  const std::string b_holds = a_holds + a_released + "B acquiring; B creates; 3s; B granted; ";
  const std::vector<Finding> found = late_findings(Property::no_stale_write, b_holds + "4s; A writes");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(
      found.front().because,
      "At 4s a write of A, which had released the lock, reached the resource although B had been granted "
      "the lock at 3s.");
  const auto is_stale = [&](const std::string& text) {
    return !late_findings(Property::no_stale_write, text).empty();
  };
  EXPECT_TRUE(is_stale(b_holds + "B releasing; A writes"));
  EXPECT_TRUE(is_stale(b_holds + "B releasing; B removes; B released; A writes"));
  EXPECT_TRUE(
      is_stale(a_holds + "A belief-ends; B acquiring; B granted; B crashed; " + a_released + "A writes"));
  EXPECT_FALSE(is_stale(b_holds + "A write-refused"));
  EXPECT_FALSE(is_stale(a_holds + a_released + "A writes; B acquiring; B granted"));
  EXPECT_FALSE(is_stale("B acquiring; B granted; " + a_holds + a_released + "A writes"));
  EXPECT_FALSE(is_stale(b_holds + "B releasing; B released; A acquiring; A granted; A writes"));
}

TEST(NoLostUpdate, CountsAWriteAfterTheRelease) {
  const std::string a_read = a_holds + "A reads; " + a_released;
  EXPECT_EQ(
      late_findings(Property::no_lost_update, a_read + "B acquiring; B granted; B writes; A writes").size(),
      1u);
  EXPECT_EQ(
      late_findings(Property::no_lost_update, a_read + "A writes; B acquiring; B granted; B writes").size(),
      0u);
}

TEST(FencedWrites, CountsAWriteAfterTheRelease) {
  const std::string a_fenced =
      "A acquiring; A granted fence 1; A releasing; A released; B acquiring; B granted fence 2; ";
  EXPECT_EQ(late_findings(Property::fenced_writes, a_fenced + "B writes; A writes").size(), 1u);
  EXPECT_EQ(late_findings(Property::fenced_writes, a_fenced + "A writes; B writes").size(), 0u);
}

TEST(FencedWrites, ComparesWithTheNewestThatWasAccepted) {
  const std::string both = "A acquiring; A granted fence 1; B acquiring; B granted fence 2; ";
  EXPECT_TRUE(is_violated(Property::fenced_writes, both + "B writes; A writes"));
  EXPECT_FALSE(is_violated(Property::fenced_writes, both + "A writes; B writes; B writes"));
  EXPECT_FALSE(is_violated(Property::fenced_writes, both + "B write-refused; A writes"));
  EXPECT_FALSE(is_violated(Property::fenced_writes, both + "B writes; A write-refused"));
}

}  // namespace
}  // namespace holdfast
