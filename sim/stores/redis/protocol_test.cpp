// Claims about what is sent to a server and what it answers.
#include "sim/stores/redis/protocol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

TEST(Protocol, TakesWholeCommandsOnly) {
  std::string_view bytes = "*2\r\n$3\r\nGET\r\n$3\r\na\r\n";
  EXPECT_EQ(take_command(bytes), std::nullopt);
  bytes = "*2\r\n$3\r\nGET\r\n$3\r\na\r\n\r\nPING\r\n*1";
  EXPECT_THAT(take_command(bytes), testing::Optional(testing::ElementsAre("GET", "a\r\n")));
  EXPECT_THAT(take_command(bytes), testing::Optional(testing::ElementsAre("PING")));
  EXPECT_EQ(take_command(bytes), std::nullopt);
}
TEST(Protocol, RefusesWhatIsNoCommandAndWhatIsTooLarge) {
  const std::string long_line(100'000, 'x');
  for (const std::string& text :
       {std::string("*x\r\n"), std::string("*1\r\n:3\r\nGET\r\n"), std::string("*18446744073709551615\r\n"),
        std::string("*1\r\n$18446744073709551614\r\nGET\r\n"), std::string("*-1\r\n"), long_line,
        "*1\r\n$" + long_line}) {
    std::string_view bytes = text;
    EXPECT_THROW(take_command(bytes), NoCommand) << text.substr(0, 40);
  }
}
TEST(Protocol, WritesNilAsTheProtocolOfTheClientHasIt) {
  const Reply nil_in_array = Reply::array({Reply::nil(), Reply::integer(1)});
  EXPECT_EQ(in_protocol(nil_in_array, 2), "*2\r\n$-1\r\n:1\r\n");
  EXPECT_EQ(in_protocol(nil_in_array, 3), "*2\r\n_\r\n:1\r\n");
}
TEST(Protocol, AnswersGreetingsAndNothingElse) {
  int version = 2;
  EXPECT_THAT(answer_to_greeting({"hello", "3"}, version), testing::Optional(testing::StartsWith("%7\r\n")));
  EXPECT_EQ(version, 3);
  EXPECT_EQ(answer_to_greeting({"SELECT", "0"}, version), "+OK\r\n");
  EXPECT_EQ(answer_to_greeting({"GET", "a"}, version), std::nullopt);
}
// A lock may do one thing or the other by what it learns: what is made up would be a verdict of another.
TEST(Protocol, AnswersNoQuestionAsIfItWereAGreeting) {
  int version = 2;
  EXPECT_EQ(answer_to_greeting({"COMMAND"}, version), "*0\r\n");
  EXPECT_THAT(answer_to_greeting({"INFO"}, version), testing::Optional(testing::HasSubstr("role:master")));
  EXPECT_THAT(answer_to_greeting({"info", "server"}, version),
              testing::Optional(testing::HasSubstr("redis_version:7.0.15")));
  for (const char* const question : {"COMMAND INFO GETDEL", "COMMAND COUNT", "CLIENT ID", "CLIENT GETNAME",
                                     "INFO keyspace", "INFO server clients"}) {
    const std::string line = question + std::string("\r\n");
    std::string_view bytes = line;
    EXPECT_EQ(answer_to_greeting(*take_command(bytes), version), std::nullopt) << question;
  }
}

}  // namespace
}  // namespace holdfast::redis
