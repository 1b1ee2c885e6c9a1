// A command keeps its words as they were given, however they were given.
#include "sim/core/command.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

using Texts = std::vector<std::string>;

TEST(Command, TakesTextsAndNumbers) {
  const std::string bytes("a\0b\r\n", 5);
  const Command command("SET", bytes, "", std::string_view("v"), 'a', true, std::uint8_t{200});
  EXPECT_EQ(command.argv(), (Texts{"SET", bytes, "", "v", "97", "1", "200"}));
  const Command ends(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(ends.argv(), (Texts{"-9223372036854775808", "18446744073709551615"}));
  EXPECT_EQ(Command().argv(), Texts());
  EXPECT_EQ(Command({"GET", "k"}).argv(), (Texts{"GET", "k"}));
  EXPECT_EQ(Command(Texts()).argv(), Texts());
  EXPECT_EQ(Command(Texts{"GET", bytes}).argv(), (Texts{"GET", bytes}));
  EXPECT_EQ(Command(command.argv().first(2)).argv(), (Texts{"SET", bytes}));
}

TEST(Command, GrowsAsWordsAreAdded) {
  Command command;
  Texts wanted;
  for (int i = 0; i < 1000; ++i) {
    const std::string word(static_cast<std::size_t>(i * i % 50), static_cast<char>('a' + i % 26));
    command.add(word).add(i);
    wanted.push_back(word);
    wanted.push_back(std::to_string(i));
  }
  EXPECT_EQ(command.argv(), wanted);
  command.clear();
  EXPECT_TRUE(command.argv().empty());
  EXPECT_EQ(command.add("again").argv(), Texts{"again"});
}

TEST(Command, TakesItsOwnWords) {
  Command command("word");
  Texts wanted{"word"};
  for (int i = 0; i < 100; ++i) {
    command.add(command.argv().back());
    wanted.emplace_back("word");
  }
  EXPECT_EQ(command.argv(), wanted);
}

TEST(Command, IsCopiedAndMoved) {
  Command command("GET", "key");
  Command copy(command);
  copy.add("more");
  EXPECT_EQ(command, Command("GET", "key"));
  EXPECT_FALSE(copy == command);
  command = std::move(copy);
  EXPECT_EQ(command.argv(), (Texts{"GET", "key", "more"}));
  const Command none;
  command = none;
  EXPECT_TRUE(command.argv().empty());
  EXPECT_EQ(sizeof(Command), sizeof(void*));
}

TEST(Command, ShowsItsWords) {
  const Command command("EVAL", "script", 1, "key", "value");
  const WordsView words = command.argv();
  EXPECT_EQ(words.size(), 5u);
  EXPECT_EQ(words.bytes(), 19u);
  EXPECT_EQ(words.front(), "EVAL");
  EXPECT_EQ(words.back(), "value");
  EXPECT_EQ(words[3], "key");
  EXPECT_EQ(words.subspan(3), (Texts{"key", "value"}));
  EXPECT_EQ(words.subspan(3).bytes(), 8u);
  EXPECT_EQ(words.subspan(1).first(2), (Texts{"script", "1"}));
  EXPECT_TRUE(words.subspan(5).empty());
  const Texts copy = words;
  EXPECT_EQ(copy, (Texts{"EVAL", "script", "1", "key", "value"}));
  for (const std::string_view word : words) EXPECT_EQ(word.data()[word.size()], '\0');
}

}  // namespace
}  // namespace holdfast
