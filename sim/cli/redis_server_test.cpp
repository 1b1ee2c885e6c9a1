// What `holdfast redis --listen` prints, how it ends, and that clients' own tests pass against it.
#include <gmock/gmock-more-matchers.h>

#include <cstdlib>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;

class RedisServer : public Program {
 protected:
  // While a server listens at r.sock with these options, a script of commands runs. `said` is what it
  // printed.
  Outcome with_server(const std::string& options, const std::string& script) {
    return shell(
        "$H redis --listen unix:$PWD/r.sock " + options +
        " >said.txt 2>&1 & server=$!; for i in $(seq 200); do test -S r.sock && break; sleep 0.01; done; " +
        script + "; kill -TERM $server; wait $server; echo code $? >>said.txt");
  }
};

TEST_F(RedisServer, SaysWhereItListensAndWhatStrikesAndLeavesNoSocketBehind) {
  if (std::system("redis-cli --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "skipped: no redis-cli";
  const Outcome outcome =
      with_server("--rule \"duplicate of INCR with job every 2\"",
                  "for i in 1 2; do redis-cli -s r.sock INCR job; redis-cli -s r.sock INCR x; done");
  EXPECT_EQ(outcome.out, "1\n1\n2\n2\n");
  EXPECT_EQ(read("said.txt"), "listening at unix:" + path("r.sock").string() +
                                  "\nduplicate of INCR with job every 2 strikes INCR job\ncode 0\n");
  EXPECT_FALSE(std::filesystem::exists(path("r.sock")));
}
TEST_F(RedisServer, TellsProgramsInJson) {
  if (std::system("redis-cli --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "skipped: no redis-cli";
  with_server("--format json --rule lost-reply", "redis-cli -s r.sock SET a 1");
  std::istringstream lines(read("said.txt"));
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(Json::parse(line)["event"], "listening");
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(Json::parse(line), Json::parse(R"({"event": "struck", "rule": "lost-reply",
                                               "command": ["SET", "a", "1"]})"));
}
TEST_F(RedisServer, TakesThePlaceOfAServerThatWasKilledAndOfNoOther) {
  const std::string listen = "$H redis --listen unix:$PWD/r.sock";
  const Outcome outcome =
      with_server("", listen + " 2>refused.txt; kill -KILL $server; wait $server; timeout 1 " + listen);
  EXPECT_EQ(read("refused.txt"),
            "holdfast: --listen unix:" + path("r.sock").string() + ": Address already in use\n");
  EXPECT_THAT(outcome.out, HasSubstr("listening at"));
}
TEST_F(RedisServer, RefusesInOneLineWhatItCannotBe) {
  const auto expect_refused = [this](const std::string& arguments, int code, const std::string& part) {
    const Outcome outcome = run("redis " + arguments);
    EXPECT_EQ(outcome.code, code) << arguments;
    EXPECT_THAT(outcome.out, IsEmpty()) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  expect_refused("--listen 6390", 64, "is no address of a Redis server");
  expect_refused("--listen redis://nowhere.invalid:1", 69, "--listen redis://nowhere.invalid:1");
  expect_refused("--listen unix:/" + std::string(200, 'x'), 69, "File name too long");
  expect_refused("--listen unix:/r.sock --rule lost-replay", 64, "did you mean \"lost-reply\"?");
  expect_refused("--rule lost-reply", 64, "--listen");
  expect_refused("--clock stands", 64, "--listen");
}
// Of redis-py, at the version that is installed: `git archive v4.3.4 tests`, in a directory of their own.
TEST_F(RedisServer, PassesTheLockTestsOfRedisPy) {
  const char* const tests = std::getenv("HOLDFAST_REDIS_PY_TESTS");
  if (tests == nullptr)
    GTEST_SKIP() << "skipped: HOLDFAST_REDIS_PY_TESTS names no directory with redis-py's tests";
  const Outcome outcome = shell(
      "$H redis --listen redis://127.0.0.1:0 >said.txt & server=$!; until test -s said.txt; do sleep 0.01; "
      "done; "
      "url=$(sed \"s/listening at //\" said.txt); cd " +
      std::string(tests) +
      "/..; /usr/bin/python3 -m pytest -q --no-header -p no:cacheprovider --redis-url $url "
      "tests/test_lock.py tests/test_asyncio/test_lock.py; code=$?; kill $server; exit $code");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" passed"));
}

}  // namespace
}  // namespace holdfast::cli
