// resty-lock, word for word: what its parameters mean, what it sends, and what it makes of the answers.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/caller_test.hpp"

namespace holdfast {
namespace {

using namespace scripted;

const Argv add{"ADD", "lock", "true", "30"};
const Argv remove{"DELETE", "lock"};
const Reply exists = Reply::error("exists");
const Reply no_memory = Reply::error("no memory");

std::vector<Duration> slept(const Settings& settings) {
  Caller client("resty-lock", settings);
  Task<Attempt> task = client.start_acquire();
  task.start();
  while (!task.is_done()) {
    if (client.clock.sleeping != nullptr) client.clock.end_sleep();
    else run(std::exchange(client.wire.pending, nullptr)->complete(exists));
  }
  EXPECT_EQ(told(task.take()), "refused: timeout");
  return client.clock.slept;
}

TEST(RestyLock, TriesNineteenTimesAndReturnsTimeout) {
  Caller client("resty-lock");
  EXPECT_EQ(client.acquire(std::vector<Exchange>(19, {add, exists})), "refused: timeout");
}

TEST(RestyLock, IsGrantedForExptime) {
  Caller client("resty-lock");
  EXPECT_EQ(client.acquire({{add, exists}, {add, ok}}), "granted true for 30s");
  EXPECT_EQ(client.release(Grant("true"), {{remove, ok}}), Release::released);
  const Argv for_ever{"ADD", "lock", "true", "0"};
  EXPECT_EQ(Caller("resty-lock", {{"ttl", "999us"}}).acquire({{for_ever, ok}}), "granted true");
}

TEST(RestyLock, DoesNotNoticeThatAnotherEntryHadToGo) {
  EXPECT_EQ(Caller("resty-lock").acquire({{add, Reply::status("OK forcible")}}), "granted true for 30s");
  const Argv safe_add{"SAFE_ADD", "lock", "true", "30"};
  EXPECT_EQ(Caller("resty-lock", {{"add", "safe-add"}}).acquire({{safe_add, no_memory}}),
            "failed: no memory");
}

TEST(RestyLock, AnObjectHoldsOneLock) {
  Caller client("resty-lock");
  EXPECT_EQ(client.release(Grant("true"), {}), Release::not_held);
  EXPECT_EQ(client.acquire({{add, ok}}), "granted true for 30s");
  EXPECT_EQ(client.acquire({}), "refused: locked");
  EXPECT_EQ(client.release(Grant("true"), {{remove, ok}}), Release::released);
  EXPECT_EQ(client.release(Grant("true"), {}), Release::not_held);
  EXPECT_EQ(client.acquire({{add, ok}}), "granted true for 30s");
}

TEST(RestyLock, WithoutADictionaryThereIsNoObject) {
  EXPECT_EQ(Caller("resty-lock", {{"dictionary", "undeclared"}}).acquire({}),
            "refused: dictionary not found");
}

TEST(RestyLock, ErrorsOfTheDictionaryEndTheWaiting) {
  EXPECT_EQ(Caller("resty-lock").acquire({{add, exists}, {add, no_memory}}), "failed: no memory");
  EXPECT_EQ(Caller("resty-lock").acquire({{add, exists}, {add, Reply::lost()}}), "failed: no answer");
  Caller client("resty-lock");
  client.acquire({{add, ok}});
  EXPECT_EQ(client.release(Grant("true"), {{remove, Reply::lost()}}), Release::unknown);
}

TEST(RestyLock, ADefaultIsAnOptionThatWasNotGiven) {
  EXPECT_EQ(slept({{"step", "10s"}}), std::vector<Duration>{10s});
  EXPECT_EQ(slept({{"step", "10s"}, {"timeout", "5s"}}), std::vector<Duration>{10s});
  EXPECT_EQ(slept({{"step", "10s"}, {"timeout", "4s"}}), std::vector<Duration>{4s});
  EXPECT_EQ(slept({{"step", "10s"}, {"clamping", "document"}}), std::vector<Duration>{5s});
  EXPECT_EQ(slept({{"ratio", "3"}, {"step", "100ms"}, {"max-step", "1s"}, {"timeout", "3s"}}),
            (std::vector<Duration>{100ms, 300ms, 900ms, 1s, 700ms}));
}

TEST(RestyLock, AForgottenObjectIsCollectedBesideWhatComesNext) {
  Caller client("resty-lock", {{"unlock", "forgotten"}, {"collect-after", "6s"}});
  client.acquire({{add, ok}});
  Task<Release> release = client.start_release(Grant("true"));
  release.start();
  EXPECT_EQ(release.take(), Release::unknown);
  // The next handler has an object of its own.
  Task<Attempt> next = client.start_acquire();
  next.start();
  run(std::exchange(client.wire.pending, nullptr)->complete(ok));
  EXPECT_EQ(told(next.take()), "granted true for 30s");
  client.clock.end_sleep();
  EXPECT_EQ(client.clock.slept, std::vector<Duration>{6s});
  EXPECT_EQ(client.wire.pending->command().argv(), remove);
  run(std::exchange(client.wire.pending, nullptr)->complete(ok));
  EXPECT_EQ(client.clock.sleeping, nullptr);
}

TEST(RestyLock, CallersMayRenewUntilTheyUnlockOrAreToldThatItIsLost) {
  const Argv replace{"REPLACE", "lock", "true", "30"};
  for (const Reply& last : {ok, Reply::error("not found")}) {
    Caller client("resty-lock", {{"expire-every", "10s"}});
    Task<Attempt> acquire = client.start_acquire();
    acquire.start();
    run(std::exchange(client.wire.pending, nullptr)->complete(ok));
    for (const Reply& answer : {ok, ok, last}) {
      client.clock.end_sleep();
      EXPECT_EQ(client.wire.pending->command().argv(), replace);
      run(std::exchange(client.wire.pending, nullptr)->complete(answer));
    }
    EXPECT_EQ(client.clock.slept, std::vector<Duration>(3, 10s));
    EXPECT_EQ(client.clock.sleeping != nullptr, last == ok);
    EXPECT_EQ(client.release(Grant("true"), {{remove, ok}}), Release::released);
    EXPECT_EQ(client.clock.sleeping, nullptr);
  }
}

}  // namespace
}  // namespace holdfast
