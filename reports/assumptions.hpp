// What a lock assumes of its world, as text.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "reports/report.hpp"
#include "sim/check/assumptions.hpp"

namespace holdfast::reports {

struct AssumptionsReport {
  std::string version;
  std::uint64_t seed = 1;
  MatrixBounds bounds;
  std::string algorithm;
  Belief belief = Belief::until_release;
  Assumptions found = {};
  // For each property, parallel to what breaks it: where the runs were saved.
  std::vector<std::vector<std::string>> trace_files = {};
  double seconds = 0;
  bool interrupted = false;
};

void write_assumptions_text(const AssumptionsReport& report, std::ostream& out, const Terminal& terminal);
void write_assumptions_json(const AssumptionsReport& report, std::ostream& out);  // holdfast/assumptions/1
void write_assumptions_markdown(const AssumptionsReport& report, std::ostream& out);

}  // namespace holdfast::reports
