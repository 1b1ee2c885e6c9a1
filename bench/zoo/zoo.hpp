// The bug zoo: correct locks, and small bugs of real locks that can be planted into them one at a time. Each
// bug says which property it breaks, under which faults, and why; all other properties must hold. By this the
// explorer and the checkers are judged, and the strategies of sampling compared.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/explore/explore.hpp"
#include "sim/scenario/scenario.hpp"

namespace holdfast::zoo {

// The locks. Each has a parameter "bug", whose default is none.
Card leased();    // one server: SET NX PX with a token, a release that compares
Card tallied();   // the same in a hash, where refused clients count themselves
Card waiting();   // as leased, and acquire() waits
Card nested();    // its holder may acquire it again
Card renewed();   // the same, and a task beside the work extends the lease
Card stamped();   // one server: the end of the lease is a value, by the server's clock
Card quorum();    // several servers, a majority within the validity
Card shared();    // readers and writers
Card numbered();  // its grants have numbers, for the resource
Card queued();    // waiters are served in the order in which they came

struct Planted {
  std::string_view id;
  std::string_view mistake;  // one line
  const Card* host;
  Property breaks;
  // What the bug breaks besides, as a consequence, with the first of the sets below.
  PropertySet besides = {};
  // All smallest sets of the faults of the default comparison that are enough to break it, and leave the lock
  // without the bug whole. Of pairs, some. An empty set: no fault is needed.
  std::vector<std::vector<FaultRule>> suffices = {{}};
  // Why these and no others: from the code of the bug, written before anything was run.
  std::string_view reason = {};
  // How the experiment differs from that of the default comparison, with the bug and without.
  void (*prepare)(Scenario& scenario) = nullptr;
  // How the bug is planted where it is no matter of the lock itself, or needs another experiment.
  void (*plant)(Scenario& scenario) = nullptr;
};

// In the order of hosts.
const std::vector<Planted>& all();

// The experiment with the bug and these faults, and the same without the bug.
Scenario scenario_of(const Planted& planted, const std::vector<FaultRule>& faults);
Scenario host_scenario_of(const Planted& planted, const std::vector<FaultRule>& faults);

// "pause", "2 lost-reply", "lost-reply + late-reply", "no fault".
std::string in_words(const std::vector<FaultRule>& faults);

// What exhaustive exploration found of a bug, with the first set of faults that is enough.
struct Outcome {
  PropertySet broken;        // with the bug
  PropertySet broken_host;   // with the same faults, without the bug
  bool is_complete = true;   // both were explored to the end
  std::uint64_t states = 0;  // of the first
  std::uint32_t steps = 0;   // of the shortest run that breaks the property
};
Outcome outcome_of(const Planted& planted, const Budget& budget);

// In which sets of faults exploration does not agree with the row: of those that it lists, of the empty one,
// and of each fault of the default comparison alone. Empty: they agree in all. Of a set that is not listed,
// at most so many states are looked at.
std::vector<std::string> disagreements(const Planted& planted, const Budget& budget,
                                       std::uint64_t states_max = std::numeric_limits<std::uint64_t>::max());

// The property that it must break is broken.
bool is_found(const Planted& planted, const Outcome& outcome);
// What is said to be broken and should not be, or is said of the host as well; empty if nothing.
PropertySet false_alarms(const Planted& planted, const Outcome& outcome);
// What the table says that the bug breaks besides, and it does not.
PropertySet unfounded(const Planted& planted, const Outcome& outcome);

// How many random runs a strategy needs for a bug.
struct Searched {
  std::optional<std::uint64_t>
      median;               // of the seeds; nothing when it found the bug with half of them or fewer
  bool is_complete = true;  // else the budget ended first
};
// bounded-bypass is no property of single runs.
inline bool can_be_sampled(const Planted& planted) { return planted.breaks != Property::bounded_bypass; }
// With the seeds from 1, at most so many runs each. REQUIRES: can_be_sampled(), `seeds` is not 0.
Searched searched(const Planted& planted, StrategyKind strategy, std::uint64_t seeds, std::uint64_t runs_max,
                  const Budget& budget);

}  // namespace holdfast::zoo
