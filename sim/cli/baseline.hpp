// Baselines: what a comparison found, kept as a file that people read and commit, and what has changed since.
#pragma once

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/report.hpp"
#include "reports/terminal.hpp"
#include "sim/cli/measured.hpp"

namespace holdfast::cli {

// In which direction a figure gets worse. What is worse either way says that something else was explored.
enum class Worse : std::uint8_t { higher, lower, either };

struct Figure {
  std::string_view name;
  Worse worse;
};

// A list of a baseline file: its entries are known by the values of `key`, and have figures.
struct Section {
  std::string_view name;
  std::vector<std::string_view> key;
  std::vector<Figure> figures;
  bool has_verdict = false;

  // Equal exactly for entries of the same thing.
  std::string key_of(const nlohmann::ordered_json& entry) const;
};
std::span<const Section> baseline_sections();

// holdfast/baseline/1
struct Baseline {
  std::string name;
  std::string version;             // of holdfast
  std::vector<std::string> words;  // of the command line: what is explored
  // By how much a figure may differ, as a share of it; "time" is for what was measured. Set by people.
  std::map<std::string, double> tolerances;
  nlohmann::ordered_json bounds;
  std::map<std::string_view, std::vector<nlohmann::ordered_json>> sections;  // by name
  Measured measured;
};
std::map<std::string, double> usual_tolerances();

// The simulated part of a baseline.
void take_figures(const reports::Matrix& matrix, Baseline& into);

// Throws UserError with the place.
Baseline parse_baseline(const std::string& text, const std::string& file);
// One line for each entry, the same bytes for the same baseline.
std::string baseline_text(const Baseline& baseline);

enum class Change : std::uint8_t {
  regression,
  unclear,      // too few or too noisy repetitions, or another machine
  improvement,  // or something new
};
inline constexpr std::array<std::string_view, 3> change_ids{"regression", "unclear", "improvement"};

// What has changed, in the order in which a user wants to know.
enum class Changed : std::uint8_t {
  verdict,
  cost,   // what a user pays
  count,  // what the explorer counted: states, transitions, runs, steps
};
inline constexpr std::array<std::string_view, 3> changed_ids{"verdict", "cost", "count"};

struct Difference {
  Change change = Change::regression;
  Changed changed = Changed::cost;
  std::string suite;    // the lock, or "benchmarks"
  std::string subject;  // "token under pause, mutual-exclusion"
  std::string figure;
  nlohmann::ordered_json before, after;
  std::optional<double> share = std::nullopt;    // by which it rose
  std::optional<double> allowed = std::nullopt;  // tolerance
  std::string note = {};
};
// Verdicts first, then costs and counts, each in the order of the baseline. Throws UserError when the bounds
// differ: then nothing can be compared.
std::vector<Difference> differences(const Baseline& before, const Baseline& now);
// "token under pause, mutual-exclusion: verdict holds → violated".
std::string difference_text(const Difference& difference);

struct BaselineReport {
  const Baseline& before;
  const Baseline& now;
  const std::vector<Difference>& differences;
  std::size_t counts_left_out = 0;  // differences of what the explorer counted
};
bool has(const BaselineReport& report, Change change);
void write_baseline_report(const BaselineReport& report, std::ostream& out,
                           const reports::Terminal& terminal);
void write_baseline_json(const BaselineReport& report, std::ostream& out);  // holdfast/baseline-comparison/1
void write_baseline_junit(const BaselineReport& report, std::ostream& out);

}  // namespace holdfast::cli
