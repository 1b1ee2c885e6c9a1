// What the output may contain: how wide it is, whether it has colour, whether it is limited to ASCII.
// Everything is laid out in Unicode glyphs; where asked, Page swaps each for ASCII of the same width.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::reports {

struct Terminal {
  std::size_t width = 100;  // columns
  bool colour = false;
  bool ascii = false;
  bool brief = false;  // somebody looks at it: what only programs and authors of holdfast need is left out
};
// A space at which no line is broken (U+00A0); printed as an ordinary one.
inline constexpr std::string_view no_break = "\u00a0";
// Narrower terminals are served as if they were this wide; they wrap by themselves.
inline constexpr std::size_t width_min = 40;

// A meaning, not a colour. What is painted also has a glyph or a word.
enum class Style : std::uint8_t { good, bad, doubtful, faint, strong };

// `text` in the colour of `style`; unchanged on a terminal without colour.
std::string painted(const Terminal& terminal, Style style, std::string_view text);

// How many columns a terminal gives to `text`. REQUIRES: UTF-8. Colour takes none.
std::size_t columns(std::string_view text);

// Text of others (keys, tokens, error replies, names in files), made safe to print on one line: control
// characters, marks that change the direction of writing, and bytes that are not UTF-8 are written as \x1b or
// \u{202e}; on an ASCII terminal, so is everything that is not ASCII.
std::string printable(const Terminal& terminal, std::string_view text);

// Of ASCII letters.
std::string in_small_letters(std::string_view text);
// Only ASCII letters and digits, in small: "redis_py" and "Redis-Py" are the same name.
std::string in_plain_letters(std::string_view text);
// The text, followed by spaces up to `width` columns.
std::string padded(std::string_view text, std::size_t width);
std::string repeated(std::string_view glyph, std::size_t times);

// Lines of at most `width` columns. Breaks at spaces; a word that is wider than a line is broken, never cut
// off.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// "1 lock", "2 locks".
std::string counted(std::uint64_t number, std::string_view noun);
// "1,234,567".
std::string grouped(std::uint64_t number);

// Writes lines without trailing spaces, in the characters that the terminal allows.
class Page {
 public:
  Page(std::ostream& out, const Terminal& terminal) : out_(out), terminal_(terminal) {}
  const Terminal& terminal() const { return terminal_; }
  void line(std::string_view text = {});
  // `first`, then `text` wrapped to the width, its further lines indented to where it began.
  void paragraph(std::string_view first, std::string_view text);

 private:
  std::ostream& out_;
  Terminal terminal_;
};

}  // namespace holdfast::reports
