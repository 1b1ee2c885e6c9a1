// Unknown instants: what bounds say of them, and what is a choice.
#include "sim/world/times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/core/time_text.hpp"

namespace holdfast {
namespace {

// Answers what it was told to, and counts the questions.
class Answers final : public Choices {
 public:
  std::uint32_t next = 0;
  std::uint32_t asked = 0;

 private:
  std::uint32_t decide(Site, Actor, std::uint32_t) override {
    ++asked;
    return next;
  }
};

class TimesTest : public testing::Test {
 protected:
  // Not before `from`, and at most so much later.
  Instant within(Instant from, Duration most) {
    const Instant made = times.unknown();
    EXPECT_TRUE(times.order(from, made));
    EXPECT_TRUE(times.order(made, from + most));
    return made;
  }
  Answers answers;
  Times times{answers};
  AskTimes ask{&times};
  Instant start{};
};

TEST_F(TimesTest, WhatBoundsDecideIsNoChoice) {
  const Instant one = within(start, 1s);
  const Instant other = within(one + 2s, 1s);
  EXPECT_TRUE(one < other);
  EXPECT_EQ(answers.asked, 0u);
  EXPECT_TRUE(other - one > 1999ms);
  EXPECT_EQ(answers.asked, 0u);
  EXPECT_FALSE(other - one > 3s);
  EXPECT_EQ(answers.asked, 0u);
  EXPECT_TRUE((one + 5s) - one == 5s);
  EXPECT_EQ(answers.asked, 0u);
}

// Whether limits around one instant can be kept is read from pairs of them. Instants at random distances,
// and limits of which about half can be kept: as when one is made a bound after the other.
TEST_F(TimesTest, LimitsAroundOneInstantCanBeKeptIfEachCanBeAfterTheOther) {
  std::uint32_t drawn = 1;
  const auto draw = [&](std::uint32_t below) {
    return (drawn = drawn * 1664525 + 1013904223) / 65536 % below;
  };
  std::uint32_t kept = 0;
  constexpr std::uint32_t rounds = 2000;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    Times these(answers);
    const AskTimes asked(&these);
    std::vector<Instant> all{start};
    for (int i = 0; i < 5; ++i) {
      all.push_back(these.unknown());
      const Instant from = all[draw(static_cast<std::uint32_t>(i) + 1)];
      ASSERT_TRUE(these.order(from, all.back(), draw(2) == 0));
      if (draw(2) == 0) {
        ASSERT_TRUE(these.order(all.back(), from + Duration(1000 * (1 + draw(4)))));
      }
    }
    const Instant at = draw(2) == 0 ? these.unknown() : all.back();
    std::vector<Limit> limits;
    for (int i = 0; i < 5; ++i) {
      const Instant from = all[draw(6)];
      const std::uint32_t milliseconds = draw(5);
      const Instant other = from + Duration(1000 * milliseconds) + Duration(draw(2));
      const bool is_strict = draw(2) == 0;
      const auto limit =
          draw(2) == 0 ? these.limit_of(at, other, is_strict) : these.limit_of(other, at, is_strict);
      if (limit) limits.push_back(*limit);
    }
    const bool may_lie = these.may_lie(at, limits);
    const bool is_kept =
        std::all_of(limits.begin(), limits.end(), [&](const Limit& each) { return these.limit(each); });
    ASSERT_EQ(may_lie, is_kept) << "round " << round;
    kept += is_kept ? 1 : 0;
  }
  EXPECT_GT(kept, rounds / 5);
  EXPECT_LT(kept, rounds * 4 / 5);
}

TEST_F(TimesTest, WhatTheyLeaveOpenIsAChoiceOnceAndABoundThen) {
  const Instant one = within(start, 2s);
  answers.next = 0;
  EXPECT_LT(one, start + 1s);
  EXPECT_EQ(answers.asked, 1u);
  EXPECT_LT(one, start + 1s);
  EXPECT_FALSE(times.may_precede(start + 1s, one));
  EXPECT_EQ(answers.asked, 1u);
}

// The reason: 1 s < x and x < y and y < 2 s leave room for both, however many there are between; a
// millisecond for each "<" would not.
TEST_F(TimesTest, EarlierIsNotAMillisecondEarlier) {
  Instant last = start;
  for (int i = 0; i < 20; ++i) {
    const Instant next = times.unknown();
    ASSERT_TRUE(times.order(last, next, true));
    ASSERT_TRUE(times.order(next, start + 2ms, true)) << i;
    last = next;
  }
}

TEST_F(TimesTest, AnInstantMayBeTheLastOneOfAClosedBoundAndNotOfAnOpenOne) {
  const Instant closed = within(start, 1s);
  EXPECT_TRUE(times.may_precede(start + 1s, closed));
  const Instant open = times.unknown();
  ASSERT_TRUE(times.order(open, start + 1s, true));
  EXPECT_FALSE(times.may_precede(start + 1s, open));
}

// A key is dead a moment after the last instant of its life.
TEST_F(TimesTest, AMomentIsLongerThanNothingAndShorterThanAMillisecond) {
  const Instant one = within(start, 1s);
  const Instant dead = one + 4s + 1us;
  EXPECT_TRUE(times.must_precede(one + 4s, dead, true));
  EXPECT_TRUE(times.must_precede(dead, one + 4001ms, true));
  const Instant command = times.unknown();
  ASSERT_TRUE(times.order(command, dead, true));
  EXPECT_TRUE(times.may_precede(one + 4s, command)) << "it is alive through its last instant";
  EXPECT_FALSE(times.may_precede(one + 4s, command, true));
}

TEST_F(TimesTest, BoundsThatNothingSatisfiesAreRefused) {
  const Instant one = within(start, 1s);
  const Instant other = within(one, 1s);
  EXPECT_FALSE(times.may_precede(other, start, true));
  EXPECT_FALSE(times.may_precede(start + 2001ms, other));
  EXPECT_TRUE(times.may_precede(start + 2s, other));
}

TEST_F(TimesTest, NeverIsLaterThanAllAndNoChoice) {
  const Instant one = within(start, 1s);
  EXPECT_LT(one, never);
  EXPECT_EQ(std::min(one, never), one);
  EXPECT_FALSE(one == never);
  EXPECT_EQ(answers.asked, 0u);
}

TEST_F(TimesTest, ATimeThatIsPrintedOrDividedIsAnObstacle) {
  const Instant one = within(start, 1s);
  EXPECT_EQ(times.obstacle(), "");
  (void)((one - start) / 3);
  EXPECT_NE(times.obstacle(), "");
}

// A difference-bound matrix cannot say it exactly.
TEST_F(TimesTest, ASumOfLengthsWithNothingInCommonIsAsWideAsItsBounds) {
  const Instant one = within(start, 1s);
  const Instant two = within(one, 1s);
  const Instant three = within(two + 100ms, 1s);
  EXPECT_FALSE(times.is_approximate());
  const Instant sum = one + (three - two);
  EXPECT_TRUE(times.is_approximate());
  EXPECT_EQ(times.obstacle(), "");
  EXPECT_TRUE(times.must_precede(one + 100ms, sum) && times.must_precede(sum, one + 1100ms));
  EXPECT_TRUE(times.must_precede(sum, three)) << "two is not before one";
  EXPECT_TRUE(times.may_precede(sum, one + 100ms) && times.may_precede(one + 1100ms, sum));
  const Duration less = (one - start) - (three - two);
  EXPECT_FALSE(less > 900ms);
  EXPECT_FALSE(less < -1100ms);
  EXPECT_EQ(answers.asked, 0u);
}

TEST_F(TimesTest, EqualTimesHaveEqualTextsAndOthersHaveNot) {
  const auto text = [](Instant time) { return text_of(to_milliticks(time.time_since_epoch().count())); };
  const Instant one = within(start, 1s);
  const Instant two = within(one, 1s);
  const std::string first = text(one);
  EXPECT_EQ(text(one), first);
  EXPECT_NE(text(one + 1ms), first);
  EXPECT_EQ(answers.asked, 0u);
  answers.next = 0;
  const std::string second = text(two);
  EXPECT_NE(second, first);
  EXPECT_TRUE(times.must_precede(one, two, true));
  EXPECT_TRUE(Duration(to_ticks(milliticks_in(second).value())) == two.time_since_epoch());
  const Instant three = within(two, 1s);
  answers.next = 1;
  EXPECT_EQ(text(three), second);
  EXPECT_TRUE(times.must_precede(three, two)) << "they are equal from then on";
}

TEST_F(TimesTest, AMarkIsFoundWithinATextAndNowhereElse) {
  const Instant one = within(start, 1s);
  const std::string mark = text_of(to_milliticks(one.time_since_epoch().count()));
  EXPECT_EQ(find_mark("A1:" + mark + " 7")->at, 3u);
  for (const std::string& other :
       {std::string("A1:1700000004000"), mark.substr(1), mark.substr(0, 18), std::string("\2")})
    EXPECT_FALSE(has_mark(other)) << other;
  const AskTimes nobody(nullptr);
  EXPECT_FALSE(has_mark(mark));
}

// What a digest is told of a state with these instants, now being the first.
Zone zone_of(Times& times, const std::vector<Instant>& instants) {
  times.begin_state(instants.front());
  for (const Instant each : instants) (void)static_cast<std::int64_t>((each - instants.front()).count());
  times.end_state();
  const std::vector<std::size_t> parts{0};
  return times.zone(parts);
}

TEST_F(TimesTest, AStateIsItsInstantsNotTheirNames) {
  const Instant one = within(start, 1s);
  const Instant two = within(one, 1s);
  Answers others;
  Times again(others);
  Zone zone;
  {
    const AskTimes ask_again(&again);
    const Instant spare = again.unknown();
    const Instant first = again.unknown();
    const Instant second = again.unknown();
    ASSERT_TRUE(again.order(start, first) && again.order(first, start + 1s));
    ASSERT_TRUE(again.order(first, second) && again.order(second, first + 1s));
    ASSERT_TRUE(again.order(spare, start));
    zone = zone_of(again, {first, second});
  }
  EXPECT_EQ(zone_of(times, {one, two}), zone);
}

TEST_F(TimesTest, WhatAStateDoesNotTellAndIsLookedAtAgainIsAnObstacle) {
  const Instant told = within(start, 1s);
  const Instant forgotten = within(told, 1s);
  zone_of(times, {told});
  EXPECT_EQ(times.obstacle(), "");
  (void)(forgotten < told);
  EXPECT_NE(times.obstacle(), "");
}

TEST_F(TimesTest, WiderBoundsAllowWhatNarrowerOnesDid) {
  const Instant now = within(start, 1s);
  const Instant narrow = within(now, 1s);
  const Zone small = zone_of(times, {now, narrow});
  Zone large = small;
  for (Bound& each : large)
    if (each > 1) each += 2 * 500;
  ASSERT_FALSE(times.may_precede(now + 1s, narrow, true));
  const std::vector<std::size_t> parts{0};
  times.widen(large, parts);
  EXPECT_TRUE(times.may_precede(now + 1s, narrow, true));
  EXPECT_TRUE(times.may_precede(now + 1500ms, narrow));
  EXPECT_FALSE(times.may_precede(now + 1500ms, narrow, true));
  EXPECT_TRUE(times.must_precede(now, narrow)) << "and nothing else";
}

}  // namespace
}  // namespace holdfast
