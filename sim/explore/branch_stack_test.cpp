// Claims about the open branches of a search: they come back as they were given, the last one first, also
// after they were written and read; and those of one long way take the room of that way.
#include "sim/explore/branch_stack.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "sim/trace/digest.hpp"

namespace holdfast {
namespace {

using Picks = std::vector<std::uint8_t>;

bool are_same(const Branch& one, const Branch& other) {
  return one.picks == other.picks && one.steps == other.steps && one.arrival == other.arrival;
}

TEST(BranchStack, GivesBackWhatItWasGivenLastInFirstOut) {
  std::uint64_t chance = 1;
  const auto draw = [&](std::uint64_t most) { return (chance = mix(Digest{}, chance).low) % most; };
  BranchStack stack;
  std::vector<Branch> expected;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    switch (draw(5)) {
      case 0: {
        Branch branch{Picks(draw(9)), i, i % 2 == 0 ? "somewhere" : ""};
        for (std::uint8_t& pick : branch.picks) pick = static_cast<std::uint8_t>(draw(2));
        expected.push_back(branch);
        stack.push(branch);
        break;
      }
      case 1: {
        const Picks top = expected.empty() ? Picks() : expected.back().picks;
        const auto shared = static_cast<std::uint32_t>(draw(top.size() + 1));
        const Picks rest(draw(4), 7);
        expected.push_back({{top.begin(), top.begin() + shared}, i});
        expected.back().picks.insert(expected.back().picks.end(), rest.begin(), rest.end());
        stack.push(shared, rest, i);
        break;
      }
      case 2: {
        BranchStack above;
        for (std::uint64_t left = draw(3); left > 0; --left) {
          above.push(Branch{Picks(left, 1), i});
          expected.push_back({Picks(left, 1), i});
        }
        stack.push(std::move(above));
        break;
      }
      default:
        ASSERT_EQ(stack.size(), expected.size());
        if (expected.empty()) break;
        ASSERT_TRUE(are_same(stack.pop(), expected.back()));
        expected.pop_back();
    }
  }
}

TEST(BranchStack, OfOneLongWayIsWrittenInTheRoomOfThatWay) {
  constexpr std::uint32_t steps = 100'000;
  BranchStack stack;
  for (std::uint32_t at = 0; at < steps; ++at) stack.push(at == 0 ? 0 : at - 1, Picks{0, 1}, at);
  std::stringstream file;
  stack.write(file);
  EXPECT_LT(file.str().size(), 20 * steps);
  BranchStack read;
  read.push(Branch{{1, 2, 3}, 4});
  read.read(file);
  ASSERT_EQ(read.size(), steps);
  for (std::uint32_t left = steps; left > 0; --left) ASSERT_TRUE(are_same(read.pop(), stack.pop()));
  EXPECT_TRUE(read.empty());
}

TEST(BranchStack, ThatIsCutShortIsRefused) {
  BranchStack stack;
  for (std::uint32_t at = 0; at < 5; ++at) stack.push(Branch{Picks(at), at});
  std::ostringstream file;
  stack.write(file);
  for (std::size_t size = 0; size < file.str().size(); ++size) {
    std::istringstream cut(file.str().substr(0, size));
    EXPECT_THROW(BranchStack().read(cut), BadCheckpoint) << size;
  }
}

}  // namespace
}  // namespace holdfast
