// node-redlock-4, word for word: what redlock 4.2.0 of npm sends to its servers.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"

namespace holdfast {
namespace node_redlock_4_words {

using namespace scripted;

const Argv lock = script({"1", "lock", "token-1", "1000"});
const Argv unlock = script({"1", "lock", "token-1"});
const Settings one_server{{"ttl", "1000ms"}, {"nodes", "1"}};
const Settings once{{"ttl", "1000ms"}, {"nodes", "1"}, {"blocking", "no"}};
const std::string exceeded = "refused: Exceeded the attempts to lock the resource";

TEST(NodeRedlock4, GivesBackWhatCameTooLateAndTriesAgainWithTheSameValue) {
  Caller client("node-redlock-4", one_server);
  EXPECT_EQ(client.acquire({{lock, yes, 1500ms}, {unlock, yes}, {lock, yes}}), "granted token-1 for 988ms");
  EXPECT_EQ(client.clock.slept, std::vector<Duration>{100ms});
  EXPECT_EQ(Caller("node-redlock-4", once).acquire({{lock, yes, 988ms}, {unlock, yes}}), exceeded);
  EXPECT_EQ(Caller("node-redlock-4", once).acquire({{lock, yes, 987ms}}), "granted token-1 for 988ms");
}

TEST(NodeRedlock4, GivesBackEveryFailedTryWhateverTheServersSay) {
  EXPECT_EQ(Caller("node-redlock-4", once).acquire({{lock, no}, {unlock, no}}), exceeded);
  EXPECT_EQ(Caller("node-redlock-4", once).acquire({{lock, Reply::lost()}, {unlock, Reply::lost()}}),
            exceeded);
}

TEST(NodeRedlock4, SendsItsUnlockOnce) {
  Caller client("node-redlock-4", one_server);
  EXPECT_EQ(client.release(Grant("token-1"), {{unlock, yes}}), Release::released);
  EXPECT_EQ(client.release(Grant("token-1"), {{unlock, no}}), Release::unknown);
  EXPECT_EQ(client.release(Grant("token-1"), {{unlock, Reply::lost()}}), Release::unknown);
}

TEST(NodeRedlock4, SendsDigestsAndTheWholeScriptWhereItIsNotKnown) {
  Caller client("node-redlock-4", {{"ttl", "1000ms"}, {"nodes", "1"}, {"scripts", "evalsha"}});
  const auto by_digest = [](Argv argv) {
    argv[0] = "EVALSHA";
    return argv;
  };
  const Reply unknown = Reply::error("NOSCRIPT No matching script. Please use EVAL.");
  EXPECT_EQ(client.acquire({{by_digest(lock), unknown}, {lock, yes}}), "granted token-1 for 988ms");
  EXPECT_EQ(client.release(Grant("token-1"), {{by_digest(unlock), yes}}), Release::released);
}

}  // namespace node_redlock_4_words
}  // namespace holdfast
