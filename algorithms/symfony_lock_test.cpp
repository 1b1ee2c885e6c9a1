// symfony-lock: what Lock and RedisStore send and make of each answer, and what the scripts do.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::of_symfony {

using namespace scripted;

const Settings short_lease{{"ttl", "4s"}};
const std::string raised = "failed: Failed to acquire the \"lock\" lock.";

// The clock stands at 1000 s.
Argv saved(const std::string& milliseconds, const std::string& token = "token-1") {
  return script({"1", "lock", "1000", token, milliseconds});
}
Argv removed(const std::string& token = "token-1") { return script({"1", "lock", token}); }
Argv looked(const std::string& token = "token-1") { return script({"1", "lock", "1000", token}); }

TEST(SymfonyLock, SavesForTheTtlOfTheStoreAndThenForItsOwn) {
  Caller client("symfony-lock", short_lease);
  EXPECT_EQ(client.acquire({{saved("300000"), yes}, {saved("4000"), yes}}), "granted token-1 for 4s");
  Caller without("symfony-lock", {{"ttl", "0s"}, {"initial-ttl", "20s"}});
  EXPECT_EQ(without.acquire({{saved("20000"), yes}}), "granted token-1 for 20s");
  Caller finer("symfony-lock", {{"ttl", "4.0001s"}});
  EXPECT_EQ(finer.acquire({{saved("300000"), yes}, {saved("4001"), yes}}), "granted token-1 for 4.0001s");
}

TEST(SymfonyLock, ANewStoreAsksFirstWhetherScriptsMaySendTime) {
  const Settings fresh{{"ttl", "4s"}, {"store", "new"}};
  const Argv check = script({"1", "symfony_check_support_time"});
  EXPECT_EQ(
      Caller("symfony-lock", fresh).acquire({{check, yes}, {saved("300000"), yes}, {saved("4000"), yes}}),
      "granted token-1 for 4s");
  EXPECT_EQ(Caller("symfony-lock", fresh).acquire({{check, Reply::lost()}}), raised);
}

TEST(SymfonyLock, TriesOnceOrForEver) {
  EXPECT_EQ(Caller("symfony-lock", short_lease).acquire({{saved("300000"), nil}}),
            "refused: acquire(): false");
  EXPECT_EQ(Caller("symfony-lock", short_lease).acquire({{saved("300000"), yes}, {saved("4000"), nil}}),
            "refused: acquire(): false");
  Caller waits("symfony-lock", {{"ttl", "0s"}, {"blocking", "yes"}});
  const Argv later = script({"1", "lock", "1000.09", "token-1", "300000"});
  EXPECT_EQ(waits.acquire({{saved("300000"), nil}, {later, yes}}), "granted token-1 for 300s");
  EXPECT_EQ(waits.clock.slept, std::vector<Duration>{90ms});
}

TEST(SymfonyLock, WhatItSavedTooLateIsRemovedAndBefore32071WasNot) {
  const Exchange late{saved("300000"), yes, 300s};
  EXPECT_EQ(Caller("symfony-lock", short_lease).acquire({late, {removed(), Reply::lost()}}), raised);
  EXPECT_EQ(Caller("symfony-lock", {{"ttl", "4s"}, {"expired", "left"}}).acquire({late}), raised);
  EXPECT_EQ(
      Caller("symfony-lock", short_lease)
          .acquire({{saved("300000"), yes, 299s}, {script({"1", "lock", "1299", "token-1", "4000"}), yes}}),
      "granted token-1 for 4s");
}

// After the second script the lock object knows that it may hold.
TEST(SymfonyLock, ALockThatGoesOutOfScopeReleases) {
  const Exchange first{saved("300000"), yes};
  const Exchange second{saved("4000"), Reply::lost()};
  EXPECT_EQ(Caller("symfony-lock", short_lease).acquire({{saved("300000"), Reply::lost()}}), raised);
  EXPECT_EQ(Caller("symfony-lock", short_lease).acquire({first, second, {looked(), nil}}), raised);
  EXPECT_EQ(Caller("symfony-lock", short_lease).acquire({first, second, {looked(), yes}, {removed(), yes}}),
            raised);
  EXPECT_EQ(Caller("symfony-lock", {{"ttl", "4s"}, {"auto-release", "no"}}).acquire({first, second}), raised);
}

Release released_by(const std::vector<Exchange>& exchanges) {
  return Caller("symfony-lock").release(Grant("token-1"), exchanges);
}

TEST(SymfonyLock, ReleasesAndLooksWhetherItIsGone) {
  EXPECT_EQ(released_by({{removed(), yes}, {looked(), nil}}), Release::released);
  EXPECT_EQ(released_by({{removed(), nil}, {looked(), nil}}), Release::released);
  EXPECT_EQ(released_by({{removed(), yes}, {looked(), yes}}), Release::unknown);
  EXPECT_EQ(released_by({{removed(), yes}, {looked(), Reply::lost()}}), Release::unknown);
  EXPECT_EQ(released_by({{removed(), Reply::lost()}, {looked(), yes}, {removed(), yes}}), Release::unknown);
  // Since 7.2 what phpredis does not raise is as if the token was not there.
  EXPECT_EQ(released_by({{removed(), broken}, {looked(), nil}}), Release::released);
  EXPECT_EQ(Caller("symfony-lock", {{"version", "7.1"}})
                .release(Grant("token-1"), {{removed(), broken}, {looked(), nil}}),
            Release::unknown);
}

