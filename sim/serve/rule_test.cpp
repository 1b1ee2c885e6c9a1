// Claims about the words of rules.
#include "sim/serve/rule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace holdfast::serve {
namespace {

using testing::HasSubstr;

TEST(Rule, IsWrittenAsItIsRead) {
  for (const char* text :
       {"restart", "late-reply 500ms of SET every 3", "lost-reply of EVALSHA with \"my lock*\" once",
        "partition 2s one in 10", "eviction with job:* once", "server-clock-jump 1s of TIME"})
    EXPECT_EQ(text_of(parse_rule(text)), text);
  EXPECT_EQ(text_of(parse_rule("lost-request once of set with 'a'")), "lost-request of SET with a once");
}
TEST(Rule, ConcernsTheCommandAndTheWordThatItNames) {
  const Rule any = parse_rule("restart");
  EXPECT_TRUE(any.concerns({"PING"}));
  const Rule rule = parse_rule("lost-reply of SET with job*");
  EXPECT_TRUE(rule.concerns({"set", "job:1", "x"}));
  EXPECT_TRUE(rule.concerns({"SET", "a", "jobs"}));
  EXPECT_FALSE(rule.concerns({"SET", "a", "x"}));
  EXPECT_FALSE(rule.concerns({"GET", "job:1"}));
}
TEST(Rule, SaysInOneLineWhatItCannotBe) {
  const auto complaint_of = [](const char* text) -> std::string {
    try {
      parse_rule(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no complaint";
  };
  EXPECT_THAT(complaint_of("lost-replay"), HasSubstr("did you mean \"lost-reply\"?"));
  EXPECT_THAT(complaint_of("pause 1s"), HasSubstr("\"pause\" is none of"));
  EXPECT_THAT(complaint_of(""), HasSubstr("begins with one of"));
  EXPECT_THAT(complaint_of("late-reply of SET"), HasSubstr("after late-reply comes a time"));
  EXPECT_THAT(complaint_of("restart onec"), HasSubstr("did you mean \"once\"?"));
  EXPECT_THAT(complaint_of("restart every 0"), HasSubstr("a number from 1, not \"0\""));
  EXPECT_THAT(complaint_of("restart one of 3"), HasSubstr("after \"one\" comes \"in\""));
  EXPECT_THAT(complaint_of("restart of"), HasSubstr("something must come after \"of\""));
  EXPECT_THAT(complaint_of("restart with 'a"), HasSubstr("a quote is not closed"));
}

}  // namespace
}  // namespace holdfast::serve
