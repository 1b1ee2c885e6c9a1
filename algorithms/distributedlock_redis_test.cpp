// DistributedLock.Redis on one database, word for word, and what its scripts do.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "algorithms/locks_on_redis_test.hpp"

namespace holdfast {
namespace distributedlock_words {

using namespace scripted;

const Argv set{"SET", "lock", "token-1", "PX", "30000", "NX"};
const Argv compare = script({"1", "lock", "token-1"});
const Settings once{{"blocking", "no"}};

TEST(DistributedLockRedis, GrantsWhatIsAnsweredWithinATenthOfTheExpiry) {
  EXPECT_EQ(Caller("distributedlock-redis").acquire({{set, ok, 3s}}), "granted token-1 for 30s");
  EXPECT_EQ(Caller("distributedlock-redis", once).acquire({{set, nil}}), "refused: TryAcquire: null");
}

// The release is sent, and its answer is not waited for.
TEST(DistributedLockRedis, GivesBackWhatCameTooLateOrWasNotHeard) {
  for (const Exchange& late : {Exchange{set, ok, 3001ms}, Exchange{set, Reply::lost()}}) {
    Caller client("distributedlock-redis", once);
    const bool is_lost = late.answer.is_lost();
    EXPECT_EQ(client.acquire({late}), is_lost ? "failed: RedisTimeoutException: Timeout awaiting response"
                                              : "refused: TryAcquire: null");
    ASSERT_NE(client.wire.pending, nullptr);
    Argv sent = client.wire.pending->command().argv();
    sent[1] = any_script;
    EXPECT_EQ(sent, compare);
  }
}

TEST(DistributedLockRedis, DisposesByAScriptAndSaysNothingOfWhatItFound) {
  Caller client("distributedlock-redis");
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, yes}}), Release::released);
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, no}}), Release::released);
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, Reply::lost()}}), Release::unknown);
}

TEST(DistributedLockRedis, ExtendsEveryThreeTenthsAndEndsWithTheFirstThatFails) {
  RedisAtHand redis;
  Caller client("distributedlock-redis", once);
  EXPECT_EQ(redis.acquire(client), "granted token-1 for 30s");
  ASSERT_NE(client.clock.sleeping, nullptr);
  EXPECT_EQ(client.clock.sleeping->duration(), 9s);
  redis.now += 9s;
  redis.tick(client);
  EXPECT_EQ(redis.answer({"PTTL", "lock"}), Reply::integer(30'000));
  redis.answer({"SET", "lock", "another"});
  redis.tick(client);
  EXPECT_EQ(redis.answer({"PTTL", "lock"}), Reply::integer(-1));
  EXPECT_EQ(client.clock.sleeping, nullptr);
}

}  // namespace distributedlock_words
}  // namespace holdfast
