// JUnit XML, for results that are test cases.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::reports {

struct JunitCase {
  std::string suite = {};
  std::string name = {};
  double seconds = 0;
  std::string failure = {};  // why it fails; empty if it does not
  std::string skipped = {};  // why it says nothing; empty if it does
  std::string output = {};
};

// Cases of one suite follow each other.
void write_junit(std::string_view name, const std::vector<JunitCase>& cases, std::ostream& out);

}  // namespace holdfast::reports
