#include "sim/explore/shares.hpp"

#include <algorithm>
#include <span>

namespace holdfast {
namespace {

// Larger bounds have so many times as many states: three quarters of those that closed had more.
constexpr std::uint64_t of_client = 4;
constexpr std::uint64_t of_round = 3;
constexpr std::uint64_t of_finer_ticks = 2;
std::uint64_t growth(const Scope& larger, const Scope& smaller) {
  std::uint64_t growth = larger.tick < smaller.tick ? of_finer_ticks : 1;
  for (std::uint32_t i = smaller.clients; i < larger.clients; ++i) growth *= of_client;
  for (std::uint32_t i = smaller.rounds; i < larger.rounds; ++i) growth *= of_round;
  return growth;
}
// What of a cell's budget the first variant leaves is shared out: no verdict needs the rest.
// What is larger than a third in coarse ticks does not close in finer ones.
constexpr std::uint64_t of_coarse = 3;
// What closed in coarse ones does, within so many times what a cell has: every ✔ stands on it.
constexpr std::uint64_t of_finest = 4;  // on several servers it does not close
constexpr std::uint64_t of_endless = 4;
constexpr std::uint64_t of_extra = 20;
constexpr std::uint64_t of_variant = 16;
// A search of a guest takes as long as another one of several times as many states.
constexpr std::uint64_t of_guest = 12;
// Any number of rounds has up to a hundred times as many states as one, or does not close.
constexpr std::uint64_t of_any_number = 100;
// Where time is dense, a state takes about ten times as long, and stands for many.
constexpr std::uint64_t of_dense = 8;
// Any number of rounds has up to so many times as many states, or does not close.
constexpr std::uint64_t of_any_number_dense = 24;
constexpr std::uint64_t few_states = 256;
// Each space gets as many at least, for what it breaks.
constexpr std::uint64_t states_least = 64 * 1024;
// What closed in the usual way does in others, within so many times its states.
constexpr std::uint64_t of_usual = 4;

// The scope is no variant's smallest.
bool is_extra(const Scope& scope, std::span<const Scope> all) {
  return std::any_of(all.begin(), all.end(), [&](Scope other) {
    other.tick = scope.tick;
    return scope.contains(other) && !(scope == other);
  });
}

// Verdicts stand on it: it comes first, or is the only one to say anything. Reentrancy is judged in nested
// grants alone.
bool is_needed(const DeepCell& cell, Variant variant, const Deepening& how) {
  const auto says_nothing = [](const PropertyResult& each) { return weight_of(each.verdict, true) == 1; };
  return variant == how.scopes.front().variant || variant == Variant::nested ||
         std::all_of(cell.found.properties.begin(), cell.found.properties.end(), says_nothing);
}

// Finer ticks come later.
bool is_coarse(const Scope& scope, std::span<const Scope> all) {
  return std::any_of(all.begin(), all.end(), [&](Scope other) {
    const bool is_finer = other.tick < scope.tick && !other.is_dense();
    other.tick = scope.tick;
    return is_finer && scope == other;
  });
}

// How many states the usual way with these bounds has; 0: it did not close.
std::uint64_t states_in_usual_way(const DeepCell& cell, Scope scope) {
  scope.variant = Variant::usual;
  for (const Within& each : cell.within)
    if (each.is_closed && each.scope == scope) return each.states;
  return 0;
}

// Nothing: it was not explored within these bounds.
const Within* explored(const DeepCell& cell, const Scope& scope) {
  for (const Within& each : cell.within)
    if (each.runs == 0 && each.scope == scope) return &each;
  return nullptr;
}

// What did not close has more.
std::uint64_t states_at_least(const Within& within) {
  return within.is_closed ? within.states : 2 * within.states_max;
}

// What is broken within these is often found before they close, and in no sample: in the first, in those that
// are there for what a crowd breaks, and in runs without end, which are not sampled.
bool breaks_on_the_way(const Scope& scope, const Deepening& how) {
  if (scope.is_dense()) return false;
  return scope == how.scopes.front() || scope.variant == Variant::crowd || scope.is_endless();
}

// If a fault makes as much of these bounds as of the first ones; 0: nothing is known of them.
std::uint64_t expected_states(const DeepCell& cell, const Scope& scope, const DeepCell& faultless) {
  const Within* there = explored(faultless, scope);
  if (there == nullptr || states_at_least(*there) == 0) return 0;
  // Nor do they close with it.
  if (!there->is_closed) return all_states;
  for (const Within& each : cell.within) {
    // How many states there are in ticks says nothing of dense time.
    if (each.runs != 0 || each.scope.is_dense() != scope.is_dense() || each.scope == scope) continue;
    const Within* first = explored(faultless, each.scope);
    if (first == nullptr || !first->is_closed) continue;
    return there->states * states_at_least(each) / std::max<std::uint64_t>(1, first->states);
  }
  return 0;
}

}  // namespace

int weight_of(Verdict verdict, bool is_complete) {
  switch (verdict) {
    case Verdict::unknown: return 0;
    case Verdict::not_applicable:
    case Verdict::hollow: return 1;
    case Verdict::sampled: return 2;
    case Verdict::holds:
    case Verdict::violated: break;
  }
  return is_complete ? 3 : 0;
}

bool is_closed_in_coarse_ticks(const DeepCell& cell, Scope scope) {
  return std::any_of(cell.within.begin(), cell.within.end(), [&](const Within& each) {
    scope.tick = each.scope.tick;
    return each.is_closed && each.scope == scope;
  });
}

std::uint64_t states_for(const DeepCell& cell, const Scope& scope, const Scenario& scenario,
                         const Deepening& how) {
  if (how.states == all_states) return scenario.explore.states_max;
  std::uint64_t left = cell.card->is_guest ? how.states / of_guest : how.states;
  if (scope.is_dense()) {
    left /= of_dense;
    for (const Within& each : cell.within)
      if (each.is_closed && scope.contains(each.scope) && each.scope.is_dense())
        left = std::min(left, of_any_number_dense * std::max(each.states, few_states));
    return std::min(scenario.explore.states_max, left);
  }
  for (const Within& each : cell.within)
    if (each.runs == 0 && !(each.scenario == scenario)) left -= std::min(left, each.states);
  if (scope.is_endless() && is_needed(cell, scope.variant, how) && !cell.card->needs_several_servers())
    left /= of_endless;
  else if (is_extra(scope, how.scopes) || scope.variant == Variant::crowd) left /= of_extra;
  else if (!is_needed(cell, scope.variant, how)) left /= of_variant;
  else if (is_coarse(scope, how.scopes)) left /= of_coarse;
  else if (is_closed_in_coarse_ticks(cell, scope) && !cell.card->needs_several_servers())
    return std::min(scenario.explore.states_max, of_finest * how.states);
  const std::uint64_t alike = of_usual * states_in_usual_way(cell, scope);
  std::uint64_t least = std::min(std::max(states_least, alike), how.states);
  if (scope.is_endless())
    for (const Within& each : cell.within)
      if (each.is_closed && scope.contains(each.scope))
        left = least = std::min(left, of_any_number * std::max(each.states, few_states));
  return std::min(scenario.explore.states_max, std::max(left, least));
}

bool is_hopeless(const DeepCell& cell, const Scope& scope, const Scenario& scenario, std::uint64_t states,
                 const DeepCell* faultless, const Deepening& how) {
  // Where it is known how much larger they are without the fault, so much larger they are with it.
  constexpr std::uint64_t of_expected = 2;
  if (faultless != nullptr && !breaks_on_the_way(scope, how) &&
      expected_states(cell, scope, *faultless) / of_expected > states)
    return true;
  return std::any_of(cell.within.begin(), cell.within.end(), [&](const Within& each) {
    if (each.runs != 0 || !scope.contains(each.scope) || each.scenario == scenario) return false;
    // How many states there are in ticks says nothing of dense time.
    if (scope.is_dense() != each.scope.is_dense()) return false;
    // What did not close has more.
    const std::uint64_t least = each.is_closed ? each.states : 2 * std::min(each.states_max, states);
    return least > states / growth(scope, each.scope);
  });
}

}  // namespace holdfast
