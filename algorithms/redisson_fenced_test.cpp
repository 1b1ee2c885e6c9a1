// Redisson's RFencedLock, word for word, and what its scripts do on the simulated Redis.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast {
namespace {

namespace of_redisson_fenced_test {

using namespace scripted;

const Settings waits{{"watchdog", "no"}};
const Settings once{{"watchdog", "no"}, {"blocking", "no"}};
const Settings reads{{"watchdog", "no"}, {"blocking", "no"}, {"token", "read-later"}};
const Argv enter = script({"2", "lock", "redisson_lock_token:{lock}", "30000", "token-1:1"});
const Argv get_token{"GET", "redisson_lock_token:{lock}"};
const Argv subscribe{"SUBSCRIBE", "redisson_lock__channel:{lock}"};
const Argv listen{};

Reply pair(std::int64_t first, std::int64_t second) {
  return Reply::array({Reply::integer(first), Reply::integer(second)});
}
Argv leave(const std::string& request) {
  return script({"3", "lock", "redisson_lock__channel:{lock}", "redisson_unlock_latch:{lock}:" + request, "0",
                 "30000", "token-1:1", "PUBLISH", "16000"});
}

TEST(RedissonFenced, TellsTheTokenThatCameWithTheLock) {
  Caller client("redisson-fenced", once);
  EXPECT_EQ(client.acquire({{enter, pair(-1, 7)}}), "granted token-1:1 for 30s fence 7");
  EXPECT_EQ(client.acquire({{enter, pair(2000, -1)}}), "refused: tryLock: false");
  EXPECT_EQ(client.acquire({{enter, Reply::lost()}}), "failed: Redis server response timeout");
  EXPECT_EQ(client.acquire({{enter, broken}}), "failed: ERR broken");
  EXPECT_EQ(client.release(Grant("token-1:1"), {{leave("token-2"), yes}}), Release::released);
  EXPECT_EQ(client.release(Grant("token-1:1"), {{leave("token-3"), nil}}), Release::not_held);
}

TEST(RedissonFenced, SubscribesUntilItIsConfirmedAndRaisesEveryErrorAfterIt) {
  const Exchange refused{enter, pair(2000, -1)};
  const Exchange confirmed{subscribe, Reply::bulk("subscribe")};
  Caller client("redisson-fenced", waits);
  EXPECT_EQ(client.acquire({refused, {subscribe, Reply::lost()}, confirmed, {enter, pair(-1, 1)}}),
            "granted token-1:1 for 30s fence 1");
  EXPECT_EQ(client.acquire({refused, confirmed, refused, {listen, nil, 2s}, {enter, pair(-1, 2)}}),
            "granted token-1:1 for 30s fence 2");
  Caller timed("redisson-fenced", {{"watchdog", "no"}, {"blocking", "until-timeout"}});
  EXPECT_EQ(timed.acquire({refused, confirmed, {enter, Reply::lost()}}),
            "failed: Redis server response timeout");
}

TEST(RedissonFenced, DoesNotGiveBackWhatNoReplicaHas) {
  Caller client("redisson-fenced", {{"watchdog", "no"}, {"blocking", "no"}, {"servers", "replicated"}});
  EXPECT_EQ(client.acquire({{enter, pair(-1, 7)}, {{"WAIT", "1", "1000"}, no}}),
            "failed: NoSyncedSlavesException: None of slaves were synced.");
}

TEST(RedissonFenced, ReadsTheTokenLaterIfItIsAskedTo) {
  Caller client("redisson-fenced", reads);
  EXPECT_EQ(client.acquire({{enter, nil}, {get_token, Reply::bulk("12")}}),
            "granted token-1:1 for 30s fence 12");
  EXPECT_EQ(client.acquire({{enter, Reply::integer(2000)}}), "refused: tryLock: false");
  EXPECT_EQ(client.acquire({{enter, nil}, {get_token, broken}, {leave("token-2"), yes}}),
            "failed: ERR broken");
}

class FencedOnRedis : public testing::Test {
 protected:
  Reply execute(const Argv& argv) { return redis_.execute(argv, WallTime(1000s), changes_); }
  std::string tried(Caller& client) {
    Task<Attempt> task = client.start_acquire();
    task.start();
    while (!task.is_done()) {
      Call* const call = std::exchange(client.wire.pending, nullptr);
      run(call->complete(execute(call->command().argv())));
    }
    return told(task.take());
  }

 private:
  redis::Scripts scripts_;
  redis::Redis redis_{scripts_};
  std::vector<redis::Change> changes_;
};

TEST_F(FencedOnRedis, CountsEntriesAlsoOfTheHolderAndNoRefusals) {
  for (const Settings& settings : {once, reads}) {
    execute({"FLUSHALL"});
    Caller one("redisson-fenced", settings);
    Caller two("redisson-fenced", settings, ClientId{1});
    EXPECT_EQ(tried(one), "granted token-1:1 for 30s fence 1");
    EXPECT_EQ(tried(two), "refused: tryLock: false");
    EXPECT_EQ(tried(one), "granted token-1:1 for 30s fence 2");
    EXPECT_EQ(execute({"HGET", "lock", "token-1:1"}), Reply::bulk("2"));
    EXPECT_EQ(execute({"PTTL", "redisson_lock_token:{lock}"}), Reply::integer(-1));
    execute({"DEL", "lock"});
    EXPECT_EQ(tried(two), "granted B-1:1 for 30s fence 3");
  }
}

// As clearExpire() leaves it.
TEST_F(FencedOnRedis, GrantsALockWithoutAnExpiryToEverybody) {
  execute({"HSET", "lock", "another:1", "1"});
  Caller one("redisson-fenced", once);
  EXPECT_EQ(tried(one), "granted token-1:1 for 30s fence 0");
  EXPECT_EQ(execute({"HEXISTS", "lock", "token-1:1"}), no);
  Caller two("redisson-fenced", {{"watchdog", "no"}, {"token", "read-later"}, {"blocking", "no"}},
             ClientId{1});
  EXPECT_EQ(tried(two), "refused: tryLock: false");
}

}  // namespace of_redisson_fenced_test
}  // namespace
}  // namespace holdfast
