// Decides how often a waiting client can be overtaken, and whether all can wait for ever, on the graph of all
// states.
//
// A client waits from its first acquire() since it last held the lock until it is granted. If others can be
// granted the lock without end while it waits, there is a cycle of states in which it does: then it starves.
// Otherwise the most that can happen is a longest path. No reduction but loop heads is used: who is who
// matters along a cycle.
//
// Fairness is the world's: messages arrive within their bounds, and a client whose turn has come moves before
// time passes. A cycle counts only if time passes in it, the waiter keeps asking, and others are granted;
// that no fault strikes in it is certain, as budgets only fall.
//
// In a livelock nobody is granted the lock, and nothing that may happen leads to a grant: so chance, which is
// fair, does not break it. How long messages travel is not fair: where it is fixed, it stays so for ever.
#pragma once

#include <optional>
#include <string>

#include "sim/check/result.hpp"
#include "sim/core/lock.hpp"
#include "sim/explore/explore.hpp"
#include "sim/scenario/scenario.hpp"

namespace holdfast {

// The properties that are decided on a graph.
inline constexpr PropertySet of_graphs{Property::bounded_bypass, Property::livelock};

// Judges this one of them. Where clients never stop and ask until they are granted, which Comparison::rounds
// and ::attempts of 0 make of them, a bound is that of the lock.
Exploration explore_graph(Property property, const Scenario& scenario, const Card& card, const Budget& budget,
                          Engine engine = Engine::snapshots);

// Whether the run comes back where `example.loop` says, and then can be led through the same states once
// more. REQUIRES: it has a loop, and its tape is of this scenario.
bool is_confirmed(const Scenario& scenario, const Card& card, const Counterexample& example);

// What such a run breaks, made anew from the run itself. REQUIRES: is_confirmed().
Finding finding_of_loop(const Scenario& scenario, const Card& card, const Counterexample& example);

}  // namespace holdfast
