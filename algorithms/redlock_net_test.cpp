// RedLock.net, word for word, with one server, and what its scripts do on the simulated Redis.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast {
namespace {

namespace of_redlock_net_test {

using namespace scripted;

const Settings once{{"blocking", "no"}};
const Argv set{"SET", "redlock:lock", "token-1", "EX", "30", "NX"};
const Argv unlock = script({"1", "redlock:lock", "token-1"});
const Argv extend = script({"1", "redlock:lock", "token-1", "30000"});

// Answers what is asked; returns its words, with `any_script` for a script.
Argv answer(Caller& client, const Reply& reply) {
  Call* const call = std::exchange(client.wire.pending, nullptr);
  Argv sent = call->command().argv();
  if (sent[0] == "EVAL") sent[1] = any_script;
  run(call->complete(reply));
  return sent;
}

std::string tried(Caller& client, const std::vector<std::pair<Argv, Reply>>& exchanges) {
  Task<Attempt> task = client.start_acquire();
  task.start();
  for (const auto& [sent, reply] : exchanges) {
    EXPECT_EQ(answer(client, reply), sent);
    if (client.wire.pending == nullptr && !task.is_done()) client.clock.end_sleep();
  }
  return told(task.take());
}

TEST(RedLockNet, SetsWholeSecondsByExAndOthersByPxAndNoLessThanTenMilliseconds) {
  Caller client("redlock-net", once);
  EXPECT_EQ(tried(client, {{set, ok}}), "granted token-1 for 29.698s");
  Caller shorter("redlock-net", {{"ttl", "1500ms"}, {"blocking", "no"}});
  EXPECT_EQ(tried(shorter, {{{"SET", "redlock:lock", "token-1", "PX", "1500", "NX"}, ok}}),
            "granted token-1 for 1.483s");
  Caller shortest("redlock-net", {{"ttl", "1ms"}, {"blocking", "no"}});
  EXPECT_EQ(tried(shortest, {{{"SET", "redlock:lock", "token-1", "PX", "10", "NX"}, ok}}),
            "granted token-1 for 7.9ms");
}

TEST(RedLockNet, UnlocksAfterAFailedTryAndTellsItsStatus) {
  Caller client("redlock-net", once);
  EXPECT_EQ(tried(client, {{set, nil}, {unlock, no}}), "refused: Conflicted");
  for (const Reply& failure : {Reply::lost(), broken}) {
    Caller other("redlock-net", once);
    EXPECT_EQ(tried(other, {{set, failure}, {unlock, failure}}), "refused: NoQuorum");
  }
  Caller late("redlock-net", once);
  Task<Attempt> task = late.start_acquire();
  task.start();
  late.clock.now += 29'698ms;
  EXPECT_EQ(answer(late, ok), set);
  EXPECT_EQ(answer(late, yes), unlock);
  EXPECT_EQ(told(task.take()), "refused: Expired");
}

TEST(RedLockNet, TriesThriceWithOneIdAndWithAWaitTimeAgainUntilItIsOver) {
  const std::vector<std::pair<Argv, Reply>> failed{{set, nil}, {unlock, no}};
  std::vector<std::pair<Argv, Reply>> exchanges;
  for (int tries = 0; tries < 3; ++tries) exchanges.insert(exchanges.end(), failed.begin(), failed.end());
  Caller client("redlock-net", {{"blocking", "retries"}});
  EXPECT_EQ(tried(client, exchanges), "refused: Conflicted");
  EXPECT_EQ(client.clock.slept, std::vector<Duration>(2, 0s));  // 0 to 399 ms, by chance
  Caller waiting("redlock-net", {{"retry-count", "1"}, {"wait-time", "2s"}});
  EXPECT_EQ(tried(waiting, exchanges), "refused: Conflicted");
  EXPECT_EQ(waiting.clock.slept, std::vector<Duration>(3, 1s));
}

TEST(RedLockNet, ExtendsEveryHalfOfTheExpiryWhateverCameOfTheLastOne) {
  Caller client("redlock-net", once);
  tried(client, {{set, ok}});
  for (const Reply& reply : {yes, Reply::integer(-1), no, Reply::lost(), yes}) {
    EXPECT_EQ(client.clock.sleeping->duration(), 15s);
    client.clock.end_sleep();
    EXPECT_EQ(answer(client, reply), extend);
  }
}

TEST(RedLockNet, SkipsATurnAtWhichAnExtensionIsUnderWay) {
  Caller client("redlock-net", once);
  tried(client, {{set, ok}});
  client.clock.end_sleep();
  client.clock.end_sleep();
  EXPECT_EQ(answer(client, yes), extend);
  EXPECT_EQ(client.wire.pending, nullptr);
}

TEST(RedLockNet, UnlocksOnlyWhenAnExtensionUnderWayHasEndedAndTellsNothing) {
  for (const Reply& reply : {yes, no, broken, Reply::lost()}) {
    Caller client("redlock-net", once);
    tried(client, {{set, ok}});
    client.clock.end_sleep();
    Task<Release> task = client.start_release(Grant("token-1"));
    task.start();
    EXPECT_EQ(client.clock.sleeping, nullptr);
    EXPECT_EQ(answer(client, yes), extend);
    EXPECT_EQ(answer(client, reply), unlock);
    EXPECT_EQ(task.take(), Release::released);
  }
}

// A crash destroys what waits, and the extension goes on without it.
TEST(RedLockNet, ForgetsAReleaseThatIsCancelledWhileItWaitsForAnExtension) {
  Caller client("redlock-net", once);
  tried(client, {{set, ok}});
  client.clock.end_sleep();
  {
    Task<Release> task = client.start_release(Grant("token-1"));
    task.start();
  }
  EXPECT_EQ(answer(client, yes), extend);
  EXPECT_EQ(client.wire.pending, nullptr);
}

TEST(RedLockNet, In231ExtendedNothingThatWasGrantedAfterAFailedTry) {
  for (const std::string timer : {"runs", "cancelled"}) {
    Caller client("redlock-net", {{"blocking", "retries"}, {"timer", timer}});
    EXPECT_EQ(tried(client, {{set, nil}, {unlock, no}, {set, ok}}), "granted token-1 for 29.698s");
    EXPECT_EQ(client.clock.sleeping != nullptr, timer == "runs");
  }
}

class RedLockOnRedis : public testing::Test {
 protected:
  Reply execute(const Argv& argv) { return redis_.execute(argv, WallTime(1000s), changes_); }
  Reply extended(const std::string& how) {
    Caller client("redlock-net", {{"blocking", "no"}, {"extend", how}});
    tried(client, {{set, ok}});
    client.clock.end_sleep();
    return execute(client.wire.pending->command().argv());
  }
  std::string value() { return execute({"GET", "redlock:lock"}).text(); }
  Reply left() { return execute({"PTTL", "redlock:lock"}); }

