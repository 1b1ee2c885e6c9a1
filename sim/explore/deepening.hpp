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
  std::vector<std::size_t> decided_by = {};  // parallel to found.properties: index into `within`
};

// As many as there are: as many as the scenario allows.
inline constexpr std::uint64_t all_states = std::numeric_limits<std::uint64_t>::max();

struct Deepening {
  std::span<const DeepStep> steps;
  std::uint64_t runs;  // of the sample of a space that did not close
};

// Goes on from the cells as they are. Violated and closed cells are not explored again; where smaller bounds
// did not close within as many states, larger ones are only sampled. The result depends only on cells
// and steps, unless the budget ends it early. `on_step` is told how many explorations come next. Of a cell
// nothing holds, unless each of its variants was closed in the finest ticks of its steps. Returns how many
// explorations there were; none: nothing is left to explore within these steps.
std::size_t deepen(std::vector<DeepCell>& cells, const Deepening& how, unsigned threads, const Budget& budget,
                   const std::function<void(const Scope& scope, std::size_t jobs)>& on_step,
                   const OnDone& on_done);

}  // namespace holdfast
