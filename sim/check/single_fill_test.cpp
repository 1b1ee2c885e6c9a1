// What single-fill says when the backend is asked twice.
#include <gtest/gtest.h>

#include "sim/check/story_test.hpp"

namespace holdfast {
namespace {

TEST(SingleFill, OneFetchIsEnoughThoughItWasNotStored) {
  Judge judge({Property::single_fill});
  for (const Event& event : Story(a_holds + "A fetches; A releasing; A removes; A released; 3s; B acquiring; "
                                            "B creates; B granted; B fetches")
                                .events())
    judge.on(event);
  ASSERT_EQ(judge.findings().size(), 1u);
  EXPECT_EQ(judge.findings().front().because,
            "At 3s B asked the backend for what A had asked it for at 1s.");
}

}  // namespace
}  // namespace holdfast
