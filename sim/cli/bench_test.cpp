// What `holdfast bench` prints, and which words it takes.
#include <gmock/gmock-more-matchers.h>

#include <map>

#include "sim/cli/program_test.hpp"
#include "sim/live/no_server_test.hpp"
#include "sim/live/redis_process.hpp"

namespace holdfast::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Json = nlohmann::ordered_json;

class Bench : public Program {
 protected:
  void expect_complaint(const std::string& arguments, const std::string& part) {
    const Outcome outcome = run("bench " + arguments);
    EXPECT_EQ(outcome.code, 64) << arguments;
    EXPECT_THAT(outcome.out, IsEmpty()) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(part)) << arguments;
  }
  static std::vector<std::string> keys_of(const Json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) keys.push_back(key);
    return keys;
  }
};

TEST_F(Bench, MeasuresASpaceOfAnySizeThatIsNamed) {
  const Outcome outcome = run("bench engine --only yardstick/2-1-1-0/token --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_THAT(keys_of(json), ElementsAre("schema", "benchmarks"));
  EXPECT_EQ(json["schema"], "holdfast/bench-engine/1");
  ASSERT_EQ(json["benchmarks"].size(), 1u);
  const Json& it = json["benchmarks"][0];
  EXPECT_THAT(keys_of(it), ElementsAre("name", "states", "transitions", "seconds", "states_per_second",
                                       "transitions_per_second", "bytes_per_state", "snapshot_bytes"));
  EXPECT_EQ(it["name"], "yardstick/2-1-1-0/token");
  EXPECT_GT(it["states"], 10);
  EXPECT_GT(it["transitions"], it["states"]);
  EXPECT_NEAR(it["states_per_second"].get<double>() * it["seconds"].get<double>(), it["states"].get<double>(),
              0.01);
}

TEST_F(Bench, FindsTheSameSpaceWithScriptsRememberedOrNotAndWithAnyNumberOfThreads) {
  const auto space = [&](const std::string& arguments) {
    const Outcome outcome = run("bench engine --format json --only yardstick/2-1-1-1/" + arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Json it = Json::parse(outcome.out)["benchmarks"][0];
    return std::pair(it["states"].get<int>(), it["transitions"].get<int>());
  };
  const std::pair<int, int> plain = space("token");
  EXPECT_EQ(space("token-lua"), plain);
  EXPECT_EQ(space("token -j 2"), plain);
  EXPECT_LT(space("token+reduced").first, plain.first);
}

TEST_F(Bench, MeasuresSimulationsByTheirEvents) {
  const Outcome outcome = run("bench engine --only random/8x1/token --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json it = Json::parse(outcome.out)["benchmarks"][0];
  EXPECT_THAT(keys_of(it), ElementsAre("name", "events", "seconds", "events_per_second"));
  EXPECT_GT(it["events"], 10'000);
}

TEST_F(Bench, PrintsATable) {
  const Outcome outcome = run("bench engine --only yardstick/2-1-1-0/token,random/8x1/token");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("bytes/state"));
  EXPECT_THAT(outcome.out, HasSubstr("\nyardstick/2-1-1-0/token "));
  EXPECT_THAT(outcome.out, HasSubstr("\nrandom/8x1/token "));
}

TEST_F(Bench, WithoutAWordListsItsSuites) {
  const Outcome outcome = run("bench");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, testing::StartsWith("engine "));
}

TEST_F(Bench, RefusesWhatItCannotMeasure) {
  expect_complaint("engin",
                   "there is no suite \"engin\" — did you mean \"engine\"? · there are: engine, live, zoo");
  expect_complaint("sim", "this version cannot measure \"sim\" · there are: engine, live, zoo");
  expect_complaint("engine --only yardstick/4-2-3-2/tokn", "did you mean \"yardstick/4-2-3-2/token\"?");
  expect_complaint("engine --only yardstick/0-2-3-2/token", "matches nothing");
  expect_complaint("engine --only \"nothing*\"", "\"nothing*\" matches nothing");
}

TEST_F(Bench, FindsPlantedBugsAndCountsTheRunsToThem) {
  const Outcome outcome = run("bench zoo --only 'takes-null*,adopts-blindly' --runs 50 --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["schema"], "holdfast/bench-zoo/1");
  EXPECT_EQ(json["score"], "2 of 2 bugs found, 0 false alarms");
  ASSERT_EQ(json["bugs"].size(), 2u);
  EXPECT_EQ(json["bugs"][0]["breaks"], "mutual-exclusion");
  EXPECT_LT(json["bugs"][0]["runs_to_find"]["random"], 50);
  EXPECT_EQ(json["bugs"][1]["suffices"][0][0]["kind"], "pause");
  const Outcome text = run("bench zoo --only deletes-blindly");
  EXPECT_THAT(text.out, HasSubstr("slow-section"));
  EXPECT_THAT(text.out, HasSubstr("\n1 of 1 bugs found, 0 false alarms\n"));
  EXPECT_THAT(run("bench zoo --only deletes-blindly --format markdown").out,
              HasSubstr("| `deletes-blindly` |"));
  expect_complaint("zoo --only deletes-blindl", "did you mean \"deletes-blindly\"?");
  expect_complaint("engine --format markdown", "only of the suite zoo");
  EXPECT_EQ(run("bench zoo --budget 1ms").code, 2);
}

TEST_F(Bench, MeasuresRealLocksBesidePlainCommands) {
  if (!live::RedisProcess::start()) GTEST_SKIP() << live::no_server;
  const Outcome outcome = run("bench live --only raw/set/*,token/uncontended --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["schema"], "holdfast/bench-live/1");
  std::map<std::string, Json> rows;
  for (const Json& row : json["benchmarks"]) rows[row["name"]] = row;
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows["token/uncontended"]["commands"], 2);
  EXPECT_GT(rows["token/uncontended"]["ratio_to_set"], 0.5);
  EXPECT_LT(rows["raw/set/pipelined-64"]["ratio_to_set"], 1);
  for (const auto& [name, row] : rows) {
    EXPECT_GT(row["microseconds"], 0) << row;
    EXPECT_GT(row["ratio_to_same"], 0) << row;
  }
  expect_complaint("live --only tokn/*", "\"tokn/*\" matches nothing");
}

TEST_F(Bench, ABudgetOrMemoryThatEndsFirstIsInconclusive) {
  const Outcome outcome = run("bench engine --only yardstick/8-8-8-8/token --budget 100ms --format json");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(Json::parse(outcome.out)["benchmarks"], IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("the budget ended before yardstick/8-8-8-8/token was measured"));
  const Outcome full = run("bench engine --only yardstick/4-2-3-2/token --memory 4MiB --format json");
  EXPECT_EQ(full.code, 2);
  EXPECT_THAT(Json::parse(full.out)["benchmarks"], IsEmpty());
  EXPECT_THAT(full.err, HasSubstr("states, too many for the memory limit (--memory)"));
}

TEST_F(Bench, ReductionsAndMemoryAreBoundsOfAnExhaustiveExploration) {
  const auto states = [&](const std::string& arguments) {
    const Outcome outcome = run("check token --faults none --format json " + arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out)["cells"][0]["states"].get<int>();
  };
  EXPECT_EQ(states(""), states("--reductions symmetry,loop-heads,dead-values,joint-replies"));
  EXPECT_GT(states("--reductions none"), states("--reductions symmetry"));
  // What there is no room for is sampled.
  const Outcome full = run("check token --clients 3 --rounds 3 --faults none --memory 1MiB");
  EXPECT_EQ(full.code, 0) << full.err;
  EXPECT_THAT(full.out, HasSubstr("none: sampled"));
  for (const char* wrong :
       {"--reductions sleep-sets", "--reductions none,symmetry", "--memory 3", "--memory 1KiB",
        "--memory 1.5GiB", "--memory 99999TiB", "--runs 5 --memory 1GiB", "--runs 5 --reductions none"})
    EXPECT_EQ(run(std::string("check token ") + wrong).code, 64) << wrong;
}

}  // namespace
}  // namespace holdfast::cli
