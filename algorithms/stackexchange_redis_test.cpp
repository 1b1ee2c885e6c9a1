// stackexchange-redis: what LockTake, LockExtend and LockRelease send, and what the transaction does.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::of_stackexchange {

using namespace scripted;

const Argv watch{"WATCH", "lock"};
const Argv unwatch{"UNWATCH"};
const Argv multi{"MULTI"};
const Argv unlink{"UNLINK", "lock"};
const Argv exec{"EXEC"};
const Reply queued = Reply::status("QUEUED");
const Reply done = Reply::array({yes});
const Reply mine = Reply::bulk("token-1");
const Reply of_another = Reply::bulk("token-2");

TEST(StackExchangeRedis, TakesInSecondsIfTheyAreWholeElseInMilliseconds) {
  const auto set = [](const char* unit, const char* number) {
    return Argv{"SET", "lock", "token-1", unit, number, "NX"};
  };
  EXPECT_EQ(Caller("stackexchange-redis").acquire({{set("EX", "10"), ok}}), "granted token-1 for 10s");
  EXPECT_EQ(Caller("stackexchange-redis", {{"ttl", "1.5s"}}).acquire({{set("PX", "1500"), ok}}),
            "granted token-1 for 1.5s");
  EXPECT_EQ(Caller("stackexchange-redis").acquire({{set("EX", "10"), nil}}), "refused: LockTake: false");
  EXPECT_EQ(Caller("stackexchange-redis").acquire({{set("EX", "10"), Reply::lost()}}),
            "failed: RedisTimeoutException: Timeout performing SET");
  EXPECT_EQ(Caller("stackexchange-redis").acquire({{set("EX", "10"), broken}}),
            "failed: RedisServerException: ERR broken");
}

TEST(StackExchangeRedis, OnOneMachineTheValueIsItsName) {
  const Settings machine{{"token", "machine"}};
  const Exchange taken{{"SET", "lock", "WEB-1", "EX", "10", "NX"}, ok};
  EXPECT_EQ(Caller("stackexchange-redis", machine).acquire({taken}), "granted WEB-1 for 10s");
  EXPECT_EQ(Caller("stackexchange-redis", machine, ClientId{1}).acquire({taken}), "granted WEB-1 for 10s");
}

Release released_by(const std::vector<Exchange>& script) {
  return Caller("stackexchange-redis").release(Grant("token-1"), script);
}

TEST(StackExchangeRedis, ReleasesInATransactionIfTheValueIsItsOwn) {
  const std::vector<Exchange> begun{{watch, ok}, {get, mine}, {multi, ok}, {unlink, queued}};
  const auto ended = [&](const Reply& answer) {
    std::vector<Exchange> whole = begun;
    whole.push_back({exec, answer});
    return released_by(whole);
  };
  EXPECT_EQ(ended(done), Release::released);
  EXPECT_EQ(ended(Reply::array({no})), Release::released);
  EXPECT_EQ(ended(nil), Release::not_held);
  EXPECT_EQ(ended(Reply::lost()), Release::unknown);
  EXPECT_EQ(ended(broken), Release::unknown);
}

TEST(StackExchangeRedis, BeginsNoTransactionForTheValueOfAnother) {
  for (const Reply& stored : {of_another, nil, broken}) {
    EXPECT_EQ(released_by({{watch, ok}, {get, stored}, {unwatch, ok}}), Release::not_held);
    EXPECT_EQ(released_by({{watch, ok}, {get, stored}, {unwatch, Reply::lost()}}), Release::unknown);
  }
}

TEST(StackExchangeRedis, BehindAProxyWithoutTransactionsDeletesWhatIsThere) {
  Caller client("stackexchange-redis", {{"proxy", "twemproxy"}});
  EXPECT_EQ(client.release(Grant("token-1"), {{del, yes}}), Release::released);
  EXPECT_EQ(client.release(Grant("token-1"), {{del, no}}), Release::not_held);
  EXPECT_EQ(client.release(Grant("token-1"), {{del, Reply::lost()}}), Release::unknown);
}

// The answers to a caller that extends: one of LockTake, then of LockExtend.
void expect_extension(const Settings& settings, const std::vector<Exchange>& script) {
  Caller client("stackexchange-redis", settings);
  Task<Attempt> task = client.start_acquire();
  task.start();
  run(std::exchange(client.wire.pending, nullptr)->complete(ok));
  ASSERT_TRUE(task.is_done());
  client.clock.end_sleep();
  for (const Exchange& exchange : script) {
    ASSERT_NE(client.wire.pending, nullptr) << exchange.sent.front();
    EXPECT_EQ(client.wire.pending->command().argv(), exchange.sent);
    run(std::exchange(client.wire.pending, nullptr)->complete(exchange.answer));
  }
  EXPECT_EQ(client.wire.pending, nullptr);
}

TEST(StackExchangeRedis, ExtendsInATransactionOfExpire) {
  const Settings whole{{"ttl", "9s"}, {"extend", "every-third"}};
  expect_extension(whole,
                   {{watch, ok}, {get, mine}, {multi, ok}, {{"EXPIRE", "lock", "9"}, queued}, {exec, done}});
  expect_extension(whole, {{watch, ok}, {get, of_another}, {unwatch, ok}});
  expect_extension(
      {{"ttl", "4.5s"}, {"extend", "every-third"}},
      {{watch, ok}, {get, mine}, {multi, ok}, {{"PEXPIRE", "lock", "4500"}, queued}, {exec, done}});
  expect_extension({{"ttl", "9s"}, {"extend", "every-third"}, {"proxy", "twemproxy"}},
                   {{{"EXPIRE", "lock", "9"}, yes}});
}

class StackExchangeOnRedis : public testing::Test {
 protected:
  Reply answer(const Argv& argv, std::uint32_t connection) {
    std::vector<redis::Change> changes;
    Pushes pushes;
    return server_.execute(ConnectionId{connection}, argv, WallTime(1000s), changes, pushes)
        .value_or(Reply::lost());
  }
  // The release of client.wire over connection 1, and what another client does before EXEC.
  Release released(const Argv& meanwhile) {
    Caller client("stackexchange-redis");
    Task<Release> task = client.start_release(Grant("token-1"));
    task.start();
    while (!task.is_done()) {
      Call* const call = std::exchange(client.wire.pending, nullptr);
      const Argv argv = call->command().argv();
      if (argv == exec && !meanwhile.empty()) answer(meanwhile, 2);
      run(call->complete(answer(argv, 1)));
    }
    return task.take();
  }

 private:
  redis::Scripts scripts_;
  redis::Redis server_{scripts_};
};

TEST_F(StackExchangeOnRedis, TheTransactionDeletesOnlyWhatWasStillThere) {
  answer({"SET", "lock", "token-1"}, 2);
  EXPECT_EQ(released({"SET", "lock", "token-2"}), Release::not_held);
  EXPECT_EQ(answer({"GET", "lock"}, 2), of_another);
  EXPECT_EQ(released({}), Release::not_held);
  answer({"SET", "lock", "token-1"}, 2);
  EXPECT_EQ(released({"SET", "lock", "token-2", "NX"}), Release::released);
  EXPECT_EQ(answer({"EXISTS", "lock"}, 2), no);
}

}  // namespace holdfast::of_stackexchange
