// Whose a key is, by what was done to it: what refused clients write is judged as what it is.
#include <gtest/gtest.h>

#include "sim/check/checker.hpp"
#include "sim/check/story_test.hpp"

namespace holdfast {
namespace {

std::string ids_broken_by(const std::string& text) {
  Judge judge(checkers::all());
  for (const Event& event : Story(text).events()) judge.on(event);
  std::string ids;
  for (const Finding& finding : judge.findings())
    ids.append(ids.empty() ? "" : " ").append(id_of(finding.property));
  return ids;
}

const std::string a_gives_back = "A releasing; A removes; A released";

// It counts itself in the hash of the lock, say. What the holder wrote stands all the time.
TEST(Ownership, IsNotTakenByARefusedClientThatWritesBesideTheHolder) {
  EXPECT_EQ(ids_broken_by(a_holds + "B acquiring; B joins; B refused; " + a_gives_back), "");
  EXPECT_EQ(ids_broken_by(a_holds + "B acquiring; B joins; B withdraws; B refused; " + a_gives_back), "");
}

// A DEL is a DEL, whatever its sender wrote beside the holder before.
TEST(Ownership, IsTakenByARefusedClientThatRemovesTheKey) {
  EXPECT_EQ(ids_broken_by(a_holds + "B acquiring; B joins; B removes; B refused"), "owner-only-release");
}

// As GETSET does: the client is refused, and what the holder wrote is gone.
TEST(Ownership, IsTakenByARefusedClientThatWritesOverTheHolder) {
  EXPECT_EQ(ids_broken_by(a_holds + "B acquiring; B overwrites; B refused; A releasing; A released"),
            "owner-only-change truthful-release");
}

// It removes the holder's member and adds none: a release of what is another's.
TEST(Ownership, IsTakenByWhoTakesThePartOfTheHolderOutOfTheKey) {
  EXPECT_EQ(ids_broken_by(a_holds + "B acquiring; B takes-out; B refused"), "owner-only-release");
  EXPECT_EQ(ids_broken_by(a_holds + "B acquiring; B takes-out; B refused; A releasing; A released"),
            "owner-only-release truthful-release");
}

TEST(Ownership, EndsWhenItsOwnerTakesItsPartOutOfTheKey) {
  EXPECT_EQ(ids_broken_by(a_holds + "B acquiring; B joins; B refused; A releasing; A takes-out; A released"),
            "");
}

// Everybody who asks sets the expiry anew. The lease of the holder is not for others to set.
TEST(Ownership, IsTouchedByARefusedClientThatSetsTheExpiry) {
  EXPECT_EQ(ids_broken_by(a_holds + "B acquiring; B touches; B refused; " + a_gives_back),
            "owner-only-change");
}

// A member is added, and only a second command tells whether it is the first one. What happens to it in
// between is judged when the client is granted the lock, and not at all if it is refused.
TEST(Ownership, OfAnAttemptIsJudgedWhenItsOutcomeIsKnown) {
  const std::string a_asks = "A acquiring; A creates; B acquiring; B takes-out; B refused; ";
  EXPECT_EQ(ids_broken_by(a_asks + "A granted"), "owner-only-release");
  EXPECT_EQ(ids_broken_by(a_asks + "A refused"), "");
}

}  // namespace
}  // namespace holdfast
