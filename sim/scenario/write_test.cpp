// What is written reads back equal and leaves nothing to defaults.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include "sim/scenario/example_cards_test.hpp"
#include "sim/scenario/parse.hpp"
#include "sim/scenario/sizes.hpp"

namespace holdfast {
namespace {

using rc::gen::inRange;

Duration some_duration(Duration least) {
  return Duration(*inRange<std::int64_t>(least.count(), 86'400'000'001));
}
std::string some_text() {
  return *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab \"\\/\n\t~"))) +
         (*rc::gen::arbitrary<bool>() ? "é" : "");
}
template <class Enum>
Enum some_of(std::initializer_list<Enum> words) {
  return *rc::gen::elementOf(std::vector<Enum>(words));
}
bool maybe() { return *rc::gen::arbitrary<bool>(); }

Texts some_params() {
  if (!maybe()) return {};
  return {{"unit", "repaired"}, {"ttl", to_text(some_duration(0s))}, {"tries", "7"}};
}

// Work, or a fetch.
ProgramStep some_work(ProgramStep::Op op) {
  ProgramStep step{.op = op, .length = some_duration(0s)};
  if (maybe()) step.at_least = some_duration(0s);
  return step;
}

std::vector<ProgramStep> some_program() {
  using Op = ProgramStep::Op;
  std::vector<ProgramStep> program;
  const int rounds = *inRange(1, 4);
  for (int i = 0; i < rounds; ++i) {
    if (maybe()) program.push_back({.op = Op::sleep, .length = some_duration(0s)});
    program.push_back({.op = Op::acquire,
                       .attempts = *inRange(1u, 1001u),
                       .mode = some_of({Mode::exclusive, Mode::shared})});
    if (maybe()) program.push_back(some_work(Op::work));
    if (maybe()) program.push_back({.op = Op::read});
    if (maybe()) program.push_back({.op = Op::write});
    if (maybe()) program.push_back({.op = Op::look_up});
    if (maybe()) program.push_back(some_work(Op::fetch));
    if (maybe()) program.push_back({.op = Op::store});
    if (maybe()) program.push_back(some_work(Op::job));
    if (maybe()) {
      program.push_back({.op = Op::acquire_again, .mode = some_of({Mode::exclusive, Mode::shared})});
      program.push_back({.op = Op::release});
    }
    program.push_back({.op = Op::release});
  }
  return program;
}

FaultRule some_fault(std::uint32_t clients) {
  FaultRule rule{.kind = some_of({Fault::crash, Fault::pause, Fault::clock_skew, Fault::restart}),
                 .budget = *inRange(0u, 1001u)};
  if (maybe()) rule.target = ClientId{*inRange(0u, clients)};
  if (rule.kind != Fault::clock_skew)
    rule.place = some_of({Place::anywhere, Place::acquiring, Place::in_section, Place::releasing});
  if (rule.kind != Fault::crash) rule.magnitude = some_duration(0s);
  if (rule.kind == Fault::restart)
    rule.loses = some_of({DataLoss::everything, DataLoss::latest, DataLoss::nothing});
  return rule;
}

// A job is done in each of them.
void give_periods(ClientPlan& plan) {
  if (!has_step(plan, ProgramStep::Op::job)) return;
  plan.program.insert(plan.program.begin(), {.op = ProgramStep::Op::period, .length = some_duration(1us)});
  plan.rounds = *inRange(1u, named_periods_max + 1);
  plan.keying = some_of({Keying::lock, Keying::period});
}

Scenario some_scenario() {
  Scenario scenario;
  scenario.name = "a-name-1";
  scenario.description = some_text();
  scenario.tags = {some_text(), some_text()};
  scenario.algorithm = "leased";
  scenario.params = some_params();
  if (maybe()) scenario.belief = some_of({Belief::until_release, Belief::deadline_from_reply});
  scenario.key = "k" + some_text();
  if (maybe()) scenario.store = {{"k", some_text()}, {"other", "7"}};
  const std::uint32_t clients = *inRange(1u, 31u);
  for (std::uint32_t i = 0; i < clients; ++i)
    scenario.clients.push_back({.id = name_of(ClientId{i}),
                                .wall_offset = maybe() ? some_duration(0s) : -some_duration(0s),
                                .drift_ppm = *inRange(-100'000, 100'001),
                                .start = some_duration(0s),
                                .start_late = some_duration(0s),
                                .rounds = *inRange(0u, 1'000'001u),
                                .params = some_params(),
                                .program = some_program()});
  for (ClientPlan& plan : scenario.clients) give_periods(plan);
  scenario.fencing = some_of({Fencing::none, Fencing::first_write, Fencing::first_read, Fencing::as_text});
  scenario.away = *inRange(0u, 2u);
  scenario.timing.delays = some_of({Delays::free, Delays::fixed});
  scenario.overlap_max = some_duration(0s);
  const int faults = *inRange(0, 9);
  for (int i = 0; i < faults; ++i) scenario.faults.push_back(some_fault(clients));
  Timing& timing = scenario.timing;
  for (Duration* length : {&timing.tick, &timing.timeout, &timing.recovery}) *length = some_duration(1us);
  for (Duration* length :
       {&timing.delay_min, &timing.retry, &timing.retry_late, &timing.restart, &timing.restart_late})
    *length = some_duration(0s);
  timing.delay_max = std::max(timing.delay_min, some_duration(0s));
  // Which delay is fixed is one of so many answers.
  if (timing.delays == Delays::fixed)
    timing.delay_max = std::min(timing.delay_max, timing.delay_min + (answers_max - 1) * timing.tick);
  timing.recovery_rounds = *inRange(1u, 1001u);
  const auto strategy = some_of({StrategyKind::exhaustive, StrategyKind::random, StrategyKind::pct,
                                 StrategyKind::walk, StrategyKind::swarm, StrategyKind::portfolio});
  scenario.explore = {.strategy = strategy,
                      .seed = *rc::gen::arbitrary<std::uint64_t>(),
                      .runs_max = *inRange<std::uint64_t>(1, 1'000'000'000'001),
                      .states_max = *inRange<std::uint64_t>(1, 1'000'000'000'001),
                      .memory_max = *inRange<std::uint64_t>(1 << 20, std::uint64_t{1} << 50),
                      .time_max = some_duration(1us),
                      .steps_max = *inRange(1u, 1'000'000'001u)};
  if (maybe()) scenario.explore.reductions = {};
  else if (maybe()) scenario.explore.reductions = {Reduction::loop_heads};
  if (maybe()) scenario.check = {Property::recovery};
  if (maybe()) {
    Expect expect;
    expect.verdict = some_of(
        {is_sampling(strategy) ? Verdict::sampled : Verdict::holds, Verdict::violated, Verdict::unknown});
    if (maybe()) expect.property = Property::recovery;
    if (expect.verdict == Verdict::violated && maybe()) expect.steps_max = *inRange(1u, 1'000'000'001u);
    expect.reason = some_text();
    scenario.expect = expect;
  }
  return scenario;
}

RC_GTEST_PROP(ScenarioJson, ReadsBackEqual, ()) {
  const Scenario scenario = some_scenario();
  const std::string text = scenario_json(scenario);
  const Parsed parsed = parse_scenario(text, "x.json", example_known());
  for (const Problem& problem : parsed.problems) RC_FAIL(to_text(problem) + "\n" + text);
  RC_ASSERT(*parsed.scenario == scenario);
  RC_ASSERT(scenario_json(*parsed.scenario) == text);
}

constexpr std::string_view everything = R"({
  "version": 1,
  "name": "s",
  "description": "",
  "tags": [],
  "algorithm": {
    "name": "leased",
    "params": {}
  },
  "key": "job",
  "store": {},
  "clients": [
    {
      "id": "A",
      "clock": {
        "offset": "0ms",
        "driftPpm": 0
      },
      "params": {},
      "start": "0ms",
      "startLate": "0ms",
      "repeat": 1,
      "ends": "never",
      "role": "user",
      "locks": "lock",
      "do": [
        {
          "op": "acquire",
          "attempts": 2,
          "mode": "exclusive"
        },
        {
          "op": "work",
          "for": "1s"
        },
        {
          "op": "write"
        },
        {
          "op": "release"
        }
      ]
    }
  ],
  "faults": [
    {
      "kind": "crash",
      "target": "A",
      "at": "anywhere",
      "budget": 1
    }
  ],
  "away": 0,
  "fencing": "none",
  "overlap": "0ms",
  "timing": {
    "tick": "500ms",
    "delay": {
      "min": "0ms",
      "max": "1s",
      "of": "free"
    },
    "timeout": "3s",
    "retry": "1s",
    "retryLate": "3s",
    "restart": "1s",
    "restartLate": "2s",
    "recovery": "5s",
    "recoveryRounds": 3
  },
  "explore": {
    "strategy": "exhaustive",
    "seed": "0x1",
    "runs": 10000,
    "states": 60000000,
    "memoryMax": 3221225472,
    "time": "300s",
    "steps": 10000,
    "reductions": [
      "symmetry",
      "loop-heads",
      "dead-values",
      "joint-replies"
    ]
  }
}
)";

TEST(ScenarioJson, SaysEverything) {
  // A trace must replay also with a later version whose defaults differ, so nothing is left out.
  Scenario scenario;
  scenario.name = "s";
  scenario.algorithm = "leased";
  scenario.clients = {default_clients().front()};
  scenario.faults = {{.kind = Fault::crash, .target = ClientId{0}}};
  EXPECT_EQ(scenario_json(scenario), everything);
}

}  // namespace
}  // namespace holdfast
