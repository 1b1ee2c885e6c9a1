// The locks of libraries, word for word: commands, units, defaults, retry schedules, return values, error
// texts.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"

namespace holdfast {
namespace {

using namespace scripted;

// --- redis-objects ---

Argv setnx(const std::string& value) { return {"SETNX", "lock", value}; }
Argv getset(const std::string& value) { return {"GETSET", "lock", value}; }

TEST(RedisObjects, TheValueIsOneSecondLaterThanTheExpirationInSecondsWithDecimals) {
  Caller client("redis-objects", {{"ttl", "250ms"}});
  EXPECT_EQ(client.acquire({{setnx("1001.25"), yes}}), "granted 1001.25 until 1001.25s");
  client.clock.now = WallTime(1000s + 750ms);
  EXPECT_EQ(client.acquire({{setnx("1002.0"), yes}}), "granted 1002.0 until 1002s");
  client.clock.now = WallTime(1000s + 1us);
  EXPECT_EQ(client.acquire({{setnx("1001.250001"), yes}}), "granted 1001.250001 until 1001.250001s");
}

TEST(RedisObjects, WithoutExpirationTheValueIsOneAndNobodyLooksAtIt) {
  Caller client("redis-objects", {{"timeout", "0s"}});
  EXPECT_EQ(client.acquire({{setnx("1"), yes}}), "granted 1");
  EXPECT_EQ(client.acquire({{setnx("1"), no}}), "refused: Timeout on lock lock exceeded 0 sec");
  EXPECT_EQ(client.release(Grant("1"), {{del, yes}}), Release::released);
}

TEST(RedisObjects, TriesFiftyTimesATenthOfASecondApartAndThenRaisesLockTimeout) {
  Caller client("redis-objects");
  EXPECT_EQ(client.acquire(std::vector<Exchange>(50, {setnx("1"), no})),
            "refused: Timeout on lock lock exceeded 5 sec");
  EXPECT_EQ(client.clock.slept, std::vector<Duration>(50, 100ms));
  Caller short_of_time("redis-objects", {{"timeout", "1.5s"}});
  // The clock runs on while answers travel: a sleep, not a period.
  EXPECT_EQ(short_of_time.acquire(std::vector<Exchange>(3, {setnx("1"), no, 500ms})),
            "refused: Timeout on lock lock exceeded 1.5 sec");
}

// The first answer arrives at 1000.02, that of GETSET at 1000.05.
std::string swapped(const Reply& current, const Reply& previous) {
  return Caller("redis-objects", {{"ttl", "1s"}, {"timeout", "0s"}})
      .acquire({{setnx("1002.0"), no, 20ms}, {get, current}, {getset("1002.02"), previous, 30ms}});
}

TEST(RedisObjects, WinsWhenWhatGetsetReplacedIsPastAtTheReply) {
  const Reply past = Reply::bulk("1000.019");
  EXPECT_EQ(swapped(past, past), "granted 1002.02 until 1002.02s");
  EXPECT_EQ(swapped(past, Reply::bulk("1000.049999")), "granted 1002.02 until 1002.02s");
  EXPECT_EQ(swapped(past, Reply::bulk("1000.05")), "refused: Timeout on lock lock exceeded 0 sec");
  EXPECT_EQ(swapped(past, nil), "granted 1002.02 until 1002.02s");
  EXPECT_EQ(swapped(past, Reply::lost()), "failed: Connection timed out");
  EXPECT_EQ(swapped(past, broken), "failed: ERR broken");
  EXPECT_EQ(swapped(nil, past), "granted 1002.02 until 1002.02s");
}

TEST(RedisObjects, ReadsTheOneOfAHolderWithoutExpirationAsPast) {
  EXPECT_EQ(swapped(Reply::bulk("1"), Reply::bulk("1")), "granted 1002.02 until 1002.02s");
  EXPECT_EQ(swapped(Reply::bulk("no time"), Reply::bulk("99")), "granted 1002.02 until 1002.02s");
}

TEST(RedisObjects, ErrorsEndTheWaiting) {
  const Settings lease{{"ttl", "1s"}};
  for (const Reply& failure : {Reply::lost(), broken}) {
    const std::string why = failure.is_lost() ? "failed: Connection timed out" : "failed: ERR broken";
    EXPECT_EQ(Caller("redis-objects", lease).acquire({{setnx("1002.0"), failure}}), why);
    EXPECT_EQ(Caller("redis-objects", lease).acquire({{setnx("1002.0"), no}, {get, failure}}), why);
  }
}

TEST(RedisObjects, DeletesOnlyWhileTheLeaseLastsByTheOwnClock) {
  Caller client("redis-objects", {{"ttl", "1s"}});
  Grant grant("1002.0");
  grant.lease_until = WallTime(1002s);
  client.clock.now = WallTime(1002s - 1us);
  EXPECT_EQ(client.release(grant, {{del, yes}}), Release::released);
  EXPECT_EQ(client.release(grant, {{del, Reply::lost()}}), Release::unknown);
  client.clock.now = WallTime(1002s);
  EXPECT_EQ(client.release(grant, {}), Release::released);
}

// --- redis-objects-px ---

Argv set_empty(const std::string& milliseconds, bool nx = true) {
  Argv argv{"SET", "lock", "", "PX", milliseconds};
  if (nx) argv.emplace_back("NX");
  return argv;
}

TEST(RedisObjectsPx, TheEndIsCountedFromTheWholeSecondBeforeTheRequest) {
  Caller client("redis-objects-px", {{"ttl", "1.5s"}});
  client.clock.now = WallTime(1000s + 900ms);
  EXPECT_EQ(client.acquire({{set_empty("1500"), ok, 3s}}), "granted 1001.5 for 1.5s");
  Caller by_default("redis-objects-px");
  EXPECT_EQ(by_default.acquire({{set_empty("1000"), ok}}), "granted 1001.0 for 1s");
  Caller first("redis-objects-px", {{"ttl", "1.5s"}, {"end-time-unit", "milliseconds"}});
  EXPECT_EQ(first.acquire({{set_empty("1500"), ok}}), "granted 2500.0 for 1.5s");
}

TEST(RedisObjectsPx, AFractionOfASecondIsOftenEnoughToKeepTheOwnKeyFromBeingDeleted) {
  Caller client("redis-objects-px", {{"ttl", "1s"}});
  client.clock.now = WallTime(1000s + 900ms);
  EXPECT_EQ(client.acquire({{set_empty("1000"), ok}}), "granted 1001.0 for 1s");
  client.clock.now += 100ms;
  EXPECT_EQ(client.release(Grant("1001.0"), {}), Release::released);
}

TEST(RedisObjectsPx, WithoutExpirationTheReleaseNeverLooksAtTheClock) {
  Caller client("redis-objects-px");
  client.clock.now = WallTime(2000s);
  EXPECT_EQ(client.release(Grant("1001.0"), {{del, yes}}), Release::released);
  EXPECT_EQ(client.release(Grant("1001.0"), {{del, broken}}), Release::unknown);
}

TEST(RedisObjectsPx, TakesAnExpiredLockOfTheOldVersionWithoutNx) {
  const Settings lease{{"ttl", "2s"}, {"timeout", "0s"}};
  const auto attempt = [&](const Reply& legacy, std::vector<Exchange> rest = {}) {
    rest.insert(rest.begin(), {{set_empty("2000"), nil}, {get, legacy}});
    return Caller("redis-objects-px", lease).acquire(rest);
  };
  const Exchange plain_set{set_empty("2000", false), ok};
  EXPECT_EQ(attempt(Reply::bulk("999.5"), {plain_set}), "granted 1002.0 for 2s");
  for (const Reply& other : {Reply::bulk(""), Reply::bulk("0"), Reply::bulk("1000.0"), nil})
    EXPECT_EQ(attempt(other), "refused: Timeout on lock lock exceeded 0 sec");
  EXPECT_EQ(attempt(Reply::lost()), "failed: Connection timed out");
  EXPECT_EQ(attempt(Reply::bulk("999.5"), {{plain_set.sent, broken}}), "failed: ERR broken");
}

// --- redis-py ---

const Argv set_nx{"SET", "lock", "token-1", "NX"};

TEST(RedisPy, HasNoTtlUnlessAskedForOne) {
  EXPECT_EQ(Caller("redis-py").acquire({{set_nx, ok}}), "granted token-1");
  const Argv with_ttl{"SET", "lock", "token-1", "PX", "1500", "NX"};
  EXPECT_EQ(Caller("redis-py", {{"ttl", "1.5s"}}).acquire({{with_ttl, ok}}), "granted token-1 for 1.5s");
}

TEST(RedisPy, TriesForEverWithOneTokenAndSleepsInBetween) {
  Caller client("redis-py");
  std::vector<Exchange> refusals(1'000, {set_nx, nil});
  refusals.push_back({set_nx, ok});
  EXPECT_EQ(client.acquire(refusals), "granted token-1");
  EXPECT_EQ(client.clock.slept, std::vector<Duration>(1'000, 100ms));
}

TEST(RedisPy, BeginsNoSleepThatWouldEndAfterTheBlockingTimeout) {
  const std::string refused = "refused: Unable to acquire lock within the time specified";
  Caller client("redis-py", {{"blocking", "until-timeout"}, {"blocking-timeout", "250ms"}});
  EXPECT_EQ(client.acquire(std::vector<Exchange>(3, {set_nx, nil})), refused);
  EXPECT_EQ(client.clock.slept, std::vector<Duration>(2, 100ms));
  Caller impatient("redis-py", {{"blocking", "no"}});
  EXPECT_EQ(impatient.acquire({{set_nx, nil}}), refused);
  EXPECT_EQ(Caller("redis-py").acquire({{set_nx, Reply::lost()}}), "failed: Timeout reading from socket");
  EXPECT_EQ(Caller("redis-py").acquire({{set_nx, broken}}), "failed: ERR broken");
}

TEST(RedisPy, ReleasesByScript) {
  Caller client("redis-py");
  const Argv compare = script({"1", "lock", "token-1"});
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, yes}}), Release::released);
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, no}}), Release::not_held);
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, Reply::lost()}}), Release::unknown);
}

