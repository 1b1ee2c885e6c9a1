// How many runs each strategy needs until it finds a planted bug: the median over seeds, as a Markdown table.
// A number in brackets is how many of the seeds found it at all, where not every one did.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <limits>
#include <string_view>
#include <vector>

#include "bench/depths.hpp"
#include "sim/explore/sampling.hpp"

namespace holdfast {
namespace {

constexpr std::array strategies{StrategyKind::random, StrategyKind::pct, StrategyKind::walk,
                                StrategyKind::swarm, StrategyKind::portfolio};

std::string cell_of(const depths::Planted& bug, StrategyKind strategy, std::uint64_t seeds,
                    std::uint64_t runs_max) {
  constexpr std::uint64_t not_found = std::numeric_limits<std::uint64_t>::max();
  Scenario scenario = depths::scenario_of(bug);
  scenario.explore.strategy = strategy;
  scenario.explore.runs_max = runs_max;
  std::vector<std::uint64_t> runs;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    scenario.explore.seed = seed;
    runs.push_back(runs_until(scenario, bug.card, bug.property).value_or(not_found));
  }
  std::sort(runs.begin(), runs.end());
  // Of an even number the upper one, so that "not found" counts as more than anything found.
  const std::uint64_t median = runs[runs.size() / 2];
  const auto found =
      static_cast<std::uint64_t>(std::lower_bound(runs.begin(), runs.end(), not_found) - runs.begin());
  const std::string text = median == not_found ? fmt::format("> {}", runs_max) : fmt::format("{}", median);
  return found == seeds ? text : fmt::format("{} ({}/{})", text, found, seeds);
}

void print_table(std::uint64_t seeds, std::uint64_t runs_max) {
  fmt::print("Median of {} seeds, at most {} runs each.\n\n| depth | bug |", seeds, runs_max);
  for (const StrategyKind strategy : strategies) fmt::print(" {} |", id_of(strategy));
  fmt::print("\n|---|---|---|---|---|---|---|\n");
  for (const depths::Planted& bug : depths::all()) {
    fmt::print("| {} | `{}` |", bug.depth, bug.card.id);
    for (const StrategyKind strategy : strategies) {
      fmt::print(" {} |", cell_of(bug, strategy, seeds, runs_max));
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
}

bool read_number(std::string_view text, std::uint64_t& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc() && end == text.data() + text.size() && into > 0;
}

}  // namespace
}  // namespace holdfast

int main(int argc, char** argv) {
  std::uint64_t seeds = 20;
  std::uint64_t runs_max = 200'000;
  if ((argc > 1 && !holdfast::read_number(argv[1], seeds)) ||
      (argc > 2 && !holdfast::read_number(argv[2], runs_max)) || argc > 3) {
    fmt::print(stderr, "usage: strategies_bench [SEEDS [RUNS]]\n");
    return 64;
  }
  holdfast::print_table(seeds, runs_max);
  return 0;
}
