#include "sim/stores/redis/disguise.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "sim/core/invariant.hpp"

namespace holdfast::redis {
namespace {

// What a hidden text begins with. No word of a script does.
constexpr char mark = '\0';

constexpr bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
constexpr bool is_of_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
         is_digit(letter);
}

template <std::size_t Size>
bool is_among(const std::array<std::string_view, Size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Of a call of sub(): "string.sub(it, 1, 1)", "it:sub(2)". `before`: the sign before its name.
bool takes_first_sign(char before, std::string_view after) {
  static constexpr auto ends = std::to_array<std::string_view>({"1,1", "2"});
  std::string call;
  for (std::size_t i = 0; i < after.size() && (call.empty() || call.back() != ')'); ++i)
    if (after[i] != ' ') call += after[i];
  if (call.size() < 2 || call.front() != '(' || call.back() != ')') return false;
  std::string_view arguments = std::string_view(call).substr(1, call.size() - 2);
  if (arguments.empty() || arguments.find('(') != std::string_view::npos) return false;
  if (before != ':') arguments.remove_prefix(std::min(arguments.find(','), arguments.size() - 1) + 1);
  return is_among(ends, arguments);
}

// Reads a script word by word, and stops at the first that might look into a text. Left are: comparing for
// equality, logic, local names, elements of tables by number, redis.call() and redis.pcall().
class CarrierReader {
 public:
  explicit CarrierReader(std::string_view source) : source_(source) {}

  std::optional<std::vector<std::string>> read() {
    while (next()) {
      if (!is_harmless()) return std::nullopt;
      previous_ = word_;
    }
    return std::move(texts_);
  }

 private:
  // Takes the next word: a name, a number, a text with its quotes, or signs. False at the end.
  bool next() {
    while (at_ < source_.size() && (source_[at_] == ' ' || source_[at_] == '\n')) ++at_;
    if (at_ == source_.size()) return false;
    const std::size_t begin = at_;
    const char first = source_[at_++];
    if (is_of_name(first)) {
      while (at_ < source_.size() && is_of_name(source_[at_])) ++at_;
    } else if (first == '\'' || first == '"') {
      at_ = std::min(source_.find(first, at_), source_.size() - 1) + 1;
    } else if ((first == '=' || first == '~') && peek() == '=') {
      ++at_;
    }
    word_ = source_.substr(begin, at_ - begin);
    return true;
  }
  char peek() const { return at_ < source_.size() ? source_[at_] : '\0'; }
  // Takes this, if it is next.
  bool take(std::string_view word) {
    const std::size_t before = at_;
    if (next() && word_ == word) return true;
    at_ = before;
    return false;
  }
  bool take_number() {
    const std::size_t before = at_;
    if (next() && is_number()) return true;
    at_ = before;
    return false;
  }
  bool is_number() const { return std::all_of(word_.begin(), word_.end(), is_digit); }

  bool is_harmless() {
    static constexpr std::array<std::string_view, 11> keywords{
        "if", "then", "elseif", "else", "end", "return", "and", "or", "not", "true", "false"};
    static constexpr std::array<std::string_view, 7> signs{"(", ")", ",", ";", "=", "==", "~="};
    if (is_among(keywords, word_) || is_among(signs, word_) || word_ == "nil" || is_number()) return true;
    if (word_[0] == '\'' || word_[0] == '"') return note_text();
    if (word_ == "redis") return take(".") && (take("call") || take("pcall")) && take("(");
    if (word_ == "KEYS" || word_ == "ARGV") return take("[") && take_number() && take("]");
    if (word_ == "[") return take_number() && take("]");
    // The sign of a number: subtracting would look into texts.
    if (word_ == "-")
      return (previous_ == "return" || previous_ == "," || previous_ == "==") && take_number();
    if (word_ == "local") return note_local();
    return std::find(locals_.begin(), locals_.end(), word_) != locals_.end();
  }
  bool note_text() {
    const bool is_plain = word_.size() >= 2 && word_.back() == word_.front() &&
                          word_.find_first_of(std::string_view("\\\n\0", 3)) == std::string_view::npos;
    if (is_plain) texts_.emplace_back(word_.substr(1, word_.size() - 2));
    return is_plain;
  }
  bool note_local() {
    static constexpr std::array<std::string_view, 4> taken{"redis", "KEYS", "ARGV", "function"};
    if (!next() || !is_of_name(word_[0]) || is_among(taken, word_)) return false;
    locals_.push_back(word_);
    return take("=");
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::string_view word_;
  std::string_view previous_;
  std::vector<std::string_view> locals_;
  std::vector<std::string> texts_;
};

}  // namespace

bool may_take_texts_apart(std::string_view source) {
  // Functions that see signs, or make code or other signs of them; and where a name may be hidden.
  static constexpr auto words = std::to_array<std::string_view>(
      {"byte",    "match",      "gmatch", "gfind", "gsub",         "find",     "reverse",
       "upper",   "lower",      "format", "rep",   "cjson",        "cmsgpack", "struct",
       "sha1hex", "loadstring", "load",   "bit",   "getmetatable", "_G",       "rawget"});
  char before = ' ';
  for (std::size_t at = 0; at < source.size();) {
    const char first = source[at];
    std::size_t end = at + 1;
    std::string_view word;
    if (is_of_name(first)) {
      while (end < source.size() && is_of_name(source[end])) ++end;
      word = source.substr(at, end - at);
    } else if (first == '\'' || first == '"') {
      end = std::min(source.find(first, end), source.size() - 1) + 1;
      word = source.substr(at + 1, end - at - 2);
    } else if (source.substr(at).starts_with("[[") || source.substr(at).starts_with("[=")) {
      return true;
    }
    if (is_among(words, word)) return true;
    if (word == "string" && (end == source.size() || source[end] != '.')) return true;
    if (word == "sub" && !takes_first_sign(before, source.substr(end))) return true;
    if (first != ' ') before = first;
    at = end;
  }
  return false;
}

std::optional<std::vector<std::string>> texts_of_carrier(std::string_view source) {
  return CarrierReader(source).read();
}

std::string_view Disguise::hide(std::string_view text) {
  if (std::find(own_texts_.begin(), own_texts_.end(), text) != own_texts_.end()) return text;
  const WordsView hidden = hidden_.argv();
  const auto number =
      static_cast<std::size_t>(std::distance(hidden.begin(), std::find(hidden.begin(), hidden.end(), text)));
  if (number == hidden.size()) hidden_.add(text);
  name_.front() = mark;
  const auto [end, problem] = std::to_chars(name_.data() + 1, name_.data() + name_.size(), number);
  return {name_.data(), end};
}

void Disguise::hide(Reply& reply) {
  if (reply.kind() == Reply::Kind::bulk) reply = Reply::bulk(std::string(hide(reply.text())));
  if (reply.kind() != Reply::Kind::array) return;
  std::vector<Reply> elements = reply.elements();
  for (Reply& element : elements) hide(element);
  reply = Reply::array(std::move(elements));
}

std::string_view Disguise::show(std::string_view word) const {
  if (word.empty() || word.front() != mark) return word;
  const WordsView hidden = hidden_.argv();
  std::size_t number = hidden.size();
  std::from_chars(word.data() + 1, word.data() + word.size(), number);
  INVARIANT(number < hidden.size(), "a script passes on what it was given");
  return hidden[number];
}

Reply Disguise::show(Reply reply) const {
  if (reply.kind() == Reply::Kind::bulk) return Reply::bulk(std::string(show(reply.text())));
  if (reply.kind() != Reply::Kind::array) return reply;
  std::vector<Reply> elements;
  for (const Reply& element : reply.elements()) elements.push_back(show(element));
  return Reply::array(std::move(elements));
}

}  // namespace holdfast::redis
