// What the tidy rules share: a place to put findings. One function per rule family; inspect() calls them all.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/tidy.hpp"
#include "sim/tidy_source.hpp"

namespace holdfast::tidy {

class Findings {
 public:
  explicit Findings(std::string_view file) : file_(file) {}
  void add(std::size_t line, std::string rule, std::string advice) {
    found_.push_back({file_, line, std::move(rule), std::move(advice)});
  }
  std::vector<Violation> in_order() && {
    std::sort(found_.begin(), found_.end(), [](const Violation& a, const Violation& b) {
      return std::tie(a.line, a.rule) < std::tie(b.line, b.rule);
    });
    return std::move(found_);
  }

 private:
  std::string file_;
  std::vector<Violation> found_;
};

inline bool is_test(std::string_view path) {
  return path.ends_with("_test.cpp") || path.ends_with("_test.hpp") || path.find("_test/") != path.npos;
}

void check_includes(const Source& source, Findings& findings);
void check_coroutines(const Source& source, Findings& findings);
void check_bans(const Source& source, Findings& findings);
void check_sizes(const Source& source, Findings& findings);

}  // namespace holdfast::tidy
