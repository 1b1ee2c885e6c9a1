// Scenarios that nobody thought of: whatever way they are explored, the result is the same.
// RC_PARAMS="max_success=5000" asks for more of them.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <vector>

#include "sim/check/definitions_test.hpp"
#include "sim/check/period_definition_test.hpp"
#include "sim/core/arena.hpp"
#include "sim/core/card_ids_test.hpp"
#include "sim/explore/avoidance.hpp"
#include "sim/explore/plain_graph_test.hpp"
#include "sim/explore/planted_test.hpp"
#include "sim/scenario/known.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast {
namespace {

using Op = ProgramStep::Op;
using rc::gen::inRange;

constexpr std::uint64_t states_compared_max = 20'000;
// So large may a space be whose every way is followed.
constexpr std::uint64_t states_with_futures_max = 400;

bool one_in(int in) { return *inRange(0, in) == 0; }
Duration some_seconds(int least, int most) { return std::chrono::seconds(*inRange(least, most + 1)); }
template <class Item>
Item one_of(const std::vector<Item>& items) {
  return *rc::gen::elementOf(items);
}
template <class Enum>
Enum up_to(Enum last) {
  return static_cast<Enum>(*inRange(0, static_cast<int>(last) + 1));
}

// Of a window that ends with `length`.
std::optional<Duration> some_least(Duration length) {
  if (one_in(2)) return std::nullopt;
  return std::min(length, some_seconds(0, 4));
}

std::vector<ProgramStep> some_program(const Card& card) {
  std::vector<ProgramStep> program;
  const auto maybe = [&](int in, ProgramStep step) {
    if (one_in(in)) program.push_back(step);
  };
  maybe(6, {.op = Op::sleep, .length = some_seconds(1, 4)});
  const Mode mode = card.has_readers && one_in(2) ? Mode::shared : Mode::exclusive;
  const std::uint32_t attempts = one_in(8) ? 0 : *inRange(1u, 3u);  // 0: endlessly
  program.push_back({.op = Op::acquire, .attempts = attempts, .mode = mode});
  const bool is_nested = one_in(8);
  if (is_nested) program.push_back({.op = Op::acquire_again});
  maybe(3, {.op = Op::read});
  const Duration work = some_seconds(1, 5);
  maybe(2, {.op = Op::work, .length = work, .at_least = some_least(work)});
  maybe(2, {.op = Op::write});
  if (is_nested) program.push_back({.op = Op::release});
  maybe(4, {.op = Op::write});
  program.push_back({.op = Op::release});
  maybe(6, {.op = Op::sleep, .length = some_seconds(1, 4)});
  maybe(4, {.op = Op::write});
  return program;
}

// Of a scheduler, which may keep what it was granted.
std::vector<ProgramStep> some_cron_program() {
  const Duration work = some_seconds(0, 3);
  std::vector<ProgramStep> program{{.op = Op::period, .length = some_seconds(3, 8)},
                                   {.op = Op::acquire, .attempts = *inRange(1u, 3u)},
                                   {.op = Op::job, .length = work, .at_least = some_least(work)}};
  if (one_in(2)) program.push_back({.op = Op::release});
  if (one_in(3)) program.push_back({.op = Op::sleep, .length = some_seconds(1, 4)});
  return program;
}

FaultRule some_fault(std::uint32_t clients) {
  FaultRule rule{.kind = static_cast<Fault>(*inRange(1, static_cast<int>(fault_ids.size())))};
  while (!simulated_faults.contains(rule.kind)) rule.kind = Fault::pause;
  if (one_in(3)) rule.target = ClientId{*inRange(0u, clients)};
  if (one_in(3)) rule.place = up_to(Place::releasing);
  if (one_in(4)) rule.budget = 2;
  if (one_in(2)) rule.magnitude = some_seconds(1, 9);
  if (rule.kind == Fault::restart) rule.loses = up_to(DataLoss::nothing);
  return rule;
}

Scenario some_scenario(const Card& card) {
  Comparison comparison;
  comparison.clients = one_in(4) ? 3 : 2;
  comparison.ttl = some_seconds(2, 6);
  comparison.belief = card.belief;
  for (const Belief belief : {Belief::deadline_from_request, Belief::deadline_from_reply})
    if (card.beliefs.contains(belief) && one_in(3)) comparison.belief = belief;
  comparison.fencing = up_to(Fencing::first_read);
  Scenario scenario = scenario_of(comparison, card, Fault::none);
  const bool are_schedulers = one_in(4);
  const std::vector<ProgramStep> usual = are_schedulers ? some_cron_program() : some_program(card);
  const bool are_alike = are_schedulers || one_in(2);
  const Duration start_late = one_in(3) ? some_seconds(1, 3) : 0s;
  for (ClientPlan& plan : scenario.clients) {
    plan.program = are_alike ? usual : some_program(card);
    if (one_in(4)) plan.rounds = 2;
    plan.start_late = start_late;
    if (are_schedulers && one_in(3)) plan.keying = Keying::period;
    if (!are_alike && one_in(4)) plan.start = some_seconds(1, 5);
    if (!are_alike && one_in(3)) plan.start_late = plan.start + some_seconds(1, 3);
    if (!are_alike && one_in(4)) plan.wall_offset = some_seconds(-3, 3);
  }
  if (one_in(4)) scenario.clients.back().shares_lock_of = ClientId{0};
  for (const Parameter& each : card.parameters) {
    std::string value;
    // Spaces of more servers are seldom small.
    if (each.name == "nodes") value = std::to_string(*inRange(1, 4));
    else if (each.kind == Parameter::Kind::choice && one_in(3)) value = one_of(each.choices);
    else continue;
    std::erase_if(scenario.params, [&](const auto& param) { return param.first == each.name; });
    scenario.params.emplace_back(each.name, value);
  }
  const int faults = *inRange(0, 3);
  for (int i = 0; i < faults; ++i) scenario.faults.push_back(some_fault(comparison.clients));
  Timing& timing = scenario.timing;
  if (one_in(3)) timing.delay_min = timing.delay_max = one_in(2) ? 0s : 1s;
  timing.timeout = some_seconds(1, 4);
  timing.retry = timing.retry_late = some_seconds(0, 3);
  if (one_in(3)) timing.retry_late += some_seconds(1, 4);
  timing.restart = timing.restart_late = some_seconds(0, 3);
  if (one_in(2)) timing.restart_late += some_seconds(1, 2);
  timing.tick = one_in(8) ? 500ms : 1s;
  scenario.explore.states_max = states_compared_max;
  return scenario;
}

// Of each property, what was found; where it was violated, in how many steps at least.
using Results = std::vector<std::tuple<Property, Verdict, std::size_t>>;
Results results_of(const Exploration& found) {
  Results list;
  for (const PropertyResult& each : found.properties)
    list.emplace_back(each.property, each.verdict, each.counterexample ? each.counterexample->steps : 0);
  return list;
}

struct Tally {
  int cases = 0;
  int scenarios = 0;  // that were compared
  int violated = 0;
  int sampled = 0;
  int followed = 0;
  std::map<Property, int> broken;  // runs at random
};

// Every counterexample can be executed again, alone.
void replay_all(const Scenario& scenario, const Card& card, const Exploration& found) {
  for (const PropertyResult& each : found.properties) {
    if (!each.counterexample) continue;
    const Counterexample& example = *each.counterexample;
    const Replay again = replay(scenario, card, example.tape, example.steps);
    RC_ASSERT(!again.divergence);
    RC_ASSERT(again.fingerprint == example.fingerprint);
    RC_ASSERT(std::any_of(again.findings.begin(), again.findings.end(),
                          [&](const Finding& one) { return one.property == each.property; }));
  }
}

// Whole runs, and what the judge said of them step by step.
void compare_with_definitions(const Scenario& scenario, const Card& card, Tally& tally) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Subject subject(scenario, card);
    RandomChoices choices(seed);
    Run run(subject, choices, true);
    for (int steps = 0; steps < 500 && run.world.step();) ++steps;
    std::map<Property, Step> found;
    for (const Finding& finding : run.judge.findings()) {
      if (finding.property == Property::once_per_period) found[finding.property] = finding.to;
      if (finding.property == Property::once_per_period) ++tally.broken[finding.property];
      if (!definitions::all.contains(finding.property)) continue;
      found[finding.property] = finding.to;
      ++tally.broken[finding.property];
    }
    std::map<Property, Step> expected = definitions::broken_by(run.trace.events(), card.capacity);
    if (const auto step = definitions::breaks_once_per_period_at(run.trace.events()))
      expected.emplace(Property::once_per_period, *step);
    std::erase_if(expected, [&](const auto& each) { return !subject.properties.contains(each.first); });
    for (const auto& [property, step] : found)
      RC_LOG() << "run " << seed << " breaks " << id_of(property) << " in step " << step.value << "\n";
    for (const auto& [property, step] : expected)
      RC_LOG() << "by definition " << id_of(property) << " in step " << step.value << "\n";
    RC_ASSERT(found == expected);
    RC_ASSERT(definitions::tells_every_owner(run.trace.events()));
  }
}

