// redlock-rb, word for word, and what its scripts do.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "algorithms/locks_on_redis_test.hpp"

namespace holdfast {
namespace redlock_rb_words {

using namespace scripted;

Argv lock(const std::string& value, const std::string& makes_keys = "yes") {
  return script({"1", "lock", value, "2000", makes_keys});
}
Argv unlock(const std::string& value) { return script({"1", "lock", value}); }

const Settings one_server{{"nodes", "1"}};
const Settings once{{"nodes", "1"}, {"blocking", "no"}};

TEST(RedlockRb, TheValidityIsTheTtlLessWhatAskingTookAndTheDrift) {
  EXPECT_EQ(Caller("redlock-rb", once).acquire({{lock("token-1"), ok}}), "granted token-1 for 1.978s");
  // A validity of zero is granted; of less, it is unlocked.
  EXPECT_EQ(Caller("redlock-rb", once).acquire({{lock("token-1"), ok, 1978ms}}),
            "granted token-1 for 1.978s");
  EXPECT_EQ(Caller("redlock-rb", once).acquire({{lock("token-1"), ok, 1979ms}, {unlock("token-1"), yes}}),
            "refused: lock: false");
}

TEST(RedlockRb, TriesFourTimesEachWithAValueOfItsOwnAndUnlocksInBetween) {
  Caller client("redlock-rb", one_server);
  std::vector<Exchange> tries;
  for (const char* value : {"token-1", "token-2", "token-3", "token-4"}) {
    tries.push_back({lock(value), nil});
    tries.push_back({unlock(value), no});
  }
  EXPECT_EQ(client.acquire(tries), "refused: lock: false");
  EXPECT_EQ(client.clock.slept, std::vector<Duration>(3, 200ms));
}

TEST(RedlockRb, RaisesIfAnyTryMetErrorsOnAMajority) {
  for (const Reply& failure : {Reply::lost(), broken}) {
    Caller client("redlock-rb", {{"nodes", "1"}, {"retry-count", "1"}});
    EXPECT_EQ(client.acquire({{lock("token-1"), failure},
                              {unlock("token-1"), failure},
                              {lock("token-2"), nil},
                              {unlock("token-2"), no}}),
              "failed: Too many Redis errors prevented lock acquisition");
  }
}

TEST(RedlockRb, UnlockTellsNobodyHowItEnded) {
  for (const Reply& answer : {yes, no, Reply::lost(), broken})
    EXPECT_EQ(Caller("redlock-rb", once).release(Grant("token-1"), {{unlock("token-1"), answer}}),
              Release::released);
}

TEST(RedlockRb, AnExtensionAsksOnceWithTheOldValueAndUnlocksIfItFails) {
  Caller client("redlock-rb", {{"nodes", "1"}, {"again", "extend"}});
  EXPECT_EQ(client.acquire({{lock("token-1"), ok}}), "granted token-1 for 1.978s");
  EXPECT_EQ(client.acquire({{lock("token-1"), ok}}), "granted token-1 for 1.978s");
  EXPECT_EQ(client.acquire({{lock("token-1"), nil}, {unlock("token-1"), no}}), "refused: lock: false");
  EXPECT_EQ(client.release(Grant("token-1"), {{unlock("token-1"), no}}), Release::released);
  EXPECT_EQ(client.acquire({{lock("token-2"), ok}}), "granted token-2 for 1.978s");
}

TEST(RedlockRb, LoadsAllThreeScriptsWhereOneIsUnknownAndAsksOnceMore) {
  Caller client("redlock-rb", {{"nodes", "1"}, {"blocking", "no"}, {"scripts", "evalsha"}});
  RedisAtHand redis;
  EXPECT_EQ(redis.acquire(client), "granted token-1 for 1.978s");
  EXPECT_EQ(redis.release(client, "token-1"), Release::released);
  EXPECT_EQ(redis.answer({"EXISTS", "lock"}), no);
  Task<Attempt> task = client.start_acquire();
  task.start();
  std::vector<std::string> sent;
  const Reply unknown = Reply::error("NOSCRIPT No matching script.");
  for (const Reply& answer : {unknown, Reply::bulk("a"), Reply::bulk("b"), Reply::bulk("c"), ok}) {
    sent.emplace_back(client.wire.pending->command().argv().front());
    run(std::exchange(client.wire.pending, nullptr)->complete(answer));
  }
  EXPECT_EQ(sent, (std::vector<std::string>{"EVALSHA", "SCRIPT", "SCRIPT", "SCRIPT", "EVALSHA"}));
  EXPECT_EQ(told(task.take()), "granted token-2 for 1.978s");
}

TEST(RedlockRb, AnExtensionOfWhatHasEndedAcquiresItUnlessOnlyLockedOnesAreAskedFor) {
  for (const bool only_if_locked : {false, true}) {
    RedisAtHand redis;
    const std::string again = only_if_locked ? "extend-if-locked" : "extend";
    Caller one("redlock-rb", {{"nodes", "1"}, {"blocking", "no"}, {"again", again}});
    Caller two("redlock-rb", once, ClientId{1});
    EXPECT_EQ(redis.acquire(one), "granted token-1 for 1.978s");
    redis.now += 1s;
    EXPECT_EQ(redis.acquire(two), "refused: lock: false");
    EXPECT_EQ(redis.acquire(one), "granted token-1 for 1.978s");
    EXPECT_EQ(redis.answer({"PTTL", "lock"}), Reply::integer(2000));
    redis.now += 3s;
    EXPECT_EQ(redis.acquire(two), "granted B-2 for 1.978s");
    EXPECT_EQ(redis.acquire(one), "refused: lock: false");
    EXPECT_EQ(redis.release(two, "B-2"), Release::released);
    EXPECT_EQ(redis.acquire(one), only_if_locked ? "refused: lock: false" : "granted token-1 for 1.978s");
  }
}

}  // namespace redlock_rb_words
}  // namespace holdfast
