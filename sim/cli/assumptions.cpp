// assumptions: which faults break a lock, alone or together, and which it survives.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "reports/assumptions.hpp"
#include "reports/trace_json.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/results.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/assumptions.hpp"

namespace holdfast::cli {
namespace {

std::string save(Saved& saved, const Job& calm, Property property, const BreakingSet& set) {
  Scenario scenario = calm.scenario;
  scenario.check = PropertySet{property};
  std::string faults;
  for (std::size_t i = 0; i < fault_ids.size(); ++i) {
    if (!set.faults.contains(static_cast<Fault>(i))) continue;
    scenario.faults.push_back({.kind = static_cast<Fault>(i)});
    faults += fmt::format("{}{}", faults.empty() ? "" : "+", fault_ids[i]);
  }
  if (faults.empty()) faults = id_of(Fault::none);
  const std::string name =
      fmt::format("{}+{}+{}.trace.json", in_file_name(scenario.algorithm), faults, id_of(property));
  return saved.write(name, reports::trace_json(scenario, set.run, version));
}

// At most: of each number of faults, every set.
std::size_t sets_at_most(std::size_t faults, std::size_t together) {
  std::size_t sets = 1;
  std::size_t of_size = 1;
  for (std::size_t size = 1; size <= std::min(together, faults); ++size) {
    of_size = of_size * (faults - size + 1) / size;
    sets += of_size;
  }
  return sets;
}

bool is_open(const Assumptions& found) {
  for (const Assumption& it : found.properties)
    if (!it.open.empty()) return true;
  return false;
}

void print(const AssumptionsOptions& options, const reports::AssumptionsReport& report) {
  if (options.format == "json") reports::write_assumptions_json(report, std::cout);
  else if (options.format == "markdown") reports::write_assumptions_markdown(report, std::cout);
  else reports::write_assumptions_text(report, std::cout, terminal_of(options));
}

}  // namespace

int assumptions(const AssumptionsOptions& options) {
  const Job calm = calm_job(options, options, comparison_of(options), "assumptions");
  std::vector<Fault> faults = chosen_faults(options);
  std::erase(faults, Fault::none);
  prepare_directory(options.out);
  Session session(options);
  session.expect_jobs(sets_at_most(faults.size(), options.fault_budget), "sets of faults");
  reports::AssumptionsReport report{.version = version,
                                    .seed = options.seed,
                                    .bounds = bounds_of(options, comparison_of(options), {calm.card}),
                                    .algorithm = std::string(calm.card->id),
                                    .belief = calm.scenario.belief.value_or(calm.card->belief)};
  report.bounds.faults = options.fault_budget;
  report.found = assumptions_of(calm, faults, options.fault_budget, threads_of(options), session.budget(),
                                [&](std::size_t, const Exploration& done) { session.note_done(done); });
  session.end_progress();
  report.interrupted = session.is_interrupted();
  report.seconds = session.seconds();
  Saved saved(options);
  for (const Assumption& it : report.found.properties) {
    report.trace_files.emplace_back();
    for (const BreakingSet& set : it.breaks)
      report.trace_files.back().push_back(save(saved, calm, it.property, set));
  }
  print(options, report);
  std::cout.flush();
  saved.require_all();
  if (report.interrupted) return exit_interrupted;
  return is_open(report.found) ? exit_inconclusive : exit_as_expected;
}

}  // namespace holdfast::cli
