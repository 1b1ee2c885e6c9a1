// Claims of what a state says: what the future depends on, however seldom, tells states apart.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sim/core/arena.hpp"
#include "sim/core/shared_dict.hpp"
#include "sim/explore/futures_test.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using Op = ProgramStep::Op;

template <class Kind>
Card card_of() {
  return Card{.id = "small",
              .parameters = {{"ttl", Parameter::Kind::duration, "6s", ""}},
              .make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Kind>(); },
              .is_stateless = true};
}

// One client that calls acquire() once.
Scenario scenario_of(const Card& card) {
  Scenario scenario;
  scenario.algorithm = card.id;
  scenario.clients = {{.id = "A", .program = {{.op = Op::acquire}}}};
  scenario.timing.tick = 1s;
  scenario.timing.recovery_rounds = 1;
  return scenario;
}

// Writes one of two values, and forgets which. When that is over, it makes it live again.
class Revives final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    std::string chosen = "x";
    if (env.random.jitter(1s) != 0s) chosen = "y";
    const Reply set = co_await SharedDict(env.store()).set(key, chosen, 1s);
    if (!set.is_ok()) co_return Attempt::failed("no room");
    co_await env.clock.sleep(2s);
    env.loop_head();
    const Reply revived = co_await env.store().send(Command("EXPIRE", key, 0));
    if (revived.is_error()) co_return Attempt::failed("it was freed");
    const Reply value = co_await SharedDict(env.store()).get(key);
    if (value.text() == "x") co_return Attempt::refused("x");
    co_return Attempt(Grant("y"));
  }
  Task<Release> release(Env&, std::string, Grant) override { co_return Release::released; }
};

TEST(States, SayWhatAnEndedEntryOfADictionaryHeld) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  Card card = card_of<Revives>();
  card.store = StoreKind::shared_dict;
  EXPECT_GT(count_states_with_one_future(scenario_of(card), card), 10u);
}

// The answer to a renewal is looked at a moment after it came.
class RenewsLate final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    Grant grant("x");
    grant.lease = 6s;
    const Reply set = co_await Redis(env.store()).set(key, "x", SetOptions().px(6s).nx());
    if (set.is_ok()) co_return Attempt(grant);
    const Reply extended = co_await Redis(env.store()).pexpire(key, 6s);
    co_await env.clock.sleep(0s);
    if (extended.is(1)) env.renewed("x", 6s);
    co_return Attempt::refused("held");
  }
  Task<Release> release(Env&, std::string, Grant) override { co_return Release::released; }
};

TEST(States, SayWhenTheRequestLeftThatARenewalCountsFrom) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  const Card card = card_of<RenewsLate>();
  for (const Belief belief : {Belief::deadline_from_request, Belief::deadline_from_reply}) {
    Scenario scenario = scenario_of(card);
    scenario.belief = belief;
    scenario.clients.front().program = {
        {.op = Op::acquire}, {.op = Op::acquire_again}, {.op = Op::work, .length = 3s}};
    EXPECT_GT(count_states_with_one_future(scenario, card), 10u);
  }
}

// A WAIT that is sent twice: only the first answer came late.
TEST(States, SayHowLongAnAnswerIsHeldBack) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  const Card& token = *algorithms::find("token");
  Scenario scenario = scenario_of(token);
  scenario.params = {{"wait-timeout", "1s"}, {"ttl", "8s"}};
  scenario.clients.front().params = {{"wait", "once"}};
  scenario.clients.push_back(
      {.id = "B", .start = 1s, .start_late = 1s, .key = "other", .program = {{.op = Op::acquire}}});
  scenario.timing.timeout = 8s;
  scenario.faults = {{.kind = Fault::duplicate, .target = ClientId{0}}, {.kind = Fault::failover}};
  EXPECT_GT(count_states_with_one_future(scenario, token), 100u);
}

