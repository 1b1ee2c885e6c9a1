// Claims of explanations: what was necessary, how much of it, and since when it was too late.
#include "sim/explore/but_for.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>

#include "sim/explore/avoidance.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using enum Property;

Scenario scenario(std::string_view lock, Fault fault, Property property, std::uint32_t attempts = 2) {
  Comparison comparison = planted::coarse();
  comparison.attempts = attempts;
  comparison.check = PropertySet{property};
  return scenario_of(comparison, *algorithms::find(lock), fault);
}

Counterexample counterexample_of(const Scenario& scenario) {
  Exploration found = explore(scenario, *algorithms::find(scenario.algorithm), Budget());
  EXPECT_TRUE(found.properties.front().counterexample) << scenario.name;
  return found.properties.front().counterexample.value();
}

Explanation explained(const Scenario& scenario, const Budget& budget = {}) {
  return explanation_of(scenario, *algorithms::find(scenario.algorithm), counterexample_of(scenario), budget);
}

TEST(ButFor, WithoutThePauseNoScheduleOfTheTokenLockGivesTwoHolders) {
  const Explanation found = explained(scenario("token", Fault::pause, mutual_exclusion));
  ASSERT_FALSE(found.but_for.empty());
  const ButFor& pause = found.but_for.front();
  ASSERT_EQ(pause.without.size(), 1u);
  EXPECT_EQ(pause.without[0].fault, Fault::pause);
  EXPECT_EQ(pause.same_schedule.verdict, Verdict::holds);
  EXPECT_EQ(pause.any_schedule.verdict, Verdict::holds);
  EXPECT_EQ(
      pause.any_schedule.states,
      explore(scenario("token", Fault::none, mutual_exclusion), *algorithms::find("token"), Budget()).states);
}

TEST(ButFor, APauseOfTwoSecondsIsHarmlessAndOneOfThreeIsNot) {
  Scenario with_pause = scenario("token", Fault::pause, mutual_exclusion);
  const Explanation found = explained(with_pause);
  ASSERT_EQ(found.thresholds.size(), 1u);
  EXPECT_EQ(found.thresholds[0].fault, Fault::pause);
  EXPECT_EQ(found.thresholds[0].holds_up_to, 2s);
  EXPECT_EQ(found.thresholds[0].violated_from, 3s);
  with_pause.faults[0].magnitude = 2s;
  EXPECT_EQ(explore(with_pause, *algorithms::find("token"), Budget()).properties[0].verdict, Verdict::holds);
}

// A pause strikes as soon as the work may end, a slow section where it must: the run with a pause is shorter.
TEST(ButFor, AFaultThatAnotherCanReplaceIsNotNecessary) {
  Scenario both = scenario("set-nx-px", Fault::slow_section, mutual_exclusion);
  both.faults.push_back({.kind = Fault::pause});
  const Explanation found = explained(both);
  ASSERT_FALSE(found.but_for.empty());
  EXPECT_EQ(found.but_for[0].without[0].fault, Fault::pause);
  EXPECT_EQ(found.but_for[0].same_schedule.verdict, Verdict::holds);
  EXPECT_EQ(found.but_for[0].any_schedule.verdict, Verdict::violated);
}

// A pause of two seconds does no harm, two of them do.
Scenario short_pauses(std::uint32_t budget) {
  Scenario several = planted::on_time(scenario("token", Fault::pause, mutual_exclusion));
  several.clients[1].program.front().attempts = 1;
  several.clients[1].start = 4s;
  several.faults = {{.kind = Fault::pause, .budget = budget, .magnitude = 2s}};
  return several;
}

TEST(ButFor, OfTwoPausesThatAreBothNecessaryEachIsTold) {
  const Explanation found = explained(short_pauses(2));
  ASSERT_EQ(found.but_for.size(), 2u);
  for (const ButFor& line : found.but_for) {
    EXPECT_EQ(line.without.size(), 1u);
    EXPECT_EQ(line.any_schedule.verdict, Verdict::holds);
  }
}

// Two of three are enough: without one of them there are others, without two there are not.
TEST(ButFor, OfPausesThatOthersCanReplaceAnyTwoTogetherAreNecessary) {
  const Explanation found = explained(short_pauses(3));
  std::size_t pairs = 0;
  for (const ButFor& line : found.but_for) {
    ASSERT_LE(line.without.size(), 2u);
    const bool is_pair = line.without.size() == 2;
    pairs += is_pair;
    EXPECT_EQ(line.any_schedule.verdict, is_pair ? Verdict::holds : Verdict::violated);
  }
  EXPECT_GT(pairs, 0u);
}

TEST(ButFor, ALockThatFailsWithoutFaultsHasNothingToBlame) {
  const Explanation found = explained(scenario("set-nx-px-as-printed", Fault::none, mutual_exclusion, 1));
  EXPECT_TRUE(found.but_for.empty());
  EXPECT_TRUE(found.thresholds.empty());
  EXPECT_TRUE(found.no_return->is_exact);
}

TEST(ButFor, WhatTheBudgetLeavesNoTimeForIsUnknown) {
  const Explanation found = explained(scenario("getset", Fault::slow_section, mutual_exclusion),
                                      Budget{[] { return true; }, nullptr});
  EXPECT_EQ(found.but_for[0].any_schedule.verdict, Verdict::unknown);
  EXPECT_FALSE(found.no_return->is_exact);
}

