#include "bench/marathon.hpp"

#include <algorithm>
#include <array>

#include "sim/core/lock.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast::bench {
namespace {

constexpr std::array strategies{StrategyKind::random, StrategyKind::pct, StrategyKind::walk,
                                StrategyKind::swarm, StrategyKind::portfolio};
// One in so many samples is drawn a second time.
constexpr std::uint64_t repeat_every = 8;

PropertySet violated(const Exploration& exploration) {
  PropertySet found;
  for (const PropertyResult& each : exploration.properties)
    if (each.verdict == Verdict::violated) found.insert(each.property);
  return found;
}

bool is_same(const Exploration& one, const Exploration& other) {
  return one.runs == other.runs && one.transitions == other.transitions && one.depth_max == other.depth_max &&
         std::equal(one.properties.begin(), one.properties.end(), other.properties.begin(),
                    other.properties.end(), [](const PropertyResult& a, const PropertyResult& b) {
                      const bool has_run = a.counterexample.has_value();
                      return a.verdict == b.verdict && has_run == b.counterexample.has_value() &&
                             (!has_run || a.counterexample->fingerprint == b.counterexample->fingerprint);
                    });
}

// One lock under one fault.
class Cell {
 public:
  Cell(const Card& card, Fault fault, Marathon& result)
      : card_(card), scenario_(scenario_of(Comparison(), card, fault)), result_(result) {
    ++result_.cells;
  }

  void close_space(std::uint64_t states_max) {
    scenario_.explore.states_max = states_max;
    const Exploration all = explore(scenario_, card_, Budget());
    is_closed_ = all.complete;
    violated_ = violated(all);
  }

  void sample(StrategyKind strategy, std::uint64_t runs, std::uint64_t seed, bool repeat) {
    Scenario scenario = scenario_;
    scenario.explore.strategy = strategy;
    scenario.explore.runs_max = runs;
    scenario.explore.seed = seed;
    const Exploration found = explore(scenario, card_, Budget());
    result_.runs += found.runs;
    result_.steps += found.transitions;
    if (repeat) {
      ++result_.repeated;
      if (!is_same(found, explore(scenario, card_, Budget()))) complain(scenario, "two executions differ");
    }
    check_counterexamples(scenario, found);
    // Timed runs know more instants than there are ticks.
    if (!is_closed_ || strategy == StrategyKind::random) return;
    ++result_.confirmed;
    if (!violated_.contains_all(violated(found)))
      complain(scenario, "found what exhaustive exploration does not find");
  }

 private:
  void check_counterexamples(const Scenario& scenario, const Exploration& found) {
    for (const PropertyResult& each : found.properties) {
      if (!each.counterexample) continue;
      const Counterexample& example = *each.counterexample;
      ++result_.replayed;
      const Replay again = replay(scenario, card_, example.tape, example.steps);
      const bool violates = std::any_of(again.findings.begin(), again.findings.end(),
                                        [&](const Finding& one) { return one.property == each.property; });
      if (again.divergence || !violates || again.fingerprint != example.fingerprint)
        complain(scenario, "a counterexample cannot be replayed");
    }
  }
  void complain(const Scenario& scenario, const char* what) {
    result_.complaints.push_back(scenario.name + ", " + std::string(id_of(scenario.explore.strategy)) +
                                 ", seed " + std::to_string(scenario.explore.seed) + ": " + what);
  }

  const Card& card_;
  Scenario scenario_;
  Marathon& result_;
  bool is_closed_ = false;
  PropertySet violated_;
};

}  // namespace

Marathon run_marathon(std::uint64_t runs, std::uint64_t seed, std::uint64_t states_max) {
  Marathon result;
  std::vector<std::pair<const Card*, Fault>> cells;
  for (const Card& card : algorithms::all())
    for (std::size_t i = 0; i < fault_ids.size(); ++i)
      if (simulated_faults.contains(static_cast<Fault>(i))) cells.emplace_back(&card, static_cast<Fault>(i));
  // Few runs: one strategy for each cell, in turn. Many: all of them.
  const std::uint64_t each = std::max<std::uint64_t>(1, (runs + cells.size() - 1) / cells.size());
  const bool is_long = each >= 100 * strategies.size();
  const std::uint64_t samples = is_long ? strategies.size() : 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Cell cell(*cells[i].first, cells[i].second, result);
    if (states_max > 0) cell.close_space(states_max);
    for (std::uint64_t s = 0; s < samples; ++s)
      cell.sample(strategies[(i + s) % strategies.size()], (each + samples - 1) / samples, seed + i,
                  (i + s) % repeat_every == 0);
  }
  return result;
}

}  // namespace holdfast::bench
