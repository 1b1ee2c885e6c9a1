// What `holdfast live` prints, and how it ends when there is no server to use.
#include <gmock/gmock-more-matchers.h>

#include <thread>

#include "sim/cli/program_test.hpp"
#include "sim/live/blocking_client.hpp"
#include "sim/live/no_server_test.hpp"
#include "sim/live/redis_process.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

using live::no_server;

class Live : public Program {
 protected:
  void SetUp() override {
    if (!live::RedisProcess::start()) GTEST_SKIP() << no_server;
  }
  // Who is struck, and when the machine lets others run, is chance: so several tries.
  Outcome run_until(const std::string& finding, const std::string& command) {
    Outcome outcome;
    for (int i = 0; i < 10 && outcome.out.find(finding) == std::string::npos; ++i) outcome = run(command);
    return outcome;
  }
  // As `url`: nobody who can be used.
  void expect_no_redis(const std::string& url, const std::string& part) {
    const Outcome outcome = run("live token --count 1 --redis " + url);
    EXPECT_EQ(outcome.code, 69) << url;
    EXPECT_THAT(outcome.out, IsEmpty()) << url;
    EXPECT_THAT(outcome.err, HasSubstr(part)) << url;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
};

TEST_F(Live, PrintsATable) {
  const Outcome outcome = run("live token,set-nx-px --count 50 --work 0s --retry 1ms");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("8 clients of 1 lock on 1 connection, redis-server "));
  EXPECT_THAT(outcome.out, HasSubstr("pairs/s"));
  EXPECT_THAT(outcome.out, HasSubstr("\nset-nx-px  "));
  EXPECT_THAT(outcome.out, HasSubstr("\ntoken  "));
}

TEST_F(Live, ColumnsOfManyServersStayApartAndLeasesAreTold) {
  const Outcome outcome =
      run("live redlock --param nodes=24 --count 4 --clients 4 --retry 1ms --param ttl=7s");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::size_t row = outcome.out.find("\nredlock ") + 1;
  std::istringstream words(outcome.out.substr(row, outcome.out.find('\n', row) - row));
  std::size_t columns = 0;
  for (std::string word; words >> word;) ++columns;
  EXPECT_EQ(columns, 11u) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("\nleases: redlock 7s\n"));
}

TEST_F(Live, TooFewOpenFilesAreRaisedOrNamed) {
  const std::string command = "$H live token --connections 200 --clients 200 --count 300 --work 0s";
  const Outcome raised = shell("ulimit -Sn 64; " + command);
  EXPECT_EQ(raised.code, 0) << raised.err;
  EXPECT_THAT(raised.out, testing::Not(HasSubstr("failed")));
  const Outcome refused = shell("ulimit -n 64; " + command);
  EXPECT_EQ(refused.code, 64);
  EXPECT_THAT(refused.err, HasSubstr("take 264 open files, and this process may have 64 (ulimit -n)"));
}

TEST_F(Live, CountsEveryPair) {
  const Outcome outcome =
      run("live redis-py redis-objects redis-objects-px --count 40 --clients 4 --locks 4 --work 0s "
          "--format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["schema"], "holdfast/live/1");
  EXPECT_EQ(json["results"].size(), 3u);
  for (const Json& row : json["results"]) {
    EXPECT_EQ(row["pairs"], 40) << row;
    EXPECT_EQ(row["overlaps"], 0) << row;
    EXPECT_THAT(row["violations"], IsEmpty()) << row;
    EXPECT_GE(row["commands_per_pair"], 2) << row;
    EXPECT_LE(row["acquire_ms"]["p50"], row["acquire_ms"]["max"]) << row;
  }
}

TEST_F(Live, ALockThatGrantsToEverybodyIsCaught) {
  const Outcome outcome = run("live set-nx-px-as-printed --count 50");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("mutual-exclusion: At "));
  EXPECT_THAT(outcome.out, HasSubstr(" was granted the lock while "));
}

