// Two locks side by side: the separating tapes.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "reports/report.hpp"
#include "sim/check/separation.hpp"

namespace holdfast::reports {

struct Difference {
  std::string version;
  std::uint64_t seed = 1;
  MatrixBounds bounds;
  std::string one;  // ids of the locks
  std::string other;
  std::vector<Separation> separations;  // for each fault and property both directions
  // Parallel to separations, or empty: where both runs were saved; "" if nowhere.
  std::vector<std::pair<std::string, std::string>> trace_files = {};
  std::string page = {};  // where the page of all of them was written; empty if nowhere
  double seconds = 0;
  bool interrupted = false;
};

void write_difference_text(const Difference& difference, std::ostream& out, const Terminal& terminal);
void write_difference_json(const Difference& difference, std::ostream& out);  // holdfast/diff/1
void write_difference_markdown(const Difference& difference, std::ostream& out);
// A page on which both runs of every tape go step by step.
void write_difference_page(const Difference& difference, std::ostream& out);

}  // namespace holdfast::reports
