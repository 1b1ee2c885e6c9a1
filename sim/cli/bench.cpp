// bench: how fast holdfast itself is. Cases and what one execution does: bench/engine_cases.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "bench/engine_cases.hpp"
#include "reports/terminal.hpp"
#include "sim/cli/bench_live.hpp"
#include "sim/cli/bench_zoo.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/measured.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/told.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;
using bench::EngineCase;
using bench::Measurement;

// Each case is executed again and again for at least this long, and the median counts.
constexpr double seconds_min = 1;

struct EngineRow {
  EngineCase of;
  Measurement did;
  double seconds = 0;            // of one execution
  double processor_seconds = 0;  // of one execution, all threads together
  std::uint64_t executions = 0;
  double rate_of(std::uint64_t count) const { return static_cast<double>(count) / seconds; }
  double bytes_per_state() const {
    return static_cast<double>(did.table_bytes) / static_cast<double>(std::max<std::uint64_t>(did.states, 1));
  }
};

std::vector<EngineCase> chosen_cases(std::string_view option, const std::vector<std::string>& globs) {
  std::vector<std::string> names = bench::usual_engine_cases();
  for (const std::string& word : globs)
    if (std::find(names.begin(), names.end(), word) == names.end() && bench::engine_case(word))
      names.push_back(word);
  std::vector<EngineCase> cases;
  for (const std::string_view name : matching(option, globs, {}, {names.begin(), names.end()}))
    cases.push_back(*bench::engine_case(name));
  return cases;
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double median_of(std::vector<double> times) {
  const auto median = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), median, times.end());
  return *median;
}

// `did.complete` is false when the budget, or the room for states, ended before the first execution did.
EngineRow measure(const EngineCase& of, unsigned threads, Session& session) {
  const Budget budget = session.budget();
  EngineRow row{.of = of, .did = {}};
  std::vector<double> times;
  std::vector<double> processor_times;
  double spent = 0;
  while (spent < seconds_min && (times.empty() || !budget.is_exhausted())) {
    const double begin = session.seconds();
    const double processor_begin = processor_seconds();
    const Measurement did = bench::execute(of, threads, budget);
    if (times.empty()) row.did = did;
    if (!did.complete) break;
    times.push_back(session.seconds() - begin);
    processor_times.push_back(processor_seconds() - processor_begin);
    spent += times.back();
  }
  if (times.empty()) return row;
  row.executions = times.size();
  row.seconds = median_of(times);
  row.processor_seconds = median_of(processor_times);
  return row;
}

Json json_of(const EngineRow& row) {
  if (row.of.is_timed())
    return {{"name", row.of.name},
            {"events", row.did.events},
            {"seconds", row.seconds},
            {"events_per_second", row.rate_of(row.did.events)}};
  return {{"name", row.of.name},
          {"states", row.did.states},
          {"transitions", row.did.transitions},
          {"seconds", row.seconds},
          {"states_per_second", row.rate_of(row.did.states)},
          {"transitions_per_second", row.rate_of(row.did.transitions)},
          {"bytes_per_state", row.bytes_per_state()},
          {"snapshot_bytes", row.did.snapshot_bytes}};
}

void print_json(const std::vector<EngineRow>& rows) {
  Json json{{"schema", "holdfast/bench-engine/1"}, {"benchmarks", Json::array()}};
  for (const EngineRow& row : rows) json["benchmarks"].push_back(json_of(row));
  fmt::print("{}\n", json.dump(1));
}

// As Google Benchmark prints it, for its tools and for baselines.
void print_google(const std::vector<EngineRow>& rows) {
  Json json{{"context", context_here()}, {"benchmarks", Json::array()}};
  for (const EngineRow& row : rows)
    json["benchmarks"].push_back(
        benchmark_json(row.of.name, 0, row.executions, row.seconds * 1e9, row.processor_seconds * 1e9));
  fmt::print("{}\n", json.dump(1));
}

std::string rate(double per_second) { return reports::grouped(static_cast<std::uint64_t>(per_second)); }

