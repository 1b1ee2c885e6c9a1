// Durations as text, both ways; and the shared vocabularies.
#include "sim/core/units.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <type_traits>

#include "sim/core/vocabulary.hpp"

namespace holdfast {
namespace {

TEST(Duration, IsReadWithItsUnit) {
  EXPECT_EQ(parse_duration("250us"), 250us);
  EXPECT_EQ(parse_duration("30ms"), 30ms);
  EXPECT_EQ(parse_duration("1.5s"), 1500ms);
  EXPECT_EQ(parse_duration("2m"), 120s);
  EXPECT_EQ(parse_duration("0ms"), 0s);
  EXPECT_EQ(parse_duration("0.000001s"), 1us);
  EXPECT_EQ(parse_duration("1.50000000000000000000s"), 1500ms);
  EXPECT_EQ(parse_duration("0.1m"), 6s);
  EXPECT_EQ(parse_duration("8h"), 28'800s);
  EXPECT_EQ(parse_duration("640000000h"), 2'304'000'000'000s);
}
TEST(Duration, IsRefusedWhenItIsNone) {
  for (const char* text : {"", "1", "s", ".5s", "1.s", "1..5s", "1.5.1s", "-1s", "+1s", " 1s", "1s ", "1 s",
                           "1d", "1S", "1e3s", "0x1s", "1,5s", "9999999999999999999s", "99999999999999999m"})
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
}
TEST(Duration, OfWhichThereIsTooMuchIsToldFromWhatIsNone) {
  for (const char* text : {"640511996h", "38430716821m", "9999999999999999999s"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
    EXPECT_EQ(duration_complaint(text), "is longer than 640000000h") << text;
  }
  for (const char* text : {"10", "1d", "s", ""})
    EXPECT_EQ(duration_complaint(text), "is not a duration with a unit (us, ms, s, m or h), such as 30s");
}
TEST(Duration, IsRefusedBelowAMicrosecond) {
  for (const char* text : {"0.5us", "0.0001ms", "0.0000001s", "0.00000000000001s", "0.00000001m"})
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
}
TEST(Duration, IsWrittenInItsShortestForm) {
  EXPECT_EQ(to_text(1500ms), "1.5s");
  EXPECT_EQ(to_text(90s), "90s");
  EXPECT_EQ(to_text(30ms), "30ms");
  EXPECT_EQ(to_text(1001us), "1.001ms");
  EXPECT_EQ(to_text(7us), "7us");
  EXPECT_EQ(to_text(0s), "0ms");
  EXPECT_EQ(to_text(-20ms), "-20ms");
}
RC_GTEST_PROP(Duration, ReadsBackWhatItWrote, ()) {
  const auto count = *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 5'000'000),
                                     rc::gen::inRange<std::int64_t>(0, INT64_MAX / 8));
  RC_ASSERT(parse_duration(to_text(Duration(count))) == Duration(count));
  RC_ASSERT(to_text(-Duration(count)) == (count == 0 ? "" : "-") + to_text(Duration(count)));
}
RC_GTEST_PROP(Duration, IsNeverReadFromNoise, (std::string text)) {
  // Whatever is accepted is a number and a unit, and is written back as the same length of time.
  const std::optional<Duration> duration = parse_duration(text);
  if (duration) RC_ASSERT(parse_duration(to_text(*duration)) == duration);
}

TEST(Units, RedisTakesWholeUnitsRoundedDown) {
  EXPECT_EQ(to_milliseconds(1999us), 1);
  EXPECT_EQ(to_milliseconds(-1us), -1);
  EXPECT_EQ(to_seconds(1999ms), 1);
}
TEST(Units, TimelinesDoNotMix) {
  static_assert(!std::is_convertible_v<Instant, WallTime>);
  static_assert(!std::is_convertible_v<WallTime, SteadyTime>);
  static_assert(!std::is_convertible_v<ClientId, NodeId>);
  static_assert(!std::is_convertible_v<int, ClientId>);
}
TEST(Units, ClientsAreLettersAndNodesAreCountedFromOne) {
  EXPECT_EQ(name_of(ClientId{0}), "A");
  EXPECT_EQ(name_of(ClientId{25}), "Z");
  EXPECT_EQ(name_of(ClientId{26}), "C26");
}

template <class Enum, std::size_t N>
void expect_ids_are_names(const std::array<std::string_view, N>& ids) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < N; ++i) {
    EXPECT_FALSE(ids[i].empty()) << "enumerator " << i << " has no id";
    EXPECT_TRUE(seen.insert(ids[i]).second) << ids[i];
    EXPECT_EQ((from_id<Enum>(ids, ids[i])), static_cast<Enum>(i));
    EXPECT_EQ(id_of(static_cast<Enum>(i)), ids[i]);
    for (const char c : ids[i]) EXPECT_TRUE((c >= 'a' && c <= 'z') || c == '-') << ids[i];
  }
  EXPECT_EQ((from_id<Enum>(ids, "no-such-thing")), std::nullopt);
}
TEST(Vocabulary, EveryIdNamesOneEnumerator) {
  expect_ids_are_names<Fault>(fault_ids);
  expect_ids_are_names<Property>(property_ids);
  expect_ids_are_names<Belief>(belief_ids);
  expect_ids_are_names<Verdict>(verdict_ids);
  expect_ids_are_names<Mode>(mode_ids);
}
TEST(Vocabulary, TheLastEnumeratorHasTheLastId) {
  EXPECT_EQ(id_of(Fault::cancel), "cancel");
  EXPECT_EQ(id_of(Property::single_fill), "single-fill");
  EXPECT_EQ(id_of(Belief::notified), "notified");
  EXPECT_EQ(id_of(Verdict::not_applicable), "not-applicable");
}
TEST(Vocabulary, SetsHoldWhatWasPutIn) {
  FaultSet faults = {Fault::none, Fault::cancel};
  EXPECT_TRUE(faults.contains(Fault::cancel));
  EXPECT_FALSE(faults.contains(Fault::crash));
  faults.erase(Fault::cancel);
  EXPECT_EQ(faults, FaultSet{Fault::none});
  EXPECT_TRUE(FaultSet().empty());
}

}  // namespace
}  // namespace holdfast
