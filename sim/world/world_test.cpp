// Claims of the world: what messages, faults, clocks and digests do.
#include "sim/world/world.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "sim/choose/strategies.hpp"
#include "sim/choose/strike_test.hpp"
#include "sim/stores/kinds.hpp"
#include "sim/world/run_test.hpp"

namespace holdfast {
namespace {

using Op = ProgramStep::Op;

TEST(World, ACalmRunGrantsTheLockToEveryClientInTurn) {
  const std::vector<Event> events = run_calm(small(2));
  EXPECT_EQ(all<Granted>(events).size(), 3u);  // A, B and the probe
  EXPECT_EQ(all<Ended>(events).size(), 1u);
  EXPECT_TRUE(all<GaveUp>(events).empty());
}

TEST(World, TimeNeverGoesBack) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomChoices choices(seed);
    const std::vector<Event> events =
        run_all(small(2, {rule(Fault::pause), rule(Fault::late_request)}), choices);
    for (std::size_t i = 1; i < events.size(); ++i) ASSERT_GE(events[i].at, events[i - 1].at);
  }
}

// A run that begins a whole second later is the same run, also for a lock that counts whole seconds.
TEST(World, PassesLessThanASecondBeforeTheFirstClientStartsWhereAllMayStartAtOnce) {
  Scenario scenario = small(2);
  for (ClientPlan& plan : scenario.clients) plan.start_late = 2s;
  Taking late({}, lets_time_pass, Wanted{.kind = Action::Kind::start});
  const std::vector<Event> together = run_all(scenario, late);
  EXPECT_EQ(all<Started>(together)[0].at, Instant(500ms));
  EXPECT_EQ(all<Started>(together)[1].at, Instant(2s));
  // Which one is first is open.
  Taking other({{.kind = Action::Kind::start, .actor = actor_of(ClientId{1})}}, lets_time_pass,
               Wanted{.kind = Action::Kind::start});
  const std::vector<Event> exchanged = run_all(scenario, other);
  EXPECT_EQ(all<Started>(exchanged)[0].actor, actor_of(ClientId{1}));
  EXPECT_EQ(all<Started>(exchanged)[0].at, Instant(0s));
  EXPECT_EQ(all<Started>(exchanged)[1].at, Instant(2s));
}

TEST(World, LetsAClientThatMayStartBeforeTheOthersTakeItsTime) {
  Scenario scenario = small(2);
  scenario.clients[0].start_late = 2s;
  scenario.clients[1].start = 1s;
  Taking late({}, lets_time_pass, Wanted{.kind = Action::Kind::start, .actor = actor_of(ClientId{0})});
  const std::vector<Event> events = run_all(scenario, late);
  EXPECT_EQ(all<Started>(events)[0].actor, actor_of(ClientId{1}));
  EXPECT_EQ(all<Started>(events)[0].at, Instant(1s));  // `startLate` is less than `start`: exactly then
  EXPECT_EQ(all<Started>(events)[1].at, Instant(2s));
}

TEST(World, LetsWorkAndRetriesLastForAnyNumberOfTicksOfTheirWindows) {
  Scenario scenario = small(2);
  scenario.timing.delay_max = 0s;
  scenario.clients[0].program[1] = {.op = Op::work, .length = 3s, .at_least = 1s};
  const auto length_of_work = [](const std::vector<Event>& events) {
    return all<Wrote>(events)[0].at - all<Working>(events)[0].at;
  };
  const auto until_asked_again = [](const std::vector<Event>& events) {
    return all<Acquiring>(events)[2].at - all<Refused>(events)[0].at;
  };
  EXPECT_EQ(length_of_work(run_calm(scenario)), Duration(1s));
  EXPECT_EQ(until_asked_again(run_calm(scenario)), Duration(1s));
  Taking late({}, lets_time_pass);
  const std::vector<Event> events = run_all(scenario, late);
  EXPECT_EQ(length_of_work(events), Duration(3s));
  EXPECT_EQ(until_asked_again(events), Duration(3s));
}

// Draws, and looks at what may happen.
class Watcher final : public Choices {
 public:
  explicit Watcher(std::uint64_t seed) : random_(seed) {}
  bool saw_time = false;
  bool saw_race = false;
  bool saw_fault = false;

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override {
    return random_.pick(site, actor, options);
  }
  std::uint32_t decide_step(std::uint32_t options, Enabled& enabled) override {
    const std::span<const Enabled::Option> all = enabled.all();
    EXPECT_EQ(all.size(), options);
    const std::size_t calm = options - enabled.faults();
    for (std::size_t i = 0; i < options; ++i) {
      const Action& action = all[i].action;
      EXPECT_EQ(action.kind == Action::Kind::strike, i >= calm);
      EXPECT_EQ(action.fault != Fault::none, i >= calm);
      // Of the calm ones, time is the last.
      EXPECT_TRUE(action.kind != Action::Kind::wait || i + 1 == calm);
      saw_time |= action.kind == Action::Kind::wait;
      saw_race |= all[i].strand != 0;
      saw_fault |= i >= calm;
      for (std::size_t other = 0; other < i; ++other) EXPECT_NE(all[other].action, action);
    }
    return random_.pick_step(options, enabled);
  }
  RandomChoices random_;
};