// A clock that jumps twice: a lease that the first jump ended does not come back with the second.
TEST(States, NeedNotSayWhenALeaseEndedThatIsOver) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  const Card& card = *algorithms::find("setnx-del-recovery");
  Scenario scenario = scenario_of(planted::one_attempt(), card, Fault::clock_jump);
  scenario.clients.pop_back();
  scenario.faults.push_back(scenario.faults[0]);
  EXPECT_GT(count_states_with_one_future(scenario, card, 100'000), 500u);
}

// A token of a life before the crash comes back in an answer, when nobody remembers how old it is.
TEST(States, SayWhatIsReadOfATokenThatItsClientForgot) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  const Card& card = *algorithms::find("python-redis-lock");
  Scenario scenario = planted::on_time(scenario_of(planted::one_attempt(), card, Fault::crash));
  scenario.clients.pop_back();
  scenario.clients[0].rounds = 2;
  scenario.faults.push_back({.kind = Fault::cancel});
  EXPECT_GT(count_states_with_one_future(scenario, card, 4'000), 500u);
}

// On a connection that is lost a request is answered at once: when its place in memory last held a message
// that left is of no interest.
TEST(States, NeedNotSayWhatAnotherMessageLeftBehind) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  const Card& card = *algorithms::find("stackexchange-redis");
  Scenario scenario = scenario_of(planted::one_attempt(), card, Fault::late_request);
  scenario.faults[0].budget = 2;
  EXPECT_GT(count_states_with_one_future(scenario, card, 60'000), 500u);
}

// A key for each token, which ends sooner or later; its client looks whether it is still there. That is all,
// or then it takes the lock.
template <bool takes_it>
class Notes final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const std::string note = "note:" + token;
    const Duration end = 1s + env.random.jitter(1s);
    co_await Redis(env.store()).set(note, "x", SetOptions().px(end));
    co_await env.clock.sleep(1s);
    const Reply there = co_await Redis(env.store()).get(note);
    if (there.is_nil()) co_return Attempt::refused("over");
    if (!takes_it) co_return Attempt(Grant(note));
    const Reply taken = co_await Redis(env.store()).set(key, token, SetOptions().px(6s).nx());
    if (!taken.is_ok()) co_return Attempt::refused("taken");
    co_return Attempt(Grant(token));
  }
  Task<Release> release(Env&, std::string, Grant) override { co_return Release::released; }
};

TEST(States, SayWhichOfTwoKeysThatTokensNameEndsFirst) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  for (const Card& card : {card_of<Notes<true>>(), card_of<Notes<false>>()}) {
    Scenario scenario = planted::on_time(scenario_of(card));
    scenario.clients.push_back({.id = "B", .program = {{.op = Op::acquire}}});
    EXPECT_GT(count_states_with_one_future(scenario, card), 10u);
  }
}

// A field of a hash, as Redisson's, or a value, is a token with or without a word after it.
template <bool has_word, bool is_field>
class Signs final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    std::string token = env.random.token();
    if (has_word) token += ":1";
    const Reply taken = co_await Redis(env.store()).eval(script, Keys(key), Args(token));
    if (!taken.is(1)) co_return Attempt::refused("taken");
    co_return Attempt(Grant(token));
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    co_await Redis(env.store()).del(key);
    co_return Release::released;
  }

 private:
  static constexpr std::string_view script =
      is_field ? "if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end "
                 "redis.call('HSET', KEYS[1], ARGV[1], 1) return redis.call('PEXPIRE', KEYS[1], 6000)"
               : "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 6000) and 1 or 0";
};

TEST(States, TellTextsWithATokenApartNoMoreThanTheTokenAlone) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  const auto states_of = [](const Card& card, Fault fault) {
    Comparison comparison = planted::one_attempt();
    comparison.rounds = 2;
    return explore(scenario_of(comparison, card, fault), card, {}).states;
  };
  for (const Fault fault : {Fault::none, Fault::lost_reply, Fault::crash}) {
    EXPECT_EQ(states_of(card_of<Signs<true, false>>(), fault),
              states_of(card_of<Signs<false, false>>(), fault));
    EXPECT_EQ(states_of(card_of<Signs<true, true>>(), fault),
              states_of(card_of<Signs<false, true>>(), fault));
    EXPECT_EQ(states_of(card_of<Signs<true, true>>(), fault),
              states_of(card_of<Signs<true, false>>(), fault));
  }
}

// For the night: every lock alone under every two faults.
class TwoFaults : public testing::TestWithParam<std::uint64_t> {};

TEST_P(TwoFaults, StatesThatAreTakenForOneHaveOneFuture) {
  for (const Card& card : planted::on_one_server())
    for (const Fault one : planted::faults_to_explore())
      for (const Fault other : planted::faults_to_explore()) {
        if (one == Fault::none || other < one) continue;
        SCOPED_TRACE(std::string(id_of(one)) + " and " + std::string(id_of(other)));
        Scenario scenario = planted::on_time(scenario_of(planted::one_attempt(), card, one));
        scenario.clients.pop_back();
        scenario.faults.push_back({.kind = other});
        EXPECT_GT(count_states_with_one_future(scenario, card, GetParam()), 1u);
      }
}
INSTANTIATE_TEST_SUITE_P(NightlyPairs, TwoFaults, testing::Values(2'000u));

// Who is refused reads whose lock it is, twice, and remembers for a moment whether that was the same grant.
class ReadsTwice final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    Grant grant(env.random.token());
    const Reply set = co_await Redis(env.store()).set(key, grant.token, SetOptions().nx());
    if (set.is_ok()) co_return Attempt(grant);
    const Reply first = co_await Redis(env.store()).get(key);
    co_await env.clock.sleep(2s);
    const Reply second = co_await Redis(env.store()).get(key);
    const bool is_same = first.text() == second.text();
    co_await env.clock.sleep(1s);
    if (!is_same) co_await env.clock.sleep(1s);
    co_return Attempt::refused("held");
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    co_await Redis(env.store()).del(key);
    co_return Release::released;
  }
};

TEST(States, SayWhichTokenOfAnotherWasRead) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  const Card card = card_of<ReadsTwice>();
  Scenario scenario = planted::on_time(scenario_of(planted::coarse(), card, Fault::none));
  scenario.clients[0].rounds = 2;
  scenario.clients[1].rounds = 1;
  EXPECT_GT(count_states_with_one_future(scenario, card, 20'000), 500u);
}

}  // namespace
}  // namespace holdfast
