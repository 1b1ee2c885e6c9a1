// spring-integration: what the registry sends and makes of each answer, what its threads share, and what its
// scripts do.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::of_spring {

using namespace scripted;

const std::string key = "locks:lock";
const Settings once{{"blocking", "no"}};

Argv obtain(const std::string& id) { return script({"1", key, id, "60000"}); }
Argv unlink(const std::string& id) { return script({"1", key, id}); }

TEST(SpringIntegration, HasOneTokenForAllLocksOfItsRegistry) {
  Caller client("spring-integration", once);
  EXPECT_EQ(client.acquire({{obtain("token-1"), yes}}), "granted token-1 for 60s");
  EXPECT_EQ(client.release(Grant("token-1"), {{unlink("token-1"), yes}}), Release::released);
  EXPECT_EQ(client.acquire({{obtain("token-1"), nil}}), "refused: tryLock: false");
  EXPECT_EQ(client.acquire({{obtain("token-1"), Reply::lost()}}),
            "failed: Failed to lock mutex at locks:lock");
  EXPECT_EQ(client.acquire({{obtain("token-1"), broken}}), "failed: Failed to lock mutex at locks:lock");
}

TEST(SpringIntegration, AsksAgainEvery100MillisecondsForAsLongAsItsCallerWaits) {
  Caller client("spring-integration", {{"blocking", "until-timeout"}, {"wait-time", "250ms"}});
  EXPECT_EQ(client.acquire(std::vector<Exchange>(4, {obtain("token-1"), nil})), "refused: tryLock: false");
  EXPECT_EQ(client.clock.slept, std::vector<Duration>(3, 100ms));
  Caller patient("spring-integration");
  EXPECT_EQ(patient.acquire({{obtain("token-1"), nil}, {obtain("token-1"), nil}, {obtain("token-1"), yes}}),
            "granted token-1 for 60s");
}

TEST(SpringIntegration, CountsInMemoryHowOftenAThreadHolds) {
  Caller client("spring-integration", once);
  EXPECT_EQ(client.acquire({{obtain("token-1"), yes}}), "granted token-1 for 60s");
  EXPECT_EQ(client.acquire({{obtain("token-1"), yes}}), "granted token-1 for 60s");
  EXPECT_EQ(client.release(Grant("token-1"), {}), Release::released);
  EXPECT_EQ(client.release(Grant("token-1"), {{unlink("token-1"), yes}}), Release::released);
  EXPECT_EQ(client.release(Grant("token-1"), {}), Release::not_held);
}

Release released_by(const Reply& answer) {
  Caller client("spring-integration", once);
  client.acquire({{obtain("token-1"), yes}});
  return client.release(Grant("token-1"), {{unlink("token-1"), answer}});
}

TEST(SpringIntegration, TellsThatTheKeyWasGone) {
  EXPECT_EQ(released_by(yes), Release::released);
  EXPECT_EQ(released_by(nil), Release::not_held);
  EXPECT_EQ(released_by(Reply::lost()), Release::unknown);
  EXPECT_EQ(released_by(broken), Release::unknown);
}

TEST(SpringIntegration, ANewRegistryTriesDelexAndRemembersThatTheServerHasNone) {
  Caller client("spring-integration", {{"blocking", "no"}, {"registry", "new"}});
  const Argv delex{"DELEX", key, "IFEQ", "token-1"};
  client.acquire({{obtain("token-1"), yes}});
  EXPECT_EQ(client.release(Grant("token-1"), {{delex, yes}}), Release::released);
  client.acquire({{obtain("token-1"), yes}});
  EXPECT_EQ(client.release(Grant("token-1"), {{delex, broken}}), Release::unknown);
  client.acquire({{obtain("token-1"), yes}});
  const Reply unknown_command = Reply::error("ERR unknown command 'DELEX', with args beginning with: ");
  EXPECT_EQ(client.release(Grant("token-1"), {{delex, unknown_command}, {unlink("token-1"), yes}}),
            Release::released);
  client.acquire({{obtain("token-1"), yes}});
  EXPECT_EQ(client.release(Grant("token-1"), {{unlink("token-1"), yes}}), Release::released);
}

