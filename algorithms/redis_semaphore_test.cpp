// redis-semaphore's Mutex, word for word, and what its scripts do on the simulated Redis.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast {
namespace {

namespace of_redis_semaphore_test {

using namespace scripted;

const Settings one_try{{"blocking", "no"}};
const Settings by_digest{{"scripts", "evalsha"}};
const Settings never_refreshed{{"blocking", "no"}, {"refresh-at", "0"}, {"scripts", "evalsha"}};
const Argv set{"SET", "mutex:lock", "token-1", "PX", "10000", "NX"};
const Reply unknown_script = Reply::error("NOSCRIPT No matching script. Please use EVAL.");

// The digest stands in the place of the text.
Argv digest(const Argv& rest) {
  Argv argv = script(rest);
  argv[0] = "EVALSHA";
  return argv;
}
const Argv release_by_digest = digest({"1", "mutex:lock", "token-1"});
const Argv release_whole = script({"1", "mutex:lock", "token-1"});

// Answers what is asked; returns its words, with `any_script` for a script.
Argv answer(Caller& client, const Reply& reply) {
  Call* const call = std::exchange(client.wire.pending, nullptr);
  Argv sent = call->command().argv();
  if (sent[0].starts_with("EVAL")) sent[1] = any_script;
  run(call->complete(reply));
  return sent;
}

TEST(RedisSemaphore, TakesItsKeyInMillisecondsAndKnowsOnlyOk) {
  EXPECT_EQ(Caller("redis-semaphore", never_refreshed).acquire({{set, ok}}), "granted token-1 for 10s");
  EXPECT_EQ(Caller("redis-semaphore", one_try).acquire({{set, nil}}),
            "refused: Acquire mutex mutex:lock timeout");
  EXPECT_EQ(Caller("redis-semaphore", one_try).acquire({{set, Reply::lost()}}), "failed: Command timed out");
  EXPECT_EQ(Caller("redis-semaphore", one_try).acquire({{set, broken}}), "failed: ERR broken");
}

TEST(RedisSemaphore, TriesEveryTenMillisecondsForTenSecondsByTheWallClockAndSleepsOnceMore) {
  Caller client("redis-semaphore", by_digest);
  EXPECT_EQ(client.acquire(std::vector<Exchange>(1000, {set, nil})),
            "refused: Acquire mutex mutex:lock timeout");
  EXPECT_EQ(client.clock.slept, std::vector<Duration>(1000, 10ms));
  Caller slow("redis-semaphore");
  EXPECT_EQ(slow.acquire(std::vector<Exchange>(2, {set, nil, 5s})),
            "refused: Acquire mutex mutex:lock timeout");
}

TEST(RedisSemaphore, ReleasesByDigestAndWholeWhereTheServerDoesNotKnowTheScript) {
  for (const Reply& deleted : {yes, no}) {
    Caller client("redis-semaphore", never_refreshed);
    EXPECT_EQ(client.acquire({{set, ok}}), "granted token-1 for 10s");
    EXPECT_EQ(
        client.release(Grant("token-1"), {{release_by_digest, unknown_script}, {release_whole, deleted}}),
        Release::released);
  }
  Caller client("redis-semaphore", never_refreshed);
  EXPECT_EQ(client.acquire({{set, ok}}), "granted token-1 for 10s");
  EXPECT_EQ(client.release(Grant("token-1"), {{release_by_digest, broken}}), Release::unknown);
  // A mutex whose release was rejected still counts as acquired.
  EXPECT_EQ(client.release(Grant("token-1"), {{release_by_digest, no}}), Release::released);
}

TEST(RedisSemaphore, ReleasesInOneRequestWhereTheServerKnowsTheScript) {
  Caller client("redis-semaphore", {{"blocking", "no"}, {"refresh-at", "0"}});
  EXPECT_EQ(client.acquire({{set, ok}}), "granted token-1 for 10s");
  EXPECT_EQ(client.release(Grant("token-1"), {{release_whole, yes}}), Release::released);
}

// Granted, with the timer running.
Task<Attempt> granted(Caller& client) {
  Task<Attempt> task = client.start_acquire();
  task.start();
  EXPECT_EQ(answer(client, ok), set);
  EXPECT_EQ(told(task.take()), "granted token-1 for 10s");
  return task;
}

const Argv refresh_by_digest = digest({"1", "mutex:lock", "token-1", "10000"});

TEST(RedisSemaphore, RefreshesEveryFourFifthsOfTheLease) {
  Caller client("redis-semaphore", by_digest);
  const Task<Attempt> task = granted(client);
  EXPECT_EQ(client.clock.sleeping->duration(), 8s);
  client.clock.end_sleep();
  EXPECT_EQ(answer(client, unknown_script), refresh_by_digest);
  EXPECT_EQ(answer(client, yes), script({"1", "mutex:lock", "token-1", "10000"}));
  EXPECT_EQ(client.clock.sleeping->duration(), 8s);
  // A refresh that is rejected is no loss: the timer goes on.
  client.clock.end_sleep();
  EXPECT_EQ(answer(client, Reply::lost()), refresh_by_digest);
  client.clock.end_sleep();
  EXPECT_EQ(answer(client, yes), refresh_by_digest);
}

TEST(RedisSemaphore, SkipsATurnAtWhichARefreshIsUnderWay) {
  Caller client("redis-semaphore", by_digest);
  const Task<Attempt> task = granted(client);
  client.clock.end_sleep();
  EXPECT_NE(client.wire.pending, nullptr);
  client.clock.end_sleep();
  client.clock.end_sleep();
  EXPECT_EQ(answer(client, yes), refresh_by_digest);
  EXPECT_EQ(client.wire.pending, nullptr);
}

TEST(RedisSemaphore, SendsNothingMoreOnceARefreshHasFailed) {
  Caller client("redis-semaphore", by_digest);
  const Task<Attempt> task = granted(client);
  client.clock.end_sleep();
  EXPECT_EQ(answer(client, no), refresh_by_digest);
  EXPECT_EQ(client.clock.sleeping, nullptr);
  EXPECT_EQ(client.release(Grant("token-1"), {}), Release::released);
}

TEST(RedisSemaphore, EndsItsTimerWithTheRelease) {
  Caller client("redis-semaphore", by_digest);
  const Task<Attempt> task = granted(client);
  EXPECT_EQ(client.release(Grant("token-1"), {{release_by_digest, yes}}), Release::released);
  EXPECT_EQ(client.clock.sleeping, nullptr);
}

// What the last request of `client` does on a Redis whose key has this value, and what is there afterwards.
class MutexOnRedis : public testing::Test {
 protected:
  Reply execute(const Argv& argv) { return redis_.execute(argv, now_, changes_); }
  // A refresh, sent whole.
  Reply refreshed(const std::string& how) {
    Caller client("redis-semaphore", {{"refresh", how}, {"scripts", "evalsha"}});
    const Task<Attempt> task = granted(client);
    client.clock.end_sleep();
    answer(client, unknown_script);
    return execute(client.wire.pending->command().argv());
  }

