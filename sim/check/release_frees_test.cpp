// What is judged of a client that has released, or was refused: what it leaves.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <string>

#include "sim/check/checker.hpp"
#include "sim/check/story_test.hpp"

namespace holdfast {
namespace {

using ::testing::HasSubstr;

std::vector<Finding> all_in(const std::string& text) {
  Judge judge(checkers::all());
  for (const Event& event : Story(text).events()) judge.on(event);
  return judge.findings();
}

std::string breaks_in(const std::string& text) {
  std::string ids;
  for (const Finding& finding : all_in(text))
    ids.append(ids.empty() ? "" : " ").append(id_of(finding.property));
  return ids;
}

Finding finding_of(const std::string& text) {
  const std::vector<Finding> all = all_in(text);
  if (all.size() != 1) throw std::logic_error("not exactly one finding in: " + text);
  return all.front();
}

TEST(ReleaseFrees, CatchesAReleaseThatLeavesItsKeyWhateverItSays) {
  const Finding found =
      finding_of("A acquiring; 1s; A creates until 5s; A granted; A releasing; 3s; A leaves; A released");
  EXPECT_EQ(found.property, Property::release_frees);
  EXPECT_EQ(found.from.value, 2u);
  EXPECT_EQ(
      found.because,
      "At 3s release() returned to A; but what it wrote at 1s still stands and keeps the others out until "
      "5s.");
  EXPECT_THAT(finding_of(a_holds + "A releasing; A leaves; A not-held").because,
              HasSubstr("out, and the key has no expiry."));
  EXPECT_EQ(breaks_in(a_holds + "A releasing; A leaves; A unknown"), "release-frees");
}

TEST(ReleaseFrees, CatchesARenewalThatComesAfterTheRelease) {
  EXPECT_EQ(breaks_in(a_holds + "A releasing; A removes; A creates; A leaves; A released"), "release-frees");
}

TEST(ReleaseFrees, ExcusesACallThatAFaultStrikesButNotTheNext) {
  EXPECT_EQ(breaks_in(a_holds + "A releasing; A gives-up; A leaves; A unknown"), "");
  EXPECT_EQ(breaks_in(a_holds + "A releasing; A paused; A leaves; A not-held"), "");
  EXPECT_EQ(breaks_in(a_holds + "A paused; A gives-up; A releasing; A leaves; A not-held"), "release-frees");
  // What it sent again may come late.
  EXPECT_EQ(breaks_in(a_holds + "A gives-up; A releasing; A removes; A creates; A leaves; A released"), "");
}

TEST(ReleaseFrees, ExcusesOneThatComesAfterTheLeaseAndReaders) {
  EXPECT_EQ(breaks_in(a_holds + "A belief-ends; A releasing; A leaves; A not-held"), "");
  const std::string leased = "A acquiring; A creates; A granted until 4s; ";
  EXPECT_EQ(breaks_in(leased + "3999ms; A releasing; A leaves; A not-held"), "release-frees");
  EXPECT_EQ(breaks_in(leased + "4s; A releasing; A leaves; A not-held"), "");
  EXPECT_EQ(breaks_in("A acquiring shared; A creates; A granted shared; A releasing; A leaves; A released"),
            "");
}

TEST(ReleaseFrees, CatchesWhatARefusedClientHadTaken) {
  EXPECT_EQ(finding_of("A acquiring; A creates until 4s; 2s; A leaves; A refused").because,
            "At 2s acquire() refused A; but what it wrote at 0ms still stands and keeps the others out until "
            "4s.");
  EXPECT_EQ(breaks_in("A acquiring; A creates; A gives-up; A leaves; A refused"), "");
  EXPECT_EQ(breaks_in(a_holds + "B acquiring; B overwrites; B leaves; B refused"), "owner-only-change");
}

}  // namespace
}  // namespace holdfast
