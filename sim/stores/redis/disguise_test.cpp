// Which scripts only compare texts and pass them on, and that their runs are remembered without a difference.
#include "sim/stores/redis/disguise.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::redis {
namespace {

using Texts = std::vector<std::string>;

constexpr std::array carriers{
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end",
    "if redis.call('get', KEYS[1]) ~= \"7\" then return false end return redis.call('get', KEYS[1])",
    "local was = redis.call('GET', KEYS[1]) redis.call('SET', KEYS[1], ARGV[2])\nif was == ARGV[1] then "
    "return was end return redis.call('PTTL', KEYS[1])",
    "redis.call('RPUSH', KEYS[2], ARGV[1], 'a', 7, -2) return redis.call('LRANGE', KEYS[2], 0, -1)",
    "return redis.call('LRANGE', KEYS[2], 0, -1)[2]",
    "if KEYS[1] == ARGV[1] or ARGV[1] == '' then return ARGV[2] end return ARGV[3] and KEYS[2] or nil",
    "return redis.pcall('INCR', KEYS[1])",
    "return redis.call('INCR', KEYS[1]);",
    "return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX')",
    "return redis.call(ARGV[1], KEYS[1], KEYS[2])",
    "local x = KEYS[1] x = ARGV[1] return (not x) == true",
};

TEST(Disguise, IsForScriptsThatOnlyPassTextsOn) {
  EXPECT_EQ(texts_of_carrier(carriers[0]), (Texts{"GET", "DEL"}));
  EXPECT_EQ(texts_of_carrier(carriers[1]), (Texts{"get", "7", "get"}));
  for (const std::string_view source : carriers) EXPECT_TRUE(texts_of_carrier(source)) << source;
}

TEST(Disguise, IsNotForScriptsThatMayLookIntoTexts) {
  for (const std::string_view source : {"return #KEYS",
                                        "return #ARGV[1]",
                                        "return ARGV[1] .. 'x'",
                                        "return tonumber(ARGV[1])",
                                        "return ARGV[1] < ARGV[2]",
                                        "return ARGV[1] - 1",
                                        "return ARGV[1] -1",
                                        "return -ARGV[1]",
                                        "return ARGV[1]:sub(1)",
                                        "return ARGV[#ARGV]",
                                        "return {ARGV[1]}",
                                        "return {err = ARGV[1]}",
                                        "for i = 1, 2 do redis.call('DEL', KEYS[i]) end",
                                        "local t = redis.call('TIME') return t[1] + 1",
                                        "while true do end",
                                        "return redis.sha1hex(ARGV[1])",
                                        "return redis.error_reply(ARGV[1])",
                                        "local call = redis.call return call('GET', KEYS[1])",
                                        "return KEYS",
                                        "return unpack(KEYS)",
                                        "return KEYS[ARGV[1]]",
                                        "return redis.call('TYPE', KEYS[1])[ARGV[1]]",
                                        "return '\\65'",
                                        "return [[a]]",
                                        "return 0x10",
                                        "return 1.5",
                                        "x = 1",
                                        "return x",
                                        "local KEYS = 1 return 1",
                                        "local function f() return 1 end return f()",
                                        "-- a comment\nreturn 1",
                                        "#!lua\nreturn 1",
                                        "return type(ARGV[1])",
                                        "local a, b = 1, 2 return a",
                                        "goto out",
                                        "return '",
                                        "return redis"})
    EXPECT_FALSE(texts_of_carrier(source)) << source;
}

// What is done with texts of one size, whose first signs and whose order stay, stays the same.
TEST(TextsOfScripts, AreLeftInOnePieceByWhatJoinsComparesOrTakesOffAFirstSign) {
  for (const std::string_view source :
       {"return KEYS[1] .. ':' .. ARGV[1]", "return ARGV[1] < ARGV[2]", "return #ARGV[1]",
        "if string.sub(ARGV[1], 1, 1) == 'w' then return string.sub(ARGV[1], 2) end",
        "return ARGV[1]:sub(1, 1)", "return ARGV[1]:sub( 2 )", "return tonumber(ARGV[1]) + 1",
        "local t = {} table.insert(t, ARGV[1]) table.sort(t) return table.concat(t, ',')",
        "redis.call('SET', KEYS[1], ARGV[1])", "return math.max(1, tonumber(ARGV[2]))"})
    EXPECT_FALSE(may_take_texts_apart(source)) << source;
}

TEST(TextsOfScripts, AreTakenApartByWhatMaySeeTheirSigns) {
  for (const std::string_view source : {"return string.byte(ARGV[1], 2)",
                                        "return ARGV[1]:byte(-1)",
                                        "return string.match(ARGV[1], '%d+')",
                                        "return ARGV[1]:find('7')",
                                        "return ARGV[1]:gsub('1', '2')",
                                        "return string.sub(ARGV[1], 2, 3)",
                                        "return string.sub(ARGV[1], 1, 2)",
                                        "return ARGV[1]:sub(3)",
                                        "return ARGV[1]:sub(-1)",
                                        "return string.sub(ARGV[1], f(1), 1, 1)",
                                        "return ARGV[1]:reverse()",
                                        "return ARGV[1]:upper()",
                                        "return string.format('%3s', ARGV[1])",
                                        "return redis.sha1hex(ARGV[1])",
                                        "return cjson.encode(ARGV)",
                                        "local s = string return s.byte(ARGV[1])",
                                        "return string['byte'](ARGV[1])",
                                        "return ARGV[1]['match'](ARGV[1], '%d')",
                                        "return loadstring('return 1')()",
                                        "return _G",
                                        "return getmetatable('').__index",
                                        "return [[a]]",
                                        "local f = ARGV[1].sub return f(ARGV[1], 2, 2)",
                                        "return string . sub(ARGV[1], 2, 3)"})
    EXPECT_TRUE(may_take_texts_apart(source)) << source;
}

TEST(Disguise, KeepsEqualTextsEqual) {
  const Texts own{"GET"};
  Disguise disguise(own);
  EXPECT_EQ(disguise.hide("GET"), "GET");
  const std::string first(disguise.hide("lock"));
  const std::string second(disguise.hide(""));
  EXPECT_EQ(disguise.hide("lock"), first);
  EXPECT_NE(first, second);
  EXPECT_EQ(disguise.show(first), "lock");
  EXPECT_EQ(disguise.show(second), "");
  EXPECT_EQ(disguise.show("GET"), "GET");
  const Reply list = Reply::array({Reply::bulk("lock"), Reply::integer(7), Reply::status("OK")});
  Reply hidden = list;
  disguise.hide(hidden);
  EXPECT_EQ(hidden.elements()[0], Reply::bulk(first));
  EXPECT_EQ(disguise.show(hidden), list);
}

// One server whose scripts are remembered, and one whose scripts are executed.
struct Pair {
  Pair() { forgetful.remember(false); }
  void expect_same(const Texts& argv) {
    now += 1ms;
    Changes changes;
    Changes other_changes;
    const Reply reply = one.execute(argv, now, changes);
    RC_ASSERT(reply == other.execute(argv, now, other_changes));
    RC_ASSERT(changes == other_changes);
  }
  Scripts scripts;
  Scripts forgetful;
  Redis one{scripts};
  Redis other{forgetful};
  WallTime now{1'700'000'000s};
};

RC_GTEST_PROP(Disguise, MakesNoDifference, ()) {
  static Pair* const pair = new Pair;  // what was remembered in one case serves the next
  pair->one.restart();
  pair->other.restart();
  const auto text = rc::gen::element<std::string>("a", "b", "7", "", "GET", "get", "DEL", "4000", "NX",
                                                  std::string(1, '\0'),
                                                  std::string("\0"
                                                              "0",
                                                              2),
                                                  "a text of more than sixteen letters");
  const std::size_t steps = *rc::gen::inRange<std::size_t>(1, 20);
  for (std::size_t i = 0; i < steps; ++i) {
    if (*rc::gen::inRange(0, 3) == 0) pair->expect_same({"SET", *text, *text});
    const std::string script = carriers[*rc::gen::inRange<std::size_t>(0, carriers.size())];
    pair->expect_same({"EVAL", script, "2", *text, *text, *text, *text, *text});
  }
}

}  // namespace
}  // namespace holdfast::redis
