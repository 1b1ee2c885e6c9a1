// A C++ file taken apart as far as the tidy rules need it: code without comments, and statements. No parser.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::tidy {

// A piece of code between two of ";", "{" and "}". Semicolons inside parentheses separate nothing.
struct Statement {
  std::string text;                 // blanks squeezed; contents of literals removed
  std::size_t line = 0;             // where it begins
  char end = ';';                   // what ended it
  std::size_t body_end_line = 0;    // of one that ends in "{": where its "}" is
  bool at_namespace_level = false;  // in no body but those of namespaces
};

struct Source {
  Source(std::string_view path, std::string_view text);

  std::string path;
  std::vector<std::string> lines;          // as written
  std::vector<std::string> code;           // by line; comments, directives and contents of literals are blank
  std::vector<std::string> comments;       // by line; everything else is blank
  std::vector<std::size_t> include_lines;  // indices of #include directives
  std::vector<Statement> statements;
};

// Identifier-wise: "rand" is no word of "random".
bool has_word(std::string_view text, std::string_view word);
std::size_t count_word(std::string_view text, std::string_view word);

}  // namespace holdfast::tidy
