// The numbers of steps as readers see them. In some steps of a run only time passes. Those have no number;
// the others are counted from one, in every text and picture of the run.
#pragma once

#include <vector>

#include "reports/report.hpp"

namespace holdfast::reports {

class StepNumbers {
 public:
  explicit StepNumbers(const std::vector<Event>& events);
  // Of a step in which nothing is seen: the last one before it that is.
  Step shown(Step step) const;
  std::uint32_t count() const { return static_cast<std::uint32_t>(seen_.size()); }

 private:
  std::vector<Step> seen_;
};

// With steps as they are shown. How long the run is stays as it was.
Counterexample as_shown(Counterexample example);

}  // namespace holdfast::reports
