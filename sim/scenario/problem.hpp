// What is wrong with a file, and where: collected while reading, printed as compilers do, so that editors can
// jump.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

struct Problem {
  std::string file;
  std::size_t line = 1;    // from 1
  std::size_t column = 1;  // from 1, in characters
  std::size_t length = 1;  // of what is marked, in characters
  std::string pointer;     // JSON pointer; empty for the whole document
  std::string message;
  std::string hint;               // "did you mean …?"; may be empty
  std::string allowed;            // "allowed: …"; may be empty
  std::string source_line;        // shortened around the place; empty when showing it would not help
  std::size_t source_column = 1;  // where in `source_line` the place is, from 1, in characters
  bool operator==(const Problem&) const = default;
};

// Several lines, the last one without a line end: "FILE:LINE:COLUMN: error: MESSAGE", then the line with a
// mark under the place, then the pointer and what is allowed.
std::string to_text(const Problem& problem);

// Bytes [begin, end) of a text.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// `text` in quotes, safe to print: control characters replaced, shortened to 60 characters.
std::string in_quotes(std::string_view text);

// Collects the problems of one text. After the first hundred it only remembers that there are more.
class Problems {
 public:
  // `text` must outlive this object.
  Problems(std::string_view text, std::string file);

  struct Help {
    std::string hint;
    std::string allowed;
  };
  void add(Span place, std::string pointer, std::string message, Help help = {});
  // The same without showing the line: for texts that are no lines.
  void add_plain(Span place, std::string message);

  bool empty() const { return list_.empty(); }
  // No problem so far lies at `pointer` or below it.
  bool is_sound(std::string_view pointer) const;
  // What stands there, shortened.
  std::string_view source(Span place) const {
    return text_.substr(place.begin, place.end - place.begin).substr(0, 40);
  }
  // "LINE:COLUMN"
  std::string where(std::size_t offset) const;
  // All, in the order of their places.
  std::vector<Problem> take();

 private:
  struct Position {
    std::size_t line_begin;
    std::size_t line;
    std::size_t column;
  };
  Position position(std::size_t offset) const;

  std::string_view text_;
  std::string file_;
  std::vector<std::size_t> line_begins_;
  std::vector<Problem> list_;
};

}  // namespace holdfast