TEST(SpringIntegration, SendsDigestsFirstIfAskedTo) {
  Caller client("spring-integration", {{"blocking", "no"}, {"scripts", "evalsha"}});
  Task<Attempt> task = client.start_acquire();
  task.start();
  EXPECT_EQ(client.wire.pending->command().argv().front(), "EVALSHA");
  run(std::exchange(client.wire.pending, nullptr)->complete(Reply::error("NOSCRIPT No matching script.")));
  EXPECT_EQ(client.wire.pending->command().argv().front(), "EVAL");
  run(std::exchange(client.wire.pending, nullptr)->complete(yes));
  EXPECT_TRUE(task.is_done());
}

TEST(SpringIntegration, RenewsAtOnceAndThenEveryThirdUntilTheKeyIsGone) {
  Caller client("spring-integration", {{"blocking", "no"}, {"renewal", "yes"}});
  Task<Attempt> task = client.start_acquire();
  task.start();
  const auto answered = [&](const Reply& answer) {
    const Argv argv = client.wire.pending->command().argv();
    run(std::exchange(client.wire.pending, nullptr)->complete(answer));
    return Argv(argv.begin() + 2, argv.end());
  };
  const Argv words{"1", key, "token-1", "60000"};
  answered(yes);
  EXPECT_EQ(answered(yes), words);
  for (const Reply& answer : {Reply::lost(), broken, nil}) {
    client.clock.end_sleep();
    EXPECT_EQ(client.clock.slept.back(), 20s);
    EXPECT_EQ(answered(answer), words);
  }
  EXPECT_EQ(client.clock.sleeping, nullptr);
}

TEST(SpringIntegration, ListensForAnUnlockIfAskedToAndAsksBeforeAndAfter) {
  const Settings listening{{"type", "pub-sub"}};
  Caller client("spring-integration", listening);
  const Exchange refused{obtain("token-1"), nil};
  Task<Attempt> task = client.start_acquire();
  task.start();
  const auto answered = [&](const Reply& answer) {
    const Argv argv = client.wire.pending->command().argv();
    run(std::exchange(client.wire.pending, nullptr)->complete(answer));
    return argv.empty() ? std::string("listens") : argv.front();
  };
  EXPECT_EQ(answered(nil), "EVAL");
  EXPECT_EQ(answered(Reply::array({})), "PSUBSCRIBE");
  EXPECT_EQ(answered(nil), "EVAL");
  EXPECT_EQ(answered(nil), "listens");
  EXPECT_EQ(answered(nil), "EVAL");
  EXPECT_EQ(answered(nil), "EVAL");
  EXPECT_EQ(answered(Reply::lost()), "listens");
  EXPECT_EQ(answered(Reply::array({})), "PSUBSCRIBE");
  EXPECT_EQ(answered(yes), "EVAL");
  EXPECT_EQ(told(task.take()), "granted token-1 for 60s");
  const Argv tell = script({"1", key, "token-1", "locks-channel:locks:lock"});
  EXPECT_EQ(client.release(Grant("token-1"), {{tell, yes}}), Release::released);
  Caller once_only("spring-integration", {{"type", "pub-sub"}, {"blocking", "no"}});
  EXPECT_EQ(once_only.acquire({refused}), "refused: tryLock: false");
}

// Two threads of a process, each with its own connection.
class SpringThreads : public testing::Test {
 protected:
  explicit SpringThreads(const Settings& settings = once) {
    Params params(card_.parameters);
    for (const auto& [name, value] : settings) params.set(name, value);
    lock_ = card_.make(params);
  }
  struct Thread {
    explicit Thread(std::uint32_t number) : env(ClientId{number}, stores, clock, random) {}
    Wire wire;
    HandClock clock;
    Counter random{"token-"};
    std::vector<Store*> stores{&wire};
    Env env;
  };
  std::string acquired(Thread& thread, const Reply& answer) {
    Task<Attempt> task = lock_->acquire(thread.env, "lock", Mode::exclusive);
    task.start();
    if (thread.wire.pending != nullptr) run(std::exchange(thread.wire.pending, nullptr)->complete(answer));
    return told(task.take());
  }
  Task<Release> releasing(Thread& thread) { return lock_->release(thread.env, "lock", Grant("token-1")); }

