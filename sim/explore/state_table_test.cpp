// Claims about the table of states: it is a set, no matter which threads use it, and however often it grows.
#include "sim/explore/state_table.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <optional>
#include <set>
#include <thread>
#include <vector>

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

RC_GTEST_PROP(StateTable, IsASet, ()) {
  // Few halves, so that digests are alike, and lie beside each other.
  const auto half =
      rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(0, 4), rc::gen::arbitrary<std::uint64_t>(),
                     rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 4), [](auto x) { return ~x; }));
  const auto words = *rc::gen::container<std::vector<std::pair<std::uint64_t, std::uint64_t>>>(
      *rc::gen::inRange(0, 2000), rc::gen::pair(half, half));
  StateTable table(1);
  std::set<Digest> model;
  {
    StateTable::Access access(table);
    for (const auto& [high, low] : words) {
      const Digest digest{high == 0 ? 1 : high, low == 0 ? 1 : low};  // as it is kept
      access.rest();
      RC_ASSERT(access.contains({high, low}) == model.contains(digest));
      RC_ASSERT(access.insert({high, low}) == model.insert(digest).second);
      RC_ASSERT(access.contains({high, low}));
    }
  }
  RC_ASSERT(table.size() == model.size());
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
  constexpr std::uint64_t count = 200'000;
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
  EXPECT_EQ(bytes, 298'817u * 16);
}

TEST(StateTable, GrowsWithoutThreadsThatAreGone) {
  StateTable table(2);
  StateTable::Access stays(table);
  {
    StateTable::Access goes(table);
    for (std::uint64_t i = 0; i < 190; ++i) goes.insert(digest_number(i));
  }
  for (std::uint64_t i = 190; i < 5000; ++i) {
    stays.rest();
    ASSERT_TRUE(stays.insert(digest_number(i)));
  }
  for (std::uint64_t i = 0; i < 5000; ++i) ASSERT_TRUE(stays.contains(digest_number(i)));
}

}  // namespace
}  // namespace holdfast
