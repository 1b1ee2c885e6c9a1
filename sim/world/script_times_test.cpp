// What a Redis tells of times that nobody knows, and what scripts do with them.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/core/time_text.hpp"
#include "sim/stores/kinds.hpp"
#include "sim/world/dates.hpp"
#include "sim/world/times.hpp"

namespace holdfast {
namespace {

class FirstAnswers final : public Choices {
 public:
  std::vector<std::uint32_t> next;
  std::size_t asked = 0;

 private:
  std::uint32_t decide(Site, Actor, std::uint32_t) override {
    return asked < next.size() ? next[asked++] : (++asked, 0);
  }
};

// A key is written with PX 4000 within the first second, and asked about at most 4 s later.
class ScriptTimes : public testing::Test {
 protected:
  ScriptTimes() {
    run(written, {"SET", "job", "A1", "PX", "4000"});
    EXPECT_EQ(answers.asked, 0u);
  }
  Instant within(Instant from, Duration most) {
    const Instant made = times.unknown();
    EXPECT_TRUE(times.order(from, made));
    EXPECT_TRUE(times.order(made, from + most));
    return made;
  }
  Reply run(Instant at, const Command& command) {
    stores::Effects effects;
    return server->execute({}, command, wall_epoch + at.time_since_epoch(), effects).value();
  }
  // Now, with an argument of 1000.
  Reply eval(const std::string& script) { return run(now, {"EVAL", script, "1", "job", "1000"}); }

