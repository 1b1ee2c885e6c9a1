// `holdfast hunt`: what holds is not refuted in reality, what does not hold is found there and told.
#include <gmock/gmock-more-matchers.h>

#include "sim/cli/options.hpp"
#include "sim/cli/program_test.hpp"
#include "sim/live/no_server_test.hpp"
#include "sim/live/redis_process.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

class Hunting : public Program {
 protected:
  void SetUp() override {
    if (!live::RedisProcess::start()) GTEST_SKIP() << live::no_server;
  }
  static std::size_t found_in(const Json& cell) {
    std::size_t count = 0;
    for (const Json& violation : cell["violations"]) count += violation["findings"].size();
    return count;
  }
};

TEST_F(Hunting, NothingRefutesWhatHolds) {
  Json json;
  // A slow machine needs longer for as many runs.
  for (const char* const seconds : {"10", "40", "160"}) {
    const std::string faults = "crash,late-reply,lost-request,restart";
    const Outcome outcome =
        run("hunt token,set-nx-px,redis-py --faults " + faults + " --format json --seconds " + seconds);
    if (outcome.code == exit_inconclusive) continue;
    ASSERT_EQ(outcome.code, exit_as_expected) << outcome.out << outcome.err;
    json = Json::parse(outcome.out);
    if (json["runs"] > 24) break;
  }
  EXPECT_EQ(json["schema"], "holdfast/hunt/1");
  EXPECT_EQ(json["cells"].size(), 12u);
  EXPECT_EQ(json["refuted"], 0);
  std::uint64_t struck = 0;
  for (const Json& cell : json["cells"]) {
    EXPECT_THAT(cell["violations"], IsEmpty()) << cell;
    EXPECT_FALSE(cell.contains("trouble")) << cell;
    EXPECT_GE(cell["grants"], cell["runs"]) << cell;
    struck += cell["struck"].get<std::uint64_t>();
  }
  EXPECT_GT(struck, 12u);
}

TEST_F(Hunting, WhatIsKnownToBeViolatedIsFound) {
  const Outcome outcome =
      run("hunt token,set-nx-px,setnx --faults pause,crash --violated --format json --seconds 60 "
          "--properties mutual-exclusion,owner-only-release,recovery");
  ASSERT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["hunted"], "violated");
  for (const Json& cell : json["cells"]) EXPECT_EQ(found_in(cell), cell["properties"].size()) << cell;
  EXPECT_EQ(json["refuted"], json["claims"]);
}

TEST_F(Hunting, AViolationIsToldWithItsEvents) {
  const Outcome outcome =
      run("hunt token --faults pause --violated --properties mutual-exclusion --seconds 60");
  ASSERT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("redis-server "));
  EXPECT_THAT(outcome.out,
              HasSubstr("\n✘ token under pause: mutual-exclusion is violated in reality, too: At "));
  EXPECT_THAT(outcome.out, HasSubstr("s of the simulator takes "));
  EXPECT_THAT(outcome.out, HasSubstr(" is stopped in the middle of what it does.\n"));
  EXPECT_THAT(outcome.out, HasSubstr(" expires.\n"));
  EXPECT_THAT(outcome.out, HasSubstr(" 1 seen;"));
}

TEST_F(Hunting, AnInterruptedHuntTellsWhatItHasSeenAndLeavesNothingBehind) {
  for (const std::string signal : {"INT", "TERM"}) {
    const Outcome outcome = shell(
        "export TMPDIR=\"$PWD\"; $H hunt token --faults crash --seconds 60 --format json & sleep 5; kill -" +
        signal + " $!; wait $!; code=$?; ls -d holdfast-live-* 2>/dev/null | wc -l >&2; exit $code");
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    const Json json = Json::parse(outcome.out);
    EXPECT_GT(json["runs"], 0);
    EXPECT_THAT(outcome.err, testing::EndsWith("0\n"));
  }
}

TEST_F(Hunting, CommandLinesThatCannotBeAreUsageErrors) {
  for (const char* wrong : {"tokn", "token --seconds 0", "token --faults failover", "redlock",
                            "token --format junit", "token --faults none --properties recover"}) {
    const Outcome outcome = run(std::string("hunt ") + wrong);
    EXPECT_EQ(outcome.code, 64) << wrong;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

// Without a real server: what it could tell is said first.
TEST_F(Hunting, SaysOfWhichLocksItSeesNothing) {
  const Outcome outcome = run("hunt k8s-lease --faults none");
  EXPECT_EQ(outcome.code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("a holder of k8s-lease may stop before it releases"));
}

TEST_F(Hunting, WithoutAServerItIsOneLineAndExitCode69) {
  const Outcome outcome = shell("PATH=/nowhere exec $H hunt token --faults none");
  EXPECT_EQ(outcome.code, 69);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

}  // namespace
}  // namespace holdfast::cli
