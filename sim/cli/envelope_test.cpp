// envelope and assumptions: what the program tells of how much a lock takes.
#include <fmt/format.h>
#include <gmock/gmock-more-matchers.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Json = nlohmann::ordered_json;

using Envelope = Program;
using Assumptions = Program;

const std::string one_fault = "envelope token --fault pause --property mutual-exclusion ";
const std::string two_faults =
    "envelope token --fault pause,late-reply --property mutual-exclusion --most 3s ";

// The answer travels for a second, the work takes one, and the lease lasts four: what is longer than two
// seconds is too long, whatever clients do besides.
TEST_F(Envelope, HasTheSameEdgeWhateverAttemptsAndClients) {
  for (const char* bounds : {"--attempts 1", "--attempts 3", "--attempts 1 --clients 3", "--rounds 2"}) {
    const Json edge =
        Json::parse(run(one_fault + bounds + " --format json").out)["faults"][0]["properties"][0];
    EXPECT_EQ(edge["holds_up_to"], "2s") << bounds;
    EXPECT_EQ(edge["breaks_from"], "2.5s") << bounds;
  }
}

// The client that comes last meets the end of the lease, however long that is.
TEST_F(Envelope, AnEdgeMovesWithTheLease) {
  for (const int lease_s : {8, 30}) {
    const std::string lease = fmt::format(" --attempts 1 --param ttl={}s", lease_s);
    const Json edge =
        Json::parse(run(one_fault + lease + " --format json").out)["faults"][0]["properties"][0];
    EXPECT_EQ(edge["holds_up_to"], fmt::format("{}s", lease_s - 2));
    EXPECT_EQ(edge["breaks_from"], fmt::format("{}.5s", lease_s - 2));
  }
}

TEST_F(Envelope, TellsTheLargestSizeThatHoldsAndTheSmallestThatBreaks) {
  const Outcome outcome = run(one_fault);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, HasSubstr("fault  property          holds up to  breaks from"));
  EXPECT_THAT(outcome.out, HasSubstr("pause  mutual-exclusion           2s         2.5s"));
  EXPECT_THAT(outcome.out, HasSubstr("Both sides of each edge were explored of pause (6 of 17"));
  EXPECT_THAT(outcome.out, HasSubstr("holdfast-out/token+pause-2.5s+mutual-exclusion.trace.json"));
}

TEST_F(Envelope, BothSidesAreSavedAndReplay) {
  const Json edge = Json::parse(run(one_fault + "--format json").out)["faults"][0]["properties"][0];
  EXPECT_EQ(edge["holds_up_to"], "2s");
  EXPECT_EQ(edge["breaks_from"], "2.5s");
  EXPECT_EQ(run("replay " + std::string(edge["trace"])).code, 0);
  EXPECT_EQ(run("replay " + std::string(edge["holding_trace"])).code, 0);
  EXPECT_THAT(run("show " + std::string(edge["holding_trace"])).out, HasSubstr("nothing is violated"));
}

TEST_F(Envelope, TwoFaultsMakeAMap) {
  const Outcome text = run(two_faults);
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("late-reply ↓  pause →"));
  const Json map = Json::parse(run(two_faults + "--format json").out)["map"];
  EXPECT_EQ(map["properties"][0]["verdicts"].size(), 3u);
  EXPECT_EQ(map["properties"][0]["verdicts"][0].size(), 4u);
  const Outcome picture = run(two_faults + "--format svg");
  EXPECT_TRUE(picture.out.starts_with("<svg xmlns="));
  EXPECT_THAT(picture.out, HasSubstr("late-reply ↓"));
}

TEST_F(Envelope, ATableInMarkdownSaysTheSame) {
  const Outcome edge = run(one_fault + "--format markdown");
  EXPECT_EQ(edge.code, 0);
  EXPECT_TRUE(edge.out.starts_with(
      "| fault | property | holds up to | breaks from | at every instant up to | steps |\n"))
      << edge.out;
  // One step to set up. Five of A: it begins, sends SET, which is carried out and answered, and is stopped.
  // Seven of B: it begins and sends SET, which is refused by the server and answered; it asks again, is
  // served, and is granted. That is at 4.5 s: nine ticks, of which the one in which A works and B has just
  // been refused is no step, for nobody can do anything in it.
  EXPECT_THAT(edge.out, HasSubstr("\n| pause | mutual-exclusion | 2s | 2.5s | 2s | 21 |\n"));
  EXPECT_THAT(edge.out, HasSubstr("\n- Both sides of each edge were explored of pause (6 of 17"));
  const Outcome map = run(two_faults + "--format markdown");
  EXPECT_THAT(map.out, HasSubstr("\n| 2s | ✔ | ✔ | ✘ | ✘ |\n"));
  EXPECT_THAT(map.out, HasSubstr("\nEvery pair of sizes was explored.\n"));
}

