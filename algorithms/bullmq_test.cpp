// The job lock of BullMQ on the simulated Redis: what its scripts do.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "algorithms/locks_on_redis_test.hpp"

namespace holdfast {
namespace bullmq_words {

using namespace scripted;

const Settings ten_seconds{{"ttl", "10s"}};
const Argv lock_key{"GET", "bull:lock:1:lock"};

class Workers : public testing::Test {
 protected:
  RedisAtHand redis;
  Caller one{"bullmq", ten_seconds};
  Caller two{"bullmq", ten_seconds, ClientId{1}};
};

TEST_F(Workers, OneHasTheJobUntilItIsDone) {
  EXPECT_EQ(redis.acquire(one), "granted token-1 for 10s");
  EXPECT_EQ(redis.answer(lock_key), Reply::bulk("token-1"));
  EXPECT_EQ(redis.answer({"PTTL", "bull:lock:1:lock"}), Reply::integer(10'000));
  EXPECT_EQ(redis.acquire(two), "refused: no job waits");
  EXPECT_EQ(redis.release(one, "token-1"), Release::released);
  EXPECT_EQ(redis.answer({"EXISTS", "bull:lock:1", "bull:lock:active"}), no);
  EXPECT_EQ(redis.acquire(two), "granted B-2 for 10s");
}

TEST_F(Workers, ALockIsExtendedByItsTokenEveryHalfOfIt) {
  EXPECT_EQ(redis.acquire(one), "granted token-1 for 10s");
  EXPECT_EQ(one.clock.sleeping->duration(), 5s);
  redis.answer({"SADD", "bull:lock:stalled", "1"});
  redis.now += 5s;
  redis.tick(one);
  EXPECT_EQ(redis.answer({"PTTL", "bull:lock:1:lock"}), Reply::integer(10'000));
  EXPECT_EQ(redis.answer({"SCARD", "bull:lock:stalled"}), no);
  redis.answer({"SET", "bull:lock:1:lock", "another", "PX", "7"});
  redis.tick(one);
  EXPECT_EQ(redis.answer({"PTTL", "bull:lock:1:lock"}), Reply::integer(7));
  EXPECT_EQ(redis.release(one, "token-1"), Release::not_held);
  EXPECT_EQ(redis.answer(lock_key), Reply::bulk("another"));
}

// The second look finds the job of the first, without a lock.
TEST_F(Workers, WhatHasNoLockAtTheSecondLookIsGivenToTheNext) {
  EXPECT_EQ(redis.acquire(one), "granted token-1 for 10s");
  redis.now += 11s;
  EXPECT_EQ(redis.acquire(two), "refused: no job waits");
  redis.now += 9s;
  EXPECT_EQ(redis.acquire(two), "refused: no job waits");
  redis.now += 2s;
  EXPECT_EQ(redis.acquire(two), "granted B-3 for 10s");
  EXPECT_EQ(redis.release(one, "token-1"), Release::not_held);
  EXPECT_EQ(redis.release(two, "B-3"), Release::released);
}

TEST_F(Workers, WhatStallsMoreOftenThanItMayFails) {
  EXPECT_EQ(redis.acquire(one), "granted token-1 for 10s");
  redis.answer({"HSET", "bull:lock:1", "stc", "1"});
  redis.now += 11s;
  EXPECT_EQ(redis.acquire(two), "refused: no job waits");
  redis.now += 11s;
  EXPECT_EQ(redis.acquire(two), "refused: job stalled more than allowable limit");
  // It is gone, and may be added again.
  EXPECT_EQ(redis.acquire(two), "granted B-3 for 10s");
}

}  // namespace bullmq_words
}  // namespace holdfast
