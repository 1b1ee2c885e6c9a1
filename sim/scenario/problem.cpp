#include "sim/scenario/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t problems_max = 100;
// Characters of a source line shown on either side of the place.
constexpr std::size_t shown_before = 70;
constexpr std::size_t shown_after = 50;

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u; }

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

// The first `count` characters of `text`.
std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; end < text.size(); ++end)
    if (starts_character(text[end]) && count-- == 0) break;
  return text.substr(0, end);
}

// The last `count` characters of `text`.
std::string_view last_characters(std::string_view text, std::size_t count) {
  std::size_t begin = text.size();
  while (begin > 0 && count > 0)
    if (starts_character(text[--begin])) --count;
  return text.substr(begin);
}

// One character for one: what a terminal would act upon becomes a blank, so that marks stay under their
// place.
std::string printable(std::string_view text) {
  std::string clean(text);
  for (char& byte : clean)
    if (static_cast<unsigned char>(byte) < 0x20u || byte == 0x7F) byte = ' ';
  return clean;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t characters_max = 60;
  const std::string_view shown = first_characters(text, characters_max);
  return "\"" + printable(shown) + (shown.size() < text.size() ? "…\"" : "\"");
}

std::string to_text(const Problem& problem) {
  std::string text =
      fmt::format("{}:{}:{}: error: {}", problem.file, problem.line, problem.column, problem.message);
  if (!problem.source_line.empty()) {
    text += fmt::format("\n{:>5} | {}", problem.line, problem.source_line);
    text += fmt::format("\n      | {}{}", std::string(problem.source_column - 1, ' '),
                        std::string(problem.length, '^'));
    if (!problem.hint.empty()) text += " " + problem.hint;
  }
  const bool has_pointer = !problem.pointer.empty();
  const bool has_allowed = !problem.allowed.empty();
  if (has_pointer || has_allowed) text += "\n      ";
  if (has_pointer) text += "at " + problem.pointer;
  if (has_pointer && has_allowed) text += " · ";
  return text + problem.allowed;
}

Problems::Problems(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)), line_begins_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') line_begins_.push_back(i + 1);
}

Problems::Position Problems::position(std::size_t offset) const {
  const auto next = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
  const std::size_t line_begin = *(next - 1);
  return {.line_begin = line_begin,
          .line = static_cast<std::size_t>(next - line_begins_.begin()),
          .column = 1 + count_characters(text_.substr(line_begin, offset - line_begin))};
}

std::string Problems::where(std::size_t offset) const {
  const Position at = position(offset);
  return fmt::format("{}:{}", at.line, at.column);
}

void Problems::add(Span place, std::string pointer, std::string message, Help help) {
  if (list_.size() > problems_max) return;
  if (list_.size() == problems_max) return add_plain(place, "too many problems: the rest is not listed");
  const Position at = position(place.begin);
  const std::string_view rest = text_.substr(at.line_begin);
  const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
  const std::size_t before_bytes = std::min(place.begin - at.line_begin, line.size());
  const std::string_view before = last_characters(line.substr(0, before_bytes), shown_before);
  const std::string_view after = first_characters(line.substr(before_bytes), shown_after);
  const bool cut_left = before.size() < before_bytes;
  const bool cut_right = before_bytes + after.size() < line.size();
  const std::size_t marked_bytes = std::min(place.end - place.begin, after.size());
  list_.push_back(
      {.file = file_,
       .line = at.line,
       .column = at.column,
       .length = std::max<std::size_t>(1, count_characters(after.substr(0, marked_bytes))),
       .pointer = std::move(pointer),
       .message = std::move(message),
       .hint = std::move(help.hint),
       .allowed = std::move(help.allowed),
       .source_line = (cut_left ? "…" : "") + printable(before) + printable(after) + (cut_right ? "…" : ""),
       .source_column = 1 + (cut_left ? 1 : 0) + count_characters(before)});
}

void Problems::add_plain(Span place, std::string message) {
  if (list_.size() > problems_max) return;
  const Position at = position(place.begin);
  Problem& problem = list_.emplace_back();
  problem.file = file_;
  problem.line = at.line;
  problem.column = at.column;
  problem.message = std::move(message);
}

bool Problems::is_sound(std::string_view pointer) const {
  return std::none_of(list_.begin(), list_.end(), [&](const Problem& problem) {
    const std::string_view other = problem.pointer;
    return other.substr(0, pointer.size()) == pointer &&
           (other.size() == pointer.size() || other[pointer.size()] == '/');
  });
}

std::vector<Problem> Problems::take() {
  std::sort(list_.begin(), list_.end(), [](const Problem& left, const Problem& right) {
    return std::tie(left.line, left.column, left.pointer, left.message) <
           std::tie(right.line, right.column, right.pointer, right.message);
  });
  return std::exchange(list_, {});
}

}  // namespace holdfast
