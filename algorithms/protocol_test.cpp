// Every lock against a scripted store: the exact words that it sends, and what it makes of each answer.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"

namespace holdfast {
namespace {

using namespace scripted;

// --- releases ---

TEST(Protocol, ReleaseByDelTellsWhatDelTold) {
  for (const std::string_view id : {"setnx", "setnx-del-recovery", "setnx-expire", "getset",
                                    "lua-setnx-expire", "set-nx-px", "set-nx-px-as-printed"}) {
    SCOPED_TRACE(id);
    Caller client(id);
    EXPECT_EQ(client.release(Grant("1234"), {{del, yes}}), Release::released);
    EXPECT_EQ(client.release(Grant("1234"), {{del, no}}), Release::not_held);
    EXPECT_EQ(client.release(Grant("1234"), {{del, Reply::lost()}}), Release::unknown);
    EXPECT_EQ(client.release(Grant("1234"), {{del, broken}}), Release::unknown);
  }
}

TEST(Protocol, TokenIsComparedBeforeTheDelete) {
  Caller client("token");
  const Argv compare{"EVAL",
                     "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) "
                     "else return 0 end",
                     "1", "lock", "token-1"};
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, yes}}), Release::released);
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, no}}), Release::not_held);
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, Reply::lost()}}), Release::unknown);
  EXPECT_EQ(client.release(Grant("token-1"), {{compare, broken}}), Release::unknown);
}

TEST(Protocol, GetsetCanKeepItsHandsOffAnExpiredLease) {
  Caller client("getset", {{"release", "if-unexpired"}});
  Grant grant("1001000");
  grant.lease_until = WallTime(1001s);
  EXPECT_EQ(client.release(grant, {{del, yes}}), Release::released);
  client.clock.now = WallTime(1001s);
  EXPECT_EQ(client.release(grant, {}), Release::not_held);
}

// --- one command ---

TEST(Protocol, SetnxSendsNothingElse) {
  Caller client("setnx");
  const Argv setnx{"SETNX", "lock", "1"};
  EXPECT_EQ(client.acquire({{setnx, yes}}), "granted 1");
  EXPECT_EQ(client.acquire({{setnx, no}}), "refused: lock already exists.");
  EXPECT_EQ(client.acquire({{setnx, Reply::lost()}}), "failed: failed to setnx lock: timeout");
  EXPECT_EQ(client.acquire({{setnx, broken}}), "failed: failed to setnx lock: ERR broken");
}

TEST(Protocol, SetNxPxTakesNullForARefusalAndAsPrintedForSuccess) {
  const Argv set{"SET", "lock", "1234", "PX", "250", "NX"};
  const Settings short_lease{{"ttl", "250ms"}};
  Caller right("set-nx-px", short_lease);
  Caller printed("set-nx-px-as-printed", short_lease);
  Caller repaired("set-nx-px-as-printed", {{"ttl", "250ms"}, {"null-is", "refusal"}});
  EXPECT_EQ(right.acquire({{set, Reply::nil()}}), "refused: lock already exists.");
  EXPECT_EQ(printed.acquire({{set, Reply::nil()}}), "granted 1234 for 250ms");
  EXPECT_EQ(repaired.acquire({{set, Reply::nil()}}), "refused: lock already exists.");
  for (Caller* client : {&right, &printed, &repaired}) {
    EXPECT_EQ(client->acquire({{set, Reply::ok()}}), "granted 1234 for 250ms");
    EXPECT_EQ(client->acquire({{set, Reply::lost()}}), "failed: failed to set lock: timeout");
    EXPECT_EQ(client->acquire({{set, broken}}), "failed: failed to set lock: ERR broken");
  }
}

TEST(Protocol, TokenIsNewInEveryAttempt) {
  Caller client("token");
  const auto set = [](const std::string& token) { return Argv{"SET", "lock", token, "PX", "1000", "NX"}; };
  EXPECT_EQ(client.acquire({{set("token-1"), Reply::nil()}}), "refused: lock already exists.");
  EXPECT_EQ(client.acquire({{set("token-2"), Reply::lost()}}), "failed: failed to set lock: timeout");
  EXPECT_EQ(client.acquire({{set("token-3"), broken}}), "failed: failed to set lock: ERR broken");
  EXPECT_EQ(client.acquire({{set("token-4"), Reply::ok()}}), "granted token-4 for 1s");
}

