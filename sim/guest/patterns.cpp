#include "sim/guest/patterns.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace holdfast::guest {
namespace {

using Pieces = std::vector<std::string_view>;

// Words, marks, and other signs one by one.
Pieces pieces_of(std::string_view text) {
  Pieces pieces;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_of_word(text[at]))
      while (end < text.size() && is_of_word(text[end])) ++end;
    else if (text[at] == mark_begin) end = std::min(text.find(mark_end, at), text.size() - 1) + 1;
    pieces.push_back(text.substr(at, end - at));
    at = end;
  }
  return pieces;
}

bool are_equal(const std::vector<Pieces>& all, std::size_t place) {
  return std::all_of(all.begin(), all.end(), [&](const Pieces& it) { return it[place] == all[0][place]; });
}

// nullopt: they differ in more than words.
std::optional<std::string> pattern_of_words(const std::vector<Pieces>& all, std::size_t first) {
  std::string pattern;
  for (const Pieces& each : all)
    if (each.size() != all[0].size()) return std::nullopt;
  for (std::size_t i = 0; i < all[0].size(); ++i) {
    const bool are_words =
        std::all_of(all.begin(), all.end(), [&](const Pieces& it) { return is_of_word(it[i][0]); });
    if (are_equal(all, i)) pattern += all[0][i];
    else if (are_words) pattern += mark_of(first++);
    else return std::nullopt;
  }
  return pattern;
}

struct Segment {
  std::string_view constant;
  std::size_t mark = 0;
  bool is_mark = false;
};

std::vector<Segment> segments_of(std::string_view pattern) {
  std::vector<Segment> segments;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t begin = std::min(pattern.find(mark_begin, at), pattern.size());
    if (begin > at) segments.push_back({.constant = pattern.substr(at, begin - at)});
    if (begin == pattern.size()) break;
    const std::size_t end = std::min(pattern.find(mark_end, begin), pattern.size() - 1);
    Segment mark{.is_mark = true};
    std::from_chars(pattern.data() + begin + 1, pattern.data() + end, mark.mark);
    segments.push_back(mark);
    at = end + 1;
  }
  return segments;
}

}  // namespace

std::string common_pattern(const std::vector<std::string>& texts, std::size_t first) {
  std::vector<Pieces> all;
  for (const std::string& text : texts) all.push_back(pieces_of(text));
  if (std::optional<std::string> pattern = pattern_of_words(all, first)) return *std::move(pattern);
  std::size_t shortest = all[0].size();
  for (const Pieces& each : all) shortest = std::min(shortest, each.size());
  std::string before;
  std::size_t begin = 0;
  for (; begin < shortest && are_equal(all, begin); ++begin) before += all[0][begin];
  for (Pieces& each : all) std::reverse(each.begin(), each.end());
  std::string after;
  for (std::size_t end = 0; begin + end < shortest && are_equal(all, end); ++end)
    after = std::string(all[0][end]) + after;
  return before + mark_of(first) + after;
}

std::vector<std::size_t> marks_in(std::string_view text) {
  std::vector<std::size_t> marks;
  for (const Segment& each : segments_of(text))
    if (each.is_mark) marks.push_back(each.mark);
  return marks;
}

std::vector<std::string> parts_of(std::string_view text, const std::vector<std::string>& parts) {
  std::vector<std::string> own;
  for (const std::size_t mark : marks_in(text)) own.push_back(parts[mark]);
  return own;
}

std::string around_marks(std::string_view text) {
  std::string around;
  bool is_in_mark = false;
  for (const char sign : text) {
    if (!is_in_mark) around += sign;
    if (sign == mark_begin) is_in_mark = true;
    if (sign == mark_end) is_in_mark = false;
  }
  return around == std::string(1, mark_begin) ? std::string() : around;
}

bool add_parts(std::string_view pattern, std::string_view text, Names& known) {
  const std::vector<Segment> segments = segments_of(pattern);
  std::size_t at = 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& each = segments[i];
    if (each.is_mark && each.mark >= known.size()) {
      // Up to what comes next, which begins with no letter of a word; the last one up to the end of the text.
      std::string_view next;
      if (i + 1 < segments.size() && !segments[i + 1].is_mark) next = segments[i + 1].constant;
      else if (i + 1 < segments.size() && segments[i + 1].mark < known.size())
        next = known.texts()[segments[i + 1].mark];
      std::size_t end = i + 1 == segments.size() ? text.size() : text.find(next, at);
      if (i + 2 == segments.size() && text.size() >= at + next.size()) end = text.size() - next.size();
      if (end == text.npos) return false;
      known.add(std::string(text.substr(at, end - at)));
      at = end;
      continue;
    }
    const std::string_view here = each.is_mark ? std::string_view(known.texts()[each.mark]) : each.constant;
    if (text.substr(std::min(at, text.size()), here.size()) != here) return false;
    at += here.size();
  }
  return at == text.size();
}

}  // namespace holdfast::guest