// --- the point of no return ---

// Counts up through all continuations of some answers, with no memory of states.
class Odometer final : public Choices {
 public:
  explicit Odometer(Tape given) : path_(std::move(given)), given_(path_.size()) {}
  void restart() { position_ = 0; }
  bool advance() {
    for (; path_.size() > given_; path_.pop_back())
      if (++path_.back().picked < path_.back().options) return true;
    return false;
  }

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override {
    if (position_ == path_.size()) path_.push_back({site, actor, options, 0});
    return path_[position_++].picked;
  }
  Tape path_;
  std::size_t given_;
  std::size_t position_ = 0;
};

// Whether some continuation after `steps` steps of the example ends without the violation.
bool some_run_avoids(const Scenario& scenario, const Counterexample& example, std::uint32_t steps) {
  Subject subject(scenario, *algorithms::find(scenario.algorithm));
  const Property property = example.findings.front().property;
  ReplayChoices tape(example.tape);
  Run run(subject, tape, false);
  for (std::uint32_t step = 0; step < steps; ++step) run.world.step();
  Odometer answers(
      {example.tape.begin(), example.tape.begin() + static_cast<std::ptrdiff_t>(tape.position())});
  do {
    answers.restart();
    Run other(subject, answers, false);
    while (!other.judge.violated().contains(property) && other.world.step()) continue;
    if (!other.judge.violated().contains(property)) return true;
  } while (answers.advance());
  return false;
}

TEST(NoReturn, IsWhereBruteForceFindsTheLastRunThatAvoidsTheViolation) {
  std::uint32_t earlier = 0;
  for (const char* lock : {"token", "set-nx-px", "getset", "setnx-expire"})
    for (const Fault fault : {Fault::pause, Fault::slow_section, Fault::restart})
      for (const Property property : {mutual_exclusion, no_stale_write}) {
        const Scenario one = scenario(lock, fault, property, 1);
        const Exploration found = explore(one, *algorithms::find(lock), Budget());
        if (!found.properties[0].counterexample) continue;
        const Counterexample& example = *found.properties[0].counterexample;
        Subject subject(one, *algorithms::find(lock));
        const NoReturn told = no_return(subject, example.tape, example.steps, property, 1'000'000, Budget());
        SCOPED_TRACE(std::string(lock) + " under " + std::string(id_of(fault)));
        EXPECT_TRUE(told.is_exact);
        ASSERT_GT(told.step.value, 0u);
        EXPECT_TRUE(some_run_avoids(one, example, told.step.value - 1));
        EXPECT_FALSE(some_run_avoids(one, example, told.step.value));
        earlier += told.step.value < example.steps;
      }
  EXPECT_GT(earlier, 3u) << "some violations are inevitable before they happen";
}

TEST(NoReturn, ASearchThatEndsEarlySaysSo) {
  // A holder that is stopped between its last look and its write writes, sooner or later.
  const Scenario paused = scenario("token", Fault::pause, no_stale_write, 1);
  const Counterexample example = counterexample_of(paused);
  Subject subject(paused, *algorithms::find("token"));
  const NoReturn whole = no_return(subject, example.tape, example.steps, no_stale_write, 1'000, Budget());
  EXPECT_TRUE(whole.is_exact);
  EXPECT_LT(whole.step.value, example.steps);
  const NoReturn part = no_return(subject, example.tape, example.steps, no_stale_write, 2, Budget());
  EXPECT_FALSE(part.is_exact);
  EXPECT_GE(part.step, whole.step);
  EXPECT_LE(part.step.value, example.steps);
}

// After a call that its caller gave up, it takes the lock for its own.
class Presumptuous final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const Grant grant(env.random.token());
    if (std::exchange(was_given_up_, true)) co_return Attempt(grant);
    const Reply reply =
        co_await Redis(env.store()).set(std::move(key), grant.token, SetOptions().px(4s).nx());
    was_given_up_ = false;
    if (!reply.is_ok()) co_return Attempt::refused("held");
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    co_await Redis(env.store()).del(std::move(key));
    co_return Release::released;
  }

 private:
  bool was_given_up_ = false;
};

TEST(ButFor, OfAClientThatComesBackInTheCalmPhaseIsTold) {
  const Card card{
      .id = "presumptuous",
      .summary = "",
      .source = "",
      .lesson = "",
      .claims = {},
      .parameters = {{"ttl", Parameter::Kind::duration, "4s", ""}},
      .make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Presumptuous>(); }};
  Comparison comparison = planted::coarse();
  comparison.attempts = 1;
  comparison.check = PropertySet{truthful_release, progress};
  const Scenario both = scenario_of(comparison, card, Fault::cancel);
  const Exploration found = explore(both, card, Budget());
  const std::optional<Counterexample>& example = found.properties.front().counterexample;
  ASSERT_TRUE(example);
  EXPECT_EQ(example->findings.front().property, truthful_release);
  const Explanation explanation = explanation_of(both, card, *example, Budget());
  ASSERT_FALSE(explanation.but_for.empty());
  EXPECT_EQ(explanation.but_for.front().without[0].fault, Fault::cancel);
  EXPECT_EQ(explanation.but_for.front().any_schedule.verdict, Verdict::holds);
}

}  // namespace
}  // namespace holdfast
