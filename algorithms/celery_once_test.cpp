// celery-once, word for word.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "algorithms/locks_on_redis_test.hpp"

namespace holdfast {
namespace celery_once_words {

using namespace scripted;

const Argv take{"SET", "lock", "token-1", "PX", "3600000", "NX"};
const Argv pttl{"PTTL", "lock"};

TEST(CeleryOnce, TriesOnceAndThenAsksHowLongItMayTake) {
  EXPECT_EQ(Caller("celery-once").acquire({{take, ok}}), "granted token-1 for 3600s");
  EXPECT_EQ(Caller("celery-once").acquire({{take, nil}, {pttl, Reply::integer(1500)}}),
            "refused: AlreadyQueued");
  EXPECT_EQ(Caller("celery-once").acquire({{take, nil}, {pttl, Reply::lost()}}),
            "failed: Timeout reading from socket");
  EXPECT_EQ(Caller("celery-once").acquire({{take, broken}}), "failed: ERR broken");
}

TEST(CeleryOnce, WithoutATimeoutTheKeyNeverExpires) {
  EXPECT_EQ(Caller("celery-once", {{"ttl", "0s"}}).acquire({{{"SET", "lock", "token-1", "NX"}, ok}}),
            "granted token-1");
}

TEST(CeleryOnce, WaitsForASecondIfTheBackendBlocks) {
  Caller client("celery-once", {{"blocking", "yes"}});
  std::vector<Exchange> tries(11, {take, nil});
  tries.push_back({pttl, Reply::integer(-2)});
  EXPECT_EQ(client.acquire(tries), "refused: AlreadyQueued");
  EXPECT_EQ(client.clock.slept, std::vector<Duration>(10, 100ms));
}

TEST(CeleryOnce, TheWorkerDeletesWhatIsThere) {
  for (const Reply& answer : {yes, no})
    EXPECT_EQ(Caller("celery-once").release(Grant("token-1"), {{del, answer}}), Release::released);
  EXPECT_EQ(Caller("celery-once").release(Grant("token-1"), {{del, Reply::lost()}}), Release::unknown);
  RedisAtHand redis;
  Caller one("celery-once", {{"ttl", "4s"}});
  Caller two("celery-once", {{"ttl", "4s"}}, ClientId{1});
  EXPECT_EQ(redis.acquire(one), "granted token-1 for 4s");
  redis.now += 5s;
  EXPECT_EQ(redis.acquire(two), "granted B-1 for 4s");
  EXPECT_EQ(redis.acquire(one), "refused: AlreadyQueued");
  EXPECT_EQ(redis.release(one, "token-1"), Release::released);
  EXPECT_EQ(redis.answer({"EXISTS", "lock"}), no);
}

}  // namespace celery_once_words
}  // namespace holdfast
