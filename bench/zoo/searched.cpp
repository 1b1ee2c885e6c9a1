// How many random runs a strategy needs for a bug.
#include <algorithm>

#include "bench/zoo/zoo.hpp"
#include "sim/explore/sampling.hpp"

namespace holdfast::zoo {

Searched searched(const Planted& planted, StrategyKind strategy, std::uint64_t seeds, std::uint64_t runs_max,
                  const Budget& budget) {
  Scenario scenario = scenario_of(planted, planted.suffices.front());
  scenario.check = {planted.breaks};
  scenario.explore.strategy = strategy;
  scenario.explore.runs_max = runs_max;
  // Of an even number of seeds the upper median counts, so that "not found" is more than anything found.
  const std::uint64_t middle = seeds / 2;
  std::vector<std::uint64_t> runs;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    if (budget.is_exhausted && budget.is_exhausted()) return {std::nullopt, false};
    scenario.explore.seed = seed;
    if (const auto found = runs_until(scenario, *planted.host, planted.breaks)) runs.push_back(*found);
    else if (seed - runs.size() >= seeds - middle) return {};
  }
  std::nth_element(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(middle), runs.end());
  return {runs[middle], true};
}

}  // namespace holdfast::zoo
