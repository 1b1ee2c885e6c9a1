// A run as a document: for issues, pull requests and handouts.
#include <fmt/format.h>

#include <sstream>

#include "reports/explanation.hpp"
#include "reports/exports.hpp"
#include "reports/markdown.hpp"
#include "reports/story.hpp"
#include "reports/timeline.hpp"

namespace holdfast::reports {

void write_trace_markdown(const TraceView& trace, std::ostream& out) {
  const Counterexample& example = trace.example;
  std::string faults;
  for (const FaultRule& rule : trace.scenario.faults)
    faults.append(faults.empty() ? "" : " + ").append(id_of(rule.kind));
  const std::string what =
      fmt::format("{} × {}", markdown_text(trace.scenario.algorithm), faults.empty() ? "no fault" : faults);
  if (example.findings.empty()) out << fmt::format("## {}: nothing is violated\n\n", what);
  else {
    out << fmt::format("## ✘ {}: {} is violated\n\n", what, id_of(example.findings.front().property));
    for (const Finding& finding : example.findings)
      out << fmt::format("- **{}** (steps {} and {}): {}\n", id_of(finding.property), finding.from.value,
                         finding.to.value, markdown_text(finding.because));
    out << '\n';
  }
  out << "```mermaid\n";
  write_trace_mermaid(trace, out);
  out << "```\n\n### The story\n\n| step | at | what happens |\n|---|---|---|\n";
  const Narrator narrator(example.events);
  for (const StepView& step : steps_of(example.events)) {
    std::string text;
    for (const Event* event : step.events) text += (text.empty() ? "" : " ") + narrator.sentence(*event);
    out << fmt::format("| {} | {} | {} |\n", step.step.value, words_for(step.at), markdown_text(text));
  }
  if (example.explanation) {
    out << "\n### Why\n\n";
    for (const ExplainedLine& line : lines_of(*example.explanation))
      out << fmt::format("- {}: {}\n", line.label, markdown_text(line.text));
  }
  if (!trace.path.empty())
    out << fmt::format("\nReplay: `./holdfast replay {}`\n", printable(Terminal{}, trace.path));
}

}  // namespace holdfast::reports
