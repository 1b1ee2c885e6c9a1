// Claims about the table of states: it is a set, no matter which threads use it, and however often it grows.
#include "sim/explore/state_table.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "sim/explore/explore.hpp"

namespace holdfast {
namespace {

Digest digest_number(std::uint64_t number) { return mix(Digest{}, number); }

// Inserts these, resting as a search does. How many were new.
std::uint64_t insert_all(StateTable& table, const std::vector<Digest>& digests) {
  StateTable::Access access(table);
  std::uint64_t count = 0;
  for (const Digest& digest : digests) {
    access.rest();
    count += access.insert(digest);
  }
  return count;
}

// Whether a table says of each of these whether it was there, and keeps it.
bool is_a_set(const std::vector<Digest>& digests) {
  StateTable table(1);
  std::set<Digest> model;
  {
    StateTable::Access access(table);
    for (const Digest& digest : digests) {
      const bool is_new = model.insert(StateTable::kept(digest)).second;
      access.rest();
      if (access.contains(digest) == is_new || access.insert(digest) != is_new) return false;
    }
    for (const Digest& digest : digests)
      if (!access.contains(digest)) return false;
  }
  return table.size() == model.size();
}

RC_GTEST_PROP(StateTable, IsASet, ()) {
  // Few halves, so that digests are alike, and lie beside each other.
  const auto half =
      rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(0, 4), rc::gen::arbitrary<std::uint64_t>(),
                     rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 4), [](auto x) { return ~x; }),
                     rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 4), [](auto x) { return x << 56; }));
  std::vector<Digest> digests;
  for (const auto& [high, low] : *rc::gen::container<std::vector<std::pair<std::uint64_t, std::uint64_t>>>(
           *rc::gen::inRange(0, 2000), rc::gen::pair(half, half)))
    digests.push_back({high, low});
  RC_ASSERT(is_a_set(digests));
}

// Lines are full, the last digests have no room near enough, and the table grows over them.
TEST(StateTable, IsASetAlsoWhereDigestsCrowd) {
  for (const std::uint64_t crowded : {std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    std::vector<Digest> digests;
    for (std::uint64_t i = 0; i < 1500; ++i) digests.push_back({i << 56, crowded ^ i >> 2});
    for (std::uint64_t i = 0; i < 200'000; ++i) digests.push_back(digest_number(i));
    EXPECT_TRUE(is_a_set(digests)) << crowded;
  }
}

TEST(StateTable, TellsDigestsApartBy72Bits) {
  StateTable table(1);
  StateTable::Access access(table);
  const Digest digest = digest_number(7);
  EXPECT_TRUE(access.insert(digest));
  for (int bit = 0; bit < 64; ++bit) {
    EXPECT_TRUE(access.insert({digest.high, digest.low ^ std::uint64_t{1} << bit})) << bit;
    EXPECT_EQ(access.insert({digest.high ^ std::uint64_t{1} << bit, digest.low}), bit >= 56) << bit;
  }
}

TEST(Exploration, SaysHowProbableItIsThatAStateWasMissed) {
  EXPECT_EQ(Effort().missed_state_probability(), 0);
  EXPECT_EQ(Effort{.states = std::uint64_t{1} << 30}.missed_state_probability(), std::exp2(60 - 73));
}

TEST(StateTable, TakesAtMostTwelveBytesAState) {
  StateTable table(1);
  StateTable::Access access(table);
  for (std::uint64_t i = 0; i < 2'000'000; ++i) {
    access.rest();
    access.insert(digest_number(i));
    if (i < 150'000 || i % 1000 != 0) continue;
    access.report();
    ASSERT_LE(table.bytes(), 12 * table.size()) << i;
  }
}

TEST(StateTable, LosesNothingWhileItGrows) {
  constexpr std::uint64_t count = 300'000;
  StateTable table(1);
  StateTable::Access access(table);
  for (std::uint64_t i = 0; i < count; ++i) {
    access.rest();
    ASSERT_TRUE(access.insert(digest_number(i)));
  }
  for (std::uint64_t i = 0; i < count; ++i) ASSERT_TRUE(access.contains(digest_number(i)));
  for (std::uint64_t i = count; i < 2 * count; ++i) ASSERT_FALSE(access.contains(digest_number(i)));
}

TEST(StateTable, IsTheSameForAnyNumberOfThreads) {
  constexpr std::uint64_t count = 600'000;
  std::vector<Digest> digests;
  for (std::uint64_t i = 0; i < count; ++i) digests.push_back(digest_number(i));
  std::optional<std::uint64_t> bytes;
  for (const unsigned threads : {1u, 2u, 5u}) {
    StateTable table(threads);
    std::vector<std::uint64_t> fresh(threads);
    std::vector<std::thread> crew;
    for (unsigned i = 0; i < threads; ++i)
      crew.emplace_back([&, i] {
        std::vector<Digest> mine = digests;  // all of them, from another place on
        std::rotate(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(i * count / threads / 2),
                    mine.end());
        fresh[i] = insert_all(table, mine);
      });
    for (std::thread& each : crew) each.join();
    std::uint64_t total = 0;
    for (const std::uint64_t each : fresh) total += each;
    EXPECT_EQ(total, count) << threads;
    EXPECT_EQ(table.size(), count) << threads;
    EXPECT_EQ(bytes.value_or(table.bytes()), table.bytes()) << threads;
    bytes = table.bytes();
    EXPECT_EQ(insert_all(table, digests), 0u) << threads;
  }
  EXPECT_LE(bytes, 12 * count);
}

TEST(StateTable, GrowsWithoutThreadsThatAreGone) {
  StateTable table(2);
  StateTable::Access stays(table);
  {
    StateTable::Access goes(table);
    for (std::uint64_t i = 0; i < 100'000; ++i) {
      goes.insert(digest_number(i));
    }
  }
  for (std::uint64_t i = 100'000; i < 400'000; ++i) {
    stays.rest();
    ASSERT_TRUE(stays.insert(digest_number(i)));
  }
  for (std::uint64_t i = 0; i < 400'000; ++i) ASSERT_TRUE(stays.contains(digest_number(i)));
}

}  // namespace
}  // namespace holdfast
