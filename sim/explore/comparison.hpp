// The experiments of the default comparison: one lock, one fault, small times, every schedule.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/scope.hpp"
#include "sim/scenario/workload.hpp"

namespace holdfast {

// The faults that the world can bring about, `none` first: the columns of the matrix.
inline constexpr FaultSet simulated_faults = fault_table.by(Enactor::world);

// The bounds of a comparison. The times follow from each other: with delay d = 1s, timeout 3s and section 1s,
// a lease of 4s is the shortest that covers what a lock does when nothing goes wrong (ask 2d, work, give back
// d; or wait out the timeout, work). Shorter leases break locks without any fault, which says nothing about
// the lock. So where grants are seen to last for another time, all of these times are in proportion to that:
// of a lock without time constants of its own, the space is the same for a lease of 100ms and of a day.
struct Comparison {
  std::uint32_t clients = 2;
  std::uint32_t rounds = 1;    // 0: endlessly
  std::uint32_t attempts = 2;  // 0: until it is granted
  std::uint32_t faults = 1;    // how many may strike one run
  Duration ttl = 4s;
  Duration section = 1s;
  Texts params;                         // that the user has chosen: for each lock that has them
  std::optional<Duration> given_ttl;    // … for the lock
  std::optional<Duration> given_work;   // … for the work, of every lock
  std::optional<Duration> given_delay;  // … for the longest delay of a message
  std::optional<Duration> pause;        // the longest; empty: twice the lease
  bool is_in_proportion = true;         // to the lease, where the user has not chosen a time
  std::optional<Duration> lease;        // how long a grant was seen to last; empty: not looked
  Timing timing;
  Explore explore;
  // Contend: what `check` is about, if that is reentrancy, single-fill, once-per-period or no-lost-update
  // alone.
  Workload workload = Workload::contend;
  Variant variant = Variant::usual;
  PropertySet check;                            // empty: all that clients of this workload can break
  std::optional<Belief> belief;                 // empty: each lock's own
  std::optional<std::uint32_t> driver_retries;  // empty: as each lock's driver does
  Fencing fencing = Fencing::none;
  Texts redis_config;  // of locks that run on Redis
};

// The lease of a lock that renews it: a half and a third of it are whole ticks, so renewals come at ticks,
// and states that differ in fractions of one are not told apart. Work under such a lock is longer than the
// lease.
constexpr Duration renewed_ttl(const Comparison& comparison) { return comparison.ttl * 3 / 2; }

// What the workload makes of the bounds: how often clients take the lock, and call acquire() for it; how long
// those of this lock work.
std::uint32_t rounds_of(const Comparison& comparison);
std::uint32_t attempts_of(const Comparison& comparison);
Duration work_of(const Comparison& comparison, const Card& card);

// Until when clients start, if the lease is so long: the last attempt of one may come when a lease that began
// at once has ended.
Duration start_window(const Comparison& comparison, Duration ttl);

// What is explored, one after the other, unless the user chooses bounds.
std::span<const Scope> usual_scopes();
// Further bounds, for --deepen.
std::span<const Scope> further_scopes();

// In fine ticks, where a time that the user has chosen is no multiple of the tick of a scope.
std::vector<Scope> fitting(std::span<const Scope> scopes, const Comparison& comparison);
inline constexpr Duration finest_tick = 500ms;

Comparison at_scope(Comparison comparison, const Scope& scope);
// What the keys hold, before a run without an end of rounds, where the lock of this name counts.
Texts counted_before(const Card& card, const std::string& lock);
// The bounds of the comparison itself.
Scope scope_of(const Comparison& comparison);

// Why the workload has nothing to say about this lock; empty: it has.
std::string_view unconcerned(Workload workload, const Card& card);

// Whether the card makes this possible.
bool can(const Card& card, Variant variant);

// `card` under `fault`, within the scope. Nothing: the lock cannot do what the variant is about, or the user
// has chosen what clients do.
std::optional<Scenario> scenario_at(const Comparison& comparison, const Scope& scope, const Card& card,
                                    Fault fault);

// The ttl that the lock is asked for, if it takes one: the user's, its author's, or the usual.
Duration asked_ttl(const Comparison& comparison, const Card& card);

// `card` under `fault`, within the bounds. What is measured in leases is measured in the one that is seen
// (rehearsal.hpp), and the other times are in proportion to it. Throws BadCard.
Scenario scenario_of(const Comparison& comparison, const Card& card, Fault fault);

}  // namespace holdfast
