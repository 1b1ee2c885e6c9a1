// Bounds that deepen: each lock under each fault is explored within small bounds first, then within larger
// ones, where a verdict may change. A space that does not close is sampled, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sim/explore/explore.hpp"
#include "sim/scenario/scope.hpp"

namespace holdfast {

// One lock under one fault, with the results so far.
struct DeepCell {
  const Card* card;
  std::function<std::optional<Scenario>(const Scope&)> scenario_at;  // nothing: the lock cannot do that
  std::vector<Within> within = {};                                   // in the order of exploration
  Exploration found = {};  // the worst verdict of each property; states and runs of all together
  PropertySet broken_between_ticks = {};     // by what no run in ticks has shown yet, perhaps
  std::vector<std::size_t> decided_by = {};  // parallel to found.properties: index into `within`
};

// As many as there are: as many as the scenario allows.
inline constexpr std::uint64_t all_states = std::numeric_limits<std::uint64_t>::max();

struct Deepening {
  std::span<const Scope> scopes;
  std::uint64_t states;  // the budget of each cell; all_states: no search gives up
  std::uint64_t runs;    // of the sample of a space that did not close
};

// As many as the time of a comparison allows; chosen bounds alone are explored whole.
inline constexpr std::uint64_t usual_states = 1'200'000;
inline constexpr std::uint64_t usual_runs = 1'000;
inline Deepening usual_deepening(std::span<const Scope> scopes) {
  return {scopes, scopes.size() == 1 ? all_states : usual_states, usual_runs};
}

// Goes on from the cells as they are. Violated and closed cells are not explored again. The budget of a cell
// goes into what a verdict needs first of all: the smallest bounds of the first variant that says anything,
// in the finest ticks. All others get a part of what is left; what would end beyond it, by its growth or by
// what smaller bounds needed, is only sampled. The result depends only on the arguments but the threads,
// unless the budget ends it early. `on_step` is told how many explorations come next. Of a cell nothing
// holds, unless its first variant was closed in the finest ticks of its scopes; what of the others was not,
// the note of a result says. Returns how many explorations there were; none: nothing is left to explore
// within these scopes.
std::size_t deepen(std::vector<DeepCell>& cells, const Deepening& how, unsigned threads, const Budget& budget,
                   const std::function<void(const Scope& scope, std::size_t jobs)>& on_step,
                   const OnDone& on_done);

}  // namespace holdfast