  FirstAnswers answers;
  Times times{answers};
  AskTimes ask{&times};
  stores::Kinds kinds;
  std::unique_ptr<stores::Server> server = kinds.make(StoreKind::redis);
  Instant written = within(Instant{}, 1s);
  Instant now = within(written, 4s);
};

TEST_F(ScriptTimes, PttlIsWhatIsLeftAndNobodyKnowsHowMuch) {
  const Reply left = run(now, {"PTTL", "job"});
  EXPECT_TRUE(left.is_unknown());
  EXPECT_TRUE(left.milliseconds() == written + 4s - now);
  EXPECT_FALSE(left.is(-1) || left.is(-2));
  EXPECT_EQ(answers.asked, 0u);
  EXPECT_TRUE(run(now, {"PTTL", "none"}).is(-2));
}

// The key lives through its last millisecond, and then 0 is left.
TEST_F(ScriptTimes, InTheLastMillisecondNothingIsLeft) {
  ASSERT_TRUE(times.order(written + 4s, now));
  EXPECT_TRUE(run(now, {"PTTL", "job"}).is(0));
  EXPECT_EQ(answers.asked, 0u);
}

TEST_F(ScriptTimes, ANumberThatIsCountedIsAnObstacle) {
  (void)run(now, {"PTTL", "job"}).number();
  EXPECT_NE(times.obstacle(), "");
}

TEST_F(ScriptTimes, SecondsAreAnObstacle) {
  run(now, {"TTL", "job"});
  EXPECT_NE(times.obstacle(), "");
}

TEST_F(ScriptTimes, AScriptComparesAndGoesEitherWay) {
  const std::string script = "if redis.call('PTTL', KEYS[1]) < 1000 then return 'short' end return 'long'";
  answers.next = {0};
  EXPECT_EQ(eval(script).text(), "short");
  EXPECT_EQ(answers.asked, 1u);
  EXPECT_TRUE(written + 4s - now < 1s) << "it is a bound from then on";
  EXPECT_EQ(answers.asked, 1u);
}

// The same script, told the same of the same key: it is run again, and may go the other way.
TEST_F(ScriptTimes, WhatAScriptDidIsNotRepeatedWhereItIsAChoice) {
  const std::string script = "if redis.call('PTTL', KEYS[1]) < 1000 then return 'short' end return 'long'";
  for (const std::uint32_t answer : {0u, 1u}) {
    Times again(answers);
    const AskTimes ask_again(&again);
    const Instant first = again.unknown();
    const Instant second = again.unknown();
    ASSERT_TRUE(again.order(Instant{}, first) && again.order(first, Instant{} + 1s));
    ASSERT_TRUE(again.order(first, second) && again.order(second, first + 4s));
    server = kinds.make(StoreKind::redis);
    run(first, {"SET", "job", "A1", "PX", "4000"});
    answers.next.assign(answers.asked + 1, answer);
    EXPECT_EQ(run(second, {"EVAL", script, "1", "job"}).text(), answer == 0 ? "short" : "long");
  }
}

TEST_F(ScriptTimes, SumsAndExtremesAreWhatTheyAreOfNumbers) {
  EXPECT_TRUE(eval("return redis.call('PTTL', KEYS[1]) + ARGV[1]").milliseconds() == written + 5s - now);
  EXPECT_TRUE(eval("return -(1000 - redis.call('PTTL', KEYS[1]))").milliseconds() == written + 3s - now);
  EXPECT_TRUE(eval("local left = redis.call('PTTL', KEYS[1]) return left - left * 1").is(0));
  EXPECT_TRUE(eval("return math.max(redis.call('PTTL', KEYS[1]), 4001)").milliseconds() == 4001ms);
  EXPECT_TRUE(eval("return math.min(redis.call('PTTL', KEYS[1]), 4001)").milliseconds() ==
              written + 4s - now);
  EXPECT_EQ(answers.asked, 0u);
  EXPECT_TRUE(eval("return redis.call('PTTL', KEYS[1]) == 4001").is_nil());
  EXPECT_TRUE(eval("return redis.call('PTTL', KEYS[1]) == nil").is_nil());
  EXPECT_EQ(eval("return type(redis.call('PTTL', KEYS[1]))").text(), "number");
  EXPECT_EQ(times.obstacle(), "");
}

TEST_F(ScriptTimes, AnExpiryIsSetFromIt) {
  EXPECT_TRUE(eval("return redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', KEYS[1]) + 500)").is(1));
  const Instant later = within(now, 1s);
  EXPECT_TRUE(run(later, {"PTTL", "job"}).milliseconds() == written + 4500ms - later);
  EXPECT_TRUE(run(later, {"PEXPIRE", "job", "1", "XX"}).is(1));
  EXPECT_TRUE(run(later, {"PTTL", "job"}).is(1));
  EXPECT_EQ(times.obstacle(), "");
}

// What is written as a text is read as the same time; a text that contains one is passed on.
TEST_F(ScriptTimes, ATimeGoesThroughTexts) {
  EXPECT_TRUE(eval("redis.call('SET', 'end', redis.call('PTTL', KEYS[1])) return 1").is(1));
  const Reply text = run(now, {"GET", "end"});
  ASSERT_TRUE(has_mark(text.text()));
  EXPECT_TRUE(Duration(to_ticks(milliticks_in(text.text()).value())) == written + 4s - now);
  EXPECT_TRUE(eval("return tonumber(redis.call('GET', 'end'))").milliseconds() == written + 4s - now);
  EXPECT_TRUE(eval("return redis.call('GET', 'end') - redis.call('PTTL', KEYS[1])").is(0));
  EXPECT_TRUE(eval("return redis.call('GET', 'end') == tostring(redis.call('PTTL', KEYS[1]))").is(1));
  EXPECT_EQ(eval("return 'until:' .. redis.call('GET', 'end')").text(), "until:" + text.text());
  EXPECT_EQ(eval("return type(redis.call('GET', 'end'))").text(), "string");
  EXPECT_EQ(times.obstacle(), "");
}

class NoOperation : public ScriptTimes, public testing::WithParamInterface<const char*> {};

TEST_P(NoOperation, IsDoneWithATimeThatNobodyKnows) {
  eval(std::string("local left = redis.call('PTTL', KEYS[1]) ") + GetParam() + " return 1");
  EXPECT_NE(times.obstacle(), "") << GetParam();
}

INSTANTIATE_TEST_SUITE_P(
    OfNumbers, NoOperation,
    testing::Values("left = left / 2", "left = left % 2", "left = left * 2", "left = left ^ 2",
                    "left = left < 1.5", "for i = 1, left do end", "left = string.format('%d', left)",
                    "left = string.rep('a', left)", "left = table.concat({left})", "left = #tostring(left)",
                    "left = tostring(left):sub(1, 1)", "left = bit.band(left, 1)",
                    "left = pcall(string.rep, 'a', left)",
                    "local seen = {} seen[left] = 1 for time in pairs(seen) do end",
                    "left = redis.sha1hex(left)", "redis.call('SET', 'n', left) redis.call('INCR', 'n')",
                    "redis.call('SET', 'n', left) redis.call('STRLEN', 'n')",
                    "redis.call('SET', 'n', left) redis.call('GETRANGE', 'n', 0, 1)",
                    "redis.call('SET', 'n', left) redis.call('SETRANGE', 'n', 0, 'a')",
                    "redis.call('SET', 'n', left) redis.call('GETBIT', 'n', 1)",
                    "redis.call('SET', 'n', left) redis.call('SETBIT', 'n', 1, 1)",
                    "redis.call('SET', 'n', left) redis.call('BITCOUNT', 'n')",
                    "redis.call('SET', 'n', left) redis.call('BITFIELD', 'n', 'GET', 'u4', 0)",
                    "redis.call('APPEND', 'n', left)",
                    "redis.call('SET', 'n', left) redis.call('APPEND', 'n', 'a')",
                    "redis.call('HSET', 'h', 'n', left) redis.call('HSTRLEN', 'h', 'n')",
                    "redis.call('ZADD', 'z', left, 'A1')", "redis.call('EXPIRE', KEYS[1], left)",
                    "local text = 'a' .. left if #text > 1 then left = 1 end"));

}  // namespace
}  // namespace holdfast
