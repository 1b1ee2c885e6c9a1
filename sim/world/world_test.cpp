// Claims of the world: what messages, faults, clocks and digests do.
#include "sim/world/world.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "sim/choose/strategies.hpp"
#include "sim/redis/scripts.hpp"

namespace holdfast {
namespace {

using Op = ProgramStep::Op;

// One or two clients of the token lock with a lease of 4s, messages of up to 1s, timeout 3s.
Scenario small(std::uint32_t clients, std::vector<FaultRule> faults = {}) {
  Scenario scenario;
  scenario.algorithm = "token";
  scenario.faults = std::move(faults);
  for (std::uint32_t i = 0; i < clients; ++i)
    scenario.clients.push_back({.id = name_of(ClientId{i}),
                                .program = {{.op = Op::acquire, .attempts = 2},
                                            {.op = Op::work, .length = 1s},
                                            {.op = Op::write},
                                            {.op = Op::release}}});
  return scenario;
}

FaultRule rule(Fault kind, Place place = Place::anywhere) {
  FaultRule made;
  made.kind = kind;
  made.place = place;
  return made;
}

// Answers calmly, but strikes with a fault at the first chance that a site offers.
class StrikeOnce final : public Choices {
 public:
  explicit StrikeOnce(Site site) : site_(site) {}

 private:
  std::uint32_t decide(Site site, Actor, std::uint32_t) override {
    if (site != site_ || done_) return 0;
    done_ = true;
    return 1;
  }
  Site site_;
  bool done_ = false;
};

std::vector<Event> run_all(const Scenario& scenario, Choices& choices) {
  const Card& card = *algorithms::find(scenario.algorithm);
  Params params(card.parameters);
  params.set("ttl", "4s");
  redis::Scripts scripts;
  Trace trace(true);
  World world(scenario, card, params, scripts, choices, trace);
  while (world.step()) continue;
  return trace.events();
}

std::vector<Event> run_calm(const Scenario& scenario) {
  const Tape calm;
  ReplayChoices choices(calm);
  return run_all(scenario, choices);
}

template <class Kind>
std::vector<Event> all(const std::vector<Event>& events) {
  std::vector<Event> found;
  for (const Event& event : events)
    if (std::holds_alternative<Kind>(event.what)) found.push_back(event);
  return found;
}

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

// Draws, and looks at who may move.
class Watcher final : public Choices {
 public:
  explicit Watcher(std::uint64_t seed) : random_(seed) {}
  bool saw_time = false;
  bool saw_race = false;

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override {
    return random_.pick(site, actor, options);
  }
  std::uint32_t decide_step(std::uint32_t options, Movers& who) override {
    const std::span<const Mover> movers = who.movers();
    EXPECT_EQ(movers.size(), options);
    for (std::size_t i = 0; i + 1 < movers.size(); ++i) EXPECT_EQ(movers[i].actor.kind, Actor::Kind::client);
    saw_time |= movers.back() == Mover();
    for (const Mover& mover : movers) saw_race |= mover.strand != 0;
    return random_.pick(Site::step, Actor{}, options);
  }
  RandomChoices random_;
};

TEST(World, TellsTheStrategyWhoMayMove) {
  Watcher watcher(1);
  run_all(small(2, {rule(Fault::late_request)}), watcher);
  EXPECT_TRUE(watcher.saw_time);
  for (std::uint64_t seed = 2; seed < 100 && !watcher.saw_race; ++seed) {
    Watcher another(seed);
    run_all(small(2, {rule(Fault::late_request)}), another);
    watcher.saw_race |= another.saw_race;
  }
  EXPECT_TRUE(watcher.saw_race);  // a late request and the timeout of its client
}

TEST(Network, ALostReplyLeavesItsEffect) {
  StrikeOnce choices(Site::reply);
  const std::vector<Event> events = run_all(small(1, {rule(Fault::lost_reply)}), choices);
  ASSERT_EQ(all<GaveUp>(events).size(), 1u);
  EXPECT_EQ(all<GaveUp>(events)[0].at, Instant(3s));
  EXPECT_EQ(std::get<KeyChanged>(all<KeyChanged>(events)[0].what).kind, KeyChanged::Kind::created);
}

TEST(Network, ALostRequestHasNoEffect) {
  StrikeOnce choices(Site::request);
  const std::vector<Event> events = run_all(small(1, {rule(Fault::lost_request)}), choices);
  ASSERT_EQ(all<GaveUp>(events).size(), 1u);
  EXPECT_GT(all<KeyChanged>(events)[0].at, Instant(3s));
}

TEST(Network, ALateRequestLandsAfterItsCallerGaveUp) {
  StrikeOnce choices(Site::request);
  Scenario scenario = small(1, {rule(Fault::late_request)});
  scenario.explore.strategy = StrategyKind::random;  // timed: the calm draw is the earliest arrival
  scenario.timing.timeout = 1500ms;
  const std::vector<Event> events = run_all(scenario, choices);
  ASSERT_FALSE(all<Ignored>(events).empty());
  EXPECT_EQ(all<Ignored>(events)[0].at, Instant(2s));  // the longest ordinary delay and a tick
  EXPECT_EQ(all<GaveUp>(events)[0].at, Instant(1500ms));
}

TEST(Faults, ACrashedClientIsForgottenAndStartsAgain) {
  StrikeOnce choices(Site::crash);
  const std::vector<Event> events = run_all(small(1, {rule(Fault::crash)}), choices);
  EXPECT_EQ(all<Crashed>(events).size(), 1u);
  EXPECT_EQ(all<Started>(events).size(), 3u);  // A, A again, the probe
}

TEST(Faults, APausedClientGoesOnWithTheAnswerThatWaitedForIt) {
  StrikeOnce choices(Site::pause);
  const std::vector<Event> events = run_all(small(1, {rule(Fault::pause)}), choices);
  ASSERT_EQ(all<Resumed>(events).size(), 1u);
  EXPECT_TRUE(all<GaveUp>(events).empty());
  EXPECT_GE(std::get<Resumed>(all<Resumed>(events)[0].what).length, Duration(1s));
}

TEST(Faults, ARestartLosesTheKeyAndTellsWhose) {
  StrikeOnce choices(Site::server);
  const std::vector<Event> events = run_all(small(1, {rule(Fault::restart)}), choices);
  ASSERT_EQ(all<ServerRestarted>(events).size(), 1u);
  const auto changes = all<KeyChanged>(events);
  const auto& lost = std::get<KeyChanged>(changes[1].what);
  EXPECT_EQ(lost.kind, KeyChanged::Kind::lost);
  EXPECT_EQ(lost.before, (Acquisition{ClientId{0}, 1}));
}

TEST(Faults, AreSpentWithinTheirBudget) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomChoices choices(seed);
    FaultRule twice = rule(Fault::lost_request);
    twice.budget = 2;
    ASSERT_LE(all<MessageFault>(run_all(small(2, {twice}), choices)).size(), 2u);
  }
}

