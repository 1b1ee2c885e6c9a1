// diff: what the program tells of two locks on the same tapes.
#include <gmock/gmock-more-matchers.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;

using Diff = Program;

const std::string job = "diff set-nx-px token --fault pause --property owner-only-release ";

TEST_F(Diff, TellsTheShortestScheduleThatBreaksOneLockAndNotTheOther) {
  const Outcome outcome = run(job);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  // One step to set up. Eight of A: it begins, sends SET, which is carried out and answered; it is stopped,
  // goes on, and sends DEL, which is carried out. Seven of B: it begins and sends SET, which is refused by
  // the server and answered; it asks again, is served, and is granted. The key that A made at 0 is dead at
  // 4.5 s: nine ticks, of which the two in which nobody can do anything are no steps (A works and B has just
  // been refused; A has just stopped).
  EXPECT_THAT(outcome.out, HasSubstr("pause  owner-only-release  set-nx-px  token      23 steps"));
  EXPECT_THAT(outcome.out, HasSubstr("pause  owner-only-release  token      set-nx-px  none: never broken"));
  EXPECT_THAT(outcome.out, HasSubstr("✘ set-nx-px × pause: owner-only-release is violated"));
}

TEST_F(Diff, TheOrderOfTheLocksDoesNotMatter) {
  const Json one = Json::parse(run(job + "--format json").out);
  std::filesystem::remove_all(path("holdfast-out"));
  const Json other =
      Json::parse(run("diff token set-nx-px --fault pause --property owner-only-release --format json").out);
  ASSERT_EQ(one["results"].size(), 2u);
  EXPECT_EQ(one["results"][0], other["results"][1]);
  EXPECT_EQ(one["results"][1], other["results"][0]);
}

TEST_F(Diff, BothRunsAreSavedAndReplay) {
  const Json found = Json::parse(run(job + "--format json").out)["results"][0];
  EXPECT_EQ(run("replay " + std::string(found["trace"])).code, 0);
  EXPECT_EQ(run("replay " + std::string(found["other_trace"])).code, 0);
  EXPECT_THAT(run("show " + std::string(found["other_trace"])).out, HasSubstr("nothing is violated"));
  EXPECT_THAT(run("show " + std::string(found["trace"])).out, HasSubstr("\n  without the pause of A"));
}

TEST_F(Diff, BothRunsAreOnAPageThatLeadsToTheirOwn) {
  EXPECT_THAT(run(job).out, HasSubstr("  page    holdfast-out/set-nx-px-and-token.html\n"));
  const std::string page = read("holdfast-out/set-nx-px-and-token.html");
  EXPECT_THAT(page, HasSubstr("<h1>set-nx-px and token on the same tapes</h1>"));
  for (const char* name : {"set-nx-px+pause+owner-only-release+unlike-token.html",
                           "token+pause+owner-only-release+like-set-nx-px.html"}) {
    EXPECT_THAT(page, HasSubstr("href=\"" + std::string(name) + "\""));
    EXPECT_THAT(read("holdfast-out/" + std::string(name)), HasSubstr("<!doctype html>"));
  }
}

TEST_F(Diff, GivesTheSameBytesOnAnyNumberOfThreads) {
  EXPECT_EQ(run(job + "--format json -j 1").out, run(job + "--format json -j 4").out);
  EXPECT_EQ(run(job + "--format markdown -j 1").out, run(job + "--format markdown -j 3").out);
}

TEST_F(Diff, ABudgetThatEndsFirstIsInconclusive) {
  const Outcome outcome = run("diff getset token --fault crash --clients 3 --budget 1ms");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("not known: the search ended early"));
}

TEST_F(Diff, WrongUsageIsToldInOneLine) {
  const auto expect = [&](const std::string& arguments, const std::string& part) {
    const Outcome outcome = run("diff " + arguments);
    EXPECT_EQ(outcome.code, 64) << arguments;
    EXPECT_THAT(outcome.out, IsEmpty()) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(part)) << arguments;
  };
  expect("token tokn", "there is no lock \"tokn\" — did you mean \"token\"?");
  expect("token token", "diff compares two different locks");
  expect("token", "LOCK");
  expect("token getset --strategy random", "diff explores every schedule");
}

}  // namespace
}  // namespace holdfast::cli
