// Claims of --strategy and --runs: who asks for a sample gets one, and is told what it is worth.
#include <gmock/gmock-matchers.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

class CliSampling : public Program {};

TEST_F(CliSampling, RunsAskForThePortfolioAndAreCounted) {
  const Outcome outcome = run("check token --faults none --runs 500 --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const Json& cell : Json::parse(outcome.out)["cells"]) {
    EXPECT_EQ(cell["strategy"], "portfolio");
    EXPECT_EQ(cell["verdict"], "sampled");
    EXPECT_EQ(cell["runs"], 500);
    EXPECT_EQ(cell["sample"]["independent_runs"], 100);
    EXPECT_EQ(cell["sample"]["strands"], 3);
    EXPECT_EQ(cell["sample"]["depths"].size(), 6u);
    EXPECT_EQ(cell["sample"]["never_met"].dump(), R"(["expiry-while-held","timeout"])");
  }
}

TEST_F(CliSampling, ACleanSampleSaysWhatItIsWorth) {
  const Outcome pct = run("check token --faults none --strategy pct --runs 2000 --width 200");
  ASSERT_EQ(pct.code, 0) << pct.err;
  EXPECT_THAT(pct.out,
              HasSubstr("PCT missed a violation with a probability of at most: one of depth 1 with "));
  EXPECT_THAT(pct.out, HasSubstr("no key expired while its client believed"));
  EXPECT_THAT(pct.out, HasSubstr("a sample of 2,000 runs"));
  const Outcome random = run("check token --faults none --strategy random --runs 3000 --width 200");
  EXPECT_THAT(random.out, HasSubstr("at most 0.1 % of runs drawn like these violate"));
}

TEST_F(CliSampling, EveryStrategyFindsTheLockThatFailsWithoutAnyFault) {
  for (const char* strategy : {"random", "pct", "walk", "swarm", "portfolio"}) {
    const Outcome outcome = run("check" + one_cell + "--runs 500 --strategy " + strategy);
    EXPECT_EQ(outcome.code, 1) << strategy << outcome.err;
    EXPECT_EQ(run("replay " + its_trace).code, 0) << strategy;
  }
}

TEST_F(CliSampling, AnExhaustiveExplorationHasNoNumberOfRuns) {
  const Outcome outcome = run("check token --strategy exhaustive --runs 5");
  EXPECT_EQ(outcome.code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("--runs: an exhaustive exploration takes every schedule"));
}

TEST_F(CliSampling, AStrategyThatIsNotThereIsAnErrorWithASuggestion) {
  const Outcome outcome = run("check token --strategy pcd");
  EXPECT_EQ(outcome.code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean \"pct\"?"));
}

}  // namespace
}  // namespace holdfast::cli
