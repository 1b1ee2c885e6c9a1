// A mistyped word finds its neighbour, and only its neighbour.
#include "sim/scenario/nearest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace holdfast {
namespace {

using namespace std::string_view_literals;

constexpr std::array words{"pause"sv, "crash"sv, "lost-reply"sv, "ttl"sv, "compare"sv};

TEST(Nearest, OneSwapInsertionDeletionOrReplacementIsOneEdit) {
  EXPECT_EQ(nearest("puase", words), "pause");
  EXPECT_EQ(nearest("crashs", words), "crash");
  EXPECT_EQ(nearest("lost_reply", words), "lost-reply");
  EXPECT_EQ(nearest("comprae", words), "compare");
}

TEST(Nearest, TwoEditsAreForgivenOnlyInWordsOfFiveLettersOrMore) {
  EXPECT_EQ(nearest("lst_reply", words), "lost-reply");
  EXPECT_EQ(nearest("lst_repli", words), std::nullopt);
  EXPECT_EQ(nearest("ttk", words), "ttl");
  EXPECT_EQ(nearest("txk", words), std::nullopt);
}

TEST(Nearest, LetterCaseDoesNotCount) { EXPECT_EQ(nearest("PUASE", words), "pause"); }

TEST(Nearest, OfEqualsTheFirstIsTaken) {
  constexpr std::array twins{"aaaab"sv, "aaaac"sv};
  EXPECT_EQ(nearest("aaaaa", twins), "aaaab");
}

TEST(Nearest, NothingIsNearToNothing) {
  EXPECT_EQ(nearest("", words), std::nullopt);
  EXPECT_EQ(nearest("pause", {}), std::nullopt);
  EXPECT_EQ(nearest(std::string(1u << 20, 'x'), words), std::nullopt);
}

}  // namespace
}  // namespace holdfast
