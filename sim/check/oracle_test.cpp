// The checkers, which remember little, agree with the definitions, which look at the whole trace.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <map>
#include <vector>

#include "sim/check/chaos_test.hpp"
#include "sim/check/definitions_test.hpp"

namespace holdfast {
namespace {

const Bounds any_world{3, {Mode::exclusive, Mode::shared}, {-1s, 0s, 2s}, false, true, true, true, true};

// Where more of what happens is a grant with a number, or a write. Its runs do not come to an end.
const Bounds numbered_world{2, {Mode::exclusive}, {}, false, true, false};

// Of a semaphore for two.
const Bounds world_of_two{4, {Mode::exclusive, Mode::shared}, {}, false, false, false, true, false, 2};

using Picks = std::vector<int>;

using Seen = std::map<Property, int>;

void compare_with_definitions(const Bounds& world, const Picks& picks, Seen& seen, Seen& seen_of_two) {
  Chaos chaos(world, world.capacity == 1 ? definitions::all : definitions::of_any_number);
  for (const int pick : picks) {
    std::vector<Move> moves = chaos.moves();
    if (&world == &numbered_world)
      std::erase_if(moves, [](const Move& move) { return move.verb == Verb::calm; });
    if (moves.empty()) break;
    chaos.take(moves[static_cast<std::size_t>(pick) % moves.size()]);
  }
  std::map<Property, Step> found;
  for (const Finding& finding : chaos.findings()) {
    found[finding.property] = finding.to;
    RC_ASSERT(finding.from < finding.to);
    RC_ASSERT(!finding.because.empty());
    ++(world.capacity == 1 ? seen : seen_of_two)[finding.property];
  }
  RC_ASSERT(found == definitions::broken_by(chaos.events(), world.capacity));
}

TEST(Checkers, AgreeWithTheDefinitionsOnWhenARandomRunFirstBreaksEachProperty) {
  Seen seen;
  Seen seen_of_two;
  const bool agree = rc::check([&] {
    const auto walk = rc::gen::container<Picks>(60, rc::gen::inRange(0, 1 << 16));
    for (const Picks& picks : *rc::gen::container<std::vector<Picks>>(10, walk))
      for (const Bounds* const world : {&any_world, &numbered_world, &world_of_two})
        compare_with_definitions(*world, picks, seen, seen_of_two);
  });
  EXPECT_TRUE(agree);
  for (std::size_t i = 0; i < property_ids.size(); ++i) {
    const auto property = static_cast<Property>(i);
    if (!definitions::all.contains(property)) continue;
    EXPECT_GE(seen[property], 10) << "too seldom broken to tell anything: " << id_of(property);
    if (!definitions::of_any_number.contains(property)) continue;
    EXPECT_GE(seen_of_two[property], 10) << "of two, too seldom broken: " << id_of(property);
  }
}

}  // namespace
}  // namespace holdfast
