// replay and show: prints a trace file, and executes it again.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <iostream>

#include "reports/exports.hpp"
#include "reports/report.hpp"
#include "reports/trace_json.hpp"
#include "reports/trace_page.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/confirm.hpp"
#include "sim/cli/known.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/replayed.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/told.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/but_for.hpp"

namespace holdfast::cli {
namespace {

void print(const TraceOptions& options, const reports::TraceFile& trace) {
  const auto view = from_id<reports::View>(reports::view_ids, options.view);
  reports::write_trace({trace.scenario, trace.example, options.names.front(), language_of(options)}, *view,
                       std::cout, terminal_of(options));
}

// Performs the trace on a real server, and tells whether the same happens.
int confirm_live(const ReplayOptions& options, const reports::TraceFile& trace) {
  std::fflush(stdout);
  Session session;
  Confirmer confirmer(options.redis);
  const Card& card = *algorithms::find(trace.scenario.algorithm);
  const Confirmation it =
      confirmer.confirm(trace.scenario, card, trace.example, [&] { return session.is_interrupted(); });
  using Kind = Confirmation::Kind;
  if (it.kind == Kind::differs)
    throw UserError(exit_bug, fmt::format("{}: {} differs from the simulated one at {}",
                                          options.names.front(), server_named(it.version), it.why));
  if (it.kind != Kind::confirmed) {
    fmt::print("not confirmed: {}\n", it.why);
    return session.is_interrupted() ? exit_interrupted : exit_inconclusive;
  }
  fmt::print("confirmed on {}: {} in {:.1f} s, {} of the trace in {}\n", server_named(it.version),
             reports::counted(it.performance.commands, "command"),
             std::chrono::duration<double>(it.performance.length).count(),
             to_text(trace.scenario.timing.tick), to_text(it.tick));
  return exit_as_expected;
}

void print_as(const ShowOptions& options, const reports::TraceFile& trace) {
  const reports::TraceView view{trace.scenario, trace.example, options.names.front(), language_of(options)};
  const std::string& format = options.format;
  if (format == "json")
    std::cout << reports::trace_json(trace.scenario, trace.example, trace.version, trace.game);
  else if (format == "html")
    reports::write_trace_page(view, sources_of(trace.example.events), context_of(view, "", &trace),
                              std::cout);
  else if (format == "svg") reports::write_trace_svg(view, std::cout);
  else if (format == "markdown") reports::write_trace_markdown(view, std::cout);
  else if (format == "mermaid") reports::write_trace_mermaid(view, std::cout);
  else if (format == "card") reports::write_trace_card(view, std::cout);
  else if (format == "plantuml") reports::write_trace_plantuml(view, std::cout);
  else if (format == "perfetto") reports::write_trace_perfetto(view, std::cout);
  else if (format == "itf") reports::write_trace_itf(view, std::cout);
  else print(options, trace);
}

[[noreturn]] void refuse(const TraceOptions& options, const reports::TraceFile& trace,
                         const std::string& differs) {
  throw UserError(
      exit_bad_file,
      fmt::format(
          "{}: the replay differs: {}. The trace was recorded by holdfast {}, and this is {}; if they "
          "are equal, and the file was not changed, this is a bug",
          options.names.front(), differs, trace.version, version));
}

}  // namespace

int show_trace(const ShowOptions& options) {
  reports::TraceFile trace = read_trace(options.names.front());
  const Replayed again = replayed(trace);
  if (!again.other_finding.empty()) refuse(options, trace, again.other_finding);
  Counterexample& example = trace.example;
  const bool is_explained = example.explanation || example.loop || example.findings.empty();
  if (!again.other_run.empty()) {
    tell("not judged again, because its replay differs: {}\n", again.other_run);
  } else if (!is_explained) {
    Session session({.budget = options.budget});
    const Card& card = *algorithms::find(trace.scenario.algorithm);
    example.explanation = explanation_of(trace.scenario, card, example, session.budget());
  }
  print_as(options, trace);
  return exit_as_expected;
}

int replay_trace(const ReplayOptions& options) {
  const reports::TraceFile trace = read_trace(options.names.front());
  const Replayed again = replayed(trace);
  const std::string& differs = again.other_run.empty() ? again.other_finding : again.other_run;
  if (!differs.empty() && replayed(trace).run.fingerprint != again.run.fingerprint)
    throw UserError(exit_bug,
                    fmt::format("{}: nondeterminism: two replays of one tape differ", options.names.front()));
  if (!differs.empty()) refuse(options, trace, differs);
  print(options, trace);
  fmt::print("\nreplayed: {} steps, fingerprint {} as recorded, and judged the same again{}\n",
             again.run.steps, again.run.fingerprint.hex(),
             trace.example.loop ? "; the loop a second time, through the same states" : "");
  return options.is_live ? confirm_live(options, trace) : exit_as_expected;
}

}  // namespace holdfast::cli
