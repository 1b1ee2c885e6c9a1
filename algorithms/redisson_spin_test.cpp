// redisson-spin, word for word, and what its scripts do.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "algorithms/locks_on_redis_test.hpp"

namespace holdfast {
namespace redisson_spin_words {

using namespace scripted;

const Argv enter = script({"1", "lock", "30000", "token-1:1"});

TEST(RedissonSpin, AsksAgainAfterPausesThatDoubleUpTo128Milliseconds) {
  Caller client("redisson-spin");
  std::vector<Exchange> exchanges(9, {enter, Reply::integer(30'000)});
  exchanges.push_back({enter, nil});
  Task<Attempt> task = client.start_acquire();
  task.start();
  std::vector<Duration> pauses;
  for (const Exchange& each : exchanges) {
    run(std::exchange(client.wire.pending, nullptr)->complete(each.answer));
    if (task.is_done()) break;
    pauses.push_back(client.clock.sleeping->duration());
    client.clock.end_sleep();
  }
  EXPECT_EQ(told(task.take()), "granted token-1:1 for 30s");
  EXPECT_EQ(pauses, (std::vector<Duration>{1ms, 2ms, 4ms, 8ms, 16ms, 32ms, 64ms, 128ms, 128ms}));
  // The watchdog.
  EXPECT_EQ(client.clock.sleeping->duration(), 10s);
}

TEST(RedissonSpin, GivesUpAtOnceOrWhenItsTimeIsOver) {
  EXPECT_EQ(Caller("redisson-spin", {{"blocking", "no"}}).acquire({{enter, Reply::integer(1)}}),
            "refused: tryLock: false");
  Caller timed("redisson-spin", {{"blocking", "until-timeout"}, {"wait-time", "2ms"}});
  EXPECT_EQ(timed.acquire(std::vector<Exchange>(3, {enter, Reply::integer(1)})), "refused: tryLock: false");
  EXPECT_EQ(Caller("redisson-spin").acquire({{enter, Reply::lost()}}),
            "failed: Redis server response timeout");
}

// The latch, and no channel.
TEST(RedissonSpin, CountsHoldsAndFreesWithoutAMessage) {
  const Settings once{{"blocking", "no"}, {"watchdog", "no"}, {"ttl", "4s"}};
  RedisAtHand redis;
  Caller one("redisson-spin", once);
  Caller two("redisson-spin", once, ClientId{1});
  EXPECT_EQ(redis.acquire(one), "granted token-1:1 for 4s");
  EXPECT_EQ(redis.acquire(one), "granted token-1:1 for 4s");
  EXPECT_EQ(redis.acquire(two), "refused: tryLock: false");
  EXPECT_EQ(redis.answer({"HGET", "lock", "token-1:1"}), Reply::bulk("2"));
  EXPECT_EQ(redis.release(one, "token-1:1"), Release::released);
  EXPECT_EQ(redis.acquire(two), "refused: tryLock: false");
  EXPECT_EQ(redis.release(one, "token-1:1"), Release::released);
  EXPECT_EQ(redis.acquire(two), "granted B-1:1 for 4s");
  EXPECT_EQ(redis.release(one, "token-1:1"), Release::not_held);
}

}  // namespace redisson_spin_words
}  // namespace holdfast
