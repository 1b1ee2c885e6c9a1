// What has changed since a baseline: for people, for programs, and for continuous integration servers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/junit.hpp"
#include "sim/cli/baseline.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;
using reports::JunitCase;

std::size_t entries_in(const Baseline& baseline, std::string_view section) {
  const auto entries = baseline.sections.find(section);
  return entries == baseline.sections.end() ? 0 : entries->second.size();
}

std::size_t count_of(const BaselineReport& report, Change change) {
  return static_cast<std::size_t>(
      std::count_if(report.differences.begin(), report.differences.end(),
                    [&](const Difference& each) { return each.change == change; }));
}

// "benchmarks" come after the locks, each lock where its first difference is.
std::vector<std::string> suites_of(const BaselineReport& report) {
  std::vector<std::string> suites;
  const auto note = [&](const std::string& suite) {
    if (std::find(suites.begin(), suites.end(), suite) == suites.end()) suites.push_back(suite);
  };
  if (const auto cells = report.before.sections.find("cells"); cells != report.before.sections.end())
    for (const Json& cell : cells->second) note(cell["algorithm"]);
  for (const Difference& difference : report.differences) note(difference.suite);
  return suites;
}

std::string_view word_for(Change change) {
  switch (change) {
    case Change::regression: return "worse";
    case Change::unclear: return "cannot tell";
    case Change::improvement: return "better";
  }
  return "";
}

}  // namespace

bool has(const BaselineReport& report, Change change) { return count_of(report, change) != 0; }

void write_baseline_report(const BaselineReport& report, std::ostream& out,
                           const reports::Terminal& terminal) {
  reports::Page page(out, terminal);
  page.line(fmt::format("baseline {}: {}, the costs of {}, {}", report.before.name,
                        reports::counted(entries_in(report.before, "cells"), "verdict"),
                        reports::counted(entries_in(report.before, "costs"), "lock"),
                        reports::counted(report.before.measured.series.size(), "benchmark")));
  if (report.before.version != report.now.version)
    page.line(fmt::format("made by holdfast {}; this is {}", report.before.version, report.now.version));
  const auto list = [&](Changed changed, std::string_view title) {
    bool is_first = true;
    for (const Difference& each : report.differences) {
      if (each.changed != changed) continue;
      if (is_first) page.line();
      if (is_first) page.line(title);
      is_first = false;
      page.line(fmt::format("  {:<11} {}", word_for(each.change),
                            reports::printable(terminal, difference_text(each))));
    }
  };
  list(Changed::verdict, "Verdicts:");
  list(Changed::cost, "What a user pays:");
  list(Changed::count, "What the explorer counted:");
  page.line();
  if (report.differences.empty()) page.line("nothing has changed");
  else
    page.line(fmt::format("{}, {} better or new, {} unclear",
                          reports::counted(count_of(report, Change::regression), "regression"),
                          count_of(report, Change::improvement), count_of(report, Change::unclear)));
  if (report.counts_left_out != 0)
    page.paragraph("",
                   fmt::format("The explorer counted {} otherwise (states, runs, steps); --counts lists {}.",
                               reports::counted(report.counts_left_out, "figure"),
                               report.counts_left_out == 1 ? "it" : "them"));
}

void write_baseline_json(const BaselineReport& report, std::ostream& out) {
  Json json{{"schema", "holdfast/baseline-comparison/1"},
            {"name", report.before.name},
            {"version", report.now.version},
            {"baseline_version", report.before.version},
            {"regressions", count_of(report, Change::regression)},
            {"unclear", count_of(report, Change::unclear)},
            {"improvements", count_of(report, Change::improvement)},
            {"counts_left_out", report.counts_left_out},
            {"differences", Json::array()}};
  for (const Difference& each : report.differences) {
    Json entry{{"change", change_ids[static_cast<std::size_t>(each.change)]},
               {"changed", changed_ids[static_cast<std::size_t>(each.changed)]},
               {"suite", each.suite},
               {"subject", each.subject},
               {"figure", each.figure},
               {"before", each.before},
               {"after", each.after}};
    if (each.share && std::isfinite(*each.share)) entry["share"] = *each.share;
    if (each.allowed) entry["allowed"] = *each.allowed;
    entry["text"] = difference_text(each);
    json["differences"].push_back(std::move(entry));
  }
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

void write_baseline_junit(const BaselineReport& report, std::ostream& out) {
  std::vector<JunitCase> cases;
  for (const std::string& suite : suites_of(report)) {
    JunitCase test{.suite = "baseline " + report.before.name, .name = suite};
    for (const Difference& each : report.differences) {
      if (each.suite != suite) continue;
      std::string& into = each.change == Change::regression ? test.failure
                          : each.change == Change::unclear  ? test.skipped
                                                            : test.output;
      into += (into.empty() ? "" : "\n") + difference_text(each);
    }
    cases.push_back(std::move(test));
  }
  reports::write_junit("holdfast", cases, out);
}

}  // namespace holdfast::cli
