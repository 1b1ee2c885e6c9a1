// The marathon's first steps: seconds of what the nightly target does for a million runs.
#include "bench/marathon.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include "sim/core/arena.hpp"

namespace holdfast::bench {
namespace {

TEST(Marathon, NothingThatMustNeverHappenHappens) {
  const bool is_fast = Arena::is_available();
  const Marathon done = run_marathon(is_fast ? 2'000 : 400, 7, is_fast ? 5'000 : 0);
  EXPECT_THAT(done.complaints, testing::IsEmpty());
  EXPECT_GE(done.runs, is_fast ? 2'000u : 400u);
  EXPECT_GT(done.repeated, 40u);
  EXPECT_GT(done.replayed, 100u);
  if (is_fast) {
    EXPECT_GT(done.confirmed, 100u);
  }
}

}  // namespace
}  // namespace holdfast::bench