TEST(Protocol, LuaSetnxExpirePassesWhatTheParameterSays) {
  const auto eval = [](const std::string& seconds) {
    return Argv{"EVAL",
                "if redis.call('setnx',KEYS[1],ARGV[1]) == 1 then redis.call('expire',KEYS[1],ARGV[2])"
                " return 1 else return 0 end",
                "1",
                "lock",
                "1234",
                seconds};
  };
  const auto sends = [&](const std::string& ttl, const std::string& unit, const std::string& seconds) {
    SCOPED_TRACE(ttl + " " + unit);
    Caller client("lua-setnx-expire", {{"ttl", ttl}, {"expire-unit", unit}, {"zero-is", "refusal"}});
    EXPECT_EQ(client.acquire({{eval(seconds), yes}}), "granted 1234 for " + ttl);
    EXPECT_EQ(client.acquire({{eval(seconds), no}}), "refused: eval result: 0");
    EXPECT_EQ(client.acquire({{eval(seconds), Reply::lost()}}), "failed: failed to eval script: timeout");
    EXPECT_EQ(client.acquire({{eval(seconds), broken}}), "failed: failed to eval script: ERR broken");
  };
  EXPECT_EQ(Caller("lua-setnx-expire").acquire({{eval("1000"), no}}), "granted 1234 for 1s");
  sends("1s", "printed", "1000");
  sends("1s", "divided", "1");
  sends("10s", "divided", "10");
  sends("1.5s", "divided", "1.5");
  sends("1.025s", "divided", "1.025");
  sends("1s", "repaired", "1");
  sends("1.5s", "repaired", "2");
  sends("1ms", "repaired", "1");
}

// --- two commands ---

TEST(Protocol, SetnxExpireAsPrintedLeavesTheKeyWhenExpireFails) {
  Caller client("setnx-expire", {{"ttl", "2s"}});
  const Argv setnx{"SETNX", "lock", "1234"};
  const Argv expire{"EXPIRE", "lock", "2"};
  EXPECT_EQ(client.acquire({{setnx, no}}), "refused: lock already exists.");
  EXPECT_EQ(client.acquire({{setnx, Reply::lost()}}), "failed: failed to setnx lock: timeout");
  EXPECT_EQ(client.acquire({{setnx, broken}}), "failed: failed to setnx lock: ERR broken");
  EXPECT_EQ(client.acquire({{setnx, yes}, {expire, yes}}), "granted 1234 for 2s");
  EXPECT_EQ(client.acquire({{setnx, yes}, {expire, no}}), "granted 1234 for 2s");
  EXPECT_EQ(client.acquire({{setnx, yes}, {expire, Reply::lost()}}),
            "failed: failed to expire lock: timeout");
  EXPECT_EQ(client.acquire({{setnx, yes}, {expire, broken}}), "failed: failed to expire lock: ERR broken");
}

TEST(Protocol, SetnxExpireRepairedDeletesTheKeyWhenExpireFails) {
  Caller client("setnx-expire", {{"on-expire-failure", "repaired"}});
  const Argv setnx{"SETNX", "lock", "1234"};
  const Argv expire{"EXPIRE", "lock", "1"};
  EXPECT_EQ(client.acquire({{setnx, yes}, {expire, yes}}), "granted 1234 for 1s");
  EXPECT_EQ(client.acquire({{setnx, yes}, {expire, no}}), "refused: lock is taken by others.");
  for (const Reply& last : {yes, no, Reply::lost(), broken}) {
    EXPECT_EQ(client.acquire({{setnx, yes}, {expire, Reply::lost()}, {del, last}}),
              "failed: failed to expire lock: timeout");
    EXPECT_EQ(client.acquire({{setnx, yes}, {expire, broken}, {del, last}}),
              "failed: failed to expire lock: ERR broken");
  }
  // Whose key it is nobody knows: a DEL would be a guess.
  EXPECT_EQ(client.acquire({{setnx, Reply::lost()}}), "failed: failed to setnx lock: timeout");
}

