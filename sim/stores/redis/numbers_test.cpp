// Numbers are written as Redis writes them.
#include "sim/stores/redis/numbers.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

namespace holdfast::redis {
namespace {

// Redis' own way.
std::string as_printf_writes_it(double score) {
  std::array<char, 64> text;
  return std::string(text.data(),
                     static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.17g", score)));
}

TEST(Scores, AtTheEdgesAreWrittenAsPrintfWritesThem) {
  using Limits = std::numeric_limits<double>;
  for (const double score :
       {0.0, -0.0, 1.0, -1.0, 0.1, 1e15 - 1, 1e15, 1e15 + 1, 9007199254740993.0, 1e16, 1e17, 1e22,
        Limits::min(), Limits::max(), Limits::denorm_min(), 1700000000000.0, 1700000000.123}) {
    EXPECT_EQ(score_text(score), as_printf_writes_it(score));
    EXPECT_EQ(score_text(-score), as_printf_writes_it(-score));
  }
  EXPECT_EQ(score_text(-Limits::infinity()), "-inf");
}
RC_GTEST_PROP(Scores, OfAnyBitsAreWrittenAsPrintfWritesThem, (std::uint64_t bits)) {
  const auto score = std::bit_cast<double>(bits);
  RC_PRE(!std::isnan(score));
  RC_ASSERT(std::isinf(score) || score_text(score) == as_printf_writes_it(score));
}
RC_GTEST_PROP(Scores, ThatAreWholeAreWrittenAsPrintfWritesThem, (std::int64_t number)) {
  const auto score = static_cast<double>(number);
  RC_ASSERT(score_text(score) == as_printf_writes_it(score));
}

}  // namespace
}  // namespace holdfast::redis
