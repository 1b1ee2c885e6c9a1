// One violating run as text: a diagram, a story, or a table of events.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "reports/diagnosis.hpp"
#include "reports/explanation.hpp"
#include "reports/report.hpp"
#include "reports/sequence.hpp"
#include "reports/shown.hpp"
#include "reports/story.hpp"
#include "reports/timeline.hpp"

namespace holdfast::reports {
namespace {

void write_title(const TraceView& trace, Page& page) {
  const Terminal& terminal = page.terminal();
  const bool is_good = trace.example.findings.empty();
  page.line(painted(terminal, is_good ? Style::strong : Style::bad,
                    (is_good ? "" : "✘ ") + printable(Terminal{}, title_of(trace))));
  page.paragraph("  ", printable(Terminal{}, facts_of(trace)));
  page.line();
}

// "step 7", or "steps 3 and 7".
std::string steps_of(const Finding& finding) {
  if (finding.from == finding.to) return fmt::format("step {}", finding.to.value);
  return fmt::format("steps {} and {}", finding.from.value, finding.to.value);
}

// The last request that had to do with what was happening in `step`: sent, carried out, or answered then.
const Sent* request_behind(const Counterexample& example, Step step) {
  const Narrator narrator(example.events, example.store);
  const Sent* last = nullptr;
  for (const Event& event : example.events) {
    if (event.step > step) break;
    if (const auto* sent = std::get_if<Sent>(&event.what)) last = sent;
    if (const auto* executed = std::get_if<Executed>(&event.what)) last = narrator.sent(executed->message);
    if (const auto* delivered = std::get_if<Delivered>(&event.what)) last = narrator.sent(delivered->message);
  }
  return last;
}

// The last command before the end of it that took a key from the acquisition that owned it.
std::optional<Step> theft_before(const std::vector<Event>& events, Step end) {
  std::optional<Step> found;
  for (const Event& event : events) {
    const auto* const changed = std::get_if<KeyChanged>(&event.what);
    if (changed == nullptr || event.step > end || changed->by.is_nobody() || changed->before.is_nobody())
      continue;
    const bool takes =
        changed->kind == KeyChanged::Kind::removed || changed->kind == KeyChanged::Kind::overwritten;
    if (takes && changed->by != changed->before) found = event.step;
  }
  return found;
}

// Which lines of code sent the requests behind the two events that clash, and the one that took the key.
void write_code(const Counterexample& example, const Finding& finding, Page& page) {
  const Terminal& terminal = page.terminal();
  std::set<Step> steps{finding.from, finding.to};
  if (const std::optional<Step> theft = theft_before(example.events, finding.to)) steps.insert(*theft);
  std::vector<const Sent*> told;
  for (const Step step : steps) {
    const Sent* sent = request_behind(example, step);
    const auto is_same = [&](const Sent* other) { return sent->where == other->where; };
    if (!sent || sent->where.line == 0 || std::any_of(told.begin(), told.end(), is_same)) continue;
    page.paragraph("  code    ",
                   fmt::format("{}:{} sends {} (step {})", printable(terminal, sent->where.file),
                               sent->where.line, printable(terminal, words_for(sent->argv)), step.value));
    told.push_back(sent);
  }
}

void write_evidence(const TraceView& trace, Page& page) {
  const Terminal& terminal = page.terminal();
  const std::vector<Finding>& findings = trace.example.findings;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const std::string_view first = i == 0 ? "  why     " : "  also    ";
    const std::string which = i == 0 ? "" : fmt::format("{}: ", id_of(findings[i].property));
    page.paragraph(
        first, fmt::format("{}{} ({})", which, printable(terminal, because_of(findings[i], trace.language)),
                           steps_of(findings[i])));
  }
  if (!findings.empty()) write_code(trace.example, findings.front(), page);
  if (trace.example.explanation)
    for (const ExplainedLine& line :
         lines_of(*trace.example.explanation, trace.example.store, words_of(trace.language)))
      page.paragraph(fmt::format("  {} ", padded(line.label, 7)), line.text);
  if (!trace.path.empty())
    page.line(fmt::format("  replay  ./holdfast replay {}", printable(terminal, trace.path)));
}

// The scripts that the diagram leaves out of requests: each once, whole.
void write_scripts(const std::vector<Event>& events, Page& page) {
  std::vector<std::string> told;
  for (const Event& event : events) {
    const Sent* sent = std::get_if<Sent>(&event.what);
    if (!sent || !sends_script(*sent)) continue;
    if (std::find(told.begin(), told.end(), sent->argv[1]) != told.end()) continue;
    told.push_back(sent->argv[1]);
    page.paragraph("  script  ", printable(page.terminal(), sent->argv[1]));
  }
}

// "3. At 1s A gets its answer: OK. A believes that it holds the lock."
void write_story(const Counterexample& example, Language language, Page& page) {
  const Narrator narrator(example.events, example.store, language);
  bool is_told = !example.loop;
  for (const StepView& step : reports::steps_of(example.events)) {
    if (!is_told && step.step.value > example.loop->begin) {
      page.line("Then for ever:");
      is_told = true;
    }
    page.paragraph(fmt::format("{}. ", step.step.value),
                   printable(page.terminal(), narrator.sentences(step)));
  }
}

// One event per line; tabs between step, time in microseconds, actor, kind and sentence. Not wrapped.
void write_table(const Counterexample& example, Language language, std::ostream& out,
                 const Terminal& terminal) {
  const Narrator narrator(example.events, example.store, language);
  out << "step\tat_us\tactor\tevent\twords\n";
  for (const Event& event : example.events)
    out << fmt::format("{}\t{}\t{}\t{}\t{}\n", event.step.value, event.at.time_since_epoch().count(),
                       narrator.called(event.actor), kind_of(event),
                       printable(terminal, narrator.sentence(event)));
}

}  // namespace

void write_trace(const TraceView& recorded, View view, std::ostream& out, const Terminal& terminal) {
  const Counterexample shown = as_shown(recorded.example);
  const TraceView trace{recorded.scenario, shown, recorded.path, recorded.language};
  if (view == View::table) return write_table(trace.example, trace.language, out, terminal);
  Page page(out, terminal);
  write_title(trace, page);
  const std::vector<Finding>& findings = trace.example.findings;
  const std::optional<Step> violating = findings.empty() ? std::nullopt : std::optional(findings.front().to);
  if (view == View::story) {
    write_story(trace.example, trace.language, page);
  } else if (draw_sequence(trace.example, violating, page)) {
    page.line();
    draw_bars(trace.example, servers_of(trace.scenario), page);
  } else {
    page.paragraph("  ",
                   fmt::format("(A diagram does not fit into {} columns; as a story:)", terminal.width));
    page.line();
    write_story(trace.example, trace.language, page);
  }
  page.line();
  const std::vector<Event>& events = trace.example.events;
  if (const std::optional<Loop>& loop = trace.example.loop)
    page.paragraph("  then    ",
                   fmt::format("for ever: steps {} to {} again", loop->begin + 1, events.back().step.value));
  write_evidence(trace, page);
  if (view == View::sequence) write_scripts(events, page);
}

}  // namespace holdfast::reports
