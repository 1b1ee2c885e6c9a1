// Where time is not dense, a length of Ticks is what std::chrono makes of whole numbers.
#include "sim/core/ticks.hpp"

#include <gtest/gtest.h>

#include "sim/core/units.hpp"

namespace holdfast {
namespace {

TEST(Ticks, BecomeFractionsWhereTheyAreAsked) {
  const Duration length = 1500ms;
  EXPECT_DOUBLE_EQ(std::chrono::duration<double>(length).count(), 1.5);
  EXPECT_DOUBLE_EQ((std::chrono::duration<double, std::milli>(length).count()), 1500);
  EXPECT_DOUBLE_EQ(static_cast<double>(length.count()) * 0.5, 750'000);
  EXPECT_EQ(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(0.25)), 250ms);
  static_assert(std::is_same_v<std::common_type_t<Ticks, double>, double>);
  static_assert(std::is_same_v<std::common_type_t<Ticks, int>, Ticks>);
}

TEST(Ticks, AreRoundedAsWholeNumbersAre) {
  EXPECT_EQ(std::chrono::floor<std::chrono::milliseconds>(Duration(-1)).count(), -1);
  EXPECT_EQ(std::chrono::ceil<std::chrono::seconds>(Duration(1ms)).count(), 1);
  EXPECT_EQ(to_milliticks(Ticks(-1)), MilliTicks(-1));
  EXPECT_EQ(to_milliticks(Ticks(1999)), MilliTicks(1));
  EXPECT_EQ(to_ticks(MilliTicks(-2)), Ticks(-2000));
  EXPECT_EQ(Duration(7s) / 2, 3500ms);
  EXPECT_EQ(Duration(7s) / Duration(2s), 3);
  EXPECT_EQ(Duration(7s) % Duration(2s), 1s);
}

TEST(Ticks, AreComparedAsWholeNumbersAre) {
  EXPECT_LT(Instant(Duration(-1)), Instant());
  EXPECT_LT(Instant(640'000'000h), Instant::max());
  EXPECT_EQ(std::numeric_limits<Ticks>::max(), std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace holdfast
