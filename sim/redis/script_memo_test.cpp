// What is remembered of scripts, and when nothing is.
#include "sim/redis/script_memo.hpp"

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

const Script script{"sha", false, false, 1, 1};
const std::vector<std::string> keys{"k"};

ScriptMemo::Course course(const char* answer) {
  return {{{{"GET", "k"}, ScriptAnswer{Reply::bulk(answer), 0}}}, Reply::integer(1)};
}
std::vector<std::string> argument(int number) { return {std::to_string(number)}; }

TEST(ScriptMemo, KnowsWhereAnAnswerLeads) {
  ScriptMemo memo;
  EXPECT_EQ(memo.find(script, keys, {}), nullptr);
  memo.note(script, keys, {}, course("A1"));
  const ScriptMemo::Node* const begin = memo.find(script, keys, {});
  ASSERT_NE(begin, nullptr);
  EXPECT_EQ(begin->call, (std::vector<std::string>{"GET", "k"}));
  const ScriptMemo::Node* const end = ScriptMemo::after(*begin, {Reply::bulk("A1"), 0});
  ASSERT_NE(end, nullptr);
  EXPECT_TRUE(end->is_end);
  EXPECT_EQ(end->result, Reply::integer(1));
  EXPECT_EQ(ScriptMemo::after(*begin, {Reply::bulk("B1"), 0}), nullptr);
}

TEST(ScriptMemo, GivesUpWhenNoRunComesAgain) {
  ScriptMemo memo;
  for (int i = 0; i < 1024; ++i) memo.note(script, keys, argument(i), course("A1"));
  EXPECT_FALSE(memo.is_overrun());
  memo.note(script, keys, argument(1024), course("A1"));
  EXPECT_TRUE(memo.is_overrun());
  EXPECT_EQ(memo.find(script, keys, argument(0)), nullptr);
}

TEST(ScriptMemo, GoesOnWhenRunsComeAgain) {
  ScriptMemo memo;
  for (int i = 0; i < 4096; ++i) {
    memo.note(script, keys, argument(i), course("A1"));
    EXPECT_NE(memo.find(script, keys, argument(i)), nullptr);
  }
  EXPECT_FALSE(memo.is_overrun());
}

}  // namespace
}  // namespace holdfast::redis