// --- bsm-redislock ---

TEST(BsmRedislock, SendsValueLengthOfTheTokenAndMilliseconds) {
  const auto obtain = [](const std::string& token, const std::string& length) {
    return script({"1", "lock", token, length, "1000"});
  };
  Caller client("bsm-redislock");
  EXPECT_EQ(client.acquire({{obtain("token-1", "7"), ok}}), "granted token-1 for 1s");
  EXPECT_EQ(client.acquire({{obtain("token-2", "7"), nil}}), "refused: redislock: not obtained");
  EXPECT_EQ(client.acquire({{obtain("token-3", "7"), Reply::lost()}}), "failed: i/o timeout");
  EXPECT_EQ(client.acquire({{obtain("token-4", "7"), broken}}), "failed: ERR broken");
  Caller worker("bsm-redislock", {{"token", "worker"}});
  EXPECT_EQ(worker.acquire({{obtain("worker-1", "8"), ok}}), "granted worker-1 for 1s");
  const Argv compare = script({"1", "lock", "worker-1"});
  EXPECT_EQ(worker.release(Grant("worker-1"), {{compare, ok}}), Release::released);
  EXPECT_EQ(worker.release(Grant("worker-1"), {{compare, nil}}), Release::not_held);
  EXPECT_EQ(worker.release(Grant("worker-1"), {{compare, Reply::lost()}}), Release::unknown);
}

