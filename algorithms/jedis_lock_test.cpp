// jedis-lock, word for word.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"

namespace holdfast {
namespace {

namespace of_jedis_lock_test {

using namespace scripted;

const Settings once{{"blocking", "no"}};
Argv setnx(const std::string& value) { return {"SETNX", "lock", value}; }
Argv getset(const std::string& value) { return {"GETSET", "lock", value}; }
const std::string own = "token-1:1060001";

TEST(JedisLock, TheValueIsTheOwnerAndAnEndThatIsAMillisecondLater) {
  EXPECT_EQ(Caller("jedis-lock").acquire({{setnx(own), yes}}), "granted " + own + " until 1060.001s");
  EXPECT_EQ(Caller("jedis-lock", {{"ttl", "4s"}}).acquire({{setnx("token-1:1004001"), yes}}),
            "granted token-1:1004001 until 1004.001s");
}

std::string swapped(const Reply& current, const std::vector<Exchange>& rest) {
  std::vector<Exchange> exchanges{{setnx(own), no}, {get, current}};
  exchanges.insert(exchanges.end(), rest.begin(), rest.end());
  return Caller("jedis-lock", once).acquire(exchanges);
}

TEST(JedisLock, SwapsItsValueInForOneThatIsOverOrItsOwnOrUnreadableAndWinsIfThatIsWhatItReplaced) {
  for (const std::string text : {"another:999999", "token-1:9999999", "no value", "another:soon"}) {
    const Reply current = Reply::bulk(text);
    EXPECT_EQ(swapped(current, {{getset(own), current}}), "granted " + own + " until 1060.001s");
    EXPECT_EQ(swapped(current, {{getset(own), Reply::bulk("third:1")}}), "refused: acquire: false");
    EXPECT_EQ(swapped(current, {{getset(own), nil}}), "refused: acquire: false");
  }
  EXPECT_EQ(swapped(Reply::bulk("another:1000000"), {}), "refused: acquire: false");
}

TEST(JedisLock, SwapsItsValueInForNothingAndDoesNotWinByThat) {
  EXPECT_EQ(swapped(nil, {{getset(own), nil}}), "refused: acquire: false");
  EXPECT_EQ(swapped(nil, {{getset(own), Reply::bulk("another:9999999")}}), "refused: acquire: false");
  Caller repaired("jedis-lock", {{"blocking", "no"}, {"getset-on-nothing", "no"}});
  EXPECT_EQ(repaired.acquire({{setnx(own), no}, {get, nil}}), "refused: acquire: false");
}

TEST(JedisLock, TriesEveryTenthOfASecondForTenSecondsByItsCountAndSleepsOnceMore) {
  Caller client("jedis-lock");
  std::vector<Exchange> exchanges;
  for (int tries = 0; tries <= 100; ++tries) {
    exchanges.push_back({setnx("token-1:" + std::to_string(1'060'001 + 100 * tries)), no});
    exchanges.push_back({get, Reply::bulk("another:9999999")});
  }
  EXPECT_EQ(client.acquire(exchanges), "refused: acquire: false");
  EXPECT_EQ(client.clock.slept, std::vector<Duration>(101, 100ms));
}

TEST(JedisLock, ErrorsEndTheWaiting) {
  for (const Reply& failure : {Reply::lost(), broken}) {
    const std::string why =
        failure.is_lost() ? "failed: JedisConnectionException: Read timed out" : "failed: ERR broken";
    EXPECT_EQ(Caller("jedis-lock").acquire({{setnx(own), failure}}), why);
    EXPECT_EQ(Caller("jedis-lock").acquire({{setnx(own), no}, {get, failure}}), why);
    EXPECT_EQ(Caller("jedis-lock").acquire({{setnx(own), no}, {get, nil}, {getset(own), failure}}), why);
  }
}

TEST(JedisLock, DeletesWhateverIsThereAndTellsNothing) {
  for (const Reply& reply : {yes, no})
    EXPECT_EQ(Caller("jedis-lock").release(Grant(own), {{del, reply}}), Release::released);
  for (const Reply& reply : {broken, Reply::lost()})
    EXPECT_EQ(Caller("jedis-lock").release(Grant(own), {{del, reply}}), Release::unknown);
  Caller repaired("jedis-lock", {{"release", "compares"}});
  EXPECT_EQ(repaired.release(Grant(own), {{script({"1", "lock", own}), no}}), Release::released);
}

}  // namespace of_jedis_lock_test
}  // namespace
}  // namespace holdfast
