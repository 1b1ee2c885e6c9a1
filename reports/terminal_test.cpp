// Layout for terminals: widths, wrapping, and texts that must not reach a terminal as they are.
#include "reports/terminal.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "reports/canvas.hpp"

namespace holdfast::reports {
namespace {

using testing::ElementsAre;

std::string printed(const Terminal& terminal, std::string_view text) {
  std::ostringstream out;
  Page(out, terminal).line(text);
  return out.str();
}

TEST(Terminal, ColumnsCountsCharactersNotBytes) {
  EXPECT_EQ(columns("✘ MO 8"), 6u);
  EXPECT_EQ(columns("⚡"), 2u);
  EXPECT_EQ(columns("名前"), 4u);
  EXPECT_EQ(columns("e\u0301"), 1u);
  EXPECT_EQ(columns(painted(Terminal{.colour = true}, Style::bad, "✘ x")), 3u);
}

TEST(Terminal, PrintableLeavesNothingThatATerminalActsUpon) {
  const Terminal terminal;
  EXPECT_EQ(printable(terminal, "a\x1b[31mb\n\t\x7f"), "a\\x1b[31mb\\x0a\\x09\\x7f");
  EXPECT_EQ(printable(terminal, "\xff\xc0\xaf"), "\\xff\\xc0\\xaf");
  EXPECT_EQ(printable(terminal, "\u202e\u200b"), "\\u{202e}\\u{200b}");
  EXPECT_EQ(printable(terminal, "名前 é"), "名前 é");
  EXPECT_EQ(printable(Terminal{.ascii = true}, "é"), "\\u{e9}");
}

TEST(Terminal, WrappedBreaksAtSpacesAndOnlyThenInsideWords) {
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("abcdefghij", 4), ElementsAre("abcd", "efgh", "ij"));
  EXPECT_THAT(wrapped("", 4), ElementsAre(""));
}

RC_GTEST_PROP(Terminal, WrappedLosesNoLetterAndKeepsTheWidth, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::element('a', 'b', ' '));
  const auto width = *rc::gen::inRange<std::size_t>(1, 20);
  std::string letters;
  for (const std::string& line : wrapped(text, width)) {
    RC_ASSERT(columns(line) <= width);
    letters += line;
  }
  const auto without_spaces = [](std::string it) {
    std::erase(it, ' ');
    return it;
  };
  RC_ASSERT(without_spaces(letters) == without_spaces(text));
}

RC_GTEST_PROP(Terminal, AnyBytesBecomeOneSafeLine, (const std::string& bytes, bool ascii)) {
  const std::string safe = printable(Terminal{.ascii = ascii}, bytes);
  for (const char byte : safe) {
    RC_ASSERT(static_cast<unsigned char>(byte) >= 0x20);
    if (ascii) RC_ASSERT(static_cast<unsigned char>(byte) < 0x7F);
  }
}

TEST(Terminal, LinesEndWithoutSpacesAndAsciiTerminalsGetAscii) {
  EXPECT_EQ(printed(Terminal{}, "✔ a   "), "✔ a\n");
  EXPECT_EQ(printed(Terminal{.ascii = true}, "├─▶│ ✘ ┃ ⚡ …"), "|->| X H !! ...\n");
  EXPECT_EQ(printed(Terminal{}, "M\u00a0x"), "M x\n");
}

TEST(Terminal, ColourIsOnlyForTerminalsThatHaveIt) {
  EXPECT_EQ(painted(Terminal{}, Style::bad, "✘"), "✘");
  EXPECT_EQ(painted(Terminal{.colour = true}, Style::bad, "✘"), "\x1b[31m✘\x1b[0m");
}

TEST(Terminal, NumbersAreGroupedAndCounted) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "step"), "1 step");
  EXPECT_EQ(counted(2000, "step"), "2,000 steps");
}

TEST(Canvas, KeepsACombiningMarkThatBeginsATextInsideItsLine) {
  Canvas line;
  line.put(3, "\u0301x");
  EXPECT_EQ(columns(line.text(Terminal())), 4u);
}

}  // namespace
}  // namespace holdfast::reports
