// Runs whose digests are equal have equal futures, in any world whatsoever.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "sim/check/chaos_test.hpp"
#include "sim/core/arena.hpp"

namespace holdfast {
namespace {

// --- every short run ---

using Path = std::vector<Move>;

std::unique_ptr<Chaos> after(const Bounds& bounds, PropertySet properties, const Path& path) {
  auto chaos = std::make_unique<Chaos>(bounds, properties);
  for (const Move& move : path) chaos->take(move);
  return chaos;
}

// What every next move leads to.
Digest future_after(const Bounds& bounds, PropertySet properties, const Path& path,
                    const std::vector<Move>& moves) {
  Digester future;
  for (const Move& move : moves) {
    const auto chaos = after(bounds, properties, path);
    chaos->take(move);
    future.add(chaos->digest());
    future.add(chaos->violated().bits());
  }
  return future.finish();
}

struct Explored {
  std::uint64_t states = 0;
  std::uint64_t merged = 0;   // other ways to a state that was known already
  std::uint64_t unsound = 0;  // of these, those with another future
};

// Every way to every state, up to `depth` moves. Ways that meet agree on what every next move leads to:
// violations and digest. Hence they agree on every future within the depth.
Explored explore(const Bounds& bounds, PropertySet properties, std::uint32_t depth) {
  Explored explored;
  std::map<Digest, Digest> futures;
  std::vector<Path> frontier{{}};
  for (std::uint32_t length = 0; length <= depth; ++length) {
    std::vector<Path> next;
    for (const Path& path : frontier) {
      const auto chaos = after(bounds, properties, path);
      const std::vector<Move> moves = chaos->moves();
      const Digest future = future_after(bounds, properties, path, moves);
      const auto [known, is_new] = futures.try_emplace(chaos->digest(), future);
      explored.states += is_new;
      explored.merged += !is_new;
      explored.unsound += known->second != future;
      if (!is_new || length == depth) continue;
      for (const Move& move : moves) {
        next.push_back(path);
        next.back().push_back(move);
      }
    }
    frontier = std::move(next);
  }
  return explored;
}

const Bounds with_leases{2, {Mode::exclusive}, {-1s, 0s}};
const Bounds with_modes{2, {Mode::exclusive, Mode::shared}, {}};
const Bounds with_resource{2, {Mode::exclusive}, {}, true, true, true};
const Bounds with_calm{2, {Mode::exclusive}, {}, true, false, false, true};
// Of a semaphore for two.
const Bounds with_two{3, {Mode::exclusive, Mode::shared}, {}, true, false, false, false, false, 2};
const Bounds with_faults{2, {Mode::exclusive}, {-1s, 0s}, true, false, false, false, true};

// Sanitizer builds are slow, and look at memory, not for futures: what the last moves use, others have used.
const std::uint32_t less = Arena::is_available() ? 0 : 1;

TEST(JudgeDigest, IsSoundForEveryShortRunWithLeases) {
  const Explored explored = explore(with_leases, six, 7 - less);
  EXPECT_EQ(explored.unsound, 0u);
  EXPECT_GT(explored.merged, explored.states);
  if (less > 0) return;
  EXPECT_EQ(explored.states, 7890u);
  EXPECT_EQ(explored.merged, 32159u);
}

TEST(JudgeDigest, IsSoundForEveryShortRunWithModes) {
  const Explored explored = explore(with_modes, six, 7 - less);
  EXPECT_EQ(explored.unsound, 0u);
  EXPECT_GT(explored.merged, explored.states);
  if (less > 0) return;
  EXPECT_EQ(explored.states, 8923u);
  EXPECT_EQ(explored.merged, 36243u);
}

// What a property needs is not hidden by what another happens to need.
TEST(JudgeDigest, IsSoundForEveryPropertyAlone) {
  for (const std::unique_ptr<Checker>& checker : checkers::make_all()) {
    const PropertySet alone{checker->property()};
    EXPECT_EQ(explore(with_leases, alone, 6 - 2 * less).unsound, 0u) << id_of(checker->property());
    EXPECT_EQ(explore(with_modes, alone, 6 - 2 * less).unsound, 0u) << id_of(checker->property());
    EXPECT_EQ(explore(with_resource, alone, 5 - less).unsound, 0u) << id_of(checker->property());
    EXPECT_EQ(explore(with_calm, alone, 5 - less).unsound, 0u) << id_of(checker->property());
  }
}

// Two clients are granted, one reads, the other writes: five moves; what follows tells states apart.
TEST(JudgeDigest, IsSoundForTheResource) {
  for (const Property property : {Property::no_stale_write, Property::no_lost_update, Property::fenced_writes,
                                  Property::fence_order, Property::rightful_write})
    EXPECT_EQ(explore(with_resource, {property}, 7 - less).unsound, 0u) << id_of(property);
}

TEST(JudgeDigest, IsSoundForCallsThatFaultsStrike) {
  EXPECT_EQ(explore(with_faults, {Property::release_frees}, 6 - less).unsound, 0u);
}

TEST(JudgeDigest, IsSoundForWhoCountsHolders) {
  EXPECT_EQ(explore(with_two, {Property::mutual_exclusion}, 6 - less).unsound, 0u);
}

// --- long random runs ---

const Bounds with_everything{3, {Mode::exclusive, Mode::shared}, {-1s, 0s, 2s}, true, true, true, true, true};

// As many moves as there are picks; fewer if the run ends before.
Path walk(PropertySet properties, const std::vector<int>& picks) {
  Chaos chaos(with_everything, properties);
  Path path;
  for (const int pick : picks) {
    const std::vector<Move> moves = chaos.moves();
    if (moves.empty()) break;
    path.push_back(moves[static_cast<std::size_t>(pick) % moves.size()]);
    chaos.take(path.back());
  }
  return path;
}

bool is_possible(PropertySet properties, const Path& path) {
  Chaos chaos(with_everything, properties);
  for (const Move& move : path) {
    const std::vector<Move> moves = chaos.moves();
    if (std::find(moves.begin(), moves.end(), move) == moves.end()) return false;
    chaos.take(move);
  }
  return true;
}

// The same run with one move left out, or with two moves exchanged.
std::vector<Path> neighbours(const Path& path) {
  std::vector<Path> found;
  for (std::size_t i = 0; i < path.size(); ++i) {
    found.push_back(path);
    found.back().erase(found.back().begin() + static_cast<std::ptrdiff_t>(i));
    if (i == 0) continue;
    found.push_back(path);
    std::swap(found.back()[i - 1], found.back()[i]);
  }
  return found;
}

// After two runs with equal digests, the same picks lead to the same violations and digests for ever.
void check_equal_futures(PropertySet properties, const Path& one, const Path& other,
                         const std::vector<int>& picks) {
  const auto left = after(with_everything, properties, one);
  const auto right = after(with_everything, properties, other);
  for (const int pick : picks) {
    const std::vector<Move> moves = left->moves();
    RC_ASSERT(moves == right->moves());
    if (moves.empty()) break;
    left->take(moves[static_cast<std::size_t>(pick) % moves.size()]);
    right->take(moves[static_cast<std::size_t>(pick) % moves.size()]);
    RC_ASSERT(left->violated() == right->violated());
    RC_ASSERT(left->digest() == right->digest());
  }
}

TEST(JudgeDigest, IsSoundForLongRandomRuns) {
  std::uint64_t compared = 0;
  const bool is_sound = rc::check([&] {
    const auto picks = [](std::size_t count) {
      return rc::gen::container<std::vector<int>>(count, rc::gen::inRange(0, 1 << 16));
    };
    PropertySet properties = checkers::all();
    const int count = static_cast<int>(property_ids.size());
    if (const int one = *rc::gen::inRange(0, count + 1); one < count)
      properties = {static_cast<Property>(one)};
    const Path path = walk(properties, *picks(20));
    const std::vector<int> suffix = *picks(20);
    const Digest digest = after(with_everything, properties, path)->digest();
    for (const Path& neighbour : neighbours(path)) {
      if (!is_possible(properties, neighbour)) continue;
      if (after(with_everything, properties, neighbour)->digest() != digest) continue;
      check_equal_futures(properties, path, neighbour, suffix);
      ++compared;
    }
  });
  EXPECT_TRUE(is_sound);
  EXPECT_GT(compared, 300u);
}

}  // namespace
}  // namespace holdfast
