// All texts for users, as functions from values to text. Nothing here decides a verdict.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/language.hpp"
#include "reports/terminal.hpp"
#include "sim/check/result.hpp"
#include "sim/core/lock.hpp"
#include "sim/scenario/known.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/scope.hpp"
#include "sim/scenario/workload.hpp"

namespace holdfast::reports {

// --- one run that violates a property ---

// What a trace file contains: with it alone the run replays. (holdfast/trace/1; see trace_json.hpp)
struct TraceView {
  const Scenario& scenario;
  const Counterexample& example;
  std::string path;  // where the trace file is; empty if there is none
  Language language = Language::en;
};

enum class View : std::uint8_t {
  sequence,  // a diagram with one lane per client and node, and bars of belief against truth
  story,     // numbered sentences
  table,     // one event per line, columns separated by tabs
};
inline constexpr std::array<std::string_view, 3> view_ids{"sequence", "story", "table"};

void write_trace(const TraceView& trace, View view, std::ostream& out, const Terminal& terminal);

// --- the verdict matrix ---

// A property of a cell: its verdict, and all that belongs to it.
struct JudgedProperty {
  PropertyResult result;
  Scenario scenario = {};  // with which the counterexample replays; empty where it was read from a file
  // Index into MatrixCell::within, if that has any: the first of those bounds that break the property, or the
  // last that were closed.
  std::size_t decided_by = 0;
  std::string trace_file = {};                           // where the counterexample was saved, if it was
  std::optional<std::string> unexpected = std::nullopt;  // why the verdict is not the expected one; "": it is
  std::string live = {};                                 // what became of it on a real server
};
std::vector<JudgedProperty> judged(const Exploration& exploration, const Scenario& scenario);

// Exploring one algorithm under one fault.
struct MatrixCell {
  std::string algorithm;
  Fault fault = Fault::none;
  Belief belief = Belief::until_release;
  std::vector<FaultRule> rules = {};  // within the first bounds
  Effort effort = {};
  std::vector<JudgedProperty> properties = {};
  // Within what it was explored, one after the other; empty: within the bounds of the matrix alone.
  std::vector<Within> within = {};
  bool has(Verdict verdict) const {
    const auto is_it = [&](const JudgedProperty& each) { return each.result.verdict == verdict; };
    return std::any_of(properties.begin(), properties.end(), is_it);
  }
};

// What was explored: the same in every cell.
struct MatrixBounds {
  std::uint32_t clients = 2;
  std::uint32_t rounds = 1;
  std::uint32_t attempts = 1;
  std::uint32_t faults = 1;  // how many may strike one run
  Duration ttl{};            // zero: no lock takes one
  // Locks that take none, by id, and how long their grants were seen to last.
  std::vector<std::pair<std::string, Duration>> seen_leases = {};
  // Of these, those that take less than they are asked for (Leases::falls_short): their times are the usual.
  std::vector<std::string> short_leases = {};
  Duration section{};     // the work under the lock, at most
  Duration start_late{};  // clients start at any tick until then
  // The same of locks that renew, if those are not all; zero: none does.
  Duration renewed_ttl{};
  Duration renewed_section{};
  std::optional<Duration> pause;  // the longest, if the user has chosen it
  Workload workload = Workload::contend;
  Fencing fencing = Fencing::none;
  Texts redis_config;
  Timing timing;
  Explore explore;
};

// What was explored is one part of a whole that was split.
struct Shard {
  std::uint32_t index = 1;  // from one
  std::uint32_t count = 1;
  std::vector<std::string> whole;  // the names of all cells ("token+pause") or files, in their order
};

// An await of a lock that no explored run came to.
struct NeverRan {
  std::string algorithm;
  std::string file;
  std::uint32_t line = 0;
  std::string text;
};

// A lock that is a program in another language, and how much of it was learnt.
struct LearntProgram {
  std::string algorithm;
  std::size_t histories = 0;  // what it was told, each followed by what it did
  std::size_t sessions = 0;   // how often it was started
  std::size_t compared = 0;   // what it was told again; it did the same
  bool looks = false;  // at clocks, and did the same a second and an hour later: times between were not tried
  // Readings of time for which another one stood, after which it did the same, and places where it waited for
  // several replies of which one order stood for all: so many histories with times and orders of their own
  // came of these, and so many of them were told to runs of their own, which did the same.
  std::size_t stood_for = 0;
  std::size_t joint = 0;
  std::size_t to_confirm = 0;
  std::size_t confirmed = 0;
  // Its errors that ended a request, each once: "my_lock.lua:7: attempt to index a nil value".
  std::vector<std::string> problems = {};
};

// A row where stores are compared.
struct StoreRow {
  std::string algorithm;
  StoreKind store = StoreKind::redis;
  std::optional<Tenure> tenure = std::nullopt;  // empty: its card does not say it
};

struct Matrix {
  std::string version;
  std::uint64_t seed = 1;
  MatrixBounds bounds;
  std::vector<MatrixCell> cells;
  std::vector<Cost> costs = {};
  std::vector<NeverRan> never_ran = {};  // in the order of locks and lines
  std::vector<LearntProgram> programs = {};
  double seconds = 0;  // real time of the whole comparison
  bool interrupted = false;
  std::optional<Shard> shard = std::nullopt;
  std::vector<StoreRow> stores = {};  // in their order, where stores are compared (reports/stores.hpp)
};

// `cards` say in which situation each lock may be taken.
void write_matrix_text(const Matrix& matrix, std::span<const Card> cards, std::ostream& out,
                       const Terminal& terminal);
// Without what explains it.
void write_matrix_alone(const Matrix& matrix, std::ostream& out, const Terminal& terminal);
// Beneath it, once they are saved: how many traces there are, where, and how to see the first.
void write_saved_traces(const Matrix& matrix, std::ostream& out, const Terminal& terminal);
void write_matrix_json(const Matrix& matrix, std::ostream& out);  // holdfast/matrix/1
void write_matrix_markdown(const Matrix& matrix, std::span<const Card> cards, std::ostream& out);
void write_matrix_junit(const Matrix& matrix, std::ostream& out);
void write_matrix_csv(const Matrix& matrix, std::ostream& out);
std::string field_of_csv(std::string text);  // RFC 4180
// One algorithm in full: every property under every fault, then the first counterexample.
void write_check_text(const Matrix& matrix, std::ostream& out, const Terminal& terminal);

// --- scenario files ---

struct ScenarioRun {
  std::string file;
  Scenario scenario;
  Exploration exploration;
  std::vector<std::string> trace_files = {};  // parallel to exploration.properties, or empty
};

// Why the expectation of the scenario is not met, in words; empty when it is met.
// A scenario that expects nothing expects that nothing is violated.
std::string unmet_expectation(const Scenario& scenario, const Exploration& exploration);

void write_runs_text(const std::vector<ScenarioRun>& runs, std::ostream& out, const Terminal& terminal);
// holdfast/run/1
void write_runs_json(const std::vector<ScenarioRun>& runs, std::ostream& out,
                     const std::optional<Shard>& shard = std::nullopt);
void write_runs_markdown(const std::vector<ScenarioRun>& runs, std::ostream& out);
void write_runs_junit(const std::vector<ScenarioRun>& runs, std::ostream& out);

// --- what there is, and what it means ---

struct ListedScenario {
  std::string file;
  Scenario scenario;
};

void write_algorithms(const std::vector<Card>& cards, std::ostream& out, const Terminal& terminal);
void write_algorithms_json(const std::vector<Card>& cards, std::ostream& out);
// `simulated`: the faults that the world can bring about; the others are listed as known, but not yet
// simulated.
void write_faults(std::ostream& out, const Terminal& terminal, FaultSet simulated = whole<Fault>(fault_ids));
void write_faults_json(std::ostream& out, FaultSet simulated = whole<Fault>(fault_ids));
void write_properties(std::ostream& out, const Terminal& terminal);
void write_properties_json(std::ostream& out);
void write_workloads(std::ostream& out, const Terminal& terminal);
void write_workloads_json(std::ostream& out);
void write_scenarios(const std::vector<ListedScenario>& scenarios, std::ostream& out,
                     const Terminal& terminal);
void write_scenarios_json(const std::vector<ListedScenario>& scenarios, std::ostream& out);

// What `name` (of an algorithm, fault, property, belief, workload or verdict) means. False, and nothing
// written, when there is no such name; explainable() lists the names.
bool write_explanation(std::string_view name, const std::vector<Card>& cards, std::ostream& out,
                       const Terminal& terminal);
std::vector<std::string_view> explainable(const std::vector<Card>& cards);

}  // namespace holdfast::reports
