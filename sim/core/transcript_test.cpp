// Lines of upstream are found again where they stand and where they have moved to, and missed where they
// changed.
#include "sim/core/transcript.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

constexpr std::string_view text = "one\n  two  three\n\n\tfour\nfive";

TEST(Transcript, GapsAndIndentationDoNotCount) {
  EXPECT_EQ(digest_of_lines(text, 2, 4), digest_of_lines("two three\nfour", 1, 2));
  EXPECT_NE(digest_of_lines(text, 2, 4), digest_of_lines("two three\nfours", 1, 2));
  EXPECT_NE(digest_of_lines("ab c", 1, 1), digest_of_lines("a bc", 1, 1));
  EXPECT_EQ(digest_of_lines(text, 5, 5).size(), 16u);
}

TEST(Transcript, OfAWholeTextIsThatOfAllItsLines) {
  EXPECT_EQ(digest_of_text(text), digest_of_lines(text, 1, 5));
  EXPECT_NE(digest_of_text(text), digest_of_text(std::string(text) + "\nsix"));
}

TEST(Transcript, LinesThatAreNotThereHaveNoDigest) {
  EXPECT_EQ(digest_of_lines(text, 0, 1), "");
  EXPECT_EQ(digest_of_lines(text, 5, 6), "");
  EXPECT_EQ(digest_of_lines(text, 3, 2), "");
}

TEST(Transcript, IsFoundWhereItStandsAndWhereItHasMovedTo) {
  const std::string digest = digest_of_lines(text, 2, 4);
  EXPECT_EQ(find_excerpt(text, {"file", 2, 4, digest}), 2u);
  EXPECT_EQ(find_excerpt("zero\n" + std::string(text), {"file", 2, 4, digest}), 3u);
  EXPECT_EQ(find_excerpt("one\ntwo four\nfive", {"file", 2, 4, digest}), std::nullopt);
}

}  // namespace
}  // namespace holdfast
