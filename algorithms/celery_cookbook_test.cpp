// The lock of Celery's documentation on Django's Redis cache, word for word.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "algorithms/locks_on_redis_test.hpp"

namespace holdfast {
namespace celery_cookbook_words {

using namespace scripted;

const Argv add{"SET", ":1:lock", "token-1", "EX", "600", "NX"};
const Argv remove{"DEL", ":1:lock"};
// The lease of ten minutes less three seconds ends at 1597 s.
const Grant grant("1597000000");

TEST(CeleryCookbook, AddsTheKeyOnceAndRemembersWhenItWillNotDeleteAnyMore) {
  const std::string name = "granted " + grant.token + " for 600s";
  EXPECT_EQ(Caller("celery-cookbook").acquire({{add, ok, 2s}}), name);
  EXPECT_EQ(Caller("celery-cookbook").acquire({{add, nil}}),
            "refused: Feed is already being imported by another worker");
  EXPECT_EQ(Caller("celery-cookbook").acquire({{add, Reply::lost()}}), "failed: Timeout reading from socket");
  EXPECT_EQ(Caller("celery-cookbook").acquire({{add, broken}}), "failed: ERR broken");
}

TEST(CeleryCookbook, DeletesUntilThreeSecondsBeforeTheTimeout) {
  Caller client("celery-cookbook");
  client.clock.now = WallTime(1597s - 1us);
  EXPECT_EQ(client.release(grant, {{remove, yes}}), Release::released);
  EXPECT_EQ(client.release(grant, {{remove, no}}), Release::released);
  EXPECT_EQ(client.release(grant, {{remove, Reply::lost()}}), Release::unknown);
  client.clock.now = WallTime(1597s);
  EXPECT_EQ(client.release(grant, {}), Release::released);
}

TEST(CeleryCookbook, Until2015DeletedInAnyCase) {
  Caller client("celery-cookbook", {{"release", "always"}});
  EXPECT_EQ(client.acquire({{add, ok}}), "granted 0 for 600s");
  client.clock.now = WallTime(5000s);
  EXPECT_EQ(client.release(Grant("0"), {{remove, yes}}), Release::released);
}

TEST(CeleryCookbook, From2015To2017DeletedWhatARefusedWorkerHadFound) {
  const Settings printed{{"refused", "deletes"}};
  const std::string skips = "refused: Feed is already being imported by another worker";
  EXPECT_EQ(Caller("celery-cookbook", printed).acquire({{add, nil}, {remove, yes}}), skips);
  EXPECT_EQ(Caller("celery-cookbook", printed).acquire({{add, nil}, {remove, Reply::lost()}}),
            "failed: Timeout reading from socket");
  // Its clock says that the timeout is nearly over.
  EXPECT_EQ(Caller("celery-cookbook", printed).acquire({{add, nil, 597s}}), skips);
}

TEST(CeleryCookbook, ATimeoutBelowASecondIsOverAtOnceAndGrants) {
  const Argv plain{"SET", ":1:lock", "token-1", "NX"};
  const Settings short_lease{{"ttl", "900ms"}, {"release", "always"}};
  EXPECT_EQ(Caller("celery-cookbook", short_lease).acquire({{plain, ok}, {remove, yes}}),
            "granted 0 for 0ms");
  EXPECT_EQ(Caller("celery-cookbook", short_lease).acquire({{plain, ok}, {remove, Reply::lost()}}),
            "failed: Timeout reading from socket");
  EXPECT_EQ(Caller("celery-cookbook", {{"ttl", "1900ms"}, {"release", "always"}})
                .acquire({{{"SET", ":1:lock", "token-1", "EX", "1", "NX"}, ok}}),
            "granted 0 for 1s");
}

TEST(CeleryCookbook, WhoIsLateDeletesTheKeyOfTheNext) {
  const Settings always{{"ttl", "4s"}, {"release", "always"}};
  RedisAtHand redis;
  Caller one("celery-cookbook", always);
  Caller two("celery-cookbook", always, ClientId{1});
  EXPECT_EQ(redis.acquire(one), "granted 0 for 4s");
  EXPECT_EQ(redis.acquire(two), "refused: Feed is already being imported by another worker");
  redis.now += 5s;
  EXPECT_EQ(redis.acquire(two), "granted 0 for 4s");
  EXPECT_EQ(redis.release(one, "0"), Release::released);
  EXPECT_EQ(redis.answer({"EXISTS", ":1:lock"}), no);
}

}  // namespace celery_cookbook_words
}  // namespace holdfast
