// The words of Redisson's locks, and what they make of the answers.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"

namespace holdfast {
namespace {

using namespace scripted;

const Settings with_lease_time{{"watchdog", "no"}};
const Settings no_waiting{{"watchdog", "no"}, {"blocking", "no"}};

const Argv enter = script({"1", "lock", "30000", "token-1:1"});
const Argv subscribe{"SUBSCRIBE", "redisson_lock__channel:{lock}"};
const Argv listen{};

Argv leave(const std::string& request) {
  return script({"3", "lock", "redisson_lock__channel:{lock}", "redisson_unlock_latch:{lock}:" + request, "0",
                 "30000", "token-1:1", "PUBLISH", "16000"});
}

TEST(Redisson, IsOneThreadOfOneProcessWhoseUnlocksHaveNames) {
  Caller client("redisson", no_waiting);
  EXPECT_EQ(client.acquire({{enter, nil}}), "granted token-1:1 for 30s");
  EXPECT_EQ(client.acquire({{enter, nil}}), "granted token-1:1 for 30s");
  const Grant grant("token-1:1");
  EXPECT_EQ(client.release(grant, {{leave("token-2"), no}}), Release::released);
  EXPECT_EQ(client.release(grant, {{leave("token-3"), yes}}), Release::released);
  EXPECT_EQ(client.release(grant, {{leave("token-4"), nil}}), Release::not_held);
  EXPECT_EQ(client.release(grant, {{leave("token-5"), Reply::lost()}}), Release::unknown);
}

TEST(Redisson, IsRefusedOrFailsWithoutWaitingWhenItTriesOnce) {
  Caller client("redisson", no_waiting);
  EXPECT_EQ(client.acquire({{enter, Reply::integer(2000)}}), "refused: tryLock: false");
  EXPECT_EQ(client.acquire({{enter, Reply::lost()}}), "failed: Redis server response timeout");
  EXPECT_EQ(client.acquire({{enter, broken}}), "failed: ERR broken");
}

TEST(Redisson, SubscribesAndLooksOnceMoreBeforeItSleeps) {
  Caller client("redisson", with_lease_time);
  const Exchange refused{enter, Reply::integer(2000)};
  const Exchange confirmed{subscribe, Reply::bulk("subscribe")};
  EXPECT_EQ(client.acquire({refused, confirmed, {enter, nil}}), "granted token-1:1 for 30s");
  EXPECT_EQ(client.acquire({refused, confirmed, refused, {listen, Reply::bulk("0")}, {enter, nil}}),
            "granted token-1:1 for 30s");
  EXPECT_EQ(
      client.acquire({refused, confirmed, refused, {listen, nil, 2s}, refused, {listen, nil}, {enter, nil}}),
      "granted token-1:1 for 30s");
}

TEST(Redisson, SubscribesAgainWhenTheConnectionIsLostAndSleepsOn) {
  Caller client("redisson", with_lease_time);
  const Exchange refused{enter, Reply::integer(2000)};
  const Exchange confirmed{subscribe, Reply::bulk("subscribe")};
  EXPECT_EQ(client.acquire({refused,
                            confirmed,
                            refused,
                            {listen, Reply::lost(), 500ms},
                            confirmed,
                            {listen, nil},
                            {enter, nil}}),
            "granted token-1:1 for 30s");
}

// How long it listens, at most, when it is told `left`.
Duration patience_when_told(std::string_view id, const Settings& settings, std::int64_t left) {
  Caller client(id, settings);
  Task<Attempt> task = client.start_acquire();
  task.start();
  for (const Reply& answer : {Reply::integer(left), Reply::bulk("subscribe"), Reply::integer(left)})
    run(std::exchange(client.wire.pending, nullptr)->complete(answer));
  return client.wire.pending->connection()->patience();
}

TEST(Redisson, SleepsAsLongAsTheLeaseLastsAndNoLongerThanItsWaitTime) {
  const Settings until_timeout{{"blocking", "until-timeout"}, {"wait-time", "3s"}};
  EXPECT_EQ(patience_when_told("redisson", {}, 2000), 2s);
  EXPECT_EQ(patience_when_told("redisson", {}, 20'000), 20s);
  EXPECT_EQ(patience_when_told("redisson", until_timeout, 2000), 2s);
  EXPECT_EQ(patience_when_told("redisson", until_timeout, 20'000), 3s);
}

TEST(Redisson, WaitsWithoutEndWhenItIsToldANegativeNumber) {
  EXPECT_EQ(patience_when_told("redisson", {}, -1), OwnConnection::for_ever);
  // What the fair lock tells those in its queue, before 3.32.0: scripts_test.
  const Settings before{{"queued-wait", "deadline"}};
  EXPECT_EQ(patience_when_told("redisson-fair", before, -3000), OwnConnection::for_ever);
}

const Settings for_three_seconds{{"watchdog", "no"}, {"blocking", "until-timeout"}, {"wait-time", "3s"}};

TEST(Redisson, IsRefusedWhenItsWaitTimeIsOver) {
  Caller client("redisson", for_three_seconds);
  const Exchange refused{enter, Reply::integer(9000)};
  const Exchange confirmed{subscribe, Reply::bulk("subscribe")};
  const std::string over = "refused: tryLock: false";
  // After it slept, it does not ask once more; nor after any other answer.
  EXPECT_EQ(client.acquire({refused, confirmed, refused, {listen, nil, 3s}}), over);
  EXPECT_EQ(client.acquire({refused, confirmed, {enter, Reply::integer(9000), 3s}}), over);
  EXPECT_EQ(client.acquire({refused, {subscribe, Reply::bulk("subscribe"), 3s}}), over);
  EXPECT_EQ(client.acquire({{enter, Reply::integer(9000), 3s}}), over);
  EXPECT_EQ(client.acquire({refused, confirmed, refused, {listen, nil, 2s}, {enter, nil}}),
            "granted token-1:1 for 30s");
}

TEST(Redisson, GivesUpWaitingForATimeWhenItIsNotAnswered) {
  Caller client("redisson", for_three_seconds);
  const Exchange refused{enter, Reply::integer(9000)};
  const Exchange confirmed{subscribe, Reply::bulk("subscribe")};
  EXPECT_EQ(client.acquire({refused, confirmed, {enter, Reply::lost()}}), "refused: tryLock: false");
  EXPECT_EQ(client.acquire({refused, {subscribe, Reply::lost()}}), "refused: tryLock: false");
  EXPECT_EQ(client.acquire({refused, confirmed, {enter, broken}}), "failed: ERR broken");
  EXPECT_EQ(client.acquire({{enter, Reply::lost()}}), "failed: Redis server response timeout");
  Caller for_ever("redisson", with_lease_time);
  EXPECT_EQ(for_ever.acquire({refused, confirmed, {enter, Reply::lost()}}),
            "failed: Redis server response timeout");
}

const Settings replicated{{"watchdog", "no"}, {"blocking", "no"}, {"servers", "replicated"}};
const Exchange synced{{"WAIT", "1", "1000"}, Reply::integer(1)};
const Exchange unsynced{{"WAIT", "1", "1000"}, Reply::integer(0)};

TEST(Redisson, GivesBackWhatNoReplicaHasAndAsksAgain) {
  Caller client("redisson", replicated);
  const Exchange granted{enter, nil};
  EXPECT_EQ(client.acquire({granted, synced}), "granted token-1:1 for 30s");
  const Exchange refused{enter, Reply::integer(2000)};
  EXPECT_EQ(client.acquire({refused, synced}), "refused: tryLock: false");
  const Exchange given_back{leave("token-2"), yes};
  EXPECT_EQ(client.acquire({granted, unsynced, given_back, synced, granted, synced}),
            "granted token-1:1 for 30s");
  EXPECT_EQ(client.clock.slept, std::vector<Duration>{1s});
  EXPECT_EQ(client.acquire({granted, {{"WAIT", "1", "1000"}, Reply::lost()}}),
            "failed: Redis server response timeout");
}

TEST(Redisson, FailsWhenNoReplicaHasItFiveTimes) {
  Caller client("redisson", replicated);
  std::vector<Exchange> exchanges;
  for (int i = 2; i <= 6; ++i)
    for (const Exchange& next :
         {Exchange{enter, nil}, unsynced, Exchange{leave("token-" + std::to_string(i)), nil}, unsynced})
      exchanges.push_back(next);
  EXPECT_EQ(client.acquire(exchanges), "failed: None of slaves were synced.");
  EXPECT_EQ(client.clock.slept.size(), 4);
}

// The repeated unlock finds in the latch what the first has done.
TEST(Redisson, RepeatsAnUnlockThatNoReplicaHasUnderTheSameName) {
  Caller client("redisson", replicated);
  EXPECT_EQ(client.acquire({{enter, nil}, synced}), "granted token-1:1 for 30s");
  const Exchange left{leave("token-2"), yes};
  EXPECT_EQ(client.release(Grant("token-1:1"), {left, unsynced, left, synced}), Release::released);
  const Exchange again{leave("token-3"), yes};
  EXPECT_EQ(client.release(Grant("token-1:1"), {again, unsynced, again, unsynced, again, unsynced, again,
                                                unsynced, again, unsynced}),
            Release::unknown);
}

TEST(RedissonRw, NamesReadersAndWritersApart) {
  Caller client("redisson-rw", no_waiting);
  EXPECT_EQ(client.acquire({{script({"1", "lock", "30000", "token-1:1:write"}), nil}}),
            "granted token-1:1 for 30s");
  EXPECT_EQ(
      client.release(Grant("token-1:1"),
                     {{script({"3", "lock", "redisson_rwlock:{lock}", "redisson_unlock_latch:{lock}:token-2",
                               "1", "30000", "token-1:1:write", "PUBLISH", "16000"}),
                       yes}}),
      Release::released);
}

TEST(RedissonFair, SendsItsClockAndHowLongAWaiterIsKept) {
  Caller client("redisson-fair", with_lease_time);
  const Argv queue = script({"3", "lock", "redisson_lock_queue:{lock}", "redisson_lock_timeout:{lock}",
                             "30000", "token-1:1", "300000", "1000000"});
  EXPECT_EQ(
      client.acquire({{queue, Reply::integer(2000)},
                      {{"SUBSCRIBE", "redisson_lock__channel:{lock}:token-1:1"}, Reply::bulk("subscribe")},
                      {queue, nil}}),
      "granted token-1:1 for 30s");
}

TEST(RedissonFair, LeavesTheQueueWheneverItGivesUp) {
  const Argv queue = script({"3", "lock", "redisson_lock_queue:{lock}", "redisson_lock_timeout:{lock}",
                             "30000", "token-1:1", "3000", "1000000"});
  const Argv leave_queue =
      script({"2", "redisson_lock_queue:{lock}", "redisson_lock_timeout:{lock}", "token-1:1", "3000"});
  const Exchange refused{queue, Reply::integer(9000)};
  const Exchange confirmed{{"SUBSCRIBE", "redisson_lock__channel:{lock}:token-1:1"},
                           Reply::bulk("subscribe")};
  for (const Exchange& last : {Exchange{queue, Reply::lost()}, Exchange{queue, Reply::integer(9000), 3s}}) {
    Caller client("redisson-fair", for_three_seconds);
    EXPECT_EQ(client.acquire({refused, confirmed, last, {leave_queue, nil}}), "refused: tryLock: false");
  }
}

}  // namespace
}  // namespace holdfast