TEST(Faults, StrikeOnlyAtTheirPlace) {
  StrikeOnce choices(Site::pause);
  const std::vector<Event> events = run_all(small(1, {rule(Fault::pause, Place::in_section)}), choices);
  ASSERT_EQ(all<Paused>(events).size(), 1u);
  EXPECT_GE(all<Paused>(events)[0].at, all<Granted>(events)[0].at);
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

// Whoever knows the absolute time makes states at different times different; whoever does not, does not.
TEST(Digest, HoldsTheAbsoluteTimeOnlyWhenSomebodyMayKnowIt) {
  const auto digest_after_sleep = [](Duration sleep, const char* lock) {
    Scenario scenario = small(1);
    scenario.algorithm = lock;
    scenario.clients[0].program = {
        {.op = Op::sleep, .length = sleep}, {.op = Op::acquire}, {.op = Op::sleep, .length = 1s}};
    const Card& card = *algorithms::find(lock);
    const Params params(card.parameters);
    redis::Scripts scripts;
    const Tape calm;
    ReplayChoices choices(calm);
    Trace trace(true);
    World world(scenario, card, params, scripts, choices, trace);
    while (all<Granted>(trace.events()).empty()) world.step();
    return digest_of(world);
  };
  EXPECT_EQ(digest_after_sleep(1s, "token"), digest_after_sleep(2s, "token"));
  EXPECT_NE(digest_after_sleep(1s, "getset"), digest_after_sleep(2s, "getset"));
}

// Two worlds on one tape are in equal states after every step.
RC_GTEST_PROP(Determinism, TheSameTapeGivesTheSameStates, (std::uint64_t seed)) {
  const Scenario scenario = small(2, {rule(Fault::pause), rule(Fault::crash), rule(Fault::lost_reply)});
  const Card& card = *algorithms::find("token");
  const Params params(card.parameters);
  redis::Scripts scripts;
  RandomChoices random(seed);
  Recorder recorder(random);
  std::vector<Digest> digests;
  const auto follow = [&](Choices& choices, auto&& each) {
    Trace trace(false);
    World world(scenario, card, params, scripts, choices, trace);
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
