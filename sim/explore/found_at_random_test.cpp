// What random scenarios have found.
#include <gtest/gtest.h>

#include "sim/check/definitions_test.hpp"
#include "sim/core/arena.hpp"
#include "sim/explore/avoidance.hpp"
#include "sim/explore/futures_test.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using Op = ProgramStep::Op;
using planted::on_time;

// This lock sends the length of its token.
TEST(FoundAtRandom, AClientThatAsksForEverMakesTokensOfOneLength) {
  const Card& card = *algorithms::find("bsm-redislock");
  Comparison comparison = planted::coarse();
  comparison.ttl = 2s;
  Scenario scenario = scenario_of(comparison, card, Fault::none);
  for (ClientPlan& plan : scenario.clients) plan.program = {{.op = Op::acquire, .attempts = 0}};
  scenario.check = {Property::mutual_exclusion};
  scenario.timing.timeout = 1s;
  scenario.timing.retry_late = 2s;
  const Exploration found = explore(scenario, card, Budget());
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(planted::violated(found), PropertySet());
  EXPECT_EQ(found.states, explore(scenario, card, Budget(), Engine::replay).states);
}

// What a client knew before it acquired again is not forgotten at the head of that call's loop.
TEST(FoundAtRandom, WhoAcquiresAgainRemembersWhatItWasGranted) {
  const Card& card = *algorithms::find("redis-objects-px");
  Comparison comparison = planted::coarse();
  comparison.ttl = 2s;
  comparison.belief = Belief::deadline_from_reply;
  comparison.faults = 2;
  comparison.driver_retries = 0;
  Scenario scenario = scenario_of(comparison, card, Fault::crash);
  scenario.clients[0].program = {{.op = Op::acquire}, {.op = Op::acquire_again}, {.op = Op::release}};
  scenario.clients[1].program = {{.op = Op::acquire, .attempts = 3}};
  scenario = on_time(scenario);
  scenario.check = {Property::mutual_exclusion};
  scenario.timing.timeout = 1s;
  scenario.timing.retry = 0s;
  scenario.timing.retry_late = 1s;
  const Exploration copied = explore(scenario, card, Budget());
  const Exploration replayed = explore(scenario, card, Budget(), Engine::replay);
  EXPECT_TRUE(copied.complete);
  EXPECT_EQ(copied.states, replayed.states);
  EXPECT_EQ(copied.transitions, replayed.transitions);
}

// The same request twice on its way, and one of the two arrives: which one, nobody can tell.
TEST(FoundAtRandom, OfTwoEqualRequestsEitherMayArrive) {
  const Card& card = *algorithms::find("set-nx-px");
  Comparison comparison = planted::coarse();
  comparison.ttl = 2s;
  Scenario scenario = scenario_of(comparison, card, Fault::none);
  scenario.faults = {{.kind = Fault::duplicate, .budget = 2, .magnitude = 1s}};
  scenario.clients[0].program = {
      {.op = Op::acquire}, {.op = Op::acquire_again}, {.op = Op::release}, {.op = Op::release}};
  scenario.clients[1].program = {{.op = Op::acquire}, {.op = Op::release}};
  Timing& timing = scenario.timing;
  timing.timeout = timing.retry_late = 1s;
  timing.retry = 0s;
  timing.recovery_rounds = 1;
  scenario = on_time(scenario);
  timing.retry_late = 1s;
  const Exploration copied = explore(scenario, card, Budget());
  EXPECT_TRUE(copied.complete);
  EXPECT_EQ(copied.transitions, explore(scenario, card, Budget(), Engine::replay).transitions);
}

// A grant that arrives when its lease is over is refused, and the lock's object has it all the same.
TEST(FoundAtRandom, ALockThatHasGrantedWhatNobodyTookIsInAnotherState) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::one_engine;
  const Card& card = *algorithms::find("resty-lock");
  Comparison comparison = planted::coarse();
  comparison.ttl = 2s;
  comparison.belief = Belief::deadline_from_request;
  Scenario scenario = scenario_of(comparison, card, Fault::none);
  scenario.params.emplace_back("timeout", "0s");
  scenario.clients[0].program = {{.op = Op::acquire, .attempts = 2}};
  scenario.clients[1].program = {{.op = Op::acquire}};
  scenario.faults = {{.kind = Fault::crash, .target = ClientId{0}, .budget = 2},
                     {.kind = Fault::pause, .target = ClientId{0}, .budget = 2, .magnitude = 3s}};
  Timing& timing = scenario.timing;
  timing.delay_min = timing.delay_max = timing.retry = timing.retry_late = 0s;
  EXPECT_GT(count_states_with_one_future(scenario, card), 300u);
}

