// A mistyped word finds its neighbour, and only its neighbour.
#include "sim/scenario/nearest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace holdfast {
namespace {

using namespace std::string_view_literals;

constexpr std::array known{"pause"sv, "crash"sv, "lost-reply"sv, "ttl"sv, "compare"sv};

TEST(Nearest, OneSwapInsertionDeletionOrReplacementIsOneEdit) {
  EXPECT_EQ(nearest("puase", known), "pause");
  EXPECT_EQ(nearest("crashs", known), "crash");
  EXPECT_EQ(nearest("lost_reply", known), "lost-reply");
  EXPECT_EQ(nearest("comprae", known), "compare");
}

TEST(Nearest, TwoEditsAreForgivenOnlyInWordsOfFiveLettersOrMore) {
  EXPECT_EQ(nearest("lst_reply", known), "lost-reply");
  EXPECT_EQ(nearest("lst_repli", known), std::nullopt);
  EXPECT_EQ(nearest("ttk", known), "ttl");
  EXPECT_EQ(nearest("txk", known), std::nullopt);
}

TEST(Nearest, LetterCaseDoesNotCount) { EXPECT_EQ(nearest("PUASE", known), "pause"); }

TEST(Nearest, OfEqualsTheFirstIsTaken) {
  constexpr std::array twins{"aaaab"sv, "aaaac"sv};
  EXPECT_EQ(nearest("aaaaa", twins), "aaaab");
}

TEST(Nearest, NothingIsNearToNothing) {
  EXPECT_EQ(nearest("", known), std::nullopt);
  EXPECT_EQ(nearest("pause", {}), std::nullopt);
  EXPECT_EQ(nearest(std::string(1u << 20, 'x'), known), std::nullopt);
}

}  // namespace
}  // namespace holdfast
