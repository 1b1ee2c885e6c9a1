// What the tidy rules share: a place to put findings. One function per rule family; inspect() calls them all.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/tidy/source.hpp"
#include "sim/tidy/tidy.hpp"

namespace holdfast::tidy {

struct Findings {
  std::string file;
  std::vector<Violation> found = {};
  void add(std::size_t line, std::string rule, std::string advice) {
    found.push_back({file, line, std::move(rule), std::move(advice)});
  }
};

inline bool is_test(std::string_view path) {
  return path.ends_with("_test.cpp") || path.ends_with("_test.hpp") || path.find("_test/") != path.npos;
}

void check_includes(const Source& source, Findings& findings);
void check_coroutines(const Source& source, Findings& findings);
void check_bans(const Source& source, Findings& findings);
void check_sizes(const Source& source, Findings& findings);

}  // namespace holdfast::tidy