  Thread a_{0};
  Thread b_{1};

 private:
  const Card& card_ = *algorithms::find("spring-integration");
  std::unique_ptr<Lock> lock_;
};

TEST_F(SpringThreads, DoNotAskTheServerForWhatAnotherThreadHolds) {
  EXPECT_EQ(acquired(a_, yes), "granted token-1 for 60s");
  EXPECT_EQ(acquired(b_, Reply::lost()), "refused: tryLock: false");
  Task<Release> removal = releasing(a_);
  removal.start();
  EXPECT_EQ(acquired(b_, yes), "refused: tryLock: false");
  run(std::exchange(a_.wire.pending, nullptr)->complete(Reply::lost()));
  EXPECT_EQ(removal.take(), Release::unknown);
  EXPECT_EQ(acquired(b_, yes), "granted token-1 for 60s");
  Task<Release> of_another = releasing(a_);
  of_another.start();
  EXPECT_EQ(of_another.take(), Release::not_held);
}

TEST_F(SpringThreads, AreFreeAgainWhenACallOfAnotherWasRefusedOrGivenUp) {
  EXPECT_EQ(acquired(a_, nil), "refused: tryLock: false");
  EXPECT_EQ(acquired(a_, Reply::lost()), "failed: Failed to lock mutex at locks:lock");
  EXPECT_EQ(acquired(b_, yes), "granted token-1 for 60s");
}

class SpringInterrupted : public SpringThreads {
 protected:
  SpringInterrupted() : SpringThreads({{"blocking", "no"}, {"unlock", "detached"}}) {}
};

TEST_F(SpringInterrupted, ThreadsFreeTheLocalLockBeforeTheKeyIsRemoved) {
  EXPECT_EQ(acquired(a_, yes), "granted token-1 for 60s");
  Task<Release> removal = releasing(a_);
  removal.start();
  EXPECT_EQ(removal.take(), Release::released);
  EXPECT_NE(a_.wire.pending, nullptr);
  EXPECT_EQ(acquired(b_, yes), "granted token-1 for 60s");
}

class SpringOnRedis : public testing::Test {
 protected:
  Reply answer(const Argv& argv) { return server_.execute(argv, now, changes_); }
  template <class Result>
  Result played(Caller& client, Task<Result> task) {
    task.start();
    while (!task.is_done()) {
      Call* const call = std::exchange(client.wire.pending, nullptr);
      run(call->complete(answer(call->command().argv())));
    }
    return task.take();
  }
  WallTime now{1000s};

 private:
  redis::Scripts scripts_;
  redis::Redis server_{scripts_};
  std::vector<redis::Change> changes_;
};

TEST_F(SpringOnRedis, ScriptsExtendWhatIsTheRegistrysAndRemoveNothingElse) {
  Caller one("spring-integration", once);
  Caller two("spring-integration", {{"blocking", "no"}, {"registry", "new"}}, ClientId{1});
  EXPECT_EQ(told(played(one, one.start_acquire())), "granted token-1 for 60s");
  EXPECT_EQ(told(played(two, two.start_acquire())), "refused: tryLock: false");
  now += 20s;
  EXPECT_EQ(answer({"PTTL", key}), Reply::integer(40'000));
  EXPECT_EQ(told(played(one, one.start_acquire())), "granted token-1 for 60s");
  EXPECT_EQ(answer({"PTTL", key}), Reply::integer(60'000));
  answer({"SET", key, "B-1"});
  EXPECT_EQ(played(one, one.start_release(Grant("token-1"))), Release::released);
  EXPECT_EQ(played(one, one.start_release(Grant("token-1"))), Release::not_held);
  EXPECT_EQ(told(played(two, two.start_acquire())), "granted B-1 for 60s");
  EXPECT_EQ(played(two, two.start_release(Grant("B-1"))), Release::released);
  EXPECT_EQ(answer({"EXISTS", key}), no);
}

}  // namespace holdfast::of_spring
