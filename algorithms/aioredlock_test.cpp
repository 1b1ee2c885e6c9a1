// aioredlock, word for word, and what its scripts do.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "algorithms/locks_on_redis_test.hpp"

namespace holdfast {
namespace aioredlock_words {

using namespace scripted;

const Argv set = script({"1", "lock", "token-1", "10000"});
const Argv unset = script({"1", "lock", "token-1"});
const Reply refusal = Reply::error("ERROR");
const Settings plain{{"auto-extend", "no"}};
const Settings plain_once{{"auto-extend", "no"}, {"blocking", "no"}};

std::string tried(const Settings& settings, const std::vector<Exchange>& exchanges) {
  return Caller("aioredlock", settings).acquire(exchanges);
}

TEST(Aioredlock, GrantsWithinTheTimeoutLessDrift) {
  EXPECT_EQ(tried(plain, {{set, ok}}), "granted token-1 for 10s");
  EXPECT_EQ(tried(plain_once, {{set, ok, 9897ms}}), "granted token-1 for 10s");
  EXPECT_EQ(tried(plain_once, {{set, ok, 9898ms}}), "refused: Lock timeout");
}

TEST(Aioredlock, TriesThreeTimesWithOneIdentifierAndTellsTheLastError) {
  EXPECT_EQ(tried(plain, {{set, refusal}, {set, Reply::lost()}, {set, ok}}), "granted token-1 for 10s");
  EXPECT_EQ(tried(plain, {{set, Reply::lost()}, {set, ok, 10s}, {set, refusal}}),
            "refused: Can not set lock");
  EXPECT_EQ(tried(plain_once, {{set, Reply::lost()}}), "failed: Can not set lock");
  Caller client("aioredlock", plain);
  EXPECT_EQ(client.acquire({{set, refusal}, {set, refusal}, {set, refusal}}), "refused: Can not set lock");
  EXPECT_EQ(client.clock.slept, std::vector<Duration>(2, 100ms));
}

TEST(Aioredlock, UnlockOfWhatIsGoneSucceedsAndOfAnothersRaises) {
  for (const auto& [answer, told_so] :
       std::vector<std::pair<Reply, Release>>{{yes, Release::released},
                                              {ok, Release::released},
                                              {refusal, Release::not_held},
                                              {Reply::lost(), Release::unknown}})
    EXPECT_EQ(Caller("aioredlock", plain).release(Grant("token-1"), {{unset, answer}}), told_so);
}

TEST(Aioredlock, TheWatchdogSetsAnewWhatIsMissing) {
  RedisAtHand redis;
  Caller one("aioredlock", {{"blocking", "no"}});
  Caller two("aioredlock", plain_once, ClientId{1});
  EXPECT_EQ(redis.acquire(one), "granted token-1 for 10s");
  EXPECT_EQ(redis.acquire(two), "refused: Can not set lock");
  EXPECT_EQ(one.clock.sleeping->duration(), 6s);
  redis.now += 11s;
  EXPECT_EQ(redis.acquire(two), "granted B-2 for 10s");
  EXPECT_EQ(redis.release(two, "B-2"), Release::released);
  redis.tick(one);
  EXPECT_EQ(redis.answer({"GET", "lock"}), Reply::bulk("token-1"));
  EXPECT_EQ(redis.answer({"PTTL", "lock"}), Reply::integer(10'000));
  EXPECT_EQ(redis.release(one, "token-1"), Release::released);
  EXPECT_EQ(redis.release(one, "token-1"), Release::released);
}

TEST(Aioredlock, AWatchdogThatIsRefusedEndsAndLeavesTheKeyOfAnother) {
  RedisAtHand redis;
  Caller one("aioredlock", {{"blocking", "no"}});
  EXPECT_EQ(redis.acquire(one), "granted token-1 for 10s");
  redis.answer({"SET", "lock", "B-1"});
  redis.tick(one);
  EXPECT_EQ(one.clock.sleeping, nullptr);
  EXPECT_EQ(redis.answer({"GET", "lock"}), Reply::bulk("B-1"));
  EXPECT_EQ(redis.release(one, "token-1"), Release::not_held);
}

}  // namespace aioredlock_words
}  // namespace holdfast
