// rslock, word for word, with one server. Its scripts are those of redlock.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"

namespace holdfast {
namespace {

namespace of_rslock_test {

using namespace scripted;

const Settings once{{"blocking", "no"}};
const Settings three_tries{{"blocking", "lock"}};
Argv set(const std::string& value) { return {"SET", "lock", value, "NX", "PX", "1000"}; }
Argv unlock(const std::string& value) { return script({"1", "lock", value}); }

TEST(Rslock, IsValidForTheLeaseLessAHundredthAndTwoMilliseconds) {
  EXPECT_EQ(Caller("rslock", once).acquire({{set("token-1"), ok, 987ms}}), "granted token-1 for 988ms");
  const Argv odd{"SET", "lock", "token-1", "NX", "PX", "1050"};
  // A hundredth is rounded down to milliseconds, and so is the time that it took.
  EXPECT_EQ(Caller("rslock", {{"ttl", "1050ms"}, {"blocking", "no"}}).acquire({{odd, ok, 1'037'999us}}),
            "granted token-1 for 1.038s");
}

TEST(Rslock, UnlocksAfterATryThatFailedAndTriesThriceWithOneValue) {
  for (const Reply& reply : {nil, broken, Reply::lost()})
    EXPECT_EQ(Caller("rslock", once).acquire({{set("token-1"), reply}, {unlock("token-1"), no}}),
              "refused: Resource is unavailable");
  const Exchange refused{set("token-1"), nil};
  const Exchange unlocked{unlock("token-1"), no};
  Caller client("rslock", three_tries);
  EXPECT_EQ(client.acquire({refused, unlocked, refused, unlocked, refused, unlocked}),
            "refused: Resource is unavailable");
  EXPECT_EQ(client.clock.slept, std::vector<Duration>(2, 0s));  // 0 to 199 ms, by chance
  EXPECT_EQ(Caller("rslock", three_tries).acquire({refused, unlocked, {set("token-1"), ok}}),
            "granted token-1 for 988ms");
}

TEST(Rslock, SendsNothingAfterATryThatTookTooLong) {
  for (const Reply& reply : {ok, nil, Reply::lost()})
    EXPECT_EQ(Caller("rslock", three_tries).acquire({{set("token-1"), reply, 988ms}}),
              "failed: TTL exceeded");
  Caller repaired("rslock", {{"blocking", "lock"}, {"too-late", "given-back"}});
  EXPECT_EQ(repaired.acquire({{set("token-1"), ok, 988ms}, {unlock("token-1"), yes}}),
            "failed: TTL exceeded");
}

TEST(Rslock, BeginsAnewWithAnotherValueUntilItHasTheLock) {
  Caller client("rslock", {{"retry-count", "1"}});
  EXPECT_EQ(
      client.acquire(
          {{set("token-1"), nil}, {unlock("token-1"), no}, {set("token-2"), ok, 1s}, {set("token-3"), ok}}),
      "granted token-3 for 988ms");
  EXPECT_TRUE(client.clock.slept.empty());
}

TEST(Rslock, TellsNothingOfARelease) {
  for (const Reply& reply : {yes, no, broken, Reply::lost()})
    EXPECT_EQ(Caller("rslock", once).release(Grant("token-1"), {{unlock("token-1"), reply}}),
              Release::released);
}

}  // namespace of_rslock_test
}  // namespace
}  // namespace holdfast