// The sleeps of an acquire() that is refused `tries` times.
std::vector<Duration> sleeps(Settings settings, std::size_t tries, const std::string& end) {
  settings.emplace_back("token", "worker");
  Caller client("bsm-redislock", settings);
  const Exchange refusal{script({"1", "lock", "worker-1", "8", "1000"}), nil};
  EXPECT_EQ(client.acquire(std::vector<Exchange>(tries, refusal)), end);
  return client.clock.slept;
}

TEST(BsmRedislock, RetriesAsItsStrategySaysUntilALeaseHasPassed) {
  const std::string late = "refused: redislock: not obtained, context deadline exceeded";
  const std::string refused = "refused: redislock: not obtained";
  EXPECT_EQ(sleeps({{"retry", "linear"}}, 10, late), std::vector<Duration>(10, 100ms));
  EXPECT_EQ(sleeps({{"retry", "linear"}, {"retries", "3"}}, 4, refused), std::vector<Duration>(3, 100ms));
  EXPECT_EQ(sleeps({{"retry", "linear"}, {"backoff", "400ms"}}, 3, late),
            (std::vector<Duration>{400ms, 400ms, 200ms}));
  EXPECT_EQ(sleeps({{"retry", "exponential"}, {"backoff", "16ms"}}, 8, late),
            (std::vector<Duration>{16ms, 16ms, 16ms, 32ms, 64ms, 128ms, 256ms, 472ms}));
  EXPECT_EQ(sleeps({{"retry", "exponential"}, {"backoff", "0s"}, {"backoff-max", "10ms"}, {"retries", "4"}},
                   5, refused),
            (std::vector<Duration>{4ms, 8ms, 10ms, 10ms}));
}

