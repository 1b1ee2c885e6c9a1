#include "reports/shown.hpp"

#include <algorithm>

namespace holdfast::reports {

StepNumbers::StepNumbers(const std::vector<Event>& events) {
  for (const Event& event : events)
    if (seen_.empty() || seen_.back() != event.step) seen_.push_back(event.step);
}

Step StepNumbers::shown(Step step) const {
  const auto after = std::upper_bound(seen_.begin(), seen_.end(), step);
  return Step{static_cast<std::uint32_t>(after - seen_.begin())};
}

Counterexample as_shown(Counterexample example) {
  const StepNumbers numbers(example.events);
  for (Event& event : example.events) event.step = numbers.shown(event.step);
  for (Finding& finding : example.findings) {
    finding.from = numbers.shown(finding.from);
    finding.to = numbers.shown(finding.to);
  }
  if (example.loop) example.loop->begin = numbers.shown(Step{example.loop->begin}).value;
  if (!example.explanation) return example;
  for (ButFor& it : example.explanation->but_for)
    for (Circumstance& each : it.without) each.step = numbers.shown(each.step);
  if (example.explanation->no_return) {
    Step& since = example.explanation->no_return->step;
    since = numbers.shown(since);
  }
  return example;
}

}  // namespace holdfast::reports
