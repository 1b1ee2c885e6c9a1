// What is due comes in order of time, and what is due at once in the order in which it was added.
#include "sim/world/agenda.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

using Numbers = std::vector<int>;

// Keeps where it is, for whoever wants to remove it.
struct Numbered {
  int number = 0;
  std::uint32_t* place = nullptr;
  void stays_at(std::uint32_t at) const {
    if (place != nullptr) *place = at;
  }
};
using Numbereds = Agenda<Numbered>;

Instant at(std::int64_t microseconds) { return Instant(Duration(microseconds)); }

Numbers due(Numbereds& agenda, Instant now) {
  Numbers taken;
  agenda.come_to(now, [&](const Numbered& item) { taken.push_back(item.number); });
  return taken;
}

TEST(Agenda, IsEmptyAtFirst) {
  Numbereds agenda;
  EXPECT_EQ(agenda.next(), never);
  EXPECT_EQ(due(agenda, at(1'000'000)), Numbers());
}

TEST(Agenda, KeepsTheOrderOfWhatIsDueAtOnce) {
  Numbereds agenda;
  agenda.add(at(50'000), {1});  // in the second wheel; the next one when it lies in the first
  EXPECT_EQ(due(agenda, at(49'999)), Numbers());
  agenda.add(at(50'000), {2});
  EXPECT_EQ(agenda.next(), at(50'000));
  EXPECT_EQ(due(agenda, at(50'000)), Numbers({1, 2}));
  agenda.add(at(50'000), {3});
  EXPECT_EQ(due(agenda, at(50'000)), Numbers({3}));
  EXPECT_EQ(agenda.next(), never);
}

TEST(Agenda, ReachesAsFarAsTime) {
  Numbereds agenda;
  const Instant last = never - 1us;
  agenda.add(last, {1});
  agenda.add(at(1), {2});
  EXPECT_EQ(agenda.next(), at(1));
  EXPECT_EQ(due(agenda, at(1)), Numbers({2}));
  EXPECT_EQ(agenda.next(), last);
  EXPECT_EQ(due(agenda, last), Numbers({1}));
}

// All that is due soon.
Numbers seen(const Numbereds& agenda) {
  Numbers shown;
  Numbereds::Preview preview;
  while (const Numbered* const item = agenda.look_further(preview)) shown.push_back(item->number);
  return shown;
}

TEST(Agenda, ShowsWhatIsDueSoon) {
  Numbereds agenda;
  EXPECT_EQ(seen(agenda), Numbers());
  agenda.add(at(50'000), {1});
  EXPECT_EQ(seen(agenda), Numbers());
  std::uint32_t place = 0;
  agenda.add(at(10'000), {3, &place});
  agenda.add(at(5'000), {4});
  agenda.add(at(5'000), {5});
  EXPECT_EQ(seen(agenda), Numbers({4, 5, 3}));
  EXPECT_EQ(due(agenda, at(5'000)), Numbers({4, 5}));
  EXPECT_EQ(seen(agenda), Numbers({3}));
  agenda.remove(place);
  EXPECT_EQ(seen(agenda), Numbers());
}

TEST(Agenda, LooksFurtherWhereItHasEnded) {
  Numbereds agenda;
  Numbereds::Preview preview;
  EXPECT_EQ(agenda.look_further(preview), nullptr);
  agenda.add(at(10), {1});
  EXPECT_EQ(agenda.look_further(preview)->number, 1);
  EXPECT_EQ(Numbereds::due(preview), at(10));
  agenda.add(at(5), {2});
  agenda.add(at(10), {3});
  agenda.add(at(11), {4});
  EXPECT_EQ(agenda.look_further(preview)->number, 3);
  EXPECT_EQ(due(agenda, at(5)), Numbers({2}));
  EXPECT_EQ(agenda.look_further(preview)->number, 4);
  EXPECT_EQ(agenda.look_further(preview), nullptr);
  EXPECT_EQ(agenda.look_further(preview), nullptr);
  EXPECT_EQ(due(agenda, at(10)), Numbers({1, 3}));
  EXPECT_EQ(due(agenda, at(11)), Numbers({4}));
  agenda.add(at(20), {5});
  EXPECT_EQ(agenda.look_further(preview)->number, 5);
  EXPECT_EQ(Numbereds::due(preview), at(20));
}

// Compared with a map by time and by number.
class Checked {
 public:
  // So many at once.
  void add(std::int64_t delay, int count) {
    const Instant when = now_ + Duration(delay);
    for (int i = 0; i < count; ++i) {
      ++number_;
      auto& place = places_[{when, number_}] = std::make_unique<std::uint32_t>();
      agenda_.add(when, {number_, place.get()});
    }
  }
  void remove(std::size_t index) {
    if (places_.empty()) return;
    const auto removed = std::next(places_.begin(), static_cast<std::ptrdiff_t>(index % places_.size()));
    agenda_.remove(*removed->second);
    places_.erase(removed);
  }
  void pass(std::int64_t most) {
    const Instant next = places_.empty() ? never : places_.begin()->first.first;
    RC_ASSERT(agenda_.next() == next);
    now_ = std::min(next, now_ + Duration(most));
    const Numbers taken = due(agenda_, now_);
    Numbers expected;
    while (!places_.empty() && places_.begin()->first.first == now_) {
      expected.push_back(places_.begin()->first.second);
      places_.erase(places_.begin());
    }
    RC_ASSERT(taken == expected);
  }
  // From here on, all that lies in this stretch of time or in the next; and some more from where it ended.
  void look(int count) {
    const auto stretch = [](Instant when) { return when.time_since_epoch().count() >> 13; };
    Numbers expected;
    for (const auto& [key, place] : places_)
      if (key.first > now_ && stretch(key.first) - stretch(now_) <= 1) expected.push_back(key.second);
    RC_ASSERT(seen(agenda_) == expected);
    for (int i = 0; i < count; ++i) {
      const Instant before = Numbereds::due(preview_);
      const Numbered* const item = agenda_.look_further(preview_);
      RC_ASSERT(Numbereds::due(preview_) >= before);
      if (item == nullptr) break;
      RC_ASSERT(item->number <= number_);
    }
  }

 private:
  Numbereds agenda_;
  Numbereds::Preview preview_;
  std::map<std::pair<Instant, int>, std::unique_ptr<std::uint32_t>> places_;
  Instant now_{};
  int number_ = 0;
};

RC_GTEST_PROP(Agenda, TakesAndShowsWhatAMapDoes, ()) {
  Checked checked;
  const auto length =
      rc::gen::weightedOneOf<std::int64_t>({{4, rc::gen::inRange<std::int64_t>(0, 100)},
                                            {2, rc::gen::inRange<std::int64_t>(0, 40'000)},
                                            {1, rc::gen::inRange<std::int64_t>(0, 20'000'000)},
                                            {1, rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000)}});
  const std::size_t steps = *rc::gen::inRange<std::size_t>(0, 300);
  for (std::size_t i = 0; i < steps; ++i) {
    const int deed = *rc::gen::inRange(0, 9);
    if (deed < 4) checked.add(*length, *rc::gen::inRange(1, 20));
    else if (deed == 4) checked.remove(*rc::gen::inRange<std::size_t>(0, 1000));
    else if (deed == 5) checked.look(*rc::gen::inRange(0, 60));
    else checked.pass(*length);
  }
}

}  // namespace
}  // namespace holdfast
