// The shortest lease of a lock under stated conditions, told.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>

#include "reports/report.hpp"
#include "sim/cli/options.hpp"
#include "sim/explore/lease.hpp"

namespace holdfast::cli {

struct LeaseTimes {
  Duration pause{};
  Duration work{};
  Duration delay{};  // one way
};

struct LeaseReport {
  std::string version;
  std::string algorithm;
  std::string parameter = {};  // what the card says of "ttl"
  Belief belief = Belief::until_release;
  LeaseTimes asked = {};
  LeaseTimes explored = {};  // the same, rounded up to ticks where the grid is coarser
  LeaseConditions conditions = {};
  LeaseTimes of_server = {};   // the same, by a server's clock that runs fast
  Duration tick{};             // with the drift of the server's clock
  std::int64_t drift_ppm = 0;  // of any clock
  std::uint32_t pauses = 1;    // in one run
  // The longest work, pause and reply together; of locks that renew, or ask several servers, it says nothing.
  bool is_formula_known = false;
  bool is_coarsened = false;  // in finer steps of time, that were tried, there are too many states
  Duration formula{};
  LeaseEdge edge = {};
  std::optional<LeaseAtInstants> at_instants = std::nullopt;  // of the times as they were asked; no drift
  std::string trace_file = {};  // of what breaks one tick below, or with the longest lease; empty: nothing
  struct Told {
    Scenario scenario;
    Counterexample example;
  };
  std::optional<Told> told = std::nullopt;  // the same
  double seconds = 0;
  bool interrupted = false;
};

void write_lease_text(const LeaseReport& report, std::ostream& out, const reports::Terminal& terminal);
void write_lease_json(const LeaseReport& report, std::ostream& out);  // holdfast/ttl/1
// How one goes on who has no answer: the command that explores the longest ttl that was tried, for as long as
// one lets it.
std::string one_ttl_alone(const LeaseReport& report, const std::string& lock, const LockParams& settings,
                          const ServerConfig& config);
nlohmann::ordered_json lease_json(const LeaseReport& report);
// "a pause of up to 2s, work of up to 500ms, …".
std::string conditions_in_words(const LeaseReport& report);

}  // namespace holdfast::cli
