// Finds the shortest lease with which a lock holds while nothing takes longer than stated.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/explore/explore.hpp"
#include "sim/scenario/scope.hpp"

namespace holdfast {

// What may happen, in time of the server, which ends leases. Multiples of `tick`.
struct LeaseConditions {
  Duration tick{};
  Duration pause{};            // at most; zero: no client is paused
  std::uint32_t pauses = 1;    // in one run
  Duration work{};             // at most
  Duration delay{};            // of a message, one way, at most
  std::int32_t drift_ppm = 0;  // a client's clock may run this much faster or slower than the server's
  std::uint64_t states_max = 10'000'000;                     // of one lease; with more, the search ends open
  std::function<void(Scenario&)> finish = [](Scenario&) {};  // other parameters that the user has chosen
};

// What one lease was found to do.
struct TriedLease {
  Duration lease{};
  std::vector<PropertyResult> results;  // the worst of what was explored
  std::vector<Scenario> scenarios;      // parallel: where that was found
  std::uint64_t states = 0;
  // The first of these that does not hold: the ones that are violated come before those of which no run came
  // to where they could be.
  const PropertyResult* lacking(PropertySet among) const;
};

// Bounds within which the shortest lease was explored: two clients that come once, and then larger ones.
struct LeaseWithin {
  Scope scope;
  std::uint64_t states = 0;
  bool is_closed = false;
};

struct LeaseEdge {
  std::optional<TriedLease> holds;   // the shortest that holds, and so does every longer one that was tried
  std::optional<TriedLease> breaks;  // one tick less; empty: there is no shorter lease
  PropertySet sought;                // what a lease can make hold
  PropertySet hopeless;              // violated with the longest lease, too
  std::vector<TriedLease> tried;     // from short to long
  std::vector<LeaseWithin> within;
  bool is_open = false;  // a verdict is missing: the search ended early
};

// What the length of a lease decides.
inline constexpr PropertySet of_leases = {Property::mutual_exclusion, Property::no_stale_write,
                                          Property::owner_only_release, Property::owner_only_change,
                                          Property::truthful_release};

// The n-th lease that is tried: n ticks, and the part of a millisecond that is missing, for locks count
// those.
Duration lease_at(const LeaseConditions& conditions, std::uint32_t ticks);
// Every schedule of two clients that come once, in these conditions.
Scenario lease_scenario(const LeaseConditions& conditions, const Card& card, Duration lease);
// The same, and another one if clocks drift: with the clocks of two clients as far apart as they may be.
std::vector<Scenario> lease_scenarios(const LeaseConditions& conditions, const Card& card, Duration lease);
// Whether what is tried with this lease has no more states than that.
bool closes(const LeaseConditions& conditions, const Card& card, Duration lease, std::uint64_t states_max,
            const Budget& budget);

// What is known where time is dense, of times as they are.
struct LeaseAtInstants {
  std::optional<Duration> holds;   // the shortest in whole milliseconds; empty: see `why`
  bool is_shortest = false;        // one that is a millisecond shorter breaks
  bool is_for_any_number = false;  // of rounds and attempts, too
  std::uint64_t states = 0;
  std::string why = {};
};
// Whether what the edge says to hold does so at every instant; then halves, in milliseconds. `conditions` may
// be shorter than those of the edge (`are_shorter`); where they are the same, what breaks in ticks must break
// here, and is looked at. REQUIRES: edge.holds, and clocks do not drift.
LeaseAtInstants lease_at_instants(const LeaseConditions& conditions, bool are_shorter, const Card& card,
                                  const LeaseEdge& edge, const Budget& budget);

// Halves, and goes on above a longer lease that breaks: nothing is taken for monotone. What breaks a lease is
// looked for where the first client comes at once and works as long as it can; the lease that is found is
// explored in every schedule, and with more attempts, clients and rounds. `on_tried` is told of each lease.
// REQUIRES: the card has a parameter "ttl".
LeaseEdge lease_edge(const LeaseConditions& conditions, const Card& card, unsigned threads,
                     const Budget& budget, const std::function<void(const TriedLease&)>& on_tried);

}  // namespace holdfast
