#include "sim/explore/liveness.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <utility>
#include <vector>

#include "sim/check/starvation.hpp"
#include "sim/core/invariant.hpp"
#include "sim/explore/bypass.hpp"
#include "sim/explore/engines.hpp"
#include "sim/explore/liveness_graph.hpp"

namespace holdfast {
namespace {

Scenario only(Property property, Scenario scenario) {
  scenario.check = {property};
  for (ClientPlan& client : scenario.clients) client.ending = Ending::never;
  const bool forgets = scenario.explore.reductions.contains(Reduction::loop_heads);
  scenario.explore.reductions = forgets ? ReductionSet{Reduction::loop_heads} : ReductionSet();
  return scenario;
}

// Runs that answer so, with the clients that wait after each step.
class Walk {
 public:
  Walk(Subject& subject, Choices& choices, bool recording)
      : waiters_(subject.scenario.clients.size()), run_(subject, choices, recording) {
    run_.trace.subscribe(waiters_);
  }
  bool step() { return run_.world.step(); }
  Digest digest() { return digest_of(run_, waiters_); }
  Run& run() { return run_; }

 private:
  Waiters waiters_;
  Run run_;
};

// What is answered along a run, step by step.
struct Way {
  BranchChoices::Picks picks;
  std::uint32_t steps = 0;
};

// One step further along `way`, into the state of this digest. False if no step leads there. Which answer it
// takes may differ from what led there before: what is ready at once is listed in the order of its history.
bool extend(Subject& subject, Way& way, const Digest& wanted) {
  const BranchChoices::Picks prefix = way.picks;
  BranchChoices branch(prefix);
  do {
    branch.restart();
    Walk walk(subject, branch, false);
    for (std::uint32_t step = 0; step <= way.steps; ++step) walk.step();
    if (walk.digest() != wanted) continue;
    way.picks.insert(way.picks.end(), branch.suffix().begin(), branch.suffix().end());
    ++way.steps;
    return true;
  } while (branch.advance());
  return false;
}

Counterexample recorded(Subject& subject, const Way& way, const Lasso& lasso) {
  BranchChoices choices(way.picks);
  Recorder recorder(choices);
  Walk walk(subject, recorder, true);
  Counterexample example;
  example.store = subject.card.store;
  Instant begin{};
  for (; example.steps < way.steps; ++example.steps) {
    if (example.steps == lasso.stem.size()) begin = walk.run().world.now();
    walk.step();
  }
  example.tape = recorder.tape();
  example.events = walk.run().trace.events();
  example.fingerprint = fingerprint(example.events);
  example.steps_original = example.steps;
  example.loop = Loop{static_cast<std::uint32_t>(lasso.stem.size()), lasso.waiter, lasso.grants};
  const Duration length = walk.run().world.now() - begin;
  const auto words = subject.properties.contains(Property::livelock) ? livelock : starvation;
  example.findings.push_back(words(*example.loop, example.steps, length));
  return example;
}

Counterexample counterexample(Subject& subject, const StateGraph& graph, const Lasso& lasso) {
  Way way;
  for (const std::vector<std::uint32_t>* part : {&lasso.stem, &lasso.loop})
    for (const std::uint32_t state : *part)
      if (!extend(subject, way, graph.states[state].digest))
        throw Nondeterminism("no step leads to a state of " + std::string(subject.card.id) +
                             " that a step led to before, after " + std::to_string(way.steps) + " steps");
  return recorded(subject, way, lasso);
}

std::string why_endless(const Knowledge& known) {
  return known.of_date ? "the lock reads clocks" : "clients read each other's tokens";
}

// Why there is none; nullopt: there is.
std::optional<PropertyResult> without_verdict(const Subject& subject, Property property,
                                              const Exploration& exploration) {
  const Knowledge& known = subject.known;
  if (!exploration.complete && (known.of_date || known.of_names))
    return PropertyResult{property, Verdict::unknown,
                          why_endless(known) + ", so no state recurs: endless clients have no finite graph",
                          std::nullopt};
  if (!exploration.complete)
    return PropertyResult{property, Verdict::unknown, why_unknown(exploration), std::nullopt};
  return std::nullopt;
}

PropertyResult verdict(const Bypass& bypass) {
  if (bypass.is_timeless)
    return {Property::bounded_bypass, Verdict::unknown,
            "the lock can be granted without end while no time passes, or while the waiter does not ask",
            std::nullopt};
  const char* const stuck = "a client can wait for ever while no client is granted the lock: see recovery";
  return {Property::bounded_bypass, Verdict::holds, bypass.is_stuck ? stuck : "", std::nullopt, bypass.most};
}

}  // namespace

Exploration explore_graph(Property property, const Scenario& scenario, const Card& card, const Budget& budget,
                          Engine engine) {
  const Scenario plain = only(property, scenario);
  Subject subject(plain, card);
  Exploration exploration;
  if (is_sampling(plain.explore.strategy) || plain.clients.size() > 32) {
    exploration.properties.push_back({property, Verdict::unknown,
                                      "only an exhaustive exploration of at most 32 clients decides this",
                                      std::nullopt});
    return exploration;
  }
  const StateGraph graph = graph_of(subject, budget, engine);
  exploration.states = graph.states.size() - 1;  // what is before the first step is none
  exploration.transitions = graph.steps.size();
  exploration.runs = graph.runs;
  exploration.snapshot_bytes = graph.snapshot_bytes;
  exploration.table_bytes = graph.bytes;
  exploration.reach = graph.reach;
  exploration.complete = graph.complete;
  exploration.memory_full = graph.memory_full;
  const auto clients = static_cast<std::uint32_t>(plain.clients.size());
  const bool is_bypass = property == Property::bounded_bypass;
  const Bypass bypass = is_bypass ? bypass_on(graph, clients) : Bypass();
  const std::optional<Lasso> lasso = is_bypass ? bypass.lasso : livelock_on(graph, clients);
  if (!lasso) {
    std::optional<PropertyResult> result = without_verdict(subject, property, exploration);
    if (!result) result = is_bypass ? verdict(bypass) : PropertyResult{property, Verdict::holds, {}, {}};
    if (result->verdict == Verdict::holds) result = judged_by_reach(std::move(*result), plain, exploration);
    exploration.properties.push_back(std::move(*result));
    return exploration;
  }
  Counterexample example = counterexample(subject, graph, *lasso);
  if (!is_confirmed(plain, card, example))
    throw Nondeterminism("a loop of " + std::string(card.id) + " cannot be repeated");
  exploration.properties.push_back({property, Verdict::violated, {}, std::move(example)});
  return exploration;
}

bool is_confirmed(const Scenario& scenario, const Card& card, const Counterexample& example) {
  const Scenario plain = only(Property::bounded_bypass, scenario);
  Subject subject(plain, card);
  std::vector<Digest> states;
  const auto follow = [&] {
    ReplayChoices choices(example.tape);
    Recorder recorder(choices);
    Walk walk(subject, recorder, false);
    states.clear();
    while (states.size() < example.steps && walk.step()) states.push_back(walk.digest());
    subject.known.insert(walk.run().world.told());
    Way way{{}, static_cast<std::uint32_t>(states.size())};
    for (const Choice& choice : recorder.tape())
      way.picks.push_back(static_cast<std::uint8_t>(choice.picked));
    return way;
  };
  follow();  // What is told at the end of it, every state says the second time.
  Way way = follow();
  const std::uint32_t begin = example.loop->begin;
  if (begin == 0 || begin >= states.size() || states[begin - 1] != states.back()) return false;
  return std::all_of(states.begin() + begin, states.end(),
                     [&](const Digest& state) { return extend(subject, way, state); });
}

Finding finding_of_loop(const Scenario& scenario, const Card& card, const Counterexample& example) {
  Loop loop = *example.loop;
  const Replay run = replay(scenario, card, example.tape, example.steps);
  loop.grants = 0;
  for (const Event& event : run.events)
    loop.grants += event.step.value > loop.begin && std::holds_alternative<Granted>(event.what) ? 1 : 0;
  const Duration length = run.end - replay(scenario, card, example.tape, loop.begin).end;
  return (loop.grants == 0 ? livelock : starvation)(loop, example.steps, length);
}

}  // namespace holdfast
