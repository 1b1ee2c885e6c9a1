// The row of timeouts is what a sorted map of them would be.
#include "sim/world/timeouts.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <utility>

namespace holdfast {
namespace {

TEST(Timeouts, TakeNoneThatComesBeforeAnother) {
  Timeouts timeouts;
  EXPECT_TRUE(timeouts.add(3, Instant(20us), 1));
  EXPECT_FALSE(timeouts.add(4, Instant(10us), 2));
  EXPECT_FALSE(timeouts.has(4));
  EXPECT_TRUE(timeouts.add(5, Instant(20us), 3));
  timeouts.drop(3);
  timeouts.drop(5);
  EXPECT_EQ(timeouts.next(), never);
  EXPECT_TRUE(timeouts.add(4, Instant(10us), 4));
}

RC_GTEST_PROP(Timeouts, KnowTheNextOfThoseThatWereNotDropped, ()) {
  Timeouts timeouts;
  std::map<std::uint32_t, std::pair<Instant, std::uint64_t>> expected;  // by slot
  std::map<std::uint64_t, std::uint32_t> slots;                         // by number
  Instant now{};
  for (std::uint64_t number = 1; number <= 200; ++number) {
    now += Duration(*rc::gen::inRange(0, 3));
    const auto slot = *rc::gen::inRange<std::uint32_t>(0, 20);
    RC_ASSERT(timeouts.has(slot) == (expected.count(slot) == 1));
    if (expected.count(slot) == 1) {
      timeouts.drop(slot);
      slots.erase(expected[slot].second);
      expected.erase(slot);
    } else {
      RC_ASSERT(timeouts.add(slot, now, number));
      expected[slot] = {now, number};
      slots[number] = slot;
    }
    RC_ASSERT((timeouts.next() == never) == slots.empty());
    if (slots.empty()) continue;
    const auto [next_number, next_slot] = *slots.begin();
    RC_ASSERT(timeouts.next() == expected[next_slot].first);
    RC_ASSERT(timeouts.next_slot() == next_slot);
    RC_ASSERT(timeouts.next_number() == next_number);
  }
}

}  // namespace
}  // namespace holdfast