void print_text(const std::vector<EngineRow>& rows) {
  const auto print_those = [&](bool timed, std::string_view head, const auto& line_of) {
    bool is_first = true;
    for (const EngineRow& row : rows) {
      if (row.of.is_timed() != timed) continue;
      if (is_first) fmt::print("{:<34}{}\n", "", head);
      is_first = false;
      fmt::print("{:<34}{}\n", row.of.name, line_of(row));
    }
  };
  print_those(false, "      states   transitions  seconds    states/s  transitions/s  bytes/state  snapshot",
              [](const EngineRow& row) {
                return fmt::format("{:>12}{:>14}{:>9.3f}{:>12}{:>15}{:>13.1f}{:>10}",
                                   reports::grouped(row.did.states), reports::grouped(row.did.transitions),
                                   row.seconds, rate(row.rate_of(row.did.states)),
                                   rate(row.rate_of(row.did.transitions)), row.bytes_per_state(),
                                   reports::grouped(row.did.snapshot_bytes));
              });
  print_those(true, "      events  seconds    events/s", [](const EngineRow& row) {
    return fmt::format("{:>12}{:>9.3f}{:>12}", reports::grouped(row.did.events), row.seconds,
                       rate(row.rate_of(row.did.events)));
  });
}

int bench_engine(const BenchOptions& options) {
  std::vector<EngineCase> cases = chosen_cases("--only", options.only);
  for (EngineCase& each : cases)
    each.scenario.explore.memory_max = options.memory.value_or(each.scenario.explore.memory_max);
  const unsigned threads = std::max(1u, options.jobs);
  Session session({.budget = options.budget});
  session.expect_jobs(cases.size(), "benchmarks");
  std::vector<EngineRow> rows;
  std::string complaints;
  for (const EngineCase& each : cases) {
    const bool begins = !session.budget().is_exhausted();
    EngineRow row = begins ? measure(each, threads, session) : EngineRow{.of = each, .did = {}};
    session.note_done({.transitions = row.did.transitions});
    if (row.did.complete) {
      rows.push_back(std::move(row));
    } else if (session.budget().is_exhausted()) {
      complaints += fmt::format("holdfast: the budget ended before {} was measured\n", each.name);
      break;
    } else {
      complaints +=
          fmt::format("holdfast: {} has more than {} states, too many for the memory limit (--memory)\n",
                      each.name, reports::grouped(row.did.states));
    }
  }
  session.end_progress();
  tell_text(complaints);
  if (options.format == "json") print_json(rows);
  else if (options.format == "google") print_google(rows);
  else print_text(rows);
  if (session.is_interrupted()) return exit_interrupted;
  return complaints.empty() ? exit_as_expected : exit_inconclusive;
}

}  // namespace

std::vector<std::string> benchmarks_called(const std::vector<std::string>& globs) {
  std::vector<std::string> names;
  if (globs.empty()) return names;
  for (const EngineCase& each : chosen_cases("--bench", globs)) names.push_back(each.name);
  return names;
}

int bench(const BenchOptions& options) {
  if (options.names.empty()) {
    fmt::print(
        "engine   states, transitions and bytes per state of spaces that are closed; events of simulations\n"
        "live     acquire and release of each lock on a real Redis, beside plain hiredis\n"
        "zoo      which of the bugs planted in correct locks are found, and in how many runs\n");
    return exit_as_expected;
  }
  const std::string& suite = options.names.front();
  if (suite != "zoo" && options.format == "markdown")
    throw UserError(exit_usage, "--format markdown: only of the suite zoo");
  if (suite == "engine") return bench_engine(options);
  if (suite != "engine" && options.format == "google")
    throw UserError(exit_usage, "--format google: only of the suite engine");
  if (suite == "live") return bench_live(options);
  if (suite == "zoo") return bench_zoo(options);
  const std::string why = suite == "sim" ? fmt::format("this version cannot measure \"{}\"", suite)
                                         : fmt::format("there is no suite \"{}\"{}", suite,
                                                       did_you_mean(suite, {"engine", "live", "zoo"}));
  throw UserError(exit_usage, why + " · there are: engine, live, zoo");
}

}  // namespace holdfast::cli
