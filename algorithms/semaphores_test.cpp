// Locks for two, word for word, and what their scripts do on the simulated Redis.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "algorithms/locks_on_redis_test.hpp"

namespace holdfast {
namespace semaphores_words {

using namespace scripted;

const Settings four_seconds{{"ttl", "4s"}};

TEST(Semaphore, SendsOneScriptToTakeAndOneToGiveBack) {
  Caller client("token-semaphore", four_seconds);
  const Argv take = script({"1", "lock", "token-1", "2", "4000"});
  const Argv give_back = script({"1", "lock", "token-1"});
  EXPECT_EQ(client.acquire({{take, yes}}), "granted token-1 for 4s");
  EXPECT_EQ(client.release(Grant("token-1"), {{give_back, yes}}), Release::released);
  EXPECT_EQ(client.release(Grant("token-1"), {{give_back, no}}), Release::not_held);
  EXPECT_EQ(client.release(Grant("token-1"), {{give_back, Reply::lost()}}), Release::unknown);
  EXPECT_EQ(Caller("token-semaphore", four_seconds).acquire({{take, no}}), "refused: two hold it");
  EXPECT_EQ(Caller("token-semaphore", four_seconds).acquire({{take, Reply::lost()}}), "failed: timeout");
}

// Two places: the third is refused until one is given back, or over.
void expect_two_places(const std::string& id, const Settings& settings, const std::string& refused) {
  SCOPED_TRACE(id);
  RedisAtHand redis;
  Caller one(id, settings);
  Caller two(id, settings, ClientId{1});
  Caller three(id, settings, ClientId{2});
  EXPECT_EQ(redis.acquire(one), "granted token-1 for 4s");
  redis.now += 1s;
  EXPECT_EQ(redis.acquire(two), "granted B-1 for 4s");
  EXPECT_EQ(redis.acquire(three), refused);
  EXPECT_EQ(redis.release(one, "token-1"), Release::released);
  EXPECT_EQ(redis.acquire(three), "granted C-2 for 4s");
  redis.now += 5s;
  EXPECT_EQ(redis.acquire(one), "granted token-2 for 4s");
}

TEST(Semaphores, HaveTwoPlacesWhereNothingGoesWrong) {
  expect_two_places("token-semaphore", four_seconds, "refused: two hold it");
  expect_two_places("redis-semaphore-two", {{"ttl", "4s"}, {"blocking", "no"}, {"refresh-at", "0"}},
                    "refused: Acquire semaphore semaphore:lock timeout");
  expect_two_places("redis-in-action", four_seconds, "refused: None");
  expect_two_places("redis-in-action", {{"ttl", "4s"}, {"version", "fair"}}, "refused: None");
}

TEST(Semaphore, APlaceLivesThroughItsLastMillisecondAndTheSetAsLongAsItsLastMember) {
  RedisAtHand redis;
  Caller one("token-semaphore", four_seconds);
  Caller two("token-semaphore", four_seconds, ClientId{1});
  Caller three("token-semaphore", four_seconds, ClientId{2});
  EXPECT_EQ(redis.acquire(one), "granted token-1 for 4s");
  redis.now += 1s;
  EXPECT_EQ(redis.acquire(two), "granted B-1 for 4s");
  EXPECT_EQ(redis.answer({"PTTL", "lock"}), Reply::integer(4000));
  redis.now += 3s;
  EXPECT_EQ(redis.acquire(three), "refused: two hold it");
  redis.now += 1ms;
  EXPECT_EQ(redis.release(one, "token-1"), Release::not_held);
  EXPECT_EQ(redis.acquire(three), "granted C-2 for 4s");
}

TEST(RedisInAction, RanksByTheTimeAtWhichAClientLooked) {
  Caller client("redis-in-action", four_seconds);
  const Argv join = script({"1", "lock", "token-1", "1000.0", "996.0"});
  const Argv leave{"ZREM", "lock", "token-1"};
  EXPECT_EQ(client.acquire({{join, Reply::integer(1)}}), "granted token-1 for 4s");
  EXPECT_EQ(Caller("redis-in-action", four_seconds).acquire({{join, Reply::integer(2)}, {leave, yes}}),
            "refused: None");
  EXPECT_EQ(
      Caller("redis-in-action", four_seconds).acquire({{join, Reply::integer(2)}, {leave, Reply::lost()}}),
      "failed: Timeout reading from socket");
  EXPECT_EQ(client.release(Grant("token-1"), {{leave, yes}}), Release::released);
  EXPECT_EQ(client.release(Grant("token-1"), {{leave, no}}), Release::not_held);
  // A member that joined with an earlier time stands before two that are there.
  RedisAtHand redis;
  redis.answer({"ZADD", "lock", "1000.5", "one", "1000.25", "two"});
  EXPECT_EQ(redis.acquire(client), "granted token-2 for 4s");
}

TEST(RedisInAction, WithANumberForgetsOwnersWhoseMembershipHasEnded) {
  RedisAtHand redis;
  Caller client("redis-in-action", {{"ttl", "4s"}, {"version", "fair"}});
  redis.answer({"ZADD", "lock", "990", "ended", "1000", "living"});
  redis.answer({"ZADD", "lock:owner", "1", "ended", "2", "living"});
  redis.answer({"SET", "lock:counter", "2"});
  EXPECT_EQ(redis.acquire(client), "granted token-1 for 4s");
  EXPECT_EQ(redis.answer({"ZRANGE", "lock:owner", "0", "-1"}),
            Reply::array({Reply::bulk("living"), Reply::bulk("token-1")}));
  EXPECT_EQ(redis.release(client, "token-1"), Release::released);
  EXPECT_EQ(redis.answer({"ZCARD", "lock:owner"}), Reply::integer(1));
}

TEST(RedisSemaphoreTwo, SendsItsOwnTimeAndSaysNothingAtItsRelease) {
  const Settings once{{"ttl", "4s"}, {"blocking", "no"}, {"refresh-at", "0"}};
  Caller client("redis-semaphore-two", once);
  const Argv take = script({"1", "semaphore:lock", "2", "token-1", "4000", "1000000"});
  const Argv remove{"ZREM", "semaphore:lock", "token-1"};
  EXPECT_EQ(client.acquire({{take, yes}}), "granted token-1 for 4s");
  EXPECT_EQ(client.release(Grant("token-1"), {{remove, no}}), Release::released);
  EXPECT_EQ(Caller("redis-semaphore-two", once).acquire({{take, broken}}), "failed: ERR broken");
}

}  // namespace semaphores_words
}  // namespace holdfast