TEST(SymfonyLock, Since72LoadsAScriptAndTakesOtherErrorsForAConflict) {
  Caller client("symfony-lock", {{"ttl", "0s"}, {"scripts", "registered"}});
  const auto sent = [&](Task<Attempt>& task, const std::vector<Reply>& answers) {
    std::string commands;
    task.start();
    for (const Reply& answer : answers) {
      commands += std::string(client.wire.pending->command().argv().front()) + " ";
      run(std::exchange(client.wire.pending, nullptr)->complete(answer));
    }
    return commands + told(task.take());
  };
  const Reply unknown_script = Reply::error("NOSCRIPT No matching script. Please use EVAL.");
  Task<Attempt> loads = client.start_acquire();
  EXPECT_EQ(sent(loads, {unknown_script, Reply::bulk("digest"), yes}),
            "EVALSHA SCRIPT EVALSHA granted token-1 for 300s");
  Task<Attempt> fails = client.start_acquire();
  EXPECT_EQ(sent(fails, {broken}), "EVALSHA failed: acquire(): false");
  Task<Attempt> meets_another_type = client.start_acquire();
  EXPECT_EQ(sent(meets_another_type, {Reply::error("WRONGTYPE Operation against a key")}),
            "EVALSHA failed: acquire(): false");
  Task<Attempt> is_still_unknown = client.start_acquire();
  EXPECT_EQ(sent(is_still_unknown, {unknown_script, Reply::bulk("digest"), unknown_script}),
            "EVALSHA SCRIPT EVALSHA failed: Failed to acquire the \"lock\" lock.");
  Task<Attempt> has_no_memory = client.start_acquire();
  EXPECT_EQ(sent(has_no_memory, {Reply::error("OOM command not allowed")}),
            "EVALSHA failed: Failed to acquire the \"lock\" lock.");
}

class SymfonyOnRedis : public testing::Test {
 protected:
  Reply answer(const Argv& argv) { return server_.execute(argv, now, changes_); }
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
  std::string tried(Caller& client) { return told(played(client, client.start_acquire())); }
  Reply tokens() { return answer({"ZRANGE", "lock", "0", "-1"}); }

  WallTime now{1000s};
  Caller one{"symfony-lock", short_lease};
  Caller two{"symfony-lock", short_lease, ClientId{1}};

 private:
  redis::Scripts scripts_;
  redis::Redis server_{scripts_};
  std::vector<redis::Change> changes_;
};

TEST_F(SymfonyOnRedis, AWriterIsAloneUntilItsTokenIsOver) {
  EXPECT_EQ(tried(one), "granted token-1 for 4s");
  EXPECT_EQ(tokens(), Reply::array({Reply::bulk("__write__"), Reply::bulk("token-1")}));
  EXPECT_EQ(answer({"PTTL", "lock"}), Reply::integer(4000));
  EXPECT_EQ(tried(two), "refused: acquire(): false");
  EXPECT_EQ(played(two, two.start_release(Grant("B-1"))), Release::released);
  now += 3999ms;
  EXPECT_EQ(tried(two), "refused: acquire(): false");
  // The key would live for a millisecond more.
  now += 1ms;
  EXPECT_EQ(answer({"EXISTS", "lock"}), yes);
  EXPECT_EQ(tried(two), "granted B-3 for 4s");
  EXPECT_EQ(played(two, two.start_release(Grant("B-3"))), Release::released);
  EXPECT_EQ(answer({"EXISTS", "lock"}), no);
}

TEST_F(SymfonyOnRedis, AStringOfAnOlderVersionIsAConflict) {
  answer({"SET", "lock", "token"});
  EXPECT_EQ(tried(one), "refused: acquire(): false");
}

TEST_F(SymfonyOnRedis, ReadersShareAndEachHasAnEndOfItsOwn) {
  const Card& card = *algorithms::find("symfony-lock");
  answer({"ZADD", "lock", "1002000", "reader"});
  EXPECT_EQ(tried(one), "refused: acquire(): false");
  Params params(card.parameters);
  params.set("ttl", "4s");
  Wire wire;
  HandClock clock;
  Counter random("C-");
  std::vector<Store*> stores{&wire};
  Env env(ClientId{2}, stores, clock, random);
  const std::unique_ptr<Lock> lock = card.make(params);
  Task<Attempt> task = lock->acquire(env, "lock", Mode::shared);
  task.start();
  while (!task.is_done()) {
    Call* const call = std::exchange(wire.pending, nullptr);
    run(call->complete(answer(call->command().argv())));
  }
  EXPECT_EQ(told(task.take()), "granted C-1 for 4s");
  EXPECT_EQ(tokens(), Reply::array({Reply::bulk("reader"), Reply::bulk("C-1")}));
  EXPECT_EQ(answer({"PTTL", "lock"}), Reply::integer(4000));
  now += 2s;
  EXPECT_EQ(tried(one), "refused: acquire(): false");
  EXPECT_EQ(tokens(), Reply::array({Reply::bulk("C-1")}));
}

}  // namespace holdfast::of_symfony