TEST(World, NamesWhatMayHappenInOrder) {
  bool saw_race = false;
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    Watcher watcher(seed);
    run_all(small(2, {rule(Fault::late_request), rule(Fault::partition), rule(Fault::clock_jump)}), watcher);
    EXPECT_TRUE(watcher.saw_time);
    EXPECT_TRUE(watcher.saw_fault);
    saw_race |= watcher.saw_race;
  }
  EXPECT_TRUE(saw_race);  // a late request and the timeout of its client
}

// Half of the requests' way, then nobody waits any more; they land all the same.
TEST(World, ACallIsGivenUpWhenItsOwnTimeIsOver) {
  Scenario scenario = small(1);
  scenario.algorithm = "redsync";
  scenario.params = {{"timeout-factor", "25"}, {"blocking", "no"}};
  scenario.timing.delay_min = scenario.timing.delay_max = 2s;
  const std::vector<Event> events = run_calm(scenario);
  const auto sent = all<Sent>(events);
  const auto given_up = all<GaveUp>(events);
  const auto executed = all<Executed>(events);
  ASSERT_GE(given_up.size(), 3u);
  EXPECT_EQ(given_up[0].at - sent[0].at, Duration(1s));
  EXPECT_EQ(executed[0].at - sent[0].at, Duration(2s));
  EXPECT_TRUE(all<Granted>(events).empty());
}

TEST(Clocks, ADriftingClientSleepsLongerInTrueTime) {
  Scenario scenario = small(1);
  scenario.clients[0].drift_ppm = -500'000;  // half speed
  const std::vector<Event> events = run_calm(scenario);
  EXPECT_EQ(all<Wrote>(events)[0].at - all<Granted>(events)[0].at, Duration(2s));
}

TEST(Clocks, AKeyExpiresInTheMillisecondAfterItsLast) {
  Scenario scenario = small(1);
  scenario.clients[0].program = {{.op = Op::acquire}, {.op = Op::sleep, .length = 6s}};
  const std::vector<Event> events = run_calm(scenario);
  const auto changes = all<KeyChanged>(events);
  EXPECT_EQ(std::get<KeyChanged>(changes[0].what).expires_at, Instant(4s));
  EXPECT_EQ(std::get<KeyChanged>(changes[1].what).kind, KeyChanged::Kind::expired);
  EXPECT_EQ(changes[1].at, Instant(4001ms));
}

Digest digest_of(World& world) {
  std::vector<Digest> parts(world.client_count());
  for (std::uint32_t i = 0; i < parts.size(); ++i) parts[i] = world.mix_client(Digest{}, ClientId{i});
  Digest all = world.mix_rest(parts);
  for (const Digest& part : parts) all = sum(all, part);
  return all;
}

// A lock that knows the absolute time, and does not say that it ignores it, makes states at different times
// different.
TEST(Digest, HoldsTheAbsoluteTimeOnlyWhenSomebodyMayKnowIt) {
  const auto digest_after_sleep = [](Duration sleep, const char* lock, bool ignores_date = true) {
    Scenario scenario = small(1);
    scenario.algorithm = lock;
    scenario.clients[0].program = {
        {.op = Op::sleep, .length = sleep}, {.op = Op::acquire}, {.op = Op::sleep, .length = 1s}};
    Card card = *algorithms::find(lock);
    card.ignores_date = ignores_date;
    const Params params(card.parameters);
    stores::Kinds kinds;
    const Tape calm;
    ReplayChoices choices(calm);
    Trace trace(true);
    World world(scenario, card, params, kinds, choices, trace);
    while (all<Granted>(trace.events()).empty()) world.step();
    return digest_of(world);
  };
  EXPECT_EQ(digest_after_sleep(1s, "token"), digest_after_sleep(2s, "token"));
  EXPECT_EQ(digest_after_sleep(1s, "getset"), digest_after_sleep(2s, "getset"));
  EXPECT_NE(digest_after_sleep(1s, "getset"), digest_after_sleep(1500ms, "getset"));
  EXPECT_NE(digest_after_sleep(1s, "getset", false), digest_after_sleep(2s, "getset", false));
}

// Two worlds on one tape are in equal states after every step.
RC_GTEST_PROP(Determinism, TheSameTapeGivesTheSameStates, (std::uint64_t seed)) {
  const Scenario scenario = small(2, {rule(Fault::pause), rule(Fault::crash), rule(Fault::lost_reply)});
  const Card& card = *algorithms::find("token");
  const Params params(card.parameters);
  stores::Kinds kinds;
  RandomChoices random(seed);
  Recorder recorder(random);
  std::vector<Digest> digests;
  const auto follow = [&](Choices& choices, auto&& each) {
    Trace trace(false);
    World world(scenario, card, params, kinds, choices, trace);
    while (world.step()) each(digest_of(world));
  };
  follow(recorder, [&](Digest digest) { digests.push_back(digest); });
  ReplayChoices replay(recorder.tape());
  std::size_t step = 0;
  follow(replay, [&](Digest digest) { RC_ASSERT(digest == digests.at(step++)); });
  RC_ASSERT(step == digests.size());
}

}  // namespace
}  // namespace holdfast
