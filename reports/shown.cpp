#include "reports/shown.hpp"

#include <fmt/format.h>

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
  if (example.loop) {
    // The sentence of such a finding names the step, too; see starvation.hpp.
    const std::uint32_t begin = numbers.shown(Step{example.loop->begin}).value;
    const std::string recorded = fmt::format("after step {}:", example.loop->begin);
    for (Finding& finding : example.findings)
      if (const std::size_t at = finding.because.find(recorded); at != std::string::npos)
        finding.because.replace(at, recorded.size(), fmt::format("after step {}:", begin));
    example.loop->begin = begin;
  }
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