 private:
  redis::Scripts scripts_;
  redis::Redis redis_{scripts_};
  WallTime now_{1000s};
  std::vector<redis::Change> changes_;
};

TEST_F(MutexOnRedis, ARefreshProlongsTheOwnKeyOnly) {
  execute({"SET", "mutex:lock", "token-1", "PX", "1"});
  EXPECT_EQ(refreshed("compares"), yes);
  EXPECT_EQ(execute({"PTTL", "mutex:lock"}), Reply::integer(10'000));
  execute({"SET", "mutex:lock", "another", "PX", "7"});
  EXPECT_EQ(refreshed("compares"), no);
  EXPECT_EQ(execute({"PTTL", "mutex:lock"}), Reply::integer(7));
}

TEST_F(MutexOnRedis, ARefreshSetAMissingKeyUntil530) {
  EXPECT_EQ(refreshed("compares"), no);
  EXPECT_EQ(execute({"EXISTS", "mutex:lock"}), no);
  EXPECT_EQ(refreshed("takes-again"), yes);
  EXPECT_EQ(execute({"GET", "mutex:lock"}), Reply::bulk("token-1"));
  EXPECT_EQ(execute({"PTTL", "mutex:lock"}), Reply::integer(10'000));
}

TEST_F(MutexOnRedis, AReleaseDeletesTheOwnKeyOnly) {
  for (const std::string owner : {"token-1", "another"}) {
    Caller client("redis-semaphore", never_refreshed);
    EXPECT_EQ(client.acquire({{set, ok}}), "granted token-1 for 10s");
    execute({"SET", "mutex:lock", owner});
    Task<Release> task = client.start_release(Grant("token-1"));
    task.start();
    answer(client, unknown_script);
    const bool is_own = owner == "token-1";
    EXPECT_EQ(execute(client.wire.pending->command().argv()), is_own ? yes : no);
    EXPECT_EQ(execute({"EXISTS", "mutex:lock"}), is_own ? no : yes);
  }
}

}  // namespace of_redis_semaphore_test
}  // namespace
}  // namespace holdfast
