// A run as a document: for issues, pull requests and handouts.
#include <fmt/format.h>

#include <sstream>

#include "reports/diagnosis.hpp"
#include "reports/explanation.hpp"
#include "reports/exports.hpp"
#include "reports/markdown.hpp"
#include "reports/shown.hpp"
#include "reports/story.hpp"
#include "reports/timeline.hpp"

namespace holdfast::reports {

void write_trace_markdown(const TraceView& trace, std::ostream& out) {
  const Counterexample example = as_shown(trace.example);
  const Words& words = words_of(trace.language);
  out << fmt::format("## {}{}\n\n", example.findings.empty() ? "" : "✘ ", markdown_text(title_of(trace)));
  for (const Finding& finding : example.findings)
    out << fmt::format("- **{}** (steps {} and {}): {}\n", id_of(finding.property), finding.from.value,
                       finding.to.value, markdown_text(because_of(finding, trace.language)));
  if (!example.findings.empty()) out << '\n';
  out << "```mermaid\n";
  write_trace_mermaid(trace, out);
  out << fmt::format("```\n\n### {}\n\n| {} | {} | {} |\n|---|---|---|\n", words.story,
                     words.page.column_step, words.page.column_time, words.page.column_what);
  const Narrator narrator(example.events, example.store, trace.language);
  for (const StepView& step : steps_of(example.events)) {
    std::string text;
    for (const Event* event : step.events)
      text += std::string(text.empty() ? "" : words.space) + narrator.sentence(*event);
    out << fmt::format("| {} | {} | {} |\n", step.step.value, words_for(step.at), markdown_text(text));
  }
  if (example.explanation) {
    out << fmt::format("\n### {}\n\n", words.why);
    for (const ExplainedLine& line : lines_of(*example.explanation, example.store, words))
      out << fmt::format("- {}: {}\n", line.label, markdown_text(line.text));
  }
  if (!trace.path.empty())
    out << fmt::format("\n{}: `./holdfast replay {}`\n", words.page.replay,
                       printable(Terminal{}, trace.path));
}

}  // namespace holdfast::reports
