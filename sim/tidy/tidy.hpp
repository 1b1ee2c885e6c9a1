// Style as a test: the rules of .github/CONTRIBUTING.md that text alone can show. tidy_test.cpp applies them
// to the whole tree, and tests each rule on a snippet that breaks it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::tidy {

struct Violation {
  std::string file;
  std::size_t line = 0;  // from 1
  std::string rule;
  std::string advice;  // what to write instead
  bool operator==(const Violation&) const = default;
};
// "file:line: rule: advice"
std::string to_text(const Violation& violation);

// What `text` breaks, in order of lines. `path` is relative to the project: it decides which rules apply.
std::vector<Violation> inspect(std::string_view path, std::string_view text);

// Mistakes in a lock of another project: code that compilers accept and get wrong, and code that makes runs
// differ. Size and form are not checked.
std::vector<Violation> inspect_lock(std::string_view path, std::string_view text);

}  // namespace holdfast::tidy
