#include "reports/diagnosis.hpp"

#include <fmt/format.h>

#include "reports/shown.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {

std::string subject_of(const TraceView& trace) {
  std::string faults;
  for (const FaultRule& rule : trace.scenario.faults)
    faults.append(faults.empty() ? "" : "+").append(id_of(rule.kind));
  return fmt::format("{} × {}", trace.scenario.algorithm,
                     faults.empty() ? words_of(trace.language).page.no_fault : faults);
}

std::string title_of(const TraceView& trace) {
  const PageWords& words = words_of(trace.language).page;
  if (trace.example.findings.empty()) return say(words.nothing_violated, subject_of(trace));
  return say(words.is_violated, subject_of(trace), id_of(trace.example.findings.front().property));
}

std::string facts_of(const TraceView& trace) {
  const PageWords& words = words_of(trace.language).page;
  const Counterexample& example = trace.example;
  std::string text = say_count(words.clients, trace.scenario.clients.size());
  for (const auto& [name, value] : trace.scenario.params) text += fmt::format(" · {} {}", name, value);
  if (trace.scenario.belief) text += " · " + say(words.belief, id_of(*trace.scenario.belief));
  const StepNumbers numbers(example.events);
  text += " · " + say_count(words.steps, numbers.count());
  if (example.steps > numbers.count()) text += say(words.quiet_steps, example.steps - numbers.count());
  if (example.loop)
    text += say(words.for_ever, numbers.count() - numbers.shown(Step{example.loop->begin}).value);
  if (example.steps_original > example.steps) text += say(words.shrunk_from, grouped(example.steps_original));
  return text;
}

std::string because_of(const Finding& finding, Language language) {
  if (language == Language::en) return finding.because;
  const Words& words = words_of(language);
  return fmt::format("{}{}{}{}", words.properties[static_cast<std::size_t>(finding.property)],
                     words.full_stop, words.space, say(words.clash, finding.from.value, finding.to.value));
}

}  // namespace holdfast::reports
