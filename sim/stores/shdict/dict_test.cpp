// The shared dictionary by itself: what each command answers, when entries end, what is evicted, and in what
// order.
#include "sim/stores/shdict/dict.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

#include "sim/core/shared_dict.hpp"
#include "sim/stores/shdict/replies_test.hpp"

namespace holdfast::shdict {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Kind = Change::Kind;

constexpr WallTime start(1'700'000'000s);
const Reply nil = Reply::nil();
Reply bulk(const std::string& text) { return Reply::bulk(text); }

std::vector<std::string> words(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

class DictTest : public testing::Test {
 protected:
  Reply run(const std::string& line, Duration after_start = 0ms) {
    changes.clear();
    return dict.execute(words(line), start + after_start, changes);
  }
  // Living ones by their key, stale ones with a question mark; the most recently used first.
  std::string keys() const {
    std::string list;
    for (const auto& [key, entry] : dict.entries())
      list.append(list.empty() ? "" : " ").append(key).append(entry.is_stale ? "?" : "");
    return list;
  }

  Dict dict;
  Changes changes;
};

TEST_F(DictTest, AddStoresOnlyWhatIsNotThere) {
  EXPECT_EQ(run("ADD k true 30"), ok);
  EXPECT_THAT(changes, ElementsAre(Change{"k", Kind::created}));
  EXPECT_EQ(run("ADD k other"), error("exists"));
  EXPECT_THAT(changes, IsEmpty());
  EXPECT_EQ(run("GET k"), bulk("true"));
  EXPECT_EQ(run("TTL k", 29s), bulk("1"));
}

TEST_F(DictTest, ReplaceStoresOnlyWhatIsThere) {
  EXPECT_EQ(run("REPLACE k true 30"), error("not found"));
  run("SET k v 10");
  EXPECT_EQ(run("REPLACE k w 0.25"), ok);
  EXPECT_THAT(changes, ElementsAre(Change{"k", Kind::overwritten}));
  EXPECT_EQ(run("TTL k"), bulk("0.25"));
  EXPECT_EQ(run("REPLACE k w 30", 251ms), error("not found"));
  EXPECT_THAT(changes, ElementsAre(Change{"k", Kind::expired}));
}

TEST_F(DictTest, DeleteAlwaysSucceeds) {
  EXPECT_EQ(run("DELETE k"), ok);
  EXPECT_THAT(changes, IsEmpty());
  run("SET k v 1");
  EXPECT_EQ(run("DELETE k"), ok);
  EXPECT_THAT(changes, ElementsAre(Change{"k", Kind::removed}));
  EXPECT_EQ(run("GET k"), nil);
}

TEST_F(DictTest, SetReplacesValueAndEnd) {
  EXPECT_EQ(run("SET k v 1"), ok);
  EXPECT_EQ(run("SAFE_SET k w"), ok);
  EXPECT_THAT(changes, ElementsAre(Change{"k", Kind::overwritten}));
  EXPECT_EQ(run("TTL k"), bulk("0"));
  EXPECT_EQ(run("GET k", 1h), bulk("w"));
}

TEST_F(DictTest, IncrCountsNumbersOnly) {
  EXPECT_EQ(run("INCR n 1"), error("not found"));
  EXPECT_EQ(run("INCR n 2 10 5"), Reply::integer(12));
  EXPECT_EQ(run("INCR n -20 10", 1s), Reply::integer(-8));
  EXPECT_EQ(run("TTL n", 1s), bulk("4"));
  EXPECT_EQ(run("INCR n 1 0", 6s), Reply::integer(1));
  EXPECT_EQ(run("TTL n", 6s), bulk("0"));
  run("SET text v");
  EXPECT_EQ(run("INCR text 1 0"), error("not a number"));
  run("SET n 9223372036854775807");
  EXPECT_EQ(run("INCR n 1"), error("bad number argument"));
}

TEST_F(DictTest, RefusesWhatLuaRefuses) {
  EXPECT_EQ(dict.execute({"GET", ""}, start, changes), error("empty key"));
  EXPECT_EQ(dict.execute({"GET", std::string(65'535, 'k')}, start, changes), nil);
  EXPECT_EQ(dict.execute({"GET", std::string(65'536, 'k')}, start, changes), error("key too long"));
  for (const std::string bad : {"-1", "-0.5", "x", "1s", "1.x", "9999999999", ""})
    EXPECT_EQ(dict.execute({"SET", "k", "v", bad}, start, changes), error("bad \"exptime\" argument")) << bad;
  EXPECT_EQ(run("GET"), error("wrong number of arguments for GET"));
  EXPECT_EQ(run("ADD k v 1 2"), error("wrong number of arguments for ADD"));
  EXPECT_EQ(run("SETNX k v"), error("attempt to call method 'SETNX' (a nil value)"));
  EXPECT_TRUE(dict.is_empty());
}

// --- time ---

TEST_F(DictTest, TheOnlyEntryIsOverWithTheMillisecondOfItsEnd) {
  run("ADD k true 1", 400us);
  EXPECT_EQ(run("ADD k true 1", 999'999us), error("exists"));
  EXPECT_EQ(run("ADD k true 1", 1s), ok);
  EXPECT_THAT(changes, ElementsAre(Change{"k", Kind::expired}, Change{"k", Kind::created}));
}

TEST_F(DictTest, OfTwoEntriesTheOneUsedLastIsThereAMillisecondLonger) {
  run("SET other v");
  run("ADD k true 1");
  EXPECT_EQ(run("ADD k true 1", 1s + 999us), error("exists"));
  EXPECT_EQ(run("ADD k true 1", 1s + 1ms), ok);
  run("GET other", 2s);
  EXPECT_EQ(run("ADD k true 1", 2s + 1ms), ok);
}

TEST_F(DictTest, NextExpiryIsTheLastInstantOfTheEntryThatEndsFirst) {
  EXPECT_EQ(dict.next_expiry(), std::nullopt);
  run("SET a v 0.03");
  run("SET b v 0.02");
  run("SET c v");
  EXPECT_EQ(dict.next_expiry(), start + 20'999us);
  EXPECT_EQ(dict.expiry_of("a"), start + 30'999us);
  EXPECT_EQ(dict.expiry_of("c"), std::nullopt);
  EXPECT_FALSE(dict.may_expire_by(start + 20'999us));
  EXPECT_TRUE(dict.may_expire_by(start + 21ms));
  run("EXPIRE b 0");
  EXPECT_EQ(dict.next_expiry(), start + 30'999us);
  run("DELETE a");
  EXPECT_EQ(dict.next_expiry(), std::nullopt);
}

TEST_F(DictTest, EntriesEndInTheOrderOfTheirEnds) {
  run("SET late v 2");
  run("SET soon v 1");
  run("SET also v 1");
  changes.clear();
  dict.expire_due(start + 2s, changes);
  EXPECT_THAT(changes, ElementsAre(Change{"also", Kind::expired}, Change{"soon", Kind::expired}));
  dict.expire_due(start + 3s, changes);
  EXPECT_EQ(changes.size(), 3u);
  EXPECT_TRUE(dict.is_empty());
  EXPECT_EQ(keys(), "also? soon? late?");
  EXPECT_EQ(dict.value_of("soon"), std::nullopt);
}

TEST_F(DictTest, BelowAMillisecondIsForEver) {
  EXPECT_EQ(run("ADD k true 0.0009"), ok);
  EXPECT_EQ(run("TTL k", 24h), bulk("0"));
  EXPECT_EQ(SharedDict::seconds(999us), "0");
  EXPECT_EQ(SharedDict::seconds(1'001'999us), "1.001");
  EXPECT_EQ(SharedDict::seconds(500ms), "0.5");
  EXPECT_EQ(SharedDict::seconds(30s), "30");
  EXPECT_EQ(SharedDict::seconds(10'020ms), "10.02");
}

TEST_F(DictTest, ExpireRevivesWhatHasEndedAndIsStillThere) {
  run("SET k v 1");
  dict.expire_due(start + 2s, changes);
  EXPECT_EQ(run("TTL k", 2s), error("not found"));
  EXPECT_EQ(run("EXPIRE k 1", 2s), ok);
  EXPECT_THAT(changes, ElementsAre(Change{"k", Kind::created}));
  EXPECT_EQ(run("GET k", 2s), bulk("v"));
  EXPECT_EQ(run("EXPIRE k 5", 2s), ok);
  EXPECT_THAT(changes, ElementsAre(Change{"k", Kind::ttl_changed}));
  EXPECT_EQ(run("GET k", 7s), nil);
  EXPECT_EQ(run("EXPIRE k 1", 7s), error("not found"));
}

// --- room ---

class SmallDictTest : public DictTest {
 protected:
  // Each of these entries takes 128 bytes: 68, a key of one byte and a boolean, rounded up.
  SmallDictTest() { dict = Dict(3 * 128); }
};

TEST_F(SmallDictTest, AnEntryTakesAPowerOfTwoOrWholePages) {
  Dict roomy;
  const auto taken = [&](const std::string& value) {
    const std::int64_t before = roomy.execute({"FREE_SPACE"}, start, changes).number();
    EXPECT_EQ(roomy.execute({"SET", "k", value}, start, changes), ok);
    const std::int64_t after = roomy.execute({"FREE_SPACE"}, start, changes).number();
    roomy.execute({"DELETE", "k"}, start, changes);
    return before - after;
  };
  EXPECT_EQ(taken("true"), 128);
  EXPECT_EQ(taken(std::string(59, 'v')), 128);
  EXPECT_EQ(taken(std::string(60, 'v')), 256);
  EXPECT_EQ(taken("1234567890123456789"), 128);
  EXPECT_EQ(taken(std::string(2048 - 69, 'v')), 2048);
  EXPECT_EQ(taken(std::string(2048 - 68, 'v')), 4096);
  EXPECT_EQ(taken(std::string(4096 - 68, 'v')), 8192);
  EXPECT_EQ(roomy.execute({"CAPACITY"}, start, changes), Reply::integer(102'400));
  EXPECT_EQ(roomy.execute({"FREE_SPACE"}, start, changes), Reply::integer(102'400));
}

TEST_F(SmallDictTest, AddEvictsTheLeastRecentlyUsedAlthoughItHasNotEnded) {
  for (const char* key : {"a", "b", "c"}) EXPECT_EQ(run(std::string("ADD ") + key + " true 30"), ok);
  run("GET a");
  EXPECT_EQ(run("ADD d true 30"), forced);
  EXPECT_THAT(changes, ElementsAre(Change{"b", Kind::removed}, Change{"d", Kind::created}));
  EXPECT_EQ(keys(), "d a c");
  EXPECT_EQ(run("ADD b true 30"), forced);
  EXPECT_EQ(keys(), "b d a");
}

TEST_F(SmallDictTest, ARefusedAddCountsAsUse) {
  for (const char* key : {"a", "b", "c"}) run(std::string("ADD ") + key + " true 30");
  EXPECT_EQ(run("ADD a true 30"), error("exists"));
  run("ADD d true 30");
  EXPECT_EQ(keys(), "d a c");
}

TEST_F(SmallDictTest, SafeAddFailsInstead) {
  for (const char* key : {"a", "b", "c"}) run(std::string("SAFE_ADD ") + key + " true 30");
  EXPECT_EQ(run("SAFE_ADD d true 30"), error("no memory"));
  EXPECT_THAT(changes, IsEmpty());
  EXPECT_EQ(run("SAFE_ADD a true 30"), error("exists"));
  EXPECT_EQ(run("SAFE_SET d true 30"), error("no memory"));
  EXPECT_EQ(keys(), "a c b");
}

TEST_F(SmallDictTest, WhatHasEndedElsewhereInTheListDoesNotSaveTheLeastRecentlyUsed) {
  run("ADD held true 30");
  run("ADD b true 1");
  run("ADD c true 1");
  // b and c have ended, but `held` is the last of the list: it goes, and they follow.
  EXPECT_EQ(run("SAFE_ADD d true 30", 5s), error("no memory"));
  EXPECT_EQ(keys(), "c? b? held");
  EXPECT_EQ(run("ADD d true 30", 5s), forced);
  EXPECT_THAT(changes, ElementsAre(Change{"held", Kind::removed}, Change{"d", Kind::created}));
  EXPECT_EQ(keys(), "d");
}

TEST_F(SmallDictTest, WhatIsTooLargeEvictsEverythingForNothing) {
  for (const char* key : {"a", "b", "c"}) run(std::string("ADD ") + key + " true 30");
  EXPECT_EQ(run("SET d " + std::string(400, 'v')), error("no memory"));
  EXPECT_EQ(keys(), "");
}

TEST_F(SmallDictTest, ALargerValueLosesTheOldOneWhenThereIsNoRoom) {
  for (const char* key : {"a", "b", "c"}) run(std::string("ADD ") + key + " true 30");
  EXPECT_EQ(run("SAFE_SET a " + std::string(100, 'v')), error("no memory"));
  EXPECT_THAT(changes, ElementsAre(Change{"a", Kind::removed}));
  EXPECT_EQ(run("SET b " + std::string(100, 'v')), ok);
  EXPECT_THAT(changes, ElementsAre(Change{"b", Kind::overwritten}));
  EXPECT_EQ(keys(), "b c");
}

TEST(EvictionTest, GivesUpAfterThirtyRounds) {
  Dict dict(32 * 128);
  Changes changes;
  for (int i = 0; i < 32; ++i) dict.execute({"SET", "k" + std::to_string(i), "true"}, start, changes);
  EXPECT_EQ(dict.execute({"SET", "large", std::string(4'000, 'v')}, start, changes), error("no memory"));
  EXPECT_EQ(dict.entries().size(), 2u);
  EXPECT_EQ(dict.execute({"SET", "large", std::string(4'000, 'v')}, start, changes), forced);
}

TEST_F(DictTest, FlushAllFreesThreeAndLeavesTheOthersStale) {
  for (const char* key : {"a", "b", "c", "d"}) run(std::string("SET ") + key + " v");
  EXPECT_EQ(run("FLUSH_ALL"), ok);
  EXPECT_EQ(changes.size(), 4u);
  EXPECT_EQ(keys(), "d?");
  EXPECT_TRUE(dict.is_empty());
}

TEST_F(DictTest, FlushExpiredFreesWhatIsOverOldestFirst) {
  run("SET a v 1");
  run("SET b v 5");
  run("SET c v 2");
  run("SET d v");
  EXPECT_EQ(run("FLUSH_EXPIRED 1", 2s), Reply::integer(1));
  EXPECT_EQ(keys(), "d c b");
  EXPECT_EQ(run("FLUSH_EXPIRED", 2s), Reply::integer(1));
  EXPECT_THAT(changes, ElementsAre(Change{"c", Kind::expired}));
  EXPECT_EQ(keys(), "d b");
}

TEST_F(DictTest, ARestartForgetsEverything) {
  run("SET a v 1");
  EXPECT_FALSE(dict.is_empty());
  dict.restart();
  EXPECT_TRUE(dict.is_empty());
  EXPECT_EQ(run("FREE_SPACE"), Reply::integer(102'400));
  EXPECT_EQ(dict.next_expiry(), std::nullopt);
}

}  // namespace
}  // namespace holdfast::shdict
