#include "sim/stores/redis/words.hpp"

#include <cstddef>

namespace holdfast::redis {
namespace {

// As C's isspace; a NUL ends the line.
bool ends_word(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r') || letter == '\0'; }

int hex_value(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

class Splitter {
 public:
  explicit Splitter(std::string_view line) : line_(line.substr(0, line.find('\0'))) {}

  std::optional<std::vector<std::string>> run() {
    std::vector<std::string> words;
    while (true) {
      while (at_ < line_.size() && ends_word(line_[at_])) ++at_;
      if (at_ == line_.size()) return words;
      std::string word;
      if (!take_word(word)) return std::nullopt;
      words.push_back(std::move(word));
    }
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < line_.size() ? line_[at_ + ahead] : '\0'; }

  bool take_word(std::string& word) {
    while (!ends_word(peek())) {
      const char letter = peek();
      ++at_;
      if (letter == '"' || letter == '\'') return take_quoted(letter, word) && ends_word(peek());
      word += letter;
    }
    return true;
  }

  bool take_quoted(char quote, std::string& word) {
    while (at_ < line_.size()) {
      if (peek() == quote) {
        ++at_;
        return true;
      }
      if (quote == '"' ? peek() == '\\' && at_ + 1 < line_.size() : peek() == '\\' && peek(1) == '\'')
        take_escape(word);
      else word += line_[at_++];
    }
    return false;
  }

  void take_escape(std::string& word) {
    ++at_;
    const char letter = line_[at_++];
    const int high = hex_value(peek());
    const int low = hex_value(peek(1));
    if (letter == 'x' && high >= 0 && low >= 0) {
      word += static_cast<char>(high * 16 + low);
      at_ += 2;
      return;
    }
    constexpr std::string_view named = "nrtba";
    constexpr std::string_view meant = "\n\r\t\b\a";
    const std::size_t which = named.find(letter);
    word += which == std::string_view::npos ? letter : meant[which];
  }

  std::string_view line_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<std::string>> split_words(std::string_view line) { return Splitter(line).run(); }

std::string in_quotes(std::string_view text) {
  constexpr std::string_view special = "\\\"\n\r\t\a\b";
  constexpr std::string_view letters = "\\\"nrtab";
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    const std::size_t which = special.find(letter);
    if (which != std::string_view::npos) shown.append(1, '\\').append(1, letters[which]);
    else if (byte >= ' ' && byte < 0x7f) shown += letter;
    else shown.append("\\x").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
  }
  return shown + '"';
}

std::string join_words(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    std::string quoted = in_quotes(word);
    const bool is_plain =
        quoted.size() == word.size() + 2 && word.find_first_of(" '") == word.npos && !word.empty();
    line += is_plain ? word : std::move(quoted);
  }
  return line;
}

}  // namespace holdfast::redis