TEST_F(Live, FaultsBreakWhatTheSimulatorSaysTheyBreak) {
  const Outcome slow = run(
      "live token --seconds 2 --work 1ms --retry 5ms --faults slow-section --one-in 20 --param ttl=100ms");
  EXPECT_EQ(slow.code, 1) << slow.err;
  EXPECT_THAT(slow.out, HasSubstr("token: struck: slow-section "));
  EXPECT_THAT(slow.out, HasSubstr("mutual-exclusion: At "));
  const Outcome late =
      run("live token --seconds 1 --work 1ms --retry 5ms --faults late-request,lost-reply,duplicate "
          "--timeout 50ms");
  EXPECT_EQ(late.code, 0) << late.out;
  EXPECT_EQ(run("live token --count 1 --faults pause").code, 64);
  const Outcome restart = run("live token --count 1 --faults restart --redis unix:/nowhere");
  EXPECT_EQ(restart.code, 69);
}

TEST_F(Live, LostKeysLetAnotherClientIn) {
  for (const std::string fault : {"failover", "eviction"}) {
    const Outcome outcome = run_until("mutual-exclusion: At ",
                                      "live token --seconds 2 --work 50ms --retry 20ms --clients 3 --one-in "
                                      "10 --param ttl=200ms --faults " +
                                          fault);
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("token: struck: " + fault + " "));
  }
}

TEST_F(Live, WhoIsCutOffCannotRenew) {
  const std::string command =
      "live token-watchdog --seconds 2 --work 150ms --timeout 50ms --clients 2 --param ttl=100ms ";
  const Outcome calm = run(command);
  EXPECT_EQ(calm.code, 0) << calm.out;
  const Outcome cut = run_until("mutual-exclusion: At ", command + "--faults partition --one-in 20");
  EXPECT_EQ(cut.code, 1) << cut.out;
  EXPECT_THAT(cut.out, HasSubstr(": struck: partition "));
}

