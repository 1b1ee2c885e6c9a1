#include "reports/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace holdfast::reports {
namespace {

struct Decoded {
  char32_t point = 0;
  std::size_t size = 1;   // bytes
  bool is_valid = false;  // well-formed UTF-8 (RFC 3629): shortest form, no surrogates
};

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return {};
  char32_t point = lead & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    point = point << 6 | (byte(i) & 0x3Fu);
  }
  const char32_t smallest = size == 4 ? 0x10000 : size == 3 ? 0x800 : 0x80;
  if (point < smallest || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return {};
  return {point, size, true};
}

struct Range {
  char32_t first, last;
};
bool is_in(const auto& ranges, char32_t point) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](Range r) { return r.first <= point && point <= r.last; });
}
// Unicode Standard Annex 11 (East Asian width W and F), the blocks that matter.
constexpr std::array wide{Range{0x1100, 0x115F},  Range{0x26A1, 0x26A1}, Range{0x2E80, 0xA4CF},
                          Range{0xAC00, 0xD7A3},  Range{0xF900, 0xFAFF}, Range{0xFE30, 0xFE6F},
                          Range{0xFF00, 0xFF60},  Range{0xFFE0, 0xFFE6}, Range{0x1F300, 0x1FAFF},
                          Range{0x20000, 0x3FFFD}};
constexpr std::array combining{Range{0x300, 0x36F}, Range{0x200B, 0x200D}, Range{0xFE00, 0xFE0F}};
// Control characters, and those that reorder or hide what surrounds them.
constexpr std::array unprintable{Range{0, 0x1F},         Range{0x7F, 0x9F},     Range{0x200B, 0x200F},
                                 Range{0x2028, 0x202E},  Range{0x2060, 0x206F}, Range{0xFEFF, 0xFEFF},
                                 Range{0xE0000, 0xE0FFF}};

// Glyphs of drawings become as many columns as they had, so that what was laid out stays laid out; the last
// few occur only in prose, which is wrapped afterwards.
constexpr std::array<std::pair<std::string_view, std::string_view>, 36> ascii_glyphs{{
    {"◐", "~"},   {"✔", "+"},  {"✘", "X"},   {"○", "o"}, {"·", "."},      {"∅", "0"},
    {"│", "|"},   {"┃", "H"},  {"┆", ":"},   {"┇", "!"}, {"├", "|"},      {"┤", "|"},
    {"┠", "H"},   {"┨", "H"},  {"─", "-"},   {"┄", "."}, {"▶", ">"},      {"◀", "<"},
    {"✕", "x"},   {"◆", "*"},  {"●", "o"},   {"█", "#"}, {"▓", "%"},      {"▲", "^"},
    {"×", "x"},   {"–", "-"},  {"⚡", "!!"}, {"┼", "+"}, {no_break, " "}, {"→", "->"},
    {"…", "..."}, {"≤", "<="}, {"≥", ">="},  {"—", "-"}, {"“", "\""},     {"”", "\""},
}};

std::string in_ascii(std::string_view text) {
  std::string ascii;
  while (!text.empty()) {
    const Decoded next = decode(text);
    const std::string_view glyph = text.substr(0, next.size);
    const auto known = std::find_if(ascii_glyphs.begin(), ascii_glyphs.end(),
                                    [&](const auto& pair) { return pair.first == glyph; });
    ascii += next.is_valid && next.point < 0x80 ? glyph : known != ascii_glyphs.end() ? known->second : "?";
    text.remove_prefix(next.size);
  }
  return ascii;
}

// The number of bytes of a colour sequence at the start of `text`; 0 when there is none.
std::size_t colour_at(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find('m');
  return end == std::string_view::npos ? 0 : end + 1;
}

}  // namespace

std::string painted(const Terminal& terminal, Style style, std::string_view text) {
  if (!terminal.colour) return std::string(text);
  // ECMA-48, SGR: 32 green, 31 red, 33 yellow, 2 faint, 1 bold.
  constexpr std::array codes{"32", "31", "33", "2", "1"};
  return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<std::size_t>(style)], text);
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    if (const std::size_t colour = colour_at(text); colour != 0) {
      text.remove_prefix(colour);
      continue;
    }
    const Decoded next = decode(text);
    count += is_in(combining, next.point) ? 0 : is_in(wide, next.point) ? 2 : 1;
    text.remove_prefix(next.size);
  }
  return count;
}

std::string printable(const Terminal& terminal, std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (!next.is_valid) {
      safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (is_in(unprintable, next.point) || (terminal.ascii && next.point >= 0x80)) {
      const auto point = static_cast<std::uint32_t>(next.point);
      safe += point < 0x80 ? fmt::format("\\x{:02x}", point) : fmt::format("\\u{{{:x}}}", point);
    } else {
      safe += text.substr(0, next.size);
    }
    text.remove_prefix(next.size);
  }
  return safe;
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& letter : small) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return small;
}

std::string in_plain_letters(std::string_view text) {
  std::string plain = in_small_letters(text);
  std::erase_if(plain,
                [](char letter) { return (letter < 'a' || letter > 'z') && (letter < '0' || letter > '9'); });
  return plain;
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t taken = columns(text);
  return std::string(text) + std::string(taken < width ? width - taken : 0, ' ');
}

std::string repeated(std::string_view glyph, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += glyph;
  return text;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t taken = 0;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    std::string_view word = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    if (word.empty()) continue;
    if (taken != 0 && taken + 1 + columns(word) <= width) {
      lines.back().append(" ");
      ++taken;
    } else if (taken != 0) {
      lines.emplace_back();
      taken = 0;
    }
    while (!word.empty()) {
      const std::size_t size = std::max(decode(word).size, colour_at(word));
      const std::size_t more = columns(word.substr(0, size));
      if (taken != 0 && taken + more > width) {
        lines.emplace_back();
        taken = 0;
      }
      lines.back().append(word.substr(0, size));
      taken += more;
      word.remove_prefix(size);
    }
  }
  return lines;
}

std::string counted(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3;) digits.insert(place -= 3, ",");
  return digits;
}

void Page::line(std::string_view text) {
  std::string shown = terminal_.ascii ? in_ascii(text) : std::string(text);
  for (std::size_t i = shown.find(no_break); i != std::string::npos; i = shown.find(no_break))
    shown.replace(i, 2, " ");
  shown.erase(shown.find_last_not_of(' ') + 1);
  out_ << shown << '\n';
}

void Page::paragraph(std::string_view first, std::string_view text) {
  const std::size_t indent = columns(first);
  const std::size_t width = std::max(terminal_.width, width_min);
  const std::size_t room = width > indent + 20 ? width - indent : 20;
  std::string_view before = first;
  const std::string spaces(indent, ' ');
  const std::string ascii = terminal_.ascii ? in_ascii(text) : std::string();
  for (const std::string& part : wrapped(terminal_.ascii ? ascii : text, room)) {
    line(std::string(before) + part);
    before = spaces;
  }
}

}  // namespace holdfast::reports
