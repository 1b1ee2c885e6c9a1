// diff: two locks on the same tapes.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <sstream>

#include "reports/separation.hpp"
#include "reports/trace_json.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/results.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/separate.hpp"

namespace holdfast::cli {
namespace {

// Both runs of every tape that was found, with their pages, and the page of all.
void save(const Comparison& comparison, reports::Difference& difference, Saved& saved) {
  const std::string page =
      fmt::format("{}-and-{}.html", in_file_name(difference.one), in_file_name(difference.other));
  for (const Separation& it : difference.separations) {
    difference.trace_files.emplace_back();
    if (!it.pair) continue;
    const auto save_run = [&](const std::string& lock, const Counterexample& run, std::string_view role) {
      const std::string name =
          fmt::format("{}+{}+{}+{}-{}.trace.json", in_file_name(lock), id_of(it.fault), id_of(it.property),
                      role, lock == it.breaks ? it.holds : it.breaks);
      Scenario scenario = scenario_of(comparison, lock_called(lock), it.fault);
      scenario.check = PropertySet{it.property};
      const std::string file = saved.write(name, reports::trace_json(scenario, run, version));
      if (!file.empty())
        saved.write(reports::page_of_trace(name), page_of({scenario, run, file}, page, nullptr, nullptr));
      return file;
    };
    difference.trace_files.back() = {save_run(it.breaks, it.pair->broken, "unlike"),
                                     save_run(it.holds, it.pair->whole, "like")};
  }
  std::ostringstream text;
  reports::write_difference_page(difference, text);
  difference.page = saved.write(page, text.str());
}

bool is_open(const reports::Difference& difference) {
  for (const Separation& it : difference.separations)
    if (it.answer == Separation::Answer::unknown) return true;
  return false;
}

void print(const DiffOptions& options, const reports::Difference& difference) {
  if (options.format == "json") reports::write_difference_json(difference, std::cout);
  else if (options.format == "markdown") reports::write_difference_markdown(difference, std::cout);
  else reports::write_difference_text(difference, std::cout, terminal_of(options));
}

}  // namespace

int diff(const DiffOptions& options) {
  const Card& one = lock_called(options.names[0]);
  const Card& other = lock_called(options.names[1]);
  if (one.id == other.id) throw UserError(exit_usage, "diff compares two different locks");
  for (const Card* card : {&one, &other}) require_concerned(options, *card);
  require_params(options, {&one, &other});
  const Comparison comparison = comparison_of(options);
  if (comparison.explore.strategy != StrategyKind::exhaustive)
    throw UserError(exit_usage, "diff explores every schedule: it takes no other --strategy, and no --runs");
  const std::vector<Fault> faults = chosen_faults(options);
  prepare_directory(options.out);
  Session session(options);
  session.expect_jobs(faults.size(), "faults");
  reports::Difference difference{.version = version,
                                 .seed = options.seed,
                                 .bounds = bounds_of(options, comparison, {&one, &other}),
                                 .one = std::string(one.id),
                                 .other = std::string(other.id)};
  for (const Fault fault : faults) {
    if (session.is_interrupted()) break;
    for (Separation& it : separations({scenario_of(comparison, one, fault), &one},
                                      {scenario_of(comparison, other, fault), &other},
                                      pairs_worth_waiting_for, threads_of(options), session.budget()))
      difference.separations.push_back(std::move(it));
    session.note_done({});
  }
  session.end_progress();
  difference.interrupted = session.is_interrupted();
  difference.seconds = session.seconds();
  Saved saved(options);
  save(comparison, difference, saved);
  print(options, difference);
  std::cout.flush();
  saved.require_all();
  if (difference.interrupted) return exit_interrupted;
  return is_open(difference) ? exit_inconclusive : exit_as_expected;
}

}  // namespace holdfast::cli
