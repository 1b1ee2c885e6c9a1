// The result of an exploration: values only, made by sim/explore, reported by reports. A scenario and its
// exploration belong together; code that holds one holds the other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/check/checker.hpp"
#include "sim/check/explanation.hpp"
#include "sim/check/sample.hpp"
#include "sim/trace/digest.hpp"
#include "sim/trace/tape.hpp"

namespace holdfast {

// The end of a run that leads back to a state that the run was in: it can go on so for ever.
struct Loop {
  std::uint32_t begin = 0;   // after so many steps of the run the loop begins; the run ends where it closes
  ClientId waiter;           // waits all the time, and keeps asking
  std::uint32_t grants = 0;  // to others, in the loop
  bool operator==(const Loop&) const = default;
};

// A run that violates a property. With its scenario it replays alone.
struct Counterexample {
  Tape tape;                                              // every choice of the run
  std::vector<Event> events;                              // up to the violation
  std::vector<Finding> findings;                          // the one that this run is about comes first
  Digest fingerprint;                                     // of `events`
  std::uint32_t steps = 0;                                // length of the run
  std::uint32_t steps_original = 0;                       // before shrinking
  std::optional<Explanation> explanation = std::nullopt;  // if it was asked for
  std::optional<Loop> loop = std::nullopt;                // bounded-bypass only
  bool is_shortest = true;                                // there is no shorter one within the bounds
  StoreKind store = StoreKind::redis;                     // of its lock
};

struct PropertyResult {
  Property property;
  Verdict verdict;
  std::string note;                              // why not-applicable, hollow or unknown; or what stayed open
  std::optional<Counterexample> counterexample;  // violated: the shortest that was found
  // bounded-bypass that holds: the most grants to others while one client waited for one.
  std::optional<std::uint32_t> bypass_max = std::nullopt;
};

// What an exploration did and met, of all properties together.
// Why a property is unknown that finer ticks, or none, have broken.
inline constexpr std::string_view broken_between_ticks = "a run breaks it at instants between ticks";

struct Effort {
  std::uint64_t states = 0;          // distinct ones; 0 for random
  std::uint64_t transitions = 0;     // steps that led to a state, new or not
  std::uint64_t runs = 0;            // executions from the start
  std::uint32_t depth_max = 0;       // steps of the longest run; 0 for exhaustive, which has no longest
  std::uint64_t snapshot_bytes = 0;  // the largest copy of a state; 0 without snapshots
  std::uint64_t table_bytes = 0;     // what recognises the states; 0 without a table
  Digest ends;                       // the sum of those in which runs end; depth first only
  Reach reach;
  std::vector<SourceLine> awaits;     // that were executed; by file and line, each once
  std::optional<SampleClaim> sample;  // what the runs say where they found nothing; sampling only
  bool complete = false;              // every schedule within the bounds was explored
  bool memory_full = false;           // it was not, because there was no room for more states
  bool gave_up = false;               // it was not, because it would have been far too large
  double seconds = 0;                 // real time
  // Why time was not dense, where it was to be: empty, if it was.
  std::string needs_ticks;
  // What a run did that is not simulated (BeyondModel): every property is unknown. Empty: nothing.
  std::string beyond_model;

  // That a state was taken for another, and what comes after it left out; at most. There are n²/2 pairs of
  // states, each of them alike in the bits that are kept with a probability of 2^-72.
  double missed_state_probability() const {
    const auto count = static_cast<double>(states);
    return std::ldexp(count * count, -(digest_bits_kept + 1));
  }
};

struct Exploration : Effort {
  std::vector<PropertyResult> properties;
  bool has(Verdict verdict) const {
    const auto is_it = [&](const PropertyResult& each) { return each.verdict == verdict; };
    return std::any_of(properties.begin(), properties.end(), is_it);
  }
};

// What a lock costs: many clients of one lock in a simulated network with realistic delays, no faults.
struct Cost {
  std::string algorithm;
  std::string workload;  // "contend"
  std::uint32_t clients = 0;
  std::uint64_t acquired = 0;       // grants in the whole run
  double commands_per_acquire = 0;  // every command of every client, by grant: acquire and release
  double wait_ms_p50 = 0;           // from the first acquire() of a round to the grant
  double wait_ms_p99 = 0;
  std::uint32_t bypass_max = 0;  // most grants to others while one client waited for one grant
  double jain_fairness = 0;      // of grants per client: 1 is even, 1/clients is one client takes all
  // What is sent together, to several servers, is one round trip.
  double round_trips_per_acquire = 0;
  // The same for a client that has the lock to itself.
  double commands_alone = 0;
  double round_trips_alone = 0;
  // Commands of waiters that brought no grant, by grant.
  double wasted_polls = 0;
  // From a call of release() to the next grant, while others wait.
  double wake_up_ms_p50 = 0;
  double wake_up_ms_p99 = 0;
};

}  // namespace holdfast
