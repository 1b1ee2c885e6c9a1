#include "sim/explore/counterexample.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/core/invariant.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast {
namespace {

Counterexample record(Subject& subject, Choices& choices, std::uint32_t steps, Property property) {
  Recorder recorder(choices);
  Run run(subject, recorder, true);
  Counterexample example;
  example.store = subject.card.store;
  for (std::uint32_t step = 0; step < steps && run.world.step(); ++step) continue;
  example.steps = run.world.position().value;
  INVARIANT(run.judge.violated().contains(property),
            "a recorded run violates what the explored run violated");
  example.tape = recorder.tape();
  example.events = run.trace.events();
  example.findings = run.judge.findings();
  const auto own = std::find_if(example.findings.begin(), example.findings.end(),
                                [&](const Finding& finding) { return finding.property == property; });
  std::rotate(example.findings.begin(), own, own + 1);
  example.fingerprint = fingerprint(example.events);
  example.steps_original = example.steps;
  return example;
}

// How good a tape is; smaller is better.
using Weight = std::tuple<std::uint32_t, std::size_t, std::size_t>;

struct Candidate {
  Tape tape;
  std::uint32_t steps = 0;
  Weight weight() const {
    const auto uncalm =
        std::count_if(tape.begin(), tape.end(), [](const Choice& choice) { return choice.picked != 0; });
    return {steps, static_cast<std::size_t>(uncalm), tape.size()};
  }
};

class Shrinker {
 public:
  Shrinker(Subject& subject, Property property, Candidate best)
      : subject_(subject), property_(property), best_(std::move(best)) {}

  Candidate shrink() {
    while (cut_out() || calm_down()) continue;
    return best_;
  }
  std::uint64_t runs() const { return runs_; }

 private:
  // Runs `tape` to the violation; adopts what it did if that is better.
  bool attempt(const Tape& tape) {
    ++runs_;
    ReplayChoices replay(tape);
    Recorder recorder(replay);
    Run run(subject_, recorder, false);
    Candidate tried;
    while (!run.judge.violated().contains(property_)) {
      if (tried.steps > best_.steps || !run.world.step()) return false;
      ++tried.steps;
    }
    tried.tape = recorder.tape();
    if (tried.weight() >= best_.weight()) return false;
    best_ = std::move(tried);
    return true;
  }

  bool cut_out() {
    for (std::size_t length = std::max<std::size_t>(1, best_.tape.size() / 2); length > 0; length /= 2)
      for (std::size_t at = 0; at + length <= best_.tape.size(); ++at) {
        Tape tape = best_.tape;
        tape.erase(tape.begin() + static_cast<std::ptrdiff_t>(at),
                   tape.begin() + static_cast<std::ptrdiff_t>(at + length));
        if (attempt(tape)) return true;
      }
    return false;
  }

  bool calm_down() {
    for (std::size_t at = 0; at < best_.tape.size(); ++at)
      for (std::uint32_t picked = 0; picked < best_.tape[at].picked; ++picked) {
        Tape tape = best_.tape;
        tape[at].picked = picked;
        tape[at].action = by_number;
        if (attempt(tape)) return true;
      }
    return false;
  }

  Subject& subject_;
  Property property_;
  Candidate best_;
  std::uint64_t runs_ = 0;
};

}  // namespace

Counterexample raw_counterexample(Subject& subject, const BranchChoices::Picks& picks, std::uint32_t steps,
                                  Property property) {
  BranchChoices choices(picks);
  Counterexample example = record(subject, choices, steps, property);
  example.is_shortest = false;
  return example;
}

Counterexample counterexample(Subject& subject, const BranchChoices::Picks& picks, std::uint32_t steps,
                              Property property) {
  const Counterexample example = raw_counterexample(subject, picks, steps, property);
  std::uint64_t runs = 0;
  Counterexample shrunk = shrunk_counterexample(subject, example.tape, steps, property, runs);
  INVARIANT(shrunk.steps == steps, "breadth-first search finds no longer run than the shrinker");
  shrunk.is_shortest = true;
  return shrunk;
}

Counterexample shrunk_counterexample(Subject& subject, const Tape& tape, std::uint32_t steps,
                                     Property property, std::uint64_t& runs) {
  Shrinker shrinker(subject, property, Candidate{tape, steps});
  const Candidate best = shrinker.shrink();
  runs += shrinker.runs();
  ReplayChoices choices(best.tape);
  Counterexample example = record(subject, choices, best.steps, property);
  example.steps_original = steps;
  example.is_shortest = false;
  return example;
}

std::string describe_divergence(Subject& subject, const BranchChoices::Picks& picks, std::uint32_t steps) {
  BranchChoices first_choices(picks);
  BranchChoices second_choices(picks);
  Run first(subject, first_choices, true);
  Run second(subject, second_choices, true);
  std::uint32_t step = 0;
  while (step < steps) {
    ++step;
    first.world.step();
    second.world.step();
    if (first.digest() != second.digest()) break;
  }
  return "two executions of the same choices of " + std::string(subject.card.id) + " differ from step " +
         std::to_string(step) +
         " on. Does the lock read a clock, a random number or an address that is not its Env's?";
}

}  // namespace holdfast
