// Claims of the times that are found in texts and numbers, and of those that are not.
#include "sim/world/dates.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace holdfast {
namespace {

constexpr Instant second_five{5s};

TEST(Dates, AreFoundInEveryFormThatALockWrites) {
  for (const char* const text : {"1700000005", "1700000005000", "1700000005000000", "1700000005.0",
                                 "1700000005.000000", "A1:1700000005", "1600000005000",
                                 "ADDED:2023-11-14T22:13:25.000Z@host-A", "zset A1 1700000005000 B"}) {
    const std::optional<Dated> found = dates_in(text);
    ASSERT_TRUE(found) << text;
    EXPECT_EQ(found->times, std::vector{second_five}) << text;
  }
  EXPECT_EQ(dates_in("1700000005.25")->times.front(), Instant(5250ms));
  EXPECT_EQ(dates_in("1699999999.5")->times.front(), Instant(-500ms));
  EXPECT_EQ(date_of(1'700'000'005'000), second_five);
  EXPECT_EQ(date_of(1'600'000'005'000'000), second_five);
}

TEST(Dates, AreNotFoundInOtherNumbers) {
  for (const char* const text : {"", "5", "4294967296", "170000000", "17000000050", "A1700000005",
                                 "1400000005", "2000000005", "2023-11-14", "2043-11-14T22:13:25.000Z"})
    EXPECT_FALSE(dates_in(text)) << text;
  EXPECT_FALSE(date_of(0));
  EXPECT_FALSE(date_of(-1'700'000'005));
  EXPECT_FALSE(date_of(std::numeric_limits<std::int64_t>::max()));
}

// They may be times in a form that is not known.
TEST(Dates, AreNotDeniedWhereALongNumberStandsAlone) {
  for (const char* const text : {"2000000005", "A1:1700000005000000000", "x 12345678901 y"})
    EXPECT_TRUE(has_long_number(text)) << text;
  for (const char* const text : {"", "123456789", "a1234567890", "da39a3ee1234567890afd8"})
    EXPECT_FALSE(has_long_number(text)) << text;
  EXPECT_FALSE(has_long_number(dates_in("1700000005 1700009005")->text));
}

// What is left of a text says all but when.
TEST(Dates, CountFromTheFirstOneInATextAndKeepItsForm) {
  EXPECT_EQ(dates_in("a 1700000005 b 1700000007")->text, dates_in("a 1700000010 b 1700000012")->text);
  EXPECT_NE(dates_in("a 1700000005 b 1700000007")->text, dates_in("a 1700000005 b 1700000008")->text);
  EXPECT_NE(dates_in("1700000005")->text, dates_in("1700000005000")->text);
  EXPECT_NE(dates_in("1700000005.5")->text, dates_in("1700000005.50")->text);
  EXPECT_NE(dates_in("1700000005x")->text, dates_in("1700000005y")->text);
}

}  // namespace
}  // namespace holdfast