// --- the expiry as value ---

Argv setnx_value(const std::string& value) { return {"SETNX", "lock", value}; }
Argv getset_value(const std::string& value) { return {"GETSET", "lock", value}; }

TEST(Protocol, AnExpiryInTheFutureOrNowIsRespected) {
  for (const std::string_view id : {"setnx-del-recovery", "getset"}) {
    SCOPED_TRACE(id);
    const auto attempt = [&](std::vector<Exchange> script) { return Caller(id).acquire(script); };
    const Exchange refused{setnx_value("1001000"), no};
    EXPECT_EQ(attempt({{setnx_value("1001000"), yes, 300ms}}), "granted 1001000 until 1001s");
    EXPECT_EQ(attempt({refused, {get, Reply::bulk("1000001")}}), "refused: lock is not expired.");
    EXPECT_EQ(attempt({refused, {get, Reply::bulk("1000000")}}), "refused: lock is not expired.");
    EXPECT_EQ(attempt({{setnx_value("1001000"), Reply::lost()}}), "failed: failed to setnx lock: timeout");
    EXPECT_EQ(attempt({{setnx_value("1001000"), broken}}), "failed: failed to setnx lock: ERR broken");
    EXPECT_EQ(attempt({refused, {get, Reply::lost()}}), "failed: failed to get lock: timeout");
    EXPECT_EQ(attempt({refused, {get, broken}}), "failed: failed to get lock: ERR broken");
  }
}

TEST(Protocol, AWholeTtlIsAddedInMilliseconds) {
  Caller client("getset", {{"ttl", "250ms"}});
  client.clock.now += 999us;
  EXPECT_EQ(client.acquire({{setnx_value("1000250"), yes}}), "granted 1000250 until 1000.25s");
}

TEST(Protocol, SetnxDelRecoveryDeletesAnExpiredKeyAndTriesOnceMore) {
  const auto attempt = [](std::vector<Exchange> rest) {
    std::vector<Exchange> script{{setnx_value("1001000"), no, 20ms}};
    script.insert(script.end(), rest.begin(), rest.end());
    return Caller("setnx-del-recovery").acquire(script);
  };
  // The clock shows 1000020 when GET is sent, so 1000019 is the latest expired value.
  const Exchange expired{get, Reply::bulk("1000019")};
  const Argv again = setnx_value("1001050");
  for (const Reply& deleted : {yes, no})
    EXPECT_EQ(attempt({expired, {del, deleted, 30ms}, {again, yes, 40ms}}), "granted 1001050 until 1001.05s");
  EXPECT_EQ(attempt({expired, {del, yes, 30ms}, {again, no}}), "refused: lock is taken by others.");
  EXPECT_EQ(attempt({expired, {del, Reply::lost()}}), "failed: failed to del lock: timeout");
  EXPECT_EQ(attempt({expired, {del, broken}}), "failed: failed to del lock: ERR broken");
  EXPECT_EQ(attempt({expired, {del, yes, 30ms}, {again, Reply::lost()}}),
            "failed: failed to setnx lock: timeout");
  EXPECT_EQ(attempt({{get, Reply::nil()}}), "refused: lock was released a moment ago.");
  EXPECT_EQ(attempt({{get, Reply::bulk("1234x")}}), "failed: failed to read lock: its value is not a time");
}

// GET answers with an expired value at 1000020; the answer to GETSET arrives at 1000050.
std::string swapped(const Settings& settings, const std::string& written, const Reply& previous) {
  return Caller("getset", settings)
      .acquire({{setnx_value("1001000"), no, 20ms},
                {get, Reply::bulk("1000019")},
                {getset_value(written), previous, 30ms}});
}

TEST(Protocol, GetsetAsPrintedWinsOnlyIfTheSameValueComesBack) {
  EXPECT_EQ(swapped({}, "1001000", Reply::bulk("1000019")), "granted 1001000 until 1001s");
  EXPECT_EQ(swapped({}, "1001000", Reply::bulk("1000018")), "refused: lock is taken by others.");
  EXPECT_EQ(swapped({}, "1001000", Reply::nil()), "refused: lock is taken by others.");
  EXPECT_EQ(swapped({}, "1001000", Reply::lost()), "failed: failed to getset lock: timeout");
  EXPECT_EQ(swapped({}, "1001000", broken), "failed: failed to getset lock: ERR broken");
}

