// Claims of locks that ignore dates: states need not say when things were, and a card that lies is found.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "sim/choose/strategies.hpp"
#include "sim/core/arena.hpp"
#include "sim/explore/futures_test.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

// What happened, by whom, and when.
using Happened = std::vector<std::tuple<std::size_t, Actor, Instant>>;

// All wall clocks of clients show so much more.
Happened history_of(const Card& card, Fault fault, Duration later, std::uint64_t seed) {
  Scenario scenario = scenario_of(planted::one_attempt(), card, fault);
  for (ClientPlan& each : scenario.clients) each.wall_offset += later;
  const Params params(card.parameters);
  stores::Kinds kinds;
  RandomChoices choices(seed);
  Trace trace(true);
  World world(scenario, card, params, kinds, choices, trace);
  // Then comes one whose clock is right.
  for (int step = 0; step < 300 && !world.is_over() && !world.is_calm(); ++step) world.step();
  Happened happened;
  for (const Event& each : trace.events()) happened.emplace_back(each.what.index(), each.actor, each.at);
  return happened;
}

enum class Lie : std::uint8_t {
  none,
  looks_at_the_date,
  counts_from_another_day,
  writes_nanoseconds,
  keeps_a_fraction
};

// The end of the lease is the value. What it does with times it must not, by its lie.
template <Lie lie>
class DatedLock final : public LockThatKeeps<std::int64_t> {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const std::int64_t now = env.clock.wall().time_since_epoch().count();
    if (lie == Lie::looks_at_the_date && now / 1'000'000 % 3 == 0) co_return Attempt::refused("not now");
    const std::int64_t value = (now - begin) * unit;
    const std::int64_t second = now / 1'000'000 % 60;
    if (lie == Lie::keeps_a_fraction && kept() != 0 && second - kept() % 60 == 2)
      co_return Attempt::refused("it was two seconds ago");
    if (lie == Lie::keeps_a_fraction) kept() = 60 + second;
    if (lie == Lie::none) kept() = now;
    const Reply set = co_await Redis(env.store()).set(key, std::to_string(value), SetOptions().nx());
    if (set.is_ok()) co_return Attempt(Grant(std::to_string(value)));
    const Reply there = co_await Redis(env.store()).get(key);
    if (there.text().empty()) co_return Attempt::refused("gone");
    const std::int64_t begun = std::stoll(std::string(there.text()));
    const std::int64_t age = env.clock.wall().time_since_epoch().count() - begun / unit - begin;
    if (age > 2'000'000) co_await Redis(env.store()).del(key);
    co_return Attempt::refused("held");
  }
  Task<Release> release(Env& env, std::string key, Grant) const override {
    co_await Redis(env.store()).del(key);
    co_return Release::released;
  }

 private:
  static constexpr std::int64_t begin = lie == Lie::counts_from_another_day ? 1'700'000'000'000'000 : 0;
  static constexpr std::int64_t unit = lie == Lie::writes_nanoseconds ? 1'000 : 1;
};

template <Lie lie>
Card lying() {
  Card card = planted::card<planted::Bug::none>();
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<DatedLock<lie>>(); };
  card.is_stateless = false;
  card.ignores_date = true;
  return card;
}

template <Lie lie>
StatesFound found_of() {
  const Card card = lying<lie>();
  Comparison twice = planted::one_attempt();
  twice.rounds = 2;
  return compare_futures(planted::on_time(scenario_of(twice, card, Fault::none)), card, 4'000);
}

std::uint64_t count_differences(const Card& card, Fault fault) {
  std::uint64_t differ = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Happened now = history_of(card, fault, 0s, seed);
    for (const Duration later : {Duration(1s), Duration(3'601s)})
      differ += now == history_of(card, fault, later, seed) ? 0 : 1;
  }
  return differ;
}

std::vector<Card> that_ignore_dates() {
  std::vector<Card> cards = algorithms::all();
  std::erase_if(cards, [](const Card& each) { return !each.ignores_date; });
  return cards;
}

TEST(DatesOfLocks, ThatIgnoreThemDoTheSameLater) {
  for (const Card& each : that_ignore_dates())
    for (const Fault fault : {Fault::none, Fault::crash, Fault::clock_jump})
      EXPECT_EQ(count_differences(each, fault), 0u) << each.id << " under " << id_of(fault);
  EXPECT_GT(count_differences(lying<Lie::looks_at_the_date>(), Fault::none), 0u);
}

TEST(DatesOfLocks, NeedNotBeInStatesWhereTheyAreIgnored) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  constexpr std::uint64_t states = 2'500;
  for (const Card& each : algorithms::all())
    if (each.ignores_date)
      for (const Fault fault :
           {Fault::none, Fault::lost_request, Fault::clock_jump, Fault::server_clock_jump}) {
        const Scenario scenario = planted::on_time(scenario_of(planted::one_attempt(), each, fault));
        EXPECT_GT(count_states_with_one_future(scenario, each, states), 50u) << id_of(fault);
      }
}

TEST(DatesOfLocks, AreMissedInStatesWhereACardDeniesThem) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  EXPECT_EQ(found_of<Lie::none>().with_two_futures, 0u);
  EXPECT_GT(found_of<Lie::looks_at_the_date>().with_two_futures, 0u);
  EXPECT_GT(found_of<Lie::counts_from_another_day>().with_two_futures, 0u);
  EXPECT_GT(found_of<Lie::keeps_a_fraction>().with_two_futures, 0u);
}

// A long number that is no time of a known form: states say when.
TEST(DatesOfLocks, AreNotMissedInAFormThatIsNotKnown) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  const StatesFound found = found_of<Lie::writes_nanoseconds>();
  EXPECT_EQ(found.with_two_futures, 0u);
  EXPECT_GT(found.states, 500u);
}

}  // namespace
}  // namespace holdfast
