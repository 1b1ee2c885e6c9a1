// What is due comes in order of time, and what is due at once in the order in which it was scheduled.
#include "sim/world/scheduled.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <iterator>
#include <map>
#include <utility>

namespace holdfast {
namespace {

Scheduled at(Duration when, std::uint64_t number) {
  Scheduled made;
  made.earliest = made.latest = Instant(when);
  made.number = number;
  return made;
}

TEST(Agenda, IsEmptyAtFirst) { EXPECT_EQ(Agenda().next(), never); }

TEST(Agenda, TakesTheOlderOfTwoAtOneInstantFirst) {
  Agenda agenda;
  agenda.add(at(5us, 2));
  agenda.add(at(5us, 1));
  agenda.add(at(4us, 3));
  EXPECT_EQ(agenda.next(), Instant(4us));
  for (const std::uint64_t number : {3u, 1u, 2u}) EXPECT_EQ(agenda.take().second.number, number);
  EXPECT_EQ(agenda.next(), never);
}

TEST(Agenda, ReachesAsFarAsTime) {
  Agenda agenda;
  const Duration last = never.time_since_epoch() - 1us;
  agenda.add(at(last, 1));
  agenda.add(at(1us, 2));
  EXPECT_EQ(agenda.take().second.number, 2u);
  EXPECT_EQ(agenda.next(), Instant(last));
}

TEST(Agenda, KnowsAnEntryByItsHandleUntilItIsTaken) {
  Agenda agenda;
  const Agenda::Handle second = agenda.add(at(2us, 1));
  const Agenda::Handle first = agenda.add(at(1us, 2));
  EXPECT_EQ(agenda.at(second).number, 1u);
  EXPECT_EQ(agenda.take().first, first);
  agenda.at(second).is_struck = true;
  agenda.add(at(0us, 3));
  agenda.remove(second);
  EXPECT_EQ(agenda.take().second.number, 3u);
  EXPECT_EQ(agenda.next(), never);
}

// Compared with a map by instant and by age.
RC_GTEST_PROP(Agenda, TakesInOrderOfInstantThenAgeWhateverIsRemoved, ()) {
  Agenda agenda;
  std::map<std::pair<Instant, std::uint64_t>, Agenda::Handle> expected;
  std::uint64_t number = 0;
  const std::size_t steps = *rc::gen::inRange<std::size_t>(0, 400);
  const auto choose = [&] {
    return std::next(expected.begin(), *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(expected)));
  };
  for (std::size_t i = 0; i < steps; ++i) {
    RC_ASSERT(agenda.next() == (expected.empty() ? never : expected.begin()->first.first));
    const int deed = *rc::gen::inRange(0, 8);
    if (deed < 4 || expected.empty()) {
      const Duration when(*rc::gen::inRange(0, 40));
      const Agenda::Handle handle = agenda.add(at(when, ++number));
      expected[{Instant(when), number}] = handle;
    } else if (deed < 6) {
      const auto removed = choose();
      agenda.remove(removed->second);
      expected.erase(removed);
    } else {
      const auto [handle, taken] = agenda.take();
      RC_ASSERT(handle == expected.begin()->second);
      RC_ASSERT(std::pair(taken.earliest, taken.number) == expected.begin()->first);
      expected.erase(expected.begin());
    }
    if (expected.empty()) continue;
    const auto any = choose();
    RC_ASSERT(agenda.at(any->second).number == any->first.second);
  }
}

}  // namespace
}  // namespace holdfast