void compare_bypass(Scenario scenario, const Card& card) {
  scenario.check = {Property::bounded_bypass};
  const Exploration copied = explore(scenario, card, Budget());
  const Exploration replayed = explore(scenario, card, Budget(), Engine::replay);
  RC_ASSERT(copied.complete == replayed.complete);
  RC_ASSERT(copied.states == replayed.states);
  RC_ASSERT(results_of(copied) == results_of(replayed));
  RC_ASSERT(copied.properties.front().bypass_max == replayed.properties.front().bypass_max);
}

// What a sample finds is the same on two threads; and it is there, if time passes in ticks.
PropertySet sample(Scenario scenario, const Card& card, PropertySet violated) {
  scenario.explore.strategy = static_cast<StrategyKind>(*inRange(1, static_cast<int>(strategy_ids.size())));
  scenario.explore.runs_max = 200;
  const Exploration found = explore(scenario, card, Budget());
  const PropertySet seen = planted::violated(found);
  const bool is_in_ticks = scenario.explore.strategy != StrategyKind::random;
  RC_ASSERT(!is_in_ticks || violated.contains_all(seen));
  replay_all(scenario, card, found);
  RC_ASSERT(results_of(explore(scenario, card, Budget(), Engine::snapshots, 2)) == results_of(found));
  return seen;
}

