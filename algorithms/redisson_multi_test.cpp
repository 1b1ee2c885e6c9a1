// redisson-multi, word for word, and what becomes of locks that were taken in part.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "algorithms/locks_on_redis_test.hpp"

namespace holdfast {
namespace redisson_multi_words {

using namespace scripted;

Argv enter(const std::string& name) { return script({"1", name, "30000", "token-1:1"}); }
Argv leave(const std::string& name, const std::string& latch) {
  return script({"3", name, "redisson_lock__channel:{" + name + "}",
                 "redisson_unlock_latch:{" + name + "}:" + latch, "0", "30000", "token-1:1", "PUBLISH",
                 "16000"});
}

TEST(RedissonMulti, GivesBackWhatItHasWhenOneIsRefused) {
  Caller client("redisson-multi", {{"watchdog", "no"}});
  EXPECT_EQ(client.acquire({{enter("lock:1"), nil},
                            {enter("lock:2"), Reply::integer(900)},
                            {leave("lock:1", "token-2"), Reply::lost()}}),
            "refused: tryLock: false");
}

// A time-out, and no other failure, unlocks the lock that is in doubt; then what was taken before.
TEST(RedissonMulti, UnlocksALockWhoseAnswerDidNotCome) {
  Caller client("redisson-multi", {{"watchdog", "no"}});
  EXPECT_EQ(client.acquire({{enter("lock:1"), nil},
                            {enter("lock:2"), Reply::lost()},
                            {leave("lock:2", "token-2"), Reply::lost()},
                            {leave("lock:1", "token-3"), Reply::lost()}}),
            "refused: tryLock: false");
  EXPECT_EQ(client.acquire({{enter("lock:1"), broken}}), "refused: tryLock: false");
}

TEST(RedissonMulti, EndsItsUnlockAtTheFirstThatThrows) {
  Caller client("redisson-multi", {{"watchdog", "no"}});
  const auto expiry = [](const std::string& name) { return script({"1", name, "30000", ""}); };
  EXPECT_EQ(
      client.acquire(
          {{enter("lock:1"), nil}, {enter("lock:2"), nil}, {expiry("lock:1"), yes}, {expiry("lock:2"), yes}}),
      "granted token-1:1 for 30s");
  EXPECT_EQ(client.release(Grant("token-1:1"), {{leave("lock:1", "token-2"), Reply::lost()}}),
            Release::unknown);
}

// What a leaseTime's expiry throws leaves both locks taken.
TEST(RedissonMulti, DoesNotGiveBackWhatItCouldNotGiveALeaseTime) {
  Caller client("redisson-multi", {{"watchdog", "no"}});
  EXPECT_EQ(
      client.acquire(
          {{enter("lock:1"), nil}, {enter("lock:2"), nil}, {script({"1", "lock:1", "30000", ""}), broken}}),
      "failed: ERR broken");
}

class Locks : public testing::Test {
 protected:
  RedisAtHand redis;
  Caller one{"redisson-multi", {{"ttl", "4s"}, {"watchdog", "no"}}};
  Caller two{"redisson-multi", {{"ttl", "4s"}, {"watchdog", "no"}}, ClientId{1}};
};

TEST_F(Locks, AreTakenTogetherAndFreedTogether) {
  EXPECT_EQ(redis.acquire(one), "granted token-1:1 for 4s");
  EXPECT_EQ(redis.answer({"EXISTS", "lock:1", "lock:2"}), Reply::integer(2));
  EXPECT_EQ(redis.acquire(two), "refused: tryLock: false");
  EXPECT_EQ(redis.release(one, "token-1:1"), Release::released);
  EXPECT_EQ(redis.answer({"EXISTS", "lock:1", "lock:2"}), no);
  EXPECT_EQ(redis.acquire(two), "granted B-1:1 for 4s");
}

// The key of the first is gone, and the second still keeps everybody out.
TEST_F(Locks, ThatAreHeldInPartStillExclude) {
  EXPECT_EQ(redis.acquire(one), "granted token-1:1 for 4s");
  redis.answer({"DEL", "lock:1"});
  EXPECT_EQ(redis.acquire(two), "refused: tryLock: false");
  EXPECT_EQ(redis.answer({"EXISTS", "lock:1"}), no) << "what two had taken it gave back";
  EXPECT_EQ(redis.release(one, "token-1:1"), Release::not_held);
  EXPECT_EQ(redis.answer({"EXISTS", "lock:2"}), yes) << "unlock() ended at the first";
}

TEST_F(Locks, AreAllUnlockedByTheRepair) {
  Caller repaired("redisson-multi", {{"ttl", "4s"}, {"watchdog", "no"}, {"unlock", "all"}});
  EXPECT_EQ(redis.acquire(repaired), "granted token-1:1 for 4s");
  redis.answer({"DEL", "lock:1"});
  EXPECT_EQ(redis.release(repaired, "token-1:1"), Release::not_held);
  EXPECT_EQ(redis.answer({"EXISTS", "lock:2"}), no);
}

}  // namespace redisson_multi_words
}  // namespace holdfast