 private:
  redis::Scripts scripts_;
  redis::Redis redis_{scripts_};
  std::vector<redis::Change> changes_;
};

TEST_F(RedLockOnRedis, AnExtensionProlongsTheOwnKeySetsAMissingOneAndLeavesThatOfAnother) {
  EXPECT_EQ(extended("sets"), yes);
  EXPECT_EQ(value(), "token-1");
  EXPECT_EQ(left(), Reply::integer(30'000));
  execute({"PEXPIRE", "redlock:lock", "5"});
  EXPECT_EQ(extended("sets"), yes);
  EXPECT_EQ(left(), Reply::integer(30'000));
  execute({"SET", "redlock:lock", "another", "PX", "5"});
  EXPECT_EQ(extended("sets"), Reply::integer(-1));
  EXPECT_EQ(left(), Reply::integer(5));
}

TEST_F(RedLockOnRedis, AnExtensionThatComparesSetsNothing) {
  EXPECT_EQ(extended("compares"), Reply::integer(-1));
  EXPECT_EQ(value(), "");
  execute({"SET", "redlock:lock", "token-1", "PX", "5"});
  EXPECT_EQ(extended("compares"), yes);
  EXPECT_EQ(left(), Reply::integer(30'000));
}

}  // namespace of_redlock_net_test
}  // namespace
}  // namespace holdfast
