// A sample of all schedules: runs that a strategy answers, each from a seed of its own. What it finds is
// shrunk.
#include "sim/explore/sampling.hpp"

#include <array>

#include "sim/explore/counterexample.hpp"
#include "sim/explore/coverage.hpp"
#include "sim/explore/engines.hpp"
#include "sim/explore/sampler.hpp"

namespace holdfast {
namespace {

struct Found {
  Tape tape;
  std::uint32_t steps = 0;
};

class Sample {
 public:
  explicit Sample(Subject& subject)
      : subject_(subject), sampler_(subject.scenario), seeds_(subject.scenario.explore.seed) {}

  // One more run; what it violated.
  PropertySet run_once() {
    const std::uint64_t seed = split_mix(seeds_);
    run_position.seed = seed;
    Recorder recorder(sampler_.begin(seed));
    Run run(subject_, recorder, false);
    coverage_.begin();
    if (sampler_.is_steered()) run.trace.subscribe(coverage_);
    std::uint32_t steps = 0;
    std::size_t reached = 0;
    PropertySet seen;
    while (steps < subject_.scenario.explore.steps_max && run.world.step()) {
      ++steps;
      if (run.judge.violated() != seen) {
        note_violations(run.judge.violated(), seen, recorder.tape(), steps);
        seen = run.judge.violated();
      }
      if (sampler_.is_steered() && coverage_.is_new()) reached = recorder.tape().size();
    }
    ++result_.runs;
    result_.transitions += steps;
    result_.depth_max = std::max(result_.depth_max, steps);
    result_.reach.insert(run.world.reach());
    if (result_.runs % self_check_every == 1) check_against_replay(run, recorder.tape(), steps, seed);
    const auto begin = recorder.tape().begin();
    sampler_.end(Tape(begin, begin + static_cast<std::ptrdiff_t>(reached)));
    return seen;
  }

  Exploration finish() {
    result_.sample = sampler_.claim();
    result_.sample->circumstances = coverage_.circumstances();
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!found_[i]) continue;
      const auto property = static_cast<Property>(i);
      Counterexample example =
          shrunk_counterexample(subject_, found_[i]->tape, found_[i]->steps, property, result_.runs);
      result_.properties.push_back({property, Verdict::violated, {}, std::move(example)});
    }
    return std::move(result_);
  }

 private:
  // One in this many runs is executed a second time and compared.
  static constexpr std::uint64_t self_check_every = 64;

  void note_violations(PropertySet violated, PropertySet before, const Tape& tape, std::uint32_t steps) {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const auto property = static_cast<Property>(i);
      if (!violated.contains(property) || before.contains(property)) continue;
      if (!found_[i] || steps < found_[i]->steps) found_[i] = Found{tape, steps};
    }
  }

  void check_against_replay(Run& run, const Tape& tape, std::uint32_t steps, std::uint64_t seed) {
    ReplayChoices choices(tape);
    Run again(subject_, choices, false);
    for (std::uint32_t step = 0; step < steps; ++step) again.world.step();
    const Digest end = run.digest();
    if (choices.divergence() || again.digest() != end)
      throw Nondeterminism("two executions of the run of seed " + std::to_string(seed) + " of " +
                           std::string(subject_.card.id) + " end differently");
  }

  Subject& subject_;
  Sampler sampler_;
  Coverage coverage_;
  std::uint64_t seeds_;
  Exploration result_;
  std::array<std::optional<Found>, property_ids.size()> found_;
};

}  // namespace

Exploration explore_randomly(Subject& subject, const Budget& budget) {
  constexpr std::uint64_t budget_every = 64;
  Sample sample(subject);
  for (std::uint64_t i = 0; i < subject.scenario.explore.runs_max; ++i) {
    if (i % budget_every == 0 && budget.is_exhausted()) break;
    sample.run_once();
  }
  return sample.finish();
}

std::optional<std::uint64_t> runs_until(const Scenario& scenario, const Card& card, Property property) {
  Subject subject(scenario, card);
  Sample sample(subject);
  for (std::uint64_t run = 1; run <= scenario.explore.runs_max; ++run)
    if (sample.run_once().contains(property)) return run;
  return std::nullopt;
}

}  // namespace holdfast
