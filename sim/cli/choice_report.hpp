// The lock that choose recommends, told.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "reports/report.hpp"
#include "sim/cli/choice.hpp"

namespace holdfast::cli {

// What breaks the lock that is recommended, though its ttl is enough.
struct Remaining {
  const Trial* trial = nullptr;
  const PropertyResult* result = nullptr;
  std::string file;  // its trace
};

struct ChoiceReport {
  std::string version;
  Answers asked;
  std::vector<Candidate> candidates;      // the best first
  LeaseReport lease;                      // of the best
  std::vector<Remaining> remaining = {};  // of the best
  double seconds = 0;
  bool interrupted = false;
};

// There is a lock that keeps two clients apart under these conditions.
bool has_answer(const ChoiceReport& report);
void write_choice_text(const ChoiceReport& report, std::ostream& out, const reports::Terminal& terminal);
void write_choice_json(const ChoiceReport& report, std::ostream& out);  // holdfast/choose/1

}  // namespace holdfast::cli