// --- shedlock ---

const std::string added = "ADDED:1970-01-01T00:16:40.000Z@host-A:token-1";

TEST(Shedlock, TriesOnceWithAValueThatTellsWhenAndWhoAndIsUnique) {
  const Argv set{"SET", "lock", added, "PX", "1000", "NX"};
  EXPECT_EQ(Caller("shedlock").acquire({{set, ok}}), "granted " + added + " for 1s");
  EXPECT_EQ(Caller("shedlock").acquire({{set, nil}}), "refused: Not executing 'lock'. It's locked.");
  EXPECT_EQ(Caller("shedlock").acquire({{set, Reply::lost()}}), "failed: Redis command: timeout");
  Caller later("shedlock");
  later.clock.now = WallTime(1'700'000'000s + 4ms);
  const std::string value = "ADDED:2023-11-14T22:13:20.004Z@host-A:token-1";
  EXPECT_EQ(later.acquire({{{"SET", "lock", value, "PX", "1000", "NX"}, ok}}),
            "granted " + value + " for 1s");
}

Release released_after(Duration work, const Settings& settings, const Exchange& exchange) {
  Caller client("shedlock", settings);
  client.acquire({{{"SET", "lock", added, "PX", "1000", "NX"}, ok}});
  client.clock.now += work;
  return client.release(Grant(added), {exchange});
}

TEST(Shedlock, DeletesWhateverIsThereOrOverwritesItWhenTheJobWasShort) {
  const Settings short_job{{"lock-at-least-for", "500ms"}};
  EXPECT_EQ(released_after(0s, {}, {del, yes}), Release::released);
  EXPECT_EQ(released_after(0s, {}, {del, no}), Release::released);
  EXPECT_EQ(released_after(500ms, short_job, {del, yes}), Release::released);
  EXPECT_EQ(released_after(499ms, short_job, {{"SET", "lock", added, "PX", "1", "XX"}, ok}),
            Release::released);
  EXPECT_EQ(released_after(0s, short_job, {{"SET", "lock", added, "PX", "500", "XX"}, nil}),
            Release::released);
}

TEST(Shedlock, ComparesBeforeBothWhenUpdatesAreSafe) {
  const Settings safe{{"safe-update", "true"}, {"lock-at-least-for", "500ms"}};
  EXPECT_EQ(released_after(500ms, safe, {script({"1", "lock", added}), yes}), Release::released);
  EXPECT_EQ(released_after(0s, safe, {script({"1", "lock", added, "500"}), no}), Release::released);
  EXPECT_EQ(released_after(0s, safe, {script({"1", "lock", added, "500"}), Reply::lost()}), Release::unknown);
}

}  // namespace
}  // namespace holdfast
