// What is judged of the order of owners, of the holder's writes, and of who waits or comes back.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/check/checker.hpp"
#include "sim/check/story_test.hpp"

namespace holdfast {
namespace {

std::vector<Finding> all_findings(const std::string& text) {
  Judge judge(checkers::all());
  for (const Event& event : Story(text).events()) judge.on(event);
  return judge.findings();
}

std::string broken_by(const std::string& text) {
  std::string ids;
  for (const Finding& finding : all_findings(text))
    ids.append(ids.empty() ? "" : " ").append(id_of(finding.property));
  return ids;
}

Finding the_finding(const std::string& text) {
  const std::vector<Finding> all = all_findings(text);
  if (all.size() != 1) throw std::logic_error("not exactly one finding in: " + text);
  return all.front();
}

// --- fence-order ---

const std::string a_writes_first = "A acquiring; A creates; key expires; B acquiring; B creates; ";

TEST(FenceOrder, IsThatOfTheKeysAndNotThatOfTheGrants) {
  EXPECT_EQ(broken_by(a_writes_first + "A granted fence 1; A crashed; B granted fence 2"), "");
  EXPECT_EQ(broken_by(a_writes_first + "B granted fence 2; B crashed; A granted fence 1"), "");
  EXPECT_EQ(broken_by(a_writes_first + "A granted fence 2; A crashed; B granted fence 1"), "fence-order");
  const Finding found =
      the_finding(a_writes_first + "3s; B granted fence 1; B crashed; 5s; A granted fence 2");
  EXPECT_EQ(found.from.value, 6u);
  EXPECT_EQ(found.to.value, 8u);
  EXPECT_EQ(
      found.because,
      "At 5s A (number 2, its key written at 0ms) was granted the lock; B (number 1, its key written at "
      "0ms) had been granted it at 3s: the key of A was written earlier, and its number is not smaller.");
}

TEST(FenceOrder, DoesNotAllowOneNumberForTwo) {
  EXPECT_EQ(broken_by(a_writes_first + "A granted fence 1; A crashed; B granted fence 1"), "fence-order");
  EXPECT_EQ(broken_by(a_writes_first + "B granted fence 1; B crashed; A granted fence 1"), "fence-order");
}

TEST(FenceOrder, ComparesWithAllThatCameBeforeAlsoWithTheSameClient) {
  const std::string once = "A acquiring; A creates; A granted fence 5; A releasing; A removes; A released; ";
  EXPECT_EQ(broken_by(once + "A acquiring; A creates; A granted fence 4"), "fence-order");
  EXPECT_EQ(broken_by(once + "A acquiring; A creates; A granted fence 7; A releasing; A removes; A released; "
                             "B acquiring; B creates; B granted fence 6"),
            "fence-order");
}

TEST(FenceOrder, CountsTheLastWriteBeforeTheGrant) {
  EXPECT_EQ(broken_by("A acquiring; A creates; key expires; B acquiring; B creates; key expires; A creates; "
                      "A granted fence 2; A crashed; B granted fence 1"),
            "");
}

TEST(FenceOrder, SaysNothingOfGrantsWithoutANumberOrWithoutAKey) {
  EXPECT_EQ(broken_by(a_writes_first + "A granted; A crashed; B granted fence 1"), "");
  EXPECT_EQ(broken_by("A acquiring; A granted fence 2; A crashed; B acquiring; B creates; B granted fence 1"),
            "");
  EXPECT_EQ(broken_by(a_writes_first + "A refused; B granted fence 1"), "");
}

// --- rightful-write ---

TEST(RightfulWrite, SaysWhyTheWriterWasRight) {
  EXPECT_EQ(the_finding("A acquiring; A creates; 2s; A granted fence 10; 3s; A write-refused").because,
            "At 3s the resource refused a write of A with the number 10, although A was granted the lock at "
            "2s, its key still stands, and no client was granted it since.");
}

TEST(RightfulWrite, IsAWriteOfWhoStillHoldsTheLock) {
  const std::string a_numbered = "A acquiring; A creates; A granted fence 1; ";
  EXPECT_EQ(broken_by(a_numbered + "key expires; A write-refused"), "");
  EXPECT_EQ(broken_by(a_numbered + "A belief-ends; A write-refused"), "");
  EXPECT_EQ(broken_by(a_numbered + "A releasing; A write-refused"), "");
  EXPECT_EQ(broken_by("A acquiring; A granted fence 1; A write-refused"), "");
  EXPECT_EQ(broken_by("A acquiring shared; A creates; A granted shared fence 1; A write-refused"), "");
}

// --- progress ---

TEST(Progress, NamesTheWaiterThatNothingWillWakeAlthoughTheLockIsFree) {
  EXPECT_EQ(
      the_finding("2s; A acquiring; 4s; A stuck").because,
      "A has been waiting since 2s, and nothing is left that could wake it in time, although the lock is "
      "free.");
  EXPECT_EQ(broken_by("A acquiring; P calm; P acquiring; P granted; A stuck; ended"), "progress");
}

TEST(Progress, IsNotAskedWhereANewClientDoesNotGetTheLockEither) {
  EXPECT_EQ(broken_by("A acquiring; P calm; P acquiring; P refused; A stuck; ended"), "recovery");
}

TEST(Progress, IsThatOfEachWhoComesBackBeforeTheNextOne) {
  const std::string calm =
      "A finished; B finished; P calm; P acquiring; P granted; P finished; A comes-back; ";
  const Finding found = the_finding(calm +
                                    "3s; A acquiring; A refused; 13s; B comes-back; B acquiring; "
                                    "B creates; B granted; ended");
  EXPECT_EQ(found.property, Property::progress);
  EXPECT_EQ(
      found.because,
      "A came back at 0ms with the lock object that it had, tried for 13s, and was not granted the lock, "
      "although a new client had been, and had given it back.");
  EXPECT_EQ(broken_by(calm + "A acquiring; A creates; A granted; A releasing; A removes; A released; "
                             "B comes-back; B acquiring; B creates; B granted; ended"),
            "");
}

// --- availability ---

TEST(Availability, SaysWhoTriedAndWhichServerDidNotAnswer) {
  EXPECT_EQ(
      the_finding("A loses-server; P calm; P acquiring; P refused; 15s; ended").because,
      "A new client, P, tried for 15s and was not granted the lock: one server, redis-1, did not answer, all "
      "others did.");
}

}  // namespace
}  // namespace holdfast
