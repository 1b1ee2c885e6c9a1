#include "sim/stores/redis/tail_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace holdfast::redis {
namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr std::string_view digits = "0123456789";
constexpr std::size_t nowhere = std::string_view::npos;
// LuaJIT compiles nothing that is nested deeper.
constexpr std::size_t deepest = 200;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Lua's words one after another, without spaces and comments. A string is a token of its own; so is a number.
class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  struct Token {
    std::string_view text;  // empty at the end
    std::size_t at = 0;
    bool is_string = false;
  };

  Token next() {
    skip_blanks();
    const std::size_t at = at_;
    if (at_ >= source_.size()) return {std::string_view(), source_.size(), false};
    const char first = source_[at_];
    bool is_string = false;
    if (first == '"' || first == '\'') {
      is_string = true;
      skip_quoted(first);
    } else if (const std::size_t level = long_bracket_level(at_); level != nowhere) {
      is_string = true;
      skip_long_bracket(level);
    } else if (letters.find(first) != nowhere || digits.find(first) != nowhere) {
      while (at_ < source_.size() && (is_word(source_[at_]) || is_in_number(at, at_))) ++at_;
    } else if (source_.substr(at_, 3) == "...") {
      at_ += 3;
    } else {
      ++at_;
    }
    return {source_.substr(at, at_ - at), at, is_string};
  }

 private:
  static bool is_word(char letter) {
    return letters.find(letter) != nowhere || digits.find(letter) != nowhere;
  }
  // The point of "1.5", but neither the points of "1..2" nor that of "t.x".
  bool is_in_number(std::size_t begin, std::size_t at) const {
    return source_[at] == '.' && digits.find(source_[begin]) != nowhere && source_.substr(at, 2) != "..";
  }

  void skip_blanks() {
    while (at_ < source_.size()) {
      if (std::string_view(" \t\r\n\v\f").find(source_[at_]) != nowhere) {
        ++at_;
      } else if (source_.substr(at_, 2) == "--") {
        at_ += 2;
        const std::size_t level = long_bracket_level(at_);
        if (level != nowhere) skip_long_bracket(level);
        else at_ = std::min(source_.find('\n', at_), source_.size());
      } else {
        return;
      }
    }
  }

  void skip_quoted(char quote) {
    for (++at_; at_ < source_.size() && source_[at_] != quote; ++at_)
      if (source_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, source_.size());
  }

  // The number of equals signs in the "[==[" at `at`; nowhere if there is none.
  std::size_t long_bracket_level(std::size_t at) const {
    if (at >= source_.size() || source_[at] != '[') return nowhere;
    const std::size_t end = source_.find_first_not_of('=', at + 1);
    return end != nowhere && source_[end] == '[' ? end - at - 1 : nowhere;
  }

  void skip_long_bracket(std::size_t level) {
    const std::string close = "]" + std::string(level, '=') + "]";
    const std::size_t end = source_.find(close, at_ + level + 2);
    at_ = end == nowhere ? source_.size() : end + close.size();
  }

  std::string_view source_;
  std::size_t at_ = 0;
};

using Token = Lexer::Token;

// A `return` whose expression is being read.
struct Return {
  std::size_t blocks;  // how deep the statement stands
  bool is_main;        // of the main chunk
  std::vector<Token> tokens;
  bool is_list = false;
};

// redis.NAME( … ) from the first token to the last.
bool is_redis_call(const std::vector<Token>& tokens) {
  if (tokens.size() < 5 || tokens[0].text != "redis" || tokens[1].text != "." || tokens[3].text != "(")
    return false;
  std::size_t depth = 0;
  for (std::size_t i = 3; i < tokens.size(); ++i) {
    if (tokens[i].is_string) continue;
    if (tokens[i].text == "(") ++depth;
    if (tokens[i].text == ")" && --depth == 0) return i + 1 == tokens.size();
  }
  return false;
}

bool ends_with_call(const std::vector<Token>& tokens) {
  return !tokens.empty() && (tokens.back().is_string || is_one_of(tokens.back().text, {")", "}"}));
}

class Rewriter {
 public:
  explicit Rewriter(std::string_view source) : source_(source), lexer_(source) {}

  std::string run() {
    while (take(lexer_.next()))
      if (returns_.size() > deepest) return std::string(source_);
    std::sort(inserts_.begin(), inserts_.end(),
              [](const Insert& one, const Insert& other) { return one.at < other.at; });
    std::string result;
    std::size_t copied = 0;
    for (const Insert& insert : inserts_) {
      result.append(source_.substr(copied, insert.at - copied)).append(1, insert.letter);
      copied = insert.at;
    }
    return result.append(source_.substr(copied));
  }

 private:
  struct Insert {
    std::size_t at;
    char letter;
  };

  // False at the end of the text.
  bool take(const Token& token) {
    const bool is_end = token.text.empty();
    const std::string_view word = token.is_string ? std::string_view() : token.text;
    if (is_end || is_one_of(word, {"end", "until", "else", "elseif", ";"})) end_return(word);
    if (is_end) return false;
    for (Return& open : returns_) open.tokens.push_back(token);
    if (!returns_.empty() && word == "," && brackets_ == 0 && returns_.back().blocks == blocks_.size())
      returns_.back().is_list = true;
    if (is_one_of(word, {"function", "if", "do", "repeat"})) {
      blocks_.push_back({word == "function", brackets_});
      brackets_ = 0;
    }
    if (is_one_of(word, {"end", "until"}) && !blocks_.empty()) {
      brackets_ = blocks_.back().brackets;
      blocks_.pop_back();
    }
    if (is_one_of(word, {"(", "{", "["})) ++brackets_;
    if (is_one_of(word, {")", "}", "]"}) && brackets_ > 0) --brackets_;
    if (word == "return") returns_.push_back(Return{blocks_.size(), is_in_main(), {}});
    return true;
  }

  // A statement ends at a word that cannot stand in an expression, outside brackets and inner functions.
  void end_return(std::string_view word) {
    if (returns_.empty() || returns_.back().blocks != blocks_.size()) return;
    if (word == ";" && brackets_ > 0) return;
    const Return ended = std::move(returns_.back());
    returns_.pop_back();
    const bool is_wanted = ended.is_main ? ends_with_call(ended.tokens) : is_redis_call(ended.tokens);
    if (ended.is_list || !is_wanted) return;
    inserts_.push_back({ended.tokens.front().at, '('});
    inserts_.push_back({ended.tokens.back().at + ended.tokens.back().text.size(), ')'});
  }

  bool is_in_main() const {
    return std::none_of(blocks_.begin(), blocks_.end(), [](const Block& block) { return block.is_function; });
  }

  struct Block {
    bool is_function;
    std::size_t brackets;  // open around it
  };

  std::string_view source_;
  Lexer lexer_;
  std::vector<Block> blocks_;
  std::size_t brackets_ = 0;
  std::vector<Return> returns_;
  std::vector<Insert> inserts_;
};

}  // namespace

std::string without_tail_calls(std::string_view source) { return Rewriter(source).run(); }

}  // namespace holdfast::redis