TEST_F(Live, WhatStrikesServersIsForPrivateOnes) {
  const auto server = live::RedisProcess::start();
  for (const char* fault : {"restart", "failover", "eviction"}) {
    const Outcome outcome =
        run(std::string("live token --faults ") + fault + " --redis unix:" + server->socket_path());
    EXPECT_EQ(outcome.code, 64);
    EXPECT_THAT(outcome.err, HasSubstr("strike private servers only, not one given by --redis"));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

TEST_F(Live, EveryLockOnSeveralServersHasItsOwn) {
  const Outcome outcome =
      run("live redlock,redsync,node-redlock,token --count 20 --clients 2 --retry 1ms --work 0s --param "
          "nodes=3 --format json");
  EXPECT_EQ(outcome.code, 64);  // token has no nodes
  const Outcome several = run(
      "live redlock,redsync,node-redlock --count 20 --clients 2 --locks 2 --work 0s --param nodes=3 --format "
      "json");
  ASSERT_EQ(several.code, 0) << several.err;
  const Json json = Json::parse(several.out);
  for (const Json& row : json["results"]) {
    EXPECT_EQ(row["servers"], 3) << row;
    EXPECT_EQ(row["pairs"], 20) << row;
    EXPECT_EQ(row["commands_per_pair"], 6) << row;  // on each server one SET and one EVAL
  }
  const Outcome text = run("live redlock --count 5 --clients 1 --param nodes=3 --work 0s");
  EXPECT_THAT(text.out, HasSubstr("redlock: on 3 servers"));
}

TEST_F(Live, ServersOfOnesOwnAreNamedOneByOne) {
  const auto one = live::RedisProcess::start();
  const auto two = live::RedisProcess::start();
  const auto three = live::RedisProcess::start();
  const std::string few = "--redis unix:" + one->socket_path() + " --redis unix:" + two->socket_path();
  const std::string quick = " --count 6 --clients 2 --locks 2 --work 0s ";
  const Outcome missing = run("live redlock --param nodes=3" + quick + few);
  EXPECT_EQ(missing.code, 64);
  EXPECT_THAT(missing.err, HasSubstr("--redis: name it once for each server: redlock takes 3 servers"));
  const Outcome left_out = run("live redlock,token" + quick + few);
  EXPECT_EQ(left_out.code, 0) << left_out.err;
  EXPECT_THAT(left_out.err, HasSubstr("left out, as --redis names fewer: redlock takes 5 servers"));
  const Outcome all =
      run("live redlock --param nodes=3" + quick + few + " --redis unix:" + three->socket_path());
  EXPECT_EQ(all.code, 0) << all.err;
  for (const auto& server : {one->socket_path(), two->socket_path(), three->socket_path()}) {
    live::BlockingClient client(server);
    EXPECT_EQ(client.send({"DBSIZE"}), Reply::integer(0));
    EXPECT_THAT(client.send({"INFO", "commandstats"}).text(), HasSubstr("cmdstat_eval:"));
  }
}

TEST_F(Live, AProcessThatIsStoppedTooLongDeletesAnothersLockUnlessItCompares) {
  const auto outcome_with = [this](const std::string& lock, const std::string& finding) {
    const Outcome outcome =
        run_until(finding, "live " + lock +
                               " --processes --clients 3 --faults pause --one-in 20 --param ttl=100ms "
                               "--work 10ms --retry 1ms --seconds 2");
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(finding));
    EXPECT_THAT(outcome.out, HasSubstr(lock + ": struck: pause "));
    return outcome.out;
  };
  outcome_with("set-nx-px", "owner-only-release: At ");
  const std::string comparing = outcome_with("token", "mutual-exclusion: At ");
  EXPECT_THAT(comparing, testing::Not(HasSubstr("owner-only-release")));
}

TEST_F(Live, LeavesNothingOnAnExistingServerAndTouchesNothingOfOthers) {
  const auto server = live::RedisProcess::start();
  live::BlockingClient client(server->socket_path());
  client.send({"SET", "lock:0", "another's"});
  const Outcome outcome =
      run("live \"b*,f*,g*,laravel,redis-*,reentrant,set*,shedlock,sp*,st*,sym*,t*\" "
          "--count 20 --work 0s --retry 1ms "
          "--redis unix:" +
          server->socket_path());
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_EQ(client.send({"KEYS", "*"}), Reply::array({Reply::bulk("lock:0")}));
  EXPECT_EQ(client.send({"GET", "lock:0"}), Reply::bulk("another's"));
  const std::string commands = client.send({"INFO", "commandstats"}).text();
  EXPECT_THAT(commands, HasSubstr("cmdstat_eval:"));
  EXPECT_THAT(commands, testing::Not(HasSubstr("cmdstat_flush")));
  EXPECT_THAT(commands, testing::Not(HasSubstr("cmdstat_config")));
}

// Rows come as they are measured: the first one is what the signal waits for.
TEST_F(Live, SigtermAndSighupPrintTheRowsSoFarAndLeaveNothingOnTheServer) {
  const auto server = live::RedisProcess::start();
  live::BlockingClient client(server->socket_path());
  for (const char* signal : {"TERM", "HUP"}) {
    const Outcome ended =
        shell("$H live fenced redis-py --seconds 1 --redis unix:" + server->socket_path() +
              " & until grep -q \"^fenced \" out.txt; do sleep 0.02; done; kill -" + signal + " $!; wait $!");
    EXPECT_EQ(ended.code, 130) << signal << ended.err;
    EXPECT_THAT(ended.out, HasSubstr("\nredis-py ")) << signal;
    EXPECT_THAT(ended.err, IsEmpty()) << signal;
    EXPECT_EQ(client.send({"DBSIZE"}), Reply::integer(0)) << signal;
  }
}

// kill -9 ends a command in the middle; a second process cleans up after it.
TEST_F(Live, AKilledCommandLeavesNoKeysOnAnExistingServer) {
  const auto own = live::RedisProcess::start();
  live::BlockingClient client(own->socket_path());
  client.send({"SET", "mine", "1"});
  // A lock without an expiry, and a counter that has none either.
  for (const std::string lock : {"setnx", "fenced"}) {
    const Outcome killed = shell("$H live " + lock + " --seconds 60 --redis unix:" + own->socket_path() +
                                 " & while ! grep -q acquire out.txt; do sleep 0.05; done; sleep 0.3; "
                                 "kill -9 $!; wait $!");
    EXPECT_EQ(killed.code, 137) << lock;
    for (int i = 0; i < 100 && client.send({"DBSIZE"}) != Reply::integer(1); ++i) shell("sleep 0.1");
    EXPECT_EQ(client.send({"DBSIZE"}), Reply::integer(1)) << lock;
  }
  EXPECT_EQ(client.send({"GET", "mine"}), Reply::bulk("1"));
}

TEST_F(Live, AServerThatEndsInTheMiddleIsExitCode69) {
  const auto server = live::RedisProcess::start();
  std::thread killer([&] {
    std::this_thread::sleep_for(700ms);
    server->end();
  });
  const Outcome outcome = run("live token --seconds 2 --redis unix:" + server->socket_path());
  killer.join();
  EXPECT_EQ(outcome.code, 69) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr(" ended during the run of token: its figures are worthless"));
}

