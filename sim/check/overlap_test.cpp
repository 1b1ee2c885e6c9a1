// mutual-exclusion where overlaps of some length are tolerated.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/check/checker.hpp"
#include "sim/check/story_test.hpp"

namespace holdfast {
namespace {

std::optional<Finding> overlap_beyond(Duration tolerated, const std::string& text) {
  Judge judge({Property::mutual_exclusion}, tolerated);
  for (const Event& event : Story(text).events()) judge.on(event);
  const std::vector<Finding> found = judge.findings();
  return found.empty() ? std::nullopt : std::optional(found.front());
}

TEST(MutualExclusion, AnOverlapIsMeasuredUntilTheFirstOfTheTwoClaimsEnds) {
  const std::string overlap = a_expired_b_holds + "7s; A belief-ends; 9s; B releasing";
  EXPECT_FALSE(overlap_beyond(2s, overlap));
  const std::optional<Finding> finding = overlap_beyond(1999ms, overlap);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->to.value, 8u);
  EXPECT_EQ(
      finding->because,
      "From 5s to 7s both A, granted at 1s, and B, granted at 5s, believed that they held the lock: for "
      "2s, and 1.999s are tolerated; its key expired at 4s.");
  for (const char* const end : {"A releasing", "A crashed", "A finished", "B releasing", "B crashed"})
    EXPECT_TRUE(overlap_beyond(1s, a_expired_b_holds + "7s; " + end)) << end;
}

}  // namespace
}  // namespace holdfast
