// Where time is dense: the same verdicts as in half seconds where those are fine enough, and others where
// not.
#include "sim/explore/dense.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "sim/explore/comparison.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

Scenario dense(Scenario scenario) {
  scenario.timing.tick = Duration::zero();
  return scenario;
}

PropertySet broken_in(const Exploration& found) {
  PropertySet broken;
  for (const PropertyResult& each : found.properties)
    if (each.verdict == Verdict::violated || each.note == broken_between_ticks) broken.insert(each.property);
  return broken;
}

class Dense : public testing::Test {
 protected:
  void SetUp() override {
    if (!Arena::is_available()) GTEST_SKIP() << "skipped: its states are copies of an arena";
  }
};

// Believes in its lease for `extra` longer than its key lives.
class Overlong final : public Lock {
 public:
  explicit Overlong(Duration extra) : extra_(extra) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().nx().px(ttl));
    if (!reply.is_ok()) co_return Attempt::refused("held");
    Grant grant(token);
    grant.lease = ttl + extra_;
    co_return Attempt(grant);
  }
  Task<Release> release(Env&, std::string, Grant) override { co_return Release::released; }

 private:
  static constexpr Duration ttl = 4s;
  Duration extra_;
};

// Its card denies that it keeps when it was granted last.
class KeepsATime final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const SteadyTime now = env.clock.steady();
    if (last_ && now - *last_ < 3s) co_return Attempt::refused("too soon");
    last_ = now;
    const std::string token = env.random.token();
    const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().nx().px(4s));
    if (!reply.is_ok()) co_return Attempt::refused("held");
    co_return Attempt(Grant(token));
  }
  Task<Release> release(Env&, std::string, Grant) override { co_return Release::released; }

 private:
  std::optional<SteadyTime> last_;
};

// Who is refused later than a second after it asked deletes the key, whosever it is.
class DeletesWhenLate final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const SteadyTime start = env.clock.steady();
    const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().nx().px(4s));
    if (reply.is_ok()) co_return Attempt(Grant(token));
    if (env.clock.steady() - start < 1s) {
      co_await Redis(env.store()).get(key);
    } else {
      co_await Redis(env.store()).del(key);
    }
    co_return Attempt::refused("held");
  }
  Task<Release> release(Env&, std::string, Grant) override { co_return Release::released; }
};

// Asks how long its key lives, and believes so, or a little longer, from when it asked.
class TrustsPttl final : public Lock {
 public:
  explicit TrustsPttl(Duration extra) : extra_(extra) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().nx().px(4s));
    if (!reply.is_ok()) co_return Attempt::refused("held");
    const Reply left = co_await Redis(env.store())
                           .eval(
                               "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PTTL', "
                               "KEYS[1]) end return 0",
                               Keys(key), Args(token));
    if (left.is_lost() || left.is(0)) co_return Attempt::failed("not sure");
    Grant grant(token);
    grant.lease = left.milliseconds() + extra_;
    co_return Attempt(grant);
  }
  Task<Release> release(Env&, std::string, Grant) override { co_return Release::released; }

 private:
  Duration extra_;
};

// Its card denies that it keeps what the server told it.
class KeepsAnAnswer final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    if (left_ && *left_ < 2s) co_await Redis(env.store()).del(key);
    const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().nx().px(4s));
    if (reply.is_ok()) co_return Attempt(Grant(token));
    const Reply left = co_await Redis(env.store()).pttl(key);
    if (!left.is_lost()) left_ = left.milliseconds();
    co_return Attempt::refused("held");
  }
  Task<Release> release(Env&, std::string, Grant) override { co_return Release::released; }

 private:
  std::optional<Duration> left_;
};

template <class Planted, auto... arguments>
Card stateless(const char* id) {
  return Card{.id = id,
              .summary = "",
              .source = "",
              .lesson = "",
              .claims = {},
              .parameters = {},
              .make = [](const Params&) -> std::unique_ptr<Lock> {
                return std::make_unique<Planted>(std::chrono::milliseconds(arguments)...);
              },
              .is_stateless = true};
}

Scenario until_deadline(const Card& card) {
  Comparison comparison;
  comparison.attempts = 1;
  comparison.belief = Belief::deadline_from_request;
  comparison.check = {Property::mutual_exclusion};
  return scenario_of(comparison, card, Fault::pause);
}

// A key lives at least until 4 s after its request left, so a belief for 4 s from then on never meets
// another.
TEST_F(Dense, ABeliefAsLongAsTheLeaseHolds) {
  const Card card = stateless<Overlong, 0>("overlong");
  const Exploration found = explore(dense(until_deadline(card)), card, Budget());
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.properties.front().verdict, Verdict::holds) << found.properties.front().note;
}

// A millisecond longer is enough, and half seconds do not see it: at 4.001 s nothing happens there.
TEST_F(Dense, ABeliefThatIsAMillisecondLongerBreaks) {
  const Card card = stateless<Overlong, 1>("overlong");
  const Exploration in_ticks = explore(until_deadline(card), card, Budget());
  EXPECT_EQ(in_ticks.properties.front().verdict, Verdict::holds);
  const Exploration found = explore(dense(until_deadline(card)), card, Budget());
  EXPECT_EQ(found.properties.front().note, broken_between_ticks);
}

// What PTTL tells when it is carried out is over no later than the key, if it counts from when it was asked.
TEST_F(Dense, ABeliefAsLongAsPttlTellsHolds) {
  const Card card = stateless<TrustsPttl, 0>("trusts-pttl");
  const Exploration found = explore(dense(until_deadline(card)), card, Budget());
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.properties.front().verdict, Verdict::holds) << found.properties.front().note;
}

