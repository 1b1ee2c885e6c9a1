// `replay --live` and `compare --live`: what the simulator found happens on a real server, too.
#include <gmock/gmock-more-matchers.h>

#include "sim/cli/program_test.hpp"
#include "sim/live/blocking_client.hpp"
#include "sim/live/no_server_test.hpp"
#include "sim/live/redis_process.hpp"

namespace holdfast::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;

using live::no_server;

class ReplayLive : public Program {
 protected:
  void SetUp() override {
    if (!live::RedisProcess::start()) GTEST_SKIP() << no_server;
  }
  // Each: LOCK+FAULT+PROPERTY. A replay waits for real time, and has a server of its own: all go at once.
  void expect_confirmed(const std::vector<std::string>& all) {
    std::string replays;
    for (const std::string& found : all) {
      const std::string lock = found.substr(0, found.find('+'));
      const std::string fault = found.substr(lock.size() + 1, found.rfind('+') - lock.size() - 1);
      const std::string property = found.substr(found.rfind('+') + 1);
      ASSERT_EQ(run("check " + lock + " --fault " + fault + " --property " + property + " -o " + found).code,
                1)
          << found;
      replays += "{ $H replay --live " + found + "/" + found + ".trace.json >" + found + ".txt 2>&1; echo " +
                 "code $? >>" + found + ".txt; } & ";
    }
    shell(replays + "wait");
    for (const std::string& found : all) {
      const std::string told = read(found + ".txt");
      EXPECT_THAT(told, testing::EndsWith("\ncode 0\n")) << found;
      EXPECT_THAT(told, ContainsRegex("confirmed on redis-server [0-9.]+: [0-9]+ commands in ")) << found;
    }
  }
};

TEST_F(ReplayLive, ConfirmsAPauseACrashALateRequestAndAWrongClock) {
  expect_confirmed({"token+pause+mutual-exclusion", "setnx+crash+recovery",
                    "set-nx-px+late-request+owner-only-release", "getset+clock-skew+mutual-exclusion",
                    "getset+clock-jump+mutual-exclusion"});
}

TEST_F(ReplayLive, ConfirmsWhatIsDoneToServers) {
  expect_confirmed({"fenced+restart+mutual-exclusion", "token+failover+mutual-exclusion",
                    "set-nx-px+failover+owner-only-release", "token+eviction+no-stale-write"});
}

TEST_F(ReplayLive, ConfirmsWhatIsLostRepeatedOrCancelled) {
  expect_confirmed({"setnx+cancel+recovery", "setnx+lost-reply+recovery", "setnx+partition+recovery",
                    "set-nx-px+duplicate+owner-only-release", "token-watchdog+partition+mutual-exclusion"});
}

TEST_F(ReplayLive, ConfirmsWhatAReplicaHas) {
  ASSERT_EQ(run("check token --fault slow-section --param wait=then-look,wait-timeout=1s").code, 1);
  const Outcome waited = run("replay --live holdfast-out/token+slow-section+mutual-exclusion.trace.json");
  EXPECT_EQ(waited.code, 0) << waited.err;
  // SET, WAIT and the look, of each of the two clients.
  EXPECT_THAT(waited.out, HasSubstr(": 6 commands in "));
  const std::string lesson = "a-wait-after-the-failover-says-nothing-of-the-set-before-it";
  ASSERT_EQ(run("run " + lesson + " -o other").code, 0);
  const Outcome late = run("replay --live other/" + lesson + "+mutual-exclusion.trace.json");
  EXPECT_THAT(late.out, HasSubstr("not confirmed: a client waits for a replica of one that has just begun"));
}

TEST_F(ReplayLive, ConfirmsWhatHappensWhileAClientWaitsAtTheServer) {
  expect_confirmed(
      {"python-redis-lock+pause+mutual-exclusion", "python-redis-lock+slow-section+mutual-exclusion"});
}

TEST_F(ReplayLive, ConfirmsWhatHappensOnSeveralServers) {
  const std::string lesson = "three-grants-do-not-outlast-the-loss-of-one-server";
  ASSERT_EQ(run("run " HOLDFAST_SOURCE_DIR "/scenarios/lessons/" + lesson + ".json").code, 0);
  const Outcome outcome = run("replay --live holdfast-out/" + lesson + "+mutual-exclusion.trace.json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("confirmed on redis-server "));
}

TEST_F(ReplayLive, AClockOfAServerIsThisMachinesAndNotSet) {
  ASSERT_EQ(run("check token --fault server-clock-jump --property mutual-exclusion").code, 1);
  const Outcome outcome =
      run("replay --live holdfast-out/token+server-clock-jump+mutual-exclusion.trace.json");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("not confirmed: it sets a server's clock, which is this machine's"));
}

TEST_F(ReplayLive, WholeSecondsTakeWholeSeconds) {
  ASSERT_EQ(run("check setnx-expire --fault slow-section --property mutual-exclusion").code, 1);
  const Outcome outcome =
      run("replay --live holdfast-out/setnx-expire+slow-section+mutual-exclusion.trace.json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("confirmed on redis-server "));
}

TEST_F(ReplayLive, AnExistingServerKeepsNothingOfItAndIsNotRestarted) {
  const auto server = live::RedisProcess::start();
  const std::string url = " --redis unix:" + server->socket_path();
  ASSERT_EQ(run("check token --faults pause,restart").code, 1);
  const Outcome pause = run("replay --live holdfast-out/token+pause+mutual-exclusion.trace.json" + url);
  EXPECT_EQ(pause.code, 0) << pause.err;
  live::BlockingClient client(server->socket_path());
  EXPECT_EQ(client.send({"DBSIZE"}), Reply::integer(0));
  const Outcome restart = run("replay --live holdfast-out/token+restart+mutual-exclusion.trace.json" + url);
  EXPECT_EQ(restart.code, 2);
  EXPECT_THAT(restart.out, HasSubstr("not confirmed: it restarts the server, which needs a private one"));
  EXPECT_EQ(client.send({"PING"}), Reply::status("PONG"));
}

TEST_F(ReplayLive, CompareConfirmsEveryCounterexample) {
  const Outcome outcome = run("compare --live --only token --faults pause,restart --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  int violated = 0;
  const Json matrix = Json::parse(outcome.out);
  for (const Json& cell : matrix["cells"]) {
    if (cell["verdict"] != "violated") {
      EXPECT_FALSE(cell.contains("live"));
      continue;
    }
    ++violated;
    EXPECT_THAT(cell["live"].get<std::string>(), testing::StartsWith("confirmed on redis-server ")) << cell;
  }
  EXPECT_EQ(violated, 4);
  const Outcome text = run("compare --live --only token --faults pause");
  EXPECT_THAT(text.out, HasSubstr("\n2 of 2 violations confirmed on redis-server "));
}

TEST_F(ReplayLive, WithoutAServerThatIsExitCode69) {
  ASSERT_EQ(run("check token --fault pause").code, 1);
  const Outcome outcome =
      run("replay --live --redis unix:/nowhere holdfast-out/token+pause+mutual-exclusion.trace.json");
  EXPECT_EQ(outcome.code, 69);
  EXPECT_THAT(outcome.err, HasSubstr("no Redis server at unix:/nowhere"));
  EXPECT_THAT(run("compare --live --redis unix:/nowhere --only token --faults pause").out, IsEmpty());
}

}  // namespace
}  // namespace holdfast::cli
