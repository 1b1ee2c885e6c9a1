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
                 "30000", "token-1:1", "PUBLISH", "13500"});
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

TEST(Redisson, IsRefusedWhenItsWaitTimeIsOver) {
  Caller client("redisson", {{"watchdog", "no"}, {"blocking", "until-timeout"}, {"wait-time", "3s"}});
  EXPECT_EQ(client.acquire({{enter, Reply::integer(9000)},
                            {subscribe, Reply::bulk("subscribe")},
                            {enter, Reply::integer(9000)},
                            {listen, nil, 3s},
                            {enter, Reply::integer(6000)}}),
            "refused: tryLock: false");
}

TEST(RedissonRw, NamesReadersAndWritersApart) {
  Caller client("redisson-rw", no_waiting);
  EXPECT_EQ(client.acquire({{script({"1", "lock", "30000", "token-1:1:write"}), nil}}),
            "granted token-1:1 for 30s");
  EXPECT_EQ(
      client.release(Grant("token-1:1"),
                     {{script({"3", "lock", "redisson_rwlock:{lock}", "redisson_unlock_latch:{lock}:token-2",
                               "1", "30000", "token-1:1:write", "PUBLISH", "13500"}),
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

}  // namespace
}  // namespace holdfast