TEST_F(Dense, ABeliefAMillisecondLongerThanPttlTellsDoesNotHold) {
  const Card card = stateless<TrustsPttl, 1>("trusts-pttl");
  const Exploration in_ticks = explore(until_deadline(card), card, Budget());
  EXPECT_EQ(in_ticks.properties.front().verdict, Verdict::holds);
  const Exploration found = explore(dense(until_deadline(card)), card, Budget());
  EXPECT_EQ(found.needs_ticks, "");
  EXPECT_EQ(found.properties.front().verdict, Verdict::unknown) << found.properties.front().note;
}

// Half seconds decide all of these; where they see more or less than dense time, one of the two is wrong.
TEST_F(Dense, AgreesWithHalfSeconds) {
  const bool is_night = std::getenv("HOLDFAST_EVERY_CELL") != nullptr;
  int cells = 0, dense_cells = 0, compared = 0;
  for (const Card& card : planted::on_one_server()) {
    int place = 0;
    for (const Fault fault : planted::some_faults(card)) {
      if (!is_night && (++place + cells) % 3 != 0) continue;
      Comparison comparison;
      comparison.attempts = 1;
      Scenario scenario = scenario_of(comparison, card, fault);
      scenario.explore.states_max = is_night ? 1'000'000 : 10'000;
      ++cells;
      const Exploration zones = explore(dense(scenario), card, Budget());
      if (!zones.needs_ticks.empty()) continue;
      ++dense_cells;
      const Exploration ticks = explore(scenario, card, Budget());
      if (!zones.complete && broken_in(zones).empty()) continue;
      if (!ticks.complete) continue;
      ++compared;
      EXPECT_EQ(broken_in(zones), broken_in(ticks)) << card.id << " under " << id_of(fault);
    }
  }
  std::cout << cells << " cells, " << dense_cells << " of them in dense time, " << compared << " compared\n";
  EXPECT_GT(compared, cells / 4);
}

TEST_F(Dense, AnyNumberOfRoundsClosesAtEveryInstant) {
  const Card& token = *algorithms::find("token");
  const std::optional<Scenario> scenario =
      scenario_at(Comparison(), {2, 0, 0, 1, Duration::zero()}, token, Fault::lost_reply);
  const Exploration found = explore(scenario.value(), token, Budget());
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(broken_in(found), PropertySet());
}

// It writes whole seconds.
TEST_F(Dense, ALockThatRoundsTimesNeedsTicks) {
  const Card& rounds = *algorithms::find("redis-objects-px");
  const Exploration found = explore(dense(scenario_of(Comparison(), rounds, Fault::none)), rounds, Budget());
  EXPECT_EQ(found.needs_ticks, "a time is used as a number");
  for (const PropertyResult& each : found.properties) EXPECT_NE(each.verdict, Verdict::holds);
}

TEST_F(Dense, ATimeThatStatesDoNotTellIsNoticed) {
  const Card card = stateless<KeepsATime>("keeps-a-time");
  Comparison comparison;
  comparison.rounds = 2;
  const Exploration found = explore(dense(scenario_of(comparison, card, Fault::none)), card, Budget());
  EXPECT_EQ(found.needs_ticks, "a time is looked at again that states do not tell");
}

TEST_F(Dense, AnAnswerThatStatesDoNotTellIsNoticed) {
  const Card card = stateless<KeepsAnAnswer>("keeps-an-answer");
  Comparison comparison;
  comparison.attempts = 3;
  const Exploration found = explore(dense(scenario_of(comparison, card, Fault::none)), card, Budget());
  EXPECT_EQ(found.needs_ticks, "a time is looked at again that states do not tell");
}

// The reason: both requests look alike to the network, for what a client sends follows from what it has seen;
// here, from how a comparison came out, too. Zones of both joined, one of them would be forgotten.
TEST_F(Dense, WhichWayALockWentByTheTimeIsPartOfAState) {
  const Card card = stateless<DeletesWhenLate>("deletes-when-late");
  Comparison comparison;
  comparison.attempts = 1;
  comparison.check = {Property::owner_only_release};
  const Scenario scenario = scenario_of(comparison, card, Fault::none);
  EXPECT_EQ(broken_in(explore(scenario, card, Budget())), PropertySet{Property::owner_only_release});
  EXPECT_EQ(broken_in(explore(dense(scenario), card, Budget())), PropertySet{Property::owner_only_release});
}

TEST_F(Dense, AFaultThatSetsClocksNeedsTicks) {
  const Card& token = *algorithms::find("token");
  const Exploration found =
      explore(dense(scenario_of(Comparison(), token, Fault::clock_jump)), token, Budget());
  EXPECT_NE(found.needs_ticks, "");
}

TEST_F(Dense, PlantedBugsAreFound) {
  const auto broken = [](const Card& card, Fault fault) {
    return broken_in(explore(dense(scenario_of(Comparison(), card, fault)), card, Budget()));
  };
  EXPECT_EQ(broken(planted::card<planted::Bug::none>(), Fault::lost_reply), PropertySet());
  EXPECT_TRUE(broken(planted::card<planted::Bug::ignores_refusal>(), Fault::none)
                  .contains(Property::mutual_exclusion));
  EXPECT_TRUE(broken(planted::card<planted::Bug::deletes_blindly>(), Fault::pause)
                  .contains(Property::owner_only_release));
  EXPECT_TRUE(broken(planted::card<planted::Bug::no_lease>(), Fault::crash).contains(Property::recovery));
}

}  // namespace
}  // namespace holdfast
