// What the scripts of locks do, on the simulated Redis.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast {
namespace {

using namespace scripted;

class OnRedis : public testing::Test {
 protected:
  // The exact answers, at once. All clients' clocks show the server's time.
  template <class Result>
  Result played(Caller& client, Task<Result> task) {
    client.clock.now = now;
    task.start();
    while (!task.is_done()) {
      Call* const call = std::exchange(client.wire.pending, nullptr);
      run(call->complete(answer(call->command().argv())));
    }
    return task.take();
  }
  Attempt acquire(Caller& client) { return played(client, client.start_acquire()); }
  std::string tried(Caller& client) { return told(acquire(client)); }
  Release release(Caller& client, const std::string& token) {
    return played(client, client.start_release(Grant(token)));
  }
  Reply answer(const Argv& argv) { return redis_.execute(argv, now, changes_); }

  WallTime now{1000s};

 private:
  redis::Scripts scripts_;
  redis::Redis redis_{scripts_};
  std::vector<redis::Change> changes_;
};

const ClientId b{1};
const ClientId c{2};
const Settings lease{{"ttl", "4s"}};
const Settings at_once{{"ttl", "4s"}, {"timeout", "0s"}};

TEST_F(OnRedis, FencedCountsGrantsAndOnlyThose) {
  Caller one("fenced", lease);
  Caller two("fenced", lease, b);
  EXPECT_EQ(tried(one), "granted token-1 for 4s fence 1");
  EXPECT_EQ(tried(two), "refused: lock already exists.");
  EXPECT_EQ(answer({"PTTL", "lock"}), Reply::integer(4000));
  EXPECT_EQ(answer({"PTTL", "lock:fence"}), Reply::integer(-1));
  EXPECT_EQ(release(two, "B-1"), Release::not_held);
  EXPECT_EQ(release(one, "token-1"), Release::released);
  EXPECT_EQ(tried(two), "granted B-2 for 4s fence 2");
}

TEST_F(OnRedis, ReentrantIsFreeAfterAsManyReleasesAsEntries) {
  Caller one("reentrant", lease);
  Caller two("reentrant", lease, b);
  EXPECT_EQ(tried(one), "granted token-1 for 4s");
  EXPECT_EQ(tried(one), "granted token-1 for 4s");
  EXPECT_EQ(answer({"HGET", "lock", "token-1"}), Reply::bulk("2"));
  EXPECT_EQ(tried(two), "refused: lock is held by another.");
  EXPECT_EQ(release(two, "B-1"), Release::not_held);
  now += 3s;
  EXPECT_EQ(release(one, "token-1"), Release::released);
  EXPECT_EQ(answer({"PTTL", "lock"}), Reply::integer(4000));
  EXPECT_EQ(tried(two), "refused: lock is held by another.");
  EXPECT_EQ(release(one, "token-1"), Release::released);
  EXPECT_EQ(release(one, "token-1"), Release::not_held);
  EXPECT_EQ(tried(two), "granted B-1 for 4s");
}

const Settings one_redisson{{"ttl", "4s"}, {"watchdog", "no"}, {"blocking", "no"}};

TEST_F(OnRedis, RedissonIsFreeAfterAsManyUnlocksAsLocks) {
  Caller one("redisson", one_redisson);
  Caller two("redisson", one_redisson, b);
  EXPECT_EQ(tried(one), "granted token-1:1 for 4s");
  EXPECT_EQ(tried(one), "granted token-1:1 for 4s");
  EXPECT_EQ(answer({"HGET", "lock", "token-1:1"}), Reply::bulk("2"));
  EXPECT_EQ(tried(two), "refused: tryLock: false");
  EXPECT_EQ(release(two, "B-1:1"), Release::not_held);
  EXPECT_EQ(release(one, "token-1:1"), Release::released);
  EXPECT_EQ(tried(two), "refused: tryLock: false");
  EXPECT_EQ(release(one, "token-1:1"), Release::released);
  EXPECT_EQ(answer({"GET", "redisson_unlock_latch:{lock}:token-3"}), Reply::bulk("1"));
  EXPECT_EQ(answer({"PTTL", "redisson_unlock_latch:{lock}:token-3"}), Reply::integer(16'000));
  EXPECT_EQ(tried(two), "granted B-1:1 for 4s");
}

TEST_F(OnRedis, RedissonRwKeepsWritersApartAndAddsALeaseToTheirSecondEntry) {
  Caller one("redisson-rw", one_redisson);
  Caller two("redisson-rw", one_redisson, b);
  EXPECT_EQ(tried(one), "granted token-1:1 for 4s");
  now += 1s;
  EXPECT_EQ(tried(two), "refused: tryLock: false");
  EXPECT_EQ(tried(one), "granted token-1:1 for 4s");
  EXPECT_EQ(answer({"PTTL", "lock"}), Reply::integer(7000));
  EXPECT_EQ(release(one, "token-1:1"), Release::released);
  EXPECT_EQ(answer({"PTTL", "lock"}), Reply::integer(4000));
  EXPECT_EQ(release(one, "token-1:1"), Release::released);
  EXPECT_EQ(tried(two), "granted B-1:1 for 4s");
}

TEST_F(OnRedis, RedissonRwAnsweredThatItUnlockedWhatIsGoneUntil344) {
  auto before = one_redisson;
  before.push_back({"unlock-of-gone", "released"});
  for (const bool is_now : {true, false}) {
    Caller one("redisson-rw", is_now ? one_redisson : before);
    EXPECT_EQ(tried(one), "granted token-1:1 for 4s");
    answer({"DEL", "lock"});
    EXPECT_EQ(release(one, "token-1:1"), is_now ? Release::not_held : Release::released);
    answer({"FLUSHALL"});
  }
}

TEST_F(OnRedis, RedissonFairLetsOnlyTheFirstOfTheQueueInUntilItsDeadline) {
  Caller one("redisson-fair", one_redisson);
  Caller two("redisson-fair", one_redisson, b);
  answer({"RPUSH", "redisson_lock_queue:{lock}", "B-1:1"});
  answer({"ZADD", "redisson_lock_timeout:{lock}", "1003000", "B-1:1"});
  EXPECT_EQ(tried(one), "refused: tryLock: false");
  EXPECT_EQ(tried(two), "granted B-1:1 for 4s");
  EXPECT_EQ(answer({"EXISTS", "redisson_lock_queue:{lock}"}), no);
  EXPECT_EQ(release(two, "B-1:1"), Release::released);
  answer({"RPUSH", "redisson_lock_queue:{lock}", "B-1:1"});
  answer({"ZADD", "redisson_lock_timeout:{lock}", "1003000", "B-1:1"});
  now += 3s;
  EXPECT_EQ(tried(one), "granted token-1:1 for 4s");
}

// The lock is free, and the first of the queue does not come.
TEST_F(OnRedis, RedissonFairTellsThoseInTheQueueHowLongTheLeaseLastsAndBefore332UntilTheDeadline) {
  for (const bool is_now : {true, false}) {
    answer({"FLUSHALL"});
    Settings waiting{{"ttl", "4s"}, {"watchdog", "no"}};
    if (!is_now) waiting.push_back({"queued-wait", "deadline"});
    answer({"RPUSH", "redisson_lock_queue:{lock}", "dead", "token-1:1"});
    answer({"ZADD", "redisson_lock_timeout:{lock}", "1301000", "dead", "1297000", "token-1:1"});
    Caller one("redisson-fair", waiting);
    Task<Attempt> task = one.start_acquire();
    task.start();
    EXPECT_EQ(answer(one.wire.pending->command().argv()), Reply::integer(is_now ? 0 : -3000));
  }
}

// What the server forgets of two keys, the set of deadlines, leaves a head that nobody drops.
TEST_F(OnRedis, RedissonFairIsShutOutByAQueueWithoutDeadlines) {
  answer({"RPUSH", "redisson_lock_queue:{lock}", "dead"});
  now += 24h;
  Caller once("redisson-fair", one_redisson);
  EXPECT_EQ(tried(once), "refused: tryLock: false");
  Caller one("redisson-fair", {{"ttl", "4s"}, {"watchdog", "no"}});
  Task<Attempt> task = one.start_acquire();
  task.start();
  EXPECT_EQ(answer(one.wire.pending->command().argv()), Reply::integer(-2));
  EXPECT_EQ(answer({"LRANGE", "redisson_lock_queue:{lock}", "0", "-1"}),
            Reply::array({Reply::bulk("dead"), Reply::bulk("token-1:1")}));
}

TEST_F(OnRedis, BsmRedislockTakesOverAValueThatBeginsWithItsToken) {
  const Settings by_name{{"ttl", "4s"}, {"token", "worker"}};
  Caller worker_1("bsm-redislock", by_name);
  Caller worker_12("bsm-redislock", by_name, b);
  EXPECT_EQ(tried(worker_12), "granted worker-12 for 4s");
  now += 1s;
  EXPECT_EQ(tried(worker_1), "granted worker-1 for 4s");
  EXPECT_EQ(answer({"PTTL", "lock"}), Reply::integer(4000));
  EXPECT_EQ(tried(worker_12), "refused: redislock: not obtained");
  EXPECT_EQ(release(worker_12, "worker-12"), Release::not_held);
  EXPECT_EQ(release(worker_1, "worker-1"), Release::released);
  EXPECT_EQ(answer({"EXISTS", "lock"}), no);
}

TEST_F(OnRedis, BsmRedislockDeletesTheKeyThatItHasJustSetWhenTheTtlIsBelowAMillisecond) {
  Caller one("bsm-redislock", {{"ttl", "999us"}});
  EXPECT_EQ(tried(one), "granted token-1 for 999us");
  EXPECT_EQ(answer({"EXISTS", "lock"}), no);
  EXPECT_EQ(release(one, "token-1"), Release::not_held);
}

TEST_F(OnRedis, ShedlockComparesWhenUpdatesAreSafe) {
  const Settings safe{{"ttl", "4s"}, {"safe-update", "true"}, {"lock-at-least-for", "2s"}};
  Caller one("shedlock", safe);
  const std::string value = "ADDED:1970-01-01T00:16:40.000Z@host-A:token-1";
  EXPECT_EQ(tried(one), "granted " + value + " for 4s");
  now += 1s;
  Caller two("shedlock", safe);
  EXPECT_EQ(release(two, "another"), Release::released);
  EXPECT_EQ(answer({"PTTL", "lock"}), Reply::integer(3000));
  EXPECT_EQ(release(one, value), Release::released);
  EXPECT_EQ(answer({"PTTL", "lock"}), Reply::integer(1000));
  now += 1s;
  EXPECT_EQ(release(one, value), Release::released);
  EXPECT_EQ(answer({"EXISTS", "lock"}), no);
}

TEST_F(OnRedis, TicketServesInTheOrderOfNumbers) {
  Caller one("ticket", at_once);
  Caller two("ticket", at_once, b);
  Caller three("ticket", at_once, c);
  EXPECT_EQ(tried(one), "granted 1 for 4s");
  EXPECT_EQ(tried(two), "refused: it is not my turn.");
  EXPECT_EQ(tried(three), "refused: it is not my turn.");
  EXPECT_EQ(release(one, "1"), Release::released);
  EXPECT_EQ(release(one, "1"), Release::not_held);
  EXPECT_EQ(tried(one), "refused: it is not my turn.");
  EXPECT_EQ(tried(three), "refused: it is not my turn.");
  EXPECT_EQ(tried(two), "granted 2 for 4s");
  EXPECT_EQ(release(two, "2"), Release::released);
  EXPECT_EQ(tried(three), "granted 3 for 4s");
}

TEST_F(OnRedis, TicketCallsTheNextWhenAnAbsenteesTurnIsOver) {
  Caller one("ticket", at_once);
  Caller two("ticket", at_once, b);
  Caller three("ticket", at_once, c);
  EXPECT_EQ(tried(one), "granted 1 for 4s");
  EXPECT_EQ(tried(two), "refused: it is not my turn.");
  EXPECT_EQ(tried(three), "refused: it is not my turn.");
  now += 4s + 1ms;
  // The lease of 1 is over, so 2 is called, and enters.
  EXPECT_EQ(tried(two), "granted 2 for 4s");
  EXPECT_EQ(release(one, "1"), Release::not_held);
  now += 4s + 1ms;
  EXPECT_EQ(tried(three), "granted 3 for 4s");
  EXPECT_EQ(release(three, "3"), Release::released);
  // 1 and 2 have lost their places; they draw anew.
  EXPECT_EQ(tried(two), "granted 4 for 4s");
}

TEST_F(OnRedis, TicketGivesTheNextOneItsTurnBeforeItIsPassedOver) {
  Caller one("ticket", at_once);
  Caller two("ticket", at_once, b);
  Caller three("ticket", at_once, c);
  EXPECT_EQ(tried(one), "granted 1 for 4s");
  EXPECT_EQ(tried(two), "refused: it is not my turn.");
  EXPECT_EQ(tried(three), "refused: it is not my turn.");
  EXPECT_EQ(release(one, "1"), Release::released);
  now += 4s;
  EXPECT_EQ(tried(three), "refused: it is not my turn.");
  now += 1ms;
  EXPECT_EQ(tried(three), "granted 3 for 4s");
  // 2 came too late: its number is over.
  EXPECT_EQ(tried(two), "refused: it is not my turn.");
}

}  // namespace
}  // namespace holdfast
