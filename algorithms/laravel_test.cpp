// laravel: what Cache::lock() sends and makes of each answer, and what its script does.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::of_laravel {

using namespace scripted;

const Settings ten_seconds{{"ttl", "10s"}};

Argv set_nx(const std::string& owner) { return {"SET", "lock", owner, "EX", "10", "NX"}; }

TEST(Laravel, TriesOnceWithWholeSecondsAndAnOwnerOfItsOwn) {
  Caller client("laravel", ten_seconds);
  EXPECT_EQ(client.acquire({{set_nx("token-1"), ok}}), "granted token-1 for 10s");
  EXPECT_EQ(client.acquire({{set_nx("token-2"), nil}}), "refused: get(): false");
  EXPECT_EQ(client.acquire({{set_nx("token-3"), Reply::lost()}}), "failed: read error on connection");
  Caller finer("laravel", {{"ttl", "10.9s"}});
  EXPECT_EQ(finer.acquire({{set_nx("token-1"), ok}}), "granted token-1 for 10s");
}

TEST(Laravel, WithoutSecondsTheKeyHasNoTtl) {
  Caller client("laravel");
  EXPECT_EQ(client.acquire({{{"SETNX", "lock", "token-1"}, yes}}), "granted token-1");
  EXPECT_EQ(client.acquire({{{"SETNX", "lock", "token-2"}, no}}), "refused: get(): false");
}

// redis_error_throw() of phpredis.
TEST(Laravel, TellsOfSomeErrorsWhatItTellsOfARefusalAndRaisesOthers) {
  Caller client("laravel", ten_seconds);
  EXPECT_EQ(client.acquire({{set_nx("token-1"), broken}}), "failed: get(): false");
  const Reply wrong_type = Reply::error("WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(client.acquire({{set_nx("token-2"), wrong_type}}), "failed: get(): false");
  const Reply loading = Reply::error("LOADING Redis is loading the dataset in memory");
  EXPECT_EQ(client.acquire({{set_nx("token-3"), loading}}),
            "failed: LOADING Redis is loading the dataset in memory");
}

TEST(Laravel, BlocksInPausesOf250MillisecondsAndGivesUpOnePauseEarly) {
  Caller client("laravel", {{"ttl", "10s"}, {"timeout", "1s"}});
  EXPECT_EQ(client.acquire(std::vector<Exchange>(4, {set_nx("token-1"), nil})),
            "refused: LockTimeoutException");
  EXPECT_EQ(client.clock.slept, std::vector<Duration>(3, 250ms));
  EXPECT_EQ(client.acquire({{set_nx("token-2"), nil}, {set_nx("token-2"), ok}}), "granted token-2 for 10s");
  EXPECT_EQ(client.acquire({{set_nx("token-3"), nil}, {set_nx("token-3"), Reply::lost()}}),
            "failed: read error on connection");
}

TEST(Laravel, ReleasesByAScriptThatIsSentWhole) {
  Caller client("laravel", ten_seconds);
  const Argv compare = script({"1", "lock", "token-1"});
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, yes}}), Release::released);
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, no}}), Release::not_held);
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, broken}}), Release::not_held);
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, Reply::lost()}}), Release::unknown);
}

TEST(Laravel, Until58SentSetnxAndExpireAndDidNotLookAtTheSecondAnswer) {
  Caller client("laravel", {{"ttl", "10s"}, {"version", "5.8"}});
  const Exchange set{{"SETNX", "lock", "token-1"}, yes};
  EXPECT_EQ(client.acquire({set, {{"EXPIRE", "lock", "10"}, no}}), "granted token-1 for 10s");
  EXPECT_EQ(client.acquire({{{"SETNX", "lock", "token-2"}, no}}), "refused: get(): false");
  EXPECT_EQ(client.acquire({{{"SETNX", "lock", "token-3"}, yes}, {{"EXPIRE", "lock", "10"}, Reply::lost()}}),
            "failed: read error on connection");
}

TEST(Laravel, Until57WroteOneAndReleasedWithDelWhateverItDeleted) {
  Caller client("laravel", {{"version", "5.7"}});
  EXPECT_EQ(client.acquire({{{"SETNX", "lock", "1"}, yes}}), "granted 1");
  EXPECT_EQ(client.release(Grant("1"), {{del, no}}), Release::released);
  EXPECT_EQ(client.release(Grant("1"), {{del, Reply::lost()}}), Release::unknown);
}

TEST(Laravel, DeletesOnTheServerOnlyWhatItsOwnerWrote) {
  redis::Scripts scripts;
  redis::Redis server(scripts);
  std::vector<redis::Change> changes;
  const WallTime now{1000s};
  const auto answer = [&](const Argv& argv) { return server.execute(argv, now, changes); };
  Caller client("laravel", ten_seconds);
  const auto release = [&](const std::string& owner) {
    Task<Release> task = client.start_release(Grant(owner));
    task.start();
    Call* const call = std::exchange(client.wire.pending, nullptr);
    run(call->complete(answer(call->command().argv())));
    return task.take();
  };
  answer({"SET", "lock", "A", "EX", "10"});
  EXPECT_EQ(release("B"), Release::not_held);
  EXPECT_EQ(answer({"PTTL", "lock"}), Reply::integer(10'000));
  EXPECT_EQ(release("A"), Release::released);
  EXPECT_EQ(answer({"EXISTS", "lock"}), no);
  EXPECT_EQ(release("A"), Release::not_held);
}

}  // namespace holdfast::of_laravel
