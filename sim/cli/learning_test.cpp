// Lessons and games, as a user's shell sees them.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class Learning : public Program {};

TEST_F(Learning, TheCourseIsListedInBothLanguages) {
  const Outcome english = run("lesson");
  EXPECT_EQ(english.code, 0);
  EXPECT_THAT(english.out, HasSubstr("  1  A lock that nobody can open any more\n"));
  EXPECT_THAT(run("lesson --language zh").out, HasSubstr("再也打不开的锁"));
}

TEST_F(Learning, EveryLessonRefutesItsClaimAndSaysWhatRepairsIt) {
  const Outcome list = run("lesson");
  const auto count = std::count(list.out.begin(), list.out.end(), '\n');
  EXPECT_GE(count, 15);
  for (auto number = 1; number <= count; ++number) {
    const Outcome lesson = run("lesson --format markdown " + std::to_string(number));
    EXPECT_EQ(lesson.code, 0) << number;
    EXPECT_THAT(lesson.out, HasSubstr("**✘ ")) << number;
    EXPECT_THAT(lesson.out, HasSubstr("<details>")) << number;
    EXPECT_THAT(lesson.out, Not(HasSubstr("is one that"))) << number << ": nothing separates the two";
  }
}

TEST_F(Learning, ALessonThatThereIsNotIsAUsageError) {
  const Outcome outcome = run("lesson 99");
  EXPECT_EQ(outcome.code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("they are 1 to "));
}

TEST_F(Learning, AGameIsPlayedFromAPipeAndItsRunReplays) {
  const Outcome outcome = shell("yes \"\" | head -40 | $H play set-nx-px-as-printed --faults none");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("You broke set-nx-px-as-printed in "));
  EXPECT_THAT(outcome.out, HasSubstr("; the shortest way known takes 7"));
  EXPECT_EQ(run("replay holdfast-out/set-nx-px-as-printed-played.trace.json").code, 0);
  const Outcome page = run("show holdfast-out/set-nx-px-as-printed-played.trace.json --format html");
  EXPECT_EQ(page.code, 0);
  EXPECT_THAT(page.out, HasSubstr("\"end\":\"This run breaks the lock in "));
  EXPECT_THAT(page.out, HasSubstr("; the shortest known takes 7 steps.\""));
}

TEST_F(Learning, AnswersCanBeTakenBackAndTheGameCanBeLeft) {
  const Outcome outcome = shell("printf \"u\\n0\\nu\\nseven\\ns\\nq\\n\" | $H play token --faults pause");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("There is nothing to take back."));
  EXPECT_THAT(outcome.out, HasSubstr("Type a number from 0 to "));
}

TEST_F(Learning, AGameWithoutFaultsCannotBreakALockThatHolds) {
  const Outcome outcome = shell("yes \"\" | head -400 | $H play token --faults none --fault-budget 1");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("The run is over, and nothing was violated."));
}

}  // namespace
}  // namespace holdfast::cli
