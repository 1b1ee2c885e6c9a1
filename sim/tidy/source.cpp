#include "sim/tidy/source.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace holdfast::tidy {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') lines.emplace_back();
    else lines.back() += c;
  }
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

// Blanks comments out of one copy of the text, and code out of another; line ends stay in both.
class Separator {
 public:
  explicit Separator(std::string_view text)
      : text_(text), code(text.size(), ' '), comments(text.size(), ' ') {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') code[i] = comments[i] = '\n';
    while (at_ < text_.size()) step();
  }

 private:
  void step() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("//")) {
      keep(comments, std::min(rest.find('\n'), rest.size()));
    } else if (rest.starts_with("/*")) {
      keep(comments, std::min(rest.find("*/"), rest.size() - 2) + 2);
    } else if (rest.starts_with("R\"")) {
      std::string closing(rest.substr(1, rest.find('(') - 1));
      closing.front() = ')';
      closing += '"';
      skip_literal(std::min(rest.find(closing), rest.size() - closing.size()) + closing.size());
    } else if (rest.front() == '"' || (rest.front() == '\'' && !is_digit_separator())) {
      skip_literal(length_of_quoted(rest));
    } else {
      keep(code, 1);
    }
  }

  static std::size_t length_of_quoted(std::string_view rest) {
    for (std::size_t i = 1; i < rest.size(); ++i) {
      if (rest[i] == '\\') ++i;
      else if (rest[i] == rest.front() || rest[i] == '\n') return i + 1;
    }
    return rest.size();
  }

  bool is_digit_separator() const {
    std::size_t begin = at_;
    while (begin > 0 && (is_word(text_[begin - 1]) || text_[begin - 1] == '\'')) --begin;
    return begin < at_ && std::isdigit(static_cast<unsigned char>(text_[begin])) != 0;
  }

  void keep(std::string& where, std::size_t length) {
    for (; length > 0; --length, ++at_) where[at_] = text_[at_];
  }
  // Two quotes stand for the whole literal, so that a statement still shows that there was one.
  void skip_literal(std::size_t length) {
    code[at_] = '"';
    at_ += length;
    if (text_[at_ - 1] != '\n') code[at_ - 1] = '"';
  }

  std::string_view text_;
  std::size_t at_ = 0;

 public:
  std::string code;
  std::string comments;
};

// Blanks directives, with their continuation lines, and says which of them are includes.
std::vector<std::size_t> take_directives_out(std::vector<std::string>& code) {
  std::vector<std::size_t> includes;
  bool continues = false;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::size_t first = code[i].find_first_not_of(' ');
    if (!continues && (first == std::string::npos || code[i][first] != '#')) continue;
    if (!continues && code[i].find("include", first) != std::string::npos) includes.push_back(i);
    continues = code[i].ends_with('\\');
    code[i].clear();
  }
  return includes;
}

class StatementFinder {
 public:
  std::vector<Statement> find(const std::vector<std::string>& code) {
    for (line_ = 1; line_ <= code.size(); ++line_) {
      for (const char c : code[line_ - 1]) take(c);
      take(' ');
    }
    return std::move(found_);
  }

 private:
  struct Open {
    char bracket;
    std::size_t statement;  // of a "{": the one that it ended
  };

  void take(char c) {
    const bool in_parentheses = !open_.empty() && open_.back().bracket != '{';
    if (c == '{' || c == '}' || (c == ';' && !in_parentheses)) {
      finish(c);
      if (c == '}') close_body();
      if (c == '{') open_.push_back({'{', found_.size() - 1});
      return;
    }
    if (c == '(' || c == '[') open_.push_back({c, 0});
    if ((c == ')' || c == ']') && in_parentheses) open_.pop_back();
    if (c == ' ' && (now_.text.empty() || now_.text.back() == ' ')) return;
    if (now_.text.empty()) now_.line = line_;
    now_.text += c;
  }

  void finish(char end) {
    now_.end = end;
    if (now_.text.empty()) now_.line = line_;
    if (now_.text.ends_with(' ')) now_.text.pop_back();
    now_.at_namespace_level = true;
    for (const Open& open : open_)
      if (open.bracket != '{' || !has_word(found_[open.statement].text, "namespace"))
        now_.at_namespace_level = false;
    found_.push_back(std::move(now_));
    now_ = Statement();
  }

  void close_body() {
    while (!open_.empty() && open_.back().bracket != '{') open_.pop_back();
    if (open_.empty()) return;
    found_[open_.back().statement].body_end_line = line_;
    open_.pop_back();
  }

  std::vector<Statement> found_;
  Statement now_;
  std::vector<Open> open_;
  std::size_t line_ = 1;
};

}  // namespace

Source::Source(std::string_view its_path, std::string_view text) : path(its_path), lines(split_lines(text)) {
  const Separator separator(text);
  code = split_lines(separator.code);
  comments = split_lines(separator.comments);
  include_lines = take_directives_out(code);
  statements = StatementFinder().find(code);
}

std::size_t count_word(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word(word.front()) || !is_word(text[at - 1]);
    const bool ends = end == text.size() || !is_word(word.back()) || !is_word(text[end]);
    if (begins && ends) ++count;
  }
  return count;
}

bool has_word(std::string_view text, std::string_view word) { return count_word(text, word) > 0; }

}  // namespace holdfast::tidy