TEST(Protocol, GetsetAsDocumentedWinsOnAnyPastValue) {
  const Settings documented{{"won-if", "still-expired"}};
  EXPECT_EQ(swapped(documented, "1001000", Reply::bulk("1000019")), "granted 1001000 until 1001s");
  EXPECT_EQ(swapped(documented, "1001000", Reply::bulk("1000049")), "granted 1001000 until 1001s");
  EXPECT_EQ(swapped(documented, "1001000", Reply::bulk("1000050")), "refused: lock is taken by others.");
  EXPECT_EQ(swapped(documented, "1001000", Reply::nil()), "granted 1001000 until 1001s");
  EXPECT_EQ(swapped(documented, "1001000", Reply::bulk("1234x")), "refused: lock is taken by others.");
}

TEST(Protocol, GetsetCanComputeItsExpiryAfterGet) {
  const Settings afresh{{"expiry-computed", "after-get"}};
  EXPECT_EQ(swapped(afresh, "1001020", Reply::bulk("1000019")), "granted 1001020 until 1001.02s");
}

TEST(Protocol, GetsetRefusesWhenTheKeyVanishedOrIsNoTime) {
  const Exchange refused{setnx_value("1001000"), no};
  EXPECT_EQ(Caller("getset").acquire({refused, {get, Reply::nil()}}), "refused: lock is not expired.");
  EXPECT_EQ(Caller("getset").acquire({refused, {get, Reply::bulk("99999999999999999999")}}),
            "failed: failed to get lock: its value is not a time");
}

// --- every lock ---

Reply any_reply() {
  switch (*rc::gen::inRange(0, 8)) {
    case 0: return Reply::nil();
    case 1: return Reply::ok();
    case 2: return yes;
    case 3: return no;
    case 4: return Reply::lost();
    case 5: return broken;
    default: return Reply::bulk(std::to_string(*rc::gen::inRange(999'000, 1'003'000)));
  }
}

// Does not wait inside acquire().
Settings one_try(const Card& card) {
  const Params params(card.parameters);
  if (params.has("blocking")) return {{"blocking", "no"}};
  if (params.has("timeout")) return {{"timeout", "0s"}};
  return {};
}

// Answers of etcd and ZooKeeper have types, which their libraries hold them to.
RC_GTEST_PROP(Protocol, NoLockIsGrantedOnALostOrBrokenAnswer, ()) {
  for (const Card& card : algorithms::all()) {
    if (card.store == StoreKind::etcd || card.store == StoreKind::zookeeper) continue;
    Caller client(card, one_try(card));
    Task<Attempt> task = client.start_acquire();
    task.start();
    Reply last;
    int requests = 0;
    while (!task.is_done()) {
      RC_ASSERT(++requests <= 4);
      last = any_reply();
      client.clock.now += Duration(*rc::gen::inRange(0, 2'000'000));
      run(std::exchange(client.wire.pending, nullptr)->complete(last));
    }
    const bool is_failure = last.is_lost() || last.is_error();
    // One of several servers, or an answer to giving back one of several locks, may fail without harm.
    const bool asks_several = card.needs_several_servers() || card.id == "redisson-multi";
    const Attempt::Kind kind = task.take().kind();
    if (asks_several) RC_ASSERT(kind != Attempt::Kind::granted || !is_failure);
    else RC_ASSERT((kind == Attempt::Kind::failed) >= is_failure);
  }
}

TEST(Protocol, ACrashWhileWaitingForgetsTheRequest) {
  for (const Card& card : algorithms::all()) {
    SCOPED_TRACE(card.id);
    Caller client(card);
    Task<Attempt> task = client.start_acquire();
    task.start();
    EXPECT_NE(client.wire.pending, nullptr);
    task = Task<Attempt>();
    EXPECT_EQ(client.wire.pending, nullptr);
  }
}

}  // namespace
}  // namespace holdfast