std::vector<Event> events_at_random(Subject& subject, std::uint64_t seed) {
  RandomChoices choices(seed);
  Run run(subject, choices, true);
  while (run.world.step()) continue;
  return run.trace.events();
}

// All clients of this lock write the same value.
TEST(FoundAtRandom, AFailoverThatBringsBackAnEqualValueOfAnotherIsTold) {
  const Card& card = *algorithms::find("setnx-expire");
  Comparison comparison = planted::coarse();
  comparison.ttl = 2s;
  comparison.faults = 2;
  const Scenario scenario = scenario_of(comparison, card, Fault::failover);
  Subject subject(scenario, card);
  for (std::uint64_t seed = 0; seed < 2'000; ++seed)
    EXPECT_TRUE(definitions::tells_every_owner(events_at_random(subject, seed))) << "seed " << seed;
}

// Two clients share a lock object, so one has two parts of the hash, and loses one of them to the other.
TEST(FoundAtRandom, WhoLosesOneOfTwoPartsIsToldOfTheOther) {
  const Card& card = *algorithms::find("redisson-rw");
  Comparison comparison = planted::coarse();
  comparison.rounds = 2;
  comparison.ttl = 3s;
  comparison.timing.delay_max = 0s;
  Scenario scenario = scenario_of(comparison, card, Fault::none);
  ClientPlan& other = scenario.clients[1];
  other.shares_lock_of = ClientId{0};
  using Op = ProgramStep::Op;
  other.program = {{.op = Op::sleep, .length = 1s},
                   {.op = Op::acquire, .mode = Mode::shared},
                   {.op = Op::acquire_again},
                   {.op = Op::work, .length = 1s},
                   {.op = Op::release},
                   {.op = Op::release}};
  scenario.clients[0].program[1] = {.op = Op::work, .length = 1s};
  Subject subject(scenario, card);
  for (std::uint64_t seed = 0; seed < 1'000; ++seed)
    EXPECT_TRUE(definitions::tells_every_owner(events_at_random(subject, seed))) << "seed " << seed;
}

// A reader becomes the writer: its script removes the set, with the part of a reader whose lease is over, and
// creates it anew.
TEST(FoundAtRandom, WhoRemovesAKeyAndCreatesItAtOnceHasItAllAlong) {
  const Card& card = *algorithms::find("symfony-lock");
  Comparison comparison = planted::coarse();
  comparison.clients = 3;
  comparison.ttl = 2s;
  Scenario scenario = scenario_of(comparison, card, Fault::none);
  using Op = ProgramStep::Op;
  for (ClientPlan& each : scenario.clients)
    each.program = {{.op = Op::acquire, .mode = Mode::shared},
                    {.op = Op::work, .length = 3s, .at_least = 1s},
                    {.op = Op::acquire_again},
                    {.op = Op::release},
                    {.op = Op::release}};
  Subject subject(scenario, card);
  for (std::uint64_t seed = 0; seed < 1'000; ++seed)
    EXPECT_TRUE(definitions::tells_every_owner(events_at_random(subject, seed))) << "seed " << seed;
}

// The state before the first step looked like the one behind it: a way on that went round for ever.
TEST(FoundAtRandom, WhatEveryRunBreaksIsInevitableBeforeTheFirstStep) {
  const Card& card = *algorithms::find("resty-lock");
  Scenario scenario = scenario_of(planted::coarse(), card, Fault::none);
  scenario.params.emplace_back("dictionary", "undeclared");
  scenario.check = {Property::recovery};
  const Exploration found = explore(scenario, card, Budget());
  const Counterexample& example = found.properties.at(0).counterexample.value();
  Subject subject(scenario, card);
  const NoReturn told = no_return(subject, example.tape, example.steps, Property::recovery, 1'000, Budget());
  EXPECT_TRUE(told.is_exact);
  EXPECT_EQ(told.step, Step{0});
}

// A refused client that has not released what it was granted before is not one that has nothing.
TEST(FoundAtRandom, WhoDoesNotReleaseRemembersWhatItHas) {
  const Card& card = *algorithms::find("token");
  Comparison comparison = planted::coarse();
  comparison.ttl = 4s;
  Scenario scenario = scenario_of(comparison, card, Fault::none);
  for (ClientPlan& each : scenario.clients) {
    each.rounds = 2;
    each.program = {{.op = Op::acquire}, {.op = Op::work, .length = 1s}, {.op = Op::sleep, .length = 6s}};
  }
  scenario.clients[1].start_late = 2s;
  scenario.check = {Property::recovery};
  const Exploration found = explore(scenario, card, Budget());
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.transitions, explore(scenario, card, Budget(), Engine::replay).transitions);
}

}  // namespace
}  // namespace holdfast
