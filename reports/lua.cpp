#include "reports/lua.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace holdfast::reports {
namespace {

constexpr std::array<std::string_view, 4> opening{"then", "do", "else", "repeat"};
constexpr std::array<std::string_view, 4> closing{"end", "else", "elseif", "until"};
constexpr std::array<std::string_view, 6> beginning{"local", "return", "if", "for", "while", "break"};
// After these a word goes on with what was begun.
constexpr std::array<std::string_view, 6> unfinished{"not", "and", "or", "in", "elseif", "until"};
constexpr std::array<std::string_view, 3> joining{"and", "or", "in"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
bool begins_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}
bool goes_on_in_word(char letter) { return begins_word(letter) || letter == '.'; }

// The next piece of a script that is looked at as one: a string, a word, white space, or one character.
std::string_view piece_of(std::string_view rest) {
  std::size_t size = 1;
  if (rest[0] == '\'' || rest[0] == '"') {
    while (size < rest.size() && rest[size] != rest[0]) size += rest[size] == '\\' ? 2 : 1;
    return rest.substr(0, size + 1);
  }
  const auto goes_on = [&](auto is_like) {
    while (size < rest.size() && is_like(rest[size])) ++size;
    return rest.substr(0, size);
  };
  if (rest[0] == ' ') return goes_on([](char letter) { return letter == ' '; });
  if (begins_word(rest[0])) return goes_on(goes_on_in_word);
  return rest.substr(0, 1);
}

class Layout {
 public:
  std::vector<ScriptLine> of(std::string_view script) {
    while (!script.empty()) {
      const std::string_view piece = piece_of(script);
      script.remove_prefix(piece.size());
      if (piece[0] == ' ') {
        if (!line_.empty()) line_ += ' ';
        continue;
      }
      take(piece);
    }
    finish();
    return std::move(lines_);
  }

 private:
  void take(std::string_view piece) {
    const bool is_word = begins_word(piece[0]);
    // Two words in a row, or a word after a closing bracket or a string: a statement ends between them.
    const bool is_apart = is_word && may_end_ && !is_one_of(opening, piece) && !is_one_of(joining, piece);
    if (is_one_of(closing, piece)) {
      finish();
      depth_ = depth_ == 0 ? 0 : depth_ - 1;
    } else if (is_one_of(beginning, piece) || (is_apart && brackets_ == 0)) {
      finish();
    }
    line_ += piece;
    brackets_ += piece == "(" || piece == "{" ? 1 : piece == ")" || piece == "}" ? -1 : 0;
    const bool is_name = is_word && !is_one_of(unfinished, piece) && !is_one_of(beginning, piece);
    may_end_ = is_name || piece == ")" || piece == "}" || piece == "]" || piece[0] == '\'' || piece[0] == '"';
    if (piece == ";") finish();
    if (!is_one_of(opening, piece)) return;
    finish();
    ++depth_;
  }
  void finish() {
    while (!line_.empty() && line_.back() == ' ') line_.pop_back();
    if (!line_.empty()) lines_.push_back({std::string(2 * depth_, ' ') + line_});
    line_.clear();
    may_end_ = false;
  }

  std::vector<ScriptLine> lines_;
  std::string line_;
  std::size_t depth_ = 0;
  int brackets_ = 0;
  bool may_end_ = false;
};

}  // namespace

std::vector<ScriptLine> script_lines(std::string_view script) {
  std::vector<ScriptLine> lines;
  const bool is_laid_out =
      script.find('\n') != std::string_view::npos || script.find("--") != std::string_view::npos;
  if (!is_laid_out) lines = Layout().of(script);
  while (is_laid_out && !script.empty()) {
    const std::size_t end = std::min(script.find('\n'), script.size());
    lines.push_back({std::string(script.substr(0, end))});
    script.remove_prefix(std::min(end + 1, script.size()));
  }
  for (ScriptLine& line : lines)
    line.is_command = line.text.find("redis.call") != std::string::npos ||
                      line.text.find("redis.pcall") != std::string::npos;
  return lines;
}

}  // namespace holdfast::reports
