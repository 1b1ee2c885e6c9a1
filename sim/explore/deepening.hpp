// Bounds that deepen: each lock under each fault is explored within small bounds first, then within larger
// ones, where a verdict may turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/explore/explore.hpp"
#include "sim/scenario/scope.hpp"

namespace holdfast {

// One lock under one fault, and what is known of it by now.
struct DeepCell {
  const Card* card;
  std::function<Scenario(const Scope&)> scenario_at;
  std::vector<Within> within = {};  // in the order of exploration
  Exploration found = {};           // the worst verdict of each property; states and runs of all together
  std::vector<std::size_t> decided_by = {};  // parallel to found.properties: index into `within`
};

struct Deepening {
  std::span<const Scope> scopes;
  // The first of them are explored whole, the others up to so many states: what they break is broken, closed
  // or not.
  std::size_t whole_scopes;
  std::uint64_t states_max;
};

// Goes on with the cells as they are. What is broken is not explored again, nor what is closed. The result
// depends only on cells and scopes, unless the budget ends it early. `on_scope` is told how many explorations
// come next. Of a cell that no scope with the finest ticks closed, nothing holds. Returns how many there
// were; none: nothing is left to explore within these scopes.
std::size_t deepen(std::vector<DeepCell>& cells, const Deepening& how, unsigned threads, const Budget& budget,
                   const std::function<void(const Scope& scope, std::size_t jobs)>& on_scope,
                   const OnDone& on_done);

}  // namespace holdfast