TEST_F(Envelope, APictureOfOneFaultIsABarUpToTheEdge) {
  const Outcome edge = run(one_fault + "--format svg");
  EXPECT_EQ(edge.code, 0);
  EXPECT_THAT(edge.out, HasSubstr("<title>holds up to 2s</title>"));
  EXPECT_THAT(edge.out, HasSubstr("<title>breaks from 2.5s</title>"));
  EXPECT_THAT(edge.out, HasSubstr(">2s holds, 2.5s breaks</text>"));
  const Outcome open = run("envelope getset --fault pause --clients 3 --budget 1ms --format svg");
  EXPECT_THAT(open.out, HasSubstr("<title>not known</title>"));
}

TEST_F(Envelope, GivesTheSameBytesOnAnyNumberOfThreads) {
  EXPECT_EQ(run(one_fault + "--format json -j 1").out, run(one_fault + "--format json -j 3").out);
  EXPECT_EQ(run(two_faults + "--format svg -j 1").out, run(two_faults + "--format svg -j 3").out);
}

TEST_F(Envelope, ABudgetThatEndsFirstIsInconclusive) {
  const Outcome outcome = run("envelope getset --fault pause --clients 3 --budget 1ms");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("not known"));
}

TEST_F(Envelope, WrongUsageIsToldInOneLine) {
  const auto expect = [&](const std::string& arguments, const std::string& part) {
    const Outcome outcome = run("envelope " + arguments);
    EXPECT_EQ(outcome.code, 64) << arguments;
    EXPECT_THAT(outcome.out, IsEmpty()) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(part)) << arguments;
  };
  expect("tokn", "there is no lock \"tokn\" — did you mean \"token\"?");
  expect("token --fault none", "the absence of faults has no size");
  expect("token --fault pause,crash,cancel", "one fault, two for a map");
  expect("token --step 300ms", "is no multiple of 300ms");
  expect("token --step 0s", "sizes are longer than 0s");
  expect("token --step fast", "is not a duration with a unit");
  expect("token --strategy walk", "envelope explores every schedule");
}

TEST_F(Assumptions, TellsWhatBreaksALockAndWhatItTakes) {
  const Outcome outcome =
      run("assumptions token --faults crash,pause,lost-reply --property mutual-exclusion");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, HasSubstr("  breaks under  pause ("));
  EXPECT_THAT(outcome.out, HasSubstr("  holds under   all of crash, lost-reply"));
}

TEST_F(Assumptions, EveryBreakingSetIsSavedAndReplays) {
  const Json found = Json::parse(
      run("assumptions token --faults crash,pause --property mutual-exclusion --format json").out);
  const Json breaks = found["properties"][0]["breaks"];
  ASSERT_EQ(breaks.size(), 1u);
  EXPECT_EQ(breaks[0]["faults"], Json::array({"pause"}));
  EXPECT_EQ(run("replay " + std::string(breaks[0]["trace"])).code, 0);
  EXPECT_EQ(found["properties"][0]["holds"], Json::array({Json::array({"crash"})}));
}

// All pairs of sixteen faults take minutes.
TEST_F(Assumptions, SayNothingOfPairsThatWereNotExplored) {
  const std::string pairs = "assumptions redisson --properties mutual-exclusion ";
  for (const char* format : {"text", "markdown"}) {
    const Outcome outcome = run(pairs + "--budget 1s --width 1000 --format " + format);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, HasSubstr(" sets of 2 faults")) << format;
    EXPECT_THAT(outcome.out, Not(AnyOf(HasSubstr("any 2 of"), HasSubstr("all of")))) << format;
  }
  const Outcome interrupted =
      shell("$H " + pairs +
            "--progress bar & until grep -q \"[1-9][0-9]*/[0-9]* sets\" err.txt; do sleep "
            "0.05; done; kill -INT $!; wait $!");
  EXPECT_EQ(interrupted.code, 130);
  EXPECT_THAT(interrupted.out, HasSubstr(" sets of 2 faults"));
  EXPECT_THAT(interrupted.out, Not(AnyOf(HasSubstr("any 2 of"), HasSubstr("all of"))));
}

TEST_F(Assumptions, ABudgetThatEndsFirstIsInconclusive) {
  const Outcome outcome = run("assumptions getset --clients 3 --budget 1ms");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("  not known     "));
}

}  // namespace
}  // namespace holdfast::cli
