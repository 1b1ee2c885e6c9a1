// redbeat, word for word, and what its scripts do.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "algorithms/locks_on_redis_test.hpp"

namespace holdfast {
namespace redbeat_words {

using namespace scripted;

const Argv take{"SET", "lock", "token-1", "PX", "1500000", "NX"};
const Argv extend = script({"1", "lock", "token-1", "1500000", "0"});
const Argv give_back = script({"1", "lock", "token-1"});
const Settings once{{"blocking", "no"}};

TEST(Redbeat, SchedulesAfterItsFirstTickHasExtendedTheLock) {
  EXPECT_EQ(Caller("redbeat").acquire({{take, ok}, {extend, yes}}), "granted token-1 for 1500s");
  EXPECT_EQ(Caller("redbeat", once).acquire({{take, nil}}), "refused: another beat holds the lock");
  Caller waiting("redbeat");
  EXPECT_EQ(waiting.acquire({{take, nil}, {take, nil}, {take, ok}, {extend, yes}}),
            "granted token-1 for 1500s");
  EXPECT_EQ(std::vector<Duration>(waiting.clock.slept.begin(), waiting.clock.slept.begin() + 2),
            std::vector<Duration>(2, 300s));
}

TEST(Redbeat, EndsAtItsFirstTickWithoutALockAndLeavesWhatMayBeThere) {
  EXPECT_EQ(Caller("redbeat").acquire({{take, Reply::lost()}}), "failed: Timeout reading from socket");
  EXPECT_EQ(Caller("redbeat").acquire({{take, broken}}), "failed: ERR broken");
}

TEST(Redbeat, OnceWentOnWithoutALockAfterAnError) {
  Caller client("redbeat", {{"on-error", "ignored"}});
  EXPECT_EQ(client.acquire({{take, Reply::lost()}}), "granted token-1 for 1500s");
  EXPECT_EQ(client.release(Grant("token-1"), {}), Release::released);
}

TEST(Redbeat, ClosesWhenTheFirstTickFails) {
  const Exchange is_another{get, Reply::bulk("B-1")};
  EXPECT_EQ(Caller("redbeat").acquire({{take, ok}, {extend, no}, is_another}),
            "failed: Cannot extend a lock that's no longer owned");
  EXPECT_EQ(Caller("redbeat").acquire(
                {{take, ok}, {extend, Reply::lost()}, {get, Reply::bulk("token-1")}, {give_back, yes}}),
            "failed: Timeout reading from socket");
}

// Each with the lock.
Release closed(const std::vector<Exchange>& exchanges) {
  Caller client("redbeat");
  client.acquire({{take, ok}, {extend, yes}});
  return client.release(Grant("token-1"), exchanges);
}

TEST(Redbeat, CloseLooksWhoseLockItIsAndSaysNothingOfAnothers) {
  const Exchange is_own{get, Reply::bulk("token-1")};
  EXPECT_EQ(closed({is_own, {give_back, yes}}), Release::released);
  EXPECT_EQ(closed({is_own, {give_back, no}}), Release::not_held);
  EXPECT_EQ(closed({is_own, {give_back, Reply::lost()}}), Release::unknown);
  EXPECT_EQ(closed({{get, nil}}), Release::released);
  EXPECT_EQ(closed({{get, Reply::bulk("B-1")}}), Release::released);
  EXPECT_EQ(closed({{get, broken}}), Release::unknown);
}

TEST(Redbeat, ATickBeginsTheTtlAnewInWholeSecondsIfTheTokenIsThere) {
  const Settings short_lease{{"ttl", "4500ms"}, {"blocking", "no"}};
  RedisAtHand redis;
  Caller one("redbeat", short_lease);
  Caller two("redbeat", short_lease, ClientId{1});
  EXPECT_EQ(redis.acquire(one), "granted token-1 for 4s");
  EXPECT_EQ(redis.acquire(two), "refused: another beat holds the lock");
  EXPECT_EQ(redis.answer({"PTTL", "lock"}), Reply::integer(4000));
  EXPECT_EQ(one.clock.sleeping->duration(), 900ms);
  redis.now += 1s;
  redis.tick(one);
  EXPECT_EQ(redis.answer({"PTTL", "lock"}), Reply::integer(4000));
  redis.now += 5s;
  EXPECT_EQ(redis.acquire(two), "granted B-2 for 4s");
  redis.now += 1s;
  redis.tick(one);
  EXPECT_EQ(redis.answer({"PTTL", "lock"}), Reply::integer(3000));
  EXPECT_EQ(one.clock.sleeping, nullptr);
  EXPECT_EQ(redis.release(one, "token-1"), Release::released);
  EXPECT_EQ(redis.release(two, "B-2"), Release::released);
  EXPECT_EQ(redis.answer({"EXISTS", "lock"}), no);
}

TEST(Redbeat, OnceRenewedTheLockOfAnother) {
  const Settings before{{"ttl", "4500ms"}, {"blocking", "no"}, {"extend", "pexpire"}};
  RedisAtHand redis;
  Caller one("redbeat", before);
  EXPECT_EQ(redis.acquire(one), "granted token-1 for 4.5s");
  redis.answer({"SET", "lock", "B-1", "PX", "1000"});
  redis.tick(one);
  EXPECT_EQ(redis.answer({"PTTL", "lock"}), Reply::integer(4500));
  EXPECT_NE(one.clock.sleeping, nullptr);
}

}  // namespace redbeat_words
}  // namespace holdfast
