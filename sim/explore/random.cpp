// A sample of all schedules: independent random runs, each from a seed of its own. What it finds is shrunk.
#include <array>

#include "sim/explore/counterexample.hpp"
#include "sim/explore/engines.hpp"

namespace holdfast {
namespace {

// One in this many runs is executed a second time and compared.
constexpr std::uint64_t self_check_every = 64;
constexpr std::uint64_t budget_every = 64;

struct Found {
  Tape tape;
  std::uint32_t steps = 0;
};

struct Sampler {
  Subject& subject;
  Exploration result;
  std::array<std::optional<Found>, property_ids.size()> found;

  // The digest of the end of the run.
  Digest run_once(std::uint64_t seed, bool keep) {
    run_position.seed = seed;
    RandomChoices random(seed);
    Recorder recorder(random);
    Run run(subject, recorder, false);
    std::uint32_t steps = 0;
    PropertySet seen;
    while (steps < subject.scenario.explore.steps_max && run.world.step()) {
      ++steps;
      if (keep && run.judge.violated() != seen) {
        note_violations(run.judge.violated(), seen, recorder.tape(), steps);
        seen = run.judge.violated();
      }
    }
    ++result.runs;
    result.transitions += steps;
    result.depth_max = std::max(result.depth_max, steps);
    merge(result.reach, run.world.sightings());
    Digester digester;
    return run.digest(digester);
  }

  void note_violations(PropertySet violated, PropertySet before, const Tape& tape, std::uint32_t steps) {
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto property = static_cast<Property>(i);
      if (!violated.contains(property) || before.contains(property)) continue;
      if (!found[i] || steps < found[i]->steps) found[i] = Found{tape, steps};
    }
  }
};

}  // namespace

Exploration explore_randomly(Subject& subject, const Budget& budget) {
  Sampler sampler{subject, {}, {}};
  std::uint64_t seeds = subject.scenario.explore.seed;
  for (std::uint64_t i = 0; i < subject.scenario.explore.runs_max; ++i) {
    if (i % budget_every == 0 && budget.is_exhausted()) break;
    const std::uint64_t seed = split_mix(seeds);
    const Digest end = sampler.run_once(seed, true);
    if (i % self_check_every == 0 && sampler.run_once(seed, false) != end)
      throw Nondeterminism("two executions of seed " + std::to_string(seed) + " of " +
                           std::string(subject.card.id) + " end differently");
  }
  for (std::size_t i = 0; i < sampler.found.size(); ++i) {
    if (!sampler.found[i]) continue;
    const auto property = static_cast<Property>(i);
    Counterexample example = shrunk_counterexample(subject, sampler.found[i]->tape, sampler.found[i]->steps,
                                                   property, sampler.result.runs);
    sampler.result.properties.push_back({property, Verdict::violated, {}, std::move(example)});
  }
  return std::move(sampler.result);
}

}  // namespace holdfast
