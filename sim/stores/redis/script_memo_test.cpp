// What is remembered of scripts, and when nothing is.
#include "sim/stores/redis/script_memo.hpp"

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

const Script any_script{"sha", false, false, 1, 1};
const Command key("k");
const WordsView keys = key.argv();

ScriptMemo::Course course(const char* answer) {
  return {{{Command("GET", "k"), ScriptAnswer{Reply::bulk(answer), 0}}}, Reply::integer(1)};
}
Command argument(int number) { return Command(number); }

TEST(ScriptMemo, KnowsWhereAnAnswerLeads) {
  ScriptMemo memo;
  EXPECT_EQ(memo.find(any_script, keys, {}), nullptr);
  memo.note(any_script, keys, {}, course("A1"));
  const ScriptMemo::Node* const begin = memo.find(any_script, keys, {});
  ASSERT_NE(begin, nullptr);
  EXPECT_EQ(begin->call.argv(), (std::vector<std::string>{"GET", "k"}));
  const ScriptMemo::Node* const end = ScriptMemo::after(*begin, {Reply::bulk("A1"), 0});
  ASSERT_NE(end, nullptr);
  EXPECT_TRUE(end->is_end);
  EXPECT_EQ(end->result, Reply::integer(1));
  EXPECT_EQ(ScriptMemo::told_before(*end), (std::vector{ScriptAnswer{Reply::bulk("A1"), 0}}));
  EXPECT_TRUE(ScriptMemo::told_before(*begin).empty());
  EXPECT_EQ(ScriptMemo::after(*begin, {Reply::bulk("B1"), 0}), nullptr);
}

TEST(ScriptMemo, GivesUpWhenNoRunComesAgain) {
  ScriptMemo memo;
  for (int i = 0; i < 1024; ++i) memo.note(any_script, keys, argument(i).argv(), course("A1"));
  EXPECT_FALSE(memo.is_overrun());
  memo.note(any_script, keys, argument(1024).argv(), course("A1"));
  EXPECT_TRUE(memo.is_overrun());
  EXPECT_EQ(memo.find(any_script, keys, argument(0).argv()), nullptr);
}

TEST(ScriptMemo, GoesOnWhenRunsComeAgain) {
  ScriptMemo memo;
  for (int i = 0; i < 4096; ++i) {
    memo.note(any_script, keys, argument(i).argv(), course("A1"));
    EXPECT_NE(memo.find(any_script, keys, argument(i).argv()), nullptr);
  }
  EXPECT_FALSE(memo.is_overrun());
}

}  // namespace
}  // namespace holdfast::redis