TEST_F(Live, AServerThatCannotBeUsedIsOneLineAndExitCode69) {
  const auto server = live::RedisProcess::start();
  const std::string url = "unix:" + server->socket_path();
  expect_no_redis("unix:/nowhere/redis.sock", "no Redis server at unix:/nowhere/redis.sock: No such file");
  expect_no_redis("redis://127.0.0.1:1", "no Redis server at redis://127.0.0.1:1: Connection refused");
  expect_no_redis("redis://no.such.host.invalid", "no Redis server at redis://no.such.host.invalid:6379: ");
  live::BlockingClient client(server->socket_path());
  client.send({"CONFIG", "SET", "maxmemory", "1"});
  expect_no_redis(url, "has no memory left (OOM ");
  client.send({"CONFIG", "SET", "maxmemory", "0"});
  client.send({"REPLICAOF", "127.0.0.1", "1"});
  expect_no_redis(url, "is a read-only replica (READONLY ");
  client.send({"REPLICAOF", "NO", "ONE"});
  client.send({"CONFIG", "SET", "requirepass", "secret"});
  expect_no_redis(url, "wants a password");
}

TEST_F(Live, AWrongPasswordIsToldWithoutThePassword) {
  const auto server = live::RedisProcess::start();
  live::BlockingClient client(server->socket_path());
  client.send({"CONFIG", "SET", "requirepass", "secret"});
  client.send({"AUTH", "secret"});
  // Over TCP, where URLs have passwords.
  std::string port;
  for (int candidate = 23'000; candidate < 23'100 && port.empty(); ++candidate)
    if (client.send({"CONFIG", "SET", "port", std::to_string(candidate)}).is_ok())
      port = std::to_string(candidate);
  ASSERT_FALSE(port.empty());
  const Outcome wrong = run("live token --count 1 --redis redis://:guess@127.0.0.1:" + port);
  EXPECT_EQ(wrong.code, 69);
  EXPECT_THAT(wrong.err, HasSubstr("refuses AUTH: WRONGPASS "));
  EXPECT_THAT(wrong.err, testing::Not(HasSubstr("guess")));
  const Outcome right = run("live token --count 5 --redis redis://:secret@127.0.0.1:" + port + "/3");
  EXPECT_EQ(right.code, 0) << right.err;
}

TEST_F(Live, WhatAKilledCommandLeavesBehindTheNextOneRemoves) {
  const Outcome killed = shell("export TMPDIR=\"$PWD\"; timeout -s KILL 1 $H live token --faults late-reply");
  EXPECT_EQ(killed.code, 137);
  const auto left = [this] { return shell("ls -d holdfast-live-* | wc -l").out; };
  EXPECT_EQ(left(), "9\n");  // of the server, and of a proxy for each of 8 clients
  EXPECT_EQ(shell("TMPDIR=\"$PWD\" $H live token --count 1").code, 0);
  EXPECT_EQ(left(), "0\n");
}

TEST_F(Live, CommandLinesThatCannotBeAreUsageErrors) {
  for (const char* wrong :
       {"", "tokn", "token --seconds 0", "token --seconds 1 --count 1", "token --clients 0",
        "token --locks 9", "token --work 5", "token --redis localhost", "token --processes --connections 2",
        "token --param x=1", "token --format junit", "token --clients 10001",
        "token --processes --clients 1001"})
    EXPECT_EQ(run(std::string("live ") + wrong).code, 64) << wrong;
}

}  // namespace
}  // namespace holdfast::cli
