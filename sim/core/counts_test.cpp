// Claims about numbers that a store counts, as states say them.
#include "sim/core/counts.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace holdfast {
namespace {

// As seen after these were noted, each of `kept` by a store; the numbers count from first_count.
std::vector<std::uint64_t> ages(std::vector<std::uint64_t> kept, std::vector<std::uint64_t> noted) {
  Counts counts;
  counts.begin();
  for (const std::uint64_t each : kept) counts.note_kept(first_count + each);
  for (const std::uint64_t each : noted) counts.note(first_count + each);
  std::vector<std::uint64_t> ages;
  for (const std::uint64_t each : noted) ages.push_back(counts.age_of(first_count + each));
  return ages;
}
using Ages = std::vector<std::uint64_t>;

TEST(Counts, AreSeenFromTheGreatest) {
  EXPECT_EQ(ages({7}, {7, 6, 4}), (Ages{0, 1, 3}));
  EXPECT_EQ(ages({107}, {107, 106, 104}), (Ages{0, 1, 3}));
}
TEST(Counts, ThatAreFarBelowWhatIsKeptAreSeenAlike) {
  EXPECT_EQ(ages({20}, {20, 10, 9}), (Ages{0, 4, 5}));
  EXPECT_EQ(ages({90}, {90, 10, 9}), (Ages{0, 4, 5}));
}
// Who keeps the lower one may count on until it meets the other.
TEST(Counts, ThatAreAboveWhatIsKeptAreSeenAsFarAsTheyAre) {
  EXPECT_EQ(ages({10, 20}, {20, 10}), (Ages{0, 10}));
  EXPECT_EQ(ages({10, 90}, {90, 10}), (Ages{0, 80}));
  EXPECT_EQ(ages({10, 20}, {20, 10, 2}), (Ages{0, 10, 14}));
}
// Nobody asks how far they are apart, so a gap that may close looks like none.
TEST(Counts, ThatAreOnlyComparedAreSeenByTheirOrder) {
  Counts counts;
  counts.begin(true);
  for (const std::uint64_t each : {20, 10, 2}) counts.note_kept(first_count + each);
  EXPECT_EQ(counts.age_of(first_count + 20), 0u);
  EXPECT_EQ(counts.age_of(first_count + 10), 1u);
  EXPECT_EQ(counts.age_of(first_count + 2), 2u);
}
TEST(Counts, AreNumbersLikeOthersBeforeTheyAreAskedFor) {
  Counts counts;
  counts.note(first_count + 1);
  EXPECT_EQ(counts.seen(first_count + 1), first_count + 1);
  counts.begin();
  counts.note(first_count + 1);
  EXPECT_EQ(counts.seen(7), 7u);
  EXPECT_NE(counts.seen(first_count + 1), first_count + 1);
}
TEST(Counts, SayWhenThereIsNoRoom) {
  Counts counts;
  counts.begin();
  for (std::uint64_t i = 0; i < 32; ++i) counts.note(first_count + i);
  EXPECT_FALSE(counts.is_full());
  counts.note(first_count + 5);
  EXPECT_FALSE(counts.is_full());
  counts.note(first_count + 99);
  EXPECT_TRUE(counts.is_full());
}

}  // namespace
}  // namespace holdfast