void compare_with_graph(const Scenario& scenario, const Card& card, const Exploration& whole) {
  PlainGraph graph(scenario, card);
  RC_ASSERT(graph.size() == whole.states);
  for (const PropertyResult& each : whole.properties) {
    const std::optional<Counterexample>& example = each.counterexample;
    RC_ASSERT(graph.steps_to(each.property) ==
              (example ? std::optional(example->steps) : std::optional<std::uint32_t>()));
    if (!example) continue;
    Subject subject(scenario, card);
    const NoReturn told =
        no_return(subject, example->tape, example->steps, each.property, 1'000'000, Budget());
    RC_ASSERT(told.is_exact);
    RC_ASSERT(told.step.value == graph.no_return(example->tape, each.property));
  }
}

// States are compared where all orders are taken, verdicts also where they are not.
void explore_every_way(Scenario scenario, const Card& card, Tally& tally) {
  scenario.explore.reductions.erase(Reduction::joint_replies);
  compare_with_definitions(scenario, card, tally);
  const Exploration whole = explore(scenario, card, Budget());
  if (!whole.complete) return;
  ++tally.scenarios;
  const PropertySet violated = planted::violated(whole);
  tally.violated += violated != PropertySet();
  replay_all(scenario, card, whole);
  Scenario with_room = scenario;
  with_room.explore.states_max = 2 * states_compared_max;
  // Snapshots look at the limit now and then, and may end a little beyond it.
  const Exploration replayed = explore(with_room, card, Budget(), Engine::replay);
  RC_ASSERT(replayed.states == whole.states);
  RC_ASSERT(replayed.reach == whole.reach);
  RC_ASSERT(results_of(replayed) == results_of(whole));
  for (const ReductionSet reductions :
       {ReductionSet{}, Explore().reductions, ReductionSet{Reduction::symmetry, Reduction::loop_heads}}) {
    Scenario other = with_room;
    other.explore.reductions = reductions;
    const Exploration found = explore(other, card, Budget());
    if (found.complete) RC_ASSERT(results_of(found) == results_of(whole));
  }
  const Exploration threaded = explore(with_room, card, Budget(), Engine::snapshots, 2);
  RC_ASSERT(threaded.states == whole.states);
  RC_ASSERT(threaded.reach == whole.reach);
  RC_ASSERT(results_of(threaded) == results_of(whole));
  tally.sampled += !sample(scenario, card, violated).empty();
  if (whole.states > states_with_futures_max) return;
  ++tally.followed;
  compare_bypass(scenario, card);
  count_states_with_one_future(scenario, card);
  compare_with_graph(scenario, card, whole);
  RC_ASSERT(!testing::Test::HasFailure());
}

TEST(RandomScenarios, MeanTheSameHoweverTheyAreExplored) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::one_engine;
  Tally tally;
  const bool is_same = rc::check("however it is explored", [&] {
    ++tally.cases;
    const Card& card = *algorithms::find(one_of(card_ids()));
    // What a file can say.
    const std::string text = scenario_json(some_scenario(card));
    RC_LOG() << text;
    const Parsed parsed = parse_scenario(text, "", Known(algorithms::all()));
    for (const Problem& problem : parsed.problems) RC_LOG() << to_text(problem);
    RC_ASSERT(parsed.problems.empty());
    explore_every_way(*parsed.scenario, card, tally);
  });
  EXPECT_TRUE(is_same);
  std::cout << tally.scenarios << " scenarios compared, " << tally.violated << " with violations, "
            << tally.sampled << " of them found by samples, " << tally.followed << " followed every way\n";
  for (const auto& [property, runs] : tally.broken)
    std::cout << runs << " runs at random broke " << id_of(property) << ", as its definition says\n";
  if (tally.cases < 60) return;  // somebody repeats one, or asked for few
  EXPECT_GT(tally.scenarios, 10);
  EXPECT_GT(tally.sampled, 0);
  EXPECT_GT(tally.followed, 0);
  EXPECT_GT(tally.violated, tally.scenarios / 10);
}

}  // namespace
}  // namespace holdfast
