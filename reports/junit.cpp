// JUnit XML, as continuous integration servers read it: one test case for each verdict. A case fails only
// where a verdict is not the expected one; open verdicts are skipped, with the reason.
#include <fmt/format.h>

#include <sstream>

#include "reports/junit.hpp"
#include "reports/report.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

// XML 1.0: control characters cannot be written at all, so they are shown in words.
std::string xml_text(std::string_view text) {
  std::string escaped;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (!escaped.empty()) escaped += '\n';
    for (const char letter : printable(Terminal{}, line)) {
      switch (letter) {
        case '&': escaped += "&amp;"; break;
        case '<': escaped += "&lt;"; break;
        case '>': escaped += "&gt;"; break;
        case '"': escaped += "&quot;"; break;
        default: escaped += letter;
      }
    }
  }
  return escaped;
}

void write_case(const JunitCase& test, std::ostream& out) {
  out << fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n", xml_text(test.suite),
                     xml_text(test.name), test.seconds);
  if (!test.failure.empty()) out << fmt::format("      <failure message=\"{}\"/>\n", xml_text(test.failure));
  else if (!test.skipped.empty())
    out << fmt::format("      <skipped message=\"{}\"/>\n", xml_text(test.skipped));
  if (!test.output.empty()) out << "      <system-out>" << xml_text(test.output) << "\n</system-out>\n";
  out << "    </testcase>\n";
}

struct Totals {
  std::size_t tests = 0, failures = 0, skipped = 0;
  double seconds = 0;
  void add(const JunitCase& test) {
    ++tests;
    failures += !test.failure.empty();
    skipped += test.failure.empty() && !test.skipped.empty();
    seconds += test.seconds;
  }
  std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\"", tests,
                       failures, skipped, seconds);
  }
};

}  // namespace

void write_junit(std::string_view name, const std::vector<JunitCase>& cases, std::ostream& out) {
  Totals all;
  for (const JunitCase& test : cases) all.add(test);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out << fmt::format("<testsuites name=\"{}\" {}>\n", name, all.attributes());
  for (std::size_t begin = 0; begin < cases.size();) {
    std::size_t end = begin;
    Totals suite;
    for (; end < cases.size() && cases[end].suite == cases[begin].suite; ++end) suite.add(cases[end]);
    out << fmt::format("  <testsuite name=\"{}\" {}>\n", xml_text(cases[begin].suite), suite.attributes());
    for (; begin < end; ++begin) write_case(cases[begin], out);
    out << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
}

namespace {

std::string diagram_of(const Scenario& scenario, const PropertyResult& result, const std::string& file) {
  if (!result.counterexample) return {};
  std::ostringstream diagram;
  write_trace({scenario, *result.counterexample, file}, View::sequence, diagram, Terminal{});
  return diagram.str();
}

std::string reason_to_skip(Outcome outcome, const std::string& note) {
  const std::string why = note.empty() ? "" : ": " + note;
  if (outcome == Outcome::unknown) return "inconclusive" + (why.empty() ? ": the budget ended first" : why);
  if (outcome == Outcome::not_applicable) return "not applicable" + why;
  if (outcome == Outcome::hollow) return "hollow" + why;
  return {};
}

}  // namespace

void write_matrix_junit(const Matrix& matrix, std::ostream& out) {
  std::vector<JunitCase> cases;
  for (const MatrixCell& cell : matrix.cells) {
    for (const JudgedProperty& each : cell.properties) {
      const PropertyResult& result = each.result;
      JunitCase test{.suite = cell.algorithm,
                     .name = fmt::format("{} × {}", id_of(cell.fault), id_of(result.property))};
      test.seconds = cell.effort.seconds / static_cast<double>(cell.properties.size());
      test.failure = each.unexpected.value_or("");
      test.skipped = reason_to_skip(outcome_of(result), result.note);
      test.output = diagram_of(each.scenario, result, each.trace_file);
      cases.push_back(std::move(test));
    }
  }
  write_junit("holdfast", cases, out);
}

void write_runs_junit(const std::vector<ScenarioRun>& runs, std::ostream& out) {
  std::vector<JunitCase> cases;
  for (const ScenarioRun& run : runs) {
    JunitCase test{.suite = "scenarios", .name = run.file, .seconds = run.exploration.seconds};
    test.failure = unmet_expectation(run.scenario, run.exploration);
    for (std::size_t i = 0; i < run.exploration.properties.size(); ++i)
      test.output += diagram_of(run.scenario, run.exploration.properties[i],
                                i < run.trace_files.size() ? run.trace_files[i] : "");
    cases.push_back(std::move(test));
  }
  write_junit("holdfast", cases, out);
}

}  // namespace holdfast::reports
