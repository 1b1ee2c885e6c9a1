// Claims of progress, livelock and availability: each is broken by a lock with one slip, and kept without it.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "sim/explore/liveness.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using planted::result_of;
using planted::violated;
using enum Property;

constexpr const char* compare_and_delete =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

enum class Slip : std::uint8_t { none, yes };

template <class Made>
Card card_of(bool is_stateless, std::vector<Parameter> parameters = {}) {
  Card card = planted::card<planted::Bug::none>();
  card.id = "slipped";
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Made>(); };
  card.is_stateless = is_stateless;
  for (const Parameter& each : parameters) card.parameters.push_back(each);
  return card;
}

Attempt granted(const std::string& token) {
  Grant grant(token);
  grant.lease = 4s;
  return Attempt(grant);
}

// --- who comes back ---

// Remembers in its process that it is taken.
template <Slip slip>
class Remembering final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    if (is_taken_) co_return Attempt::refused("taken in this process");
    is_taken_ = true;
    const std::string token = env.random.token();
    const Reply set = co_await Redis(env.store()).set(key, token, SetOptions().px(4s).nx());
    if (set.is_ok()) co_return granted(token);
    if (slip == Slip::none) is_taken_ = false;
    co_return Attempt::refused("held");
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    is_taken_ = false;
    const Reply deleted = co_await Redis(env.store()).eval(compare_and_delete, Keys(key), Args(grant.token));
    co_return deleted.is(1) ? Release::released : deleted.is(0) ? Release::not_held : Release::unknown;
  }

 private:
  bool is_taken_ = false;
};

TEST(Progress, IsBrokenByALockObjectThatForgetsToTakeBackWhatItRemembers) {
  const Exploration found = planted::explored(card_of<Remembering<Slip::yes>>(false), Fault::none);
  EXPECT_EQ(violated(found), PropertySet{progress});
  const Counterexample& example = *result_of(found, progress).counterexample;
  EXPECT_THAT(example.findings.front().because, testing::HasSubstr("came back"));
  EXPECT_EQ(result_of(found, recovery).verdict, Verdict::holds) << "a new client has a new lock object";
}

TEST(Progress, IsKeptByALockObjectThatTakesItBack) {
  for (const Fault fault : {Fault::none, Fault::crash, Fault::lost_reply}) {
    const Exploration found = planted::explored(card_of<Remembering<Slip::none>>(false), fault);
    EXPECT_EQ(violated(found), PropertySet()) << id_of(fault);
    EXPECT_EQ(result_of(found, progress).verdict, Verdict::holds) << id_of(fault);
  }
}

// The probe is never granted such a lock: it has nothing to give back, and nobody comes back.
TEST(Progress, IsNotAskedWhereEveryLeaseIsOverBeforeTheGrantArrives) {
  const Card card = card_of<Remembering<Slip::none>>(false);
  Comparison comparison = planted::coarse();
  comparison.belief = Belief::deadline_from_request;
  comparison.timing.delay_min = comparison.timing.delay_max = 2s;
  comparison.timing.timeout = 9s;
  const Exploration found = planted::explored(card, Fault::none, comparison);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(violated(found), PropertySet{recovery});
}

// Who keeps nothing is as good as new, so nobody comes back: it costs nothing.
TEST(Progress, AddsNoStateToALockThatKeepsNothing) {
  Comparison with = planted::coarse();
  with.check = {mutual_exclusion, recovery, progress};
  Comparison without = planted::coarse();
  without.check = {mutual_exclusion, recovery};
  const Card& token = *algorithms::find("token");
  EXPECT_EQ(planted::explored(token, Fault::pause, with).states,
            planted::explored(token, Fault::pause, without).states);
}

TEST(Progress, IsTheSameForBothEngines) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::one_engine;
  for (const Fault fault : {Fault::none, Fault::crash}) {
    const Card card = card_of<Remembering<Slip::yes>>(false);
    const Exploration copied = planted::explored(card, fault);
    const Exploration replayed = planted::explored(card, fault, planted::coarse(), Engine::replay);
    EXPECT_EQ(copied.states, replayed.states);
    EXPECT_EQ(violated(copied), violated(replayed));
  }
}

// --- who waits ---

// Sleeps for as long as the key says. There may be none any more.
template <Slip slip>
class Sleeping final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    for (;;) {
      env.loop_head(Args(token));
      const Reply set = co_await Redis(env.store()).set(key, token, SetOptions().px(4s).nx());
      if (set.is_lost()) co_return Attempt::failed("no answer");
      if (set.is_ok()) co_return granted(token);
      const Reply left = co_await Redis(env.store()).pttl(key);
      if (left.is_lost()) co_return Attempt::failed("no answer");
      if (left.number() < 0 && slip == Slip::none) continue;
      const Duration wait =
          left.number() < 0 ? Duration(24h) : Duration(std::chrono::milliseconds(left.number()));
      co_await env.clock.sleep(wait);
    }
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply deleted = co_await Redis(env.store()).eval(compare_and_delete, Keys(key), Args(grant.token));
    co_return deleted.is(1) ? Release::released : deleted.is(0) ? Release::not_held : Release::unknown;
  }
};

TEST(Progress, IsBrokenByAWaiterThatSleepsBesideAFreeLock) {
  const Exploration found = planted::explored(card_of<Sleeping<Slip::yes>>(true), Fault::none);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(violated(found), PropertySet{progress});
  const Counterexample& example = *result_of(found, progress).counterexample;
  EXPECT_THAT(example.findings.front().because, testing::HasSubstr("although the lock is free"));
}

TEST(Progress, IsKeptByAWaiterThatAsksAgainWhereThereIsNoKey) {
  for (const Fault fault : {Fault::none, Fault::crash}) {
    const Exploration found = planted::explored(card_of<Sleeping<Slip::none>>(true), fault);
    EXPECT_TRUE(found.complete) << id_of(fault);
    EXPECT_EQ(violated(found), PropertySet()) << id_of(fault);
  }
}

// Nobody gives back, so a key stands for four seconds, and who waits for its end sleeps longer than the
// bound, which is two. Where it is given back, the same sleep is too long: the lock is free meanwhile.
TEST(Progress, IsNotAskedOfAWaiterWhileALeaseStands) {
  const Card card = card_of<Sleeping<Slip::none>>(true);
  Scenario scenario = scenario_of(planted::coarse(), card, Fault::none);
  scenario.timing.recovery = 1s;
  EXPECT_EQ(result_of(explore(scenario, card, Budget()), progress).verdict, Verdict::violated);
  for (ClientPlan& client : scenario.clients) client.program.resize(1);
  EXPECT_EQ(result_of(explore(scenario, card, Budget()), progress).verdict, Verdict::holds);
}

// --- livelock ---

// Takes both of two servers, or gives back what it took and comes back after the same time.
template <Slip slip>
class TakesBoth final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string self = name_of(env.self());
    const Command take("SET", key, self, "NX");
    const Command give_back("EVAL", compare_and_delete, 1, key, self);
    for (;;) {
      env.loop_head(Args(self));
      const std::vector<Reply> taken = co_await env.ask_all(take);
      if (taken[0].is_ok() && taken[1].is_ok()) co_return Attempt(Grant(self));
      const std::vector<Reply> ignored = co_await env.ask_all(give_back);
      const Duration jitter = slip == Slip::none ? env.random.jitter(2s) : Duration::zero();
      co_await env.clock.sleep(1s + jitter);
    }
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Command give_back("EVAL", compare_and_delete, 1, key, grant.token);
    const std::vector<Reply> ignored = co_await env.ask_all(give_back);
    co_return Release::unknown;
  }
};

Scenario endless(const Card& card) {
  Comparison comparison = planted::coarse();
  comparison.rounds = comparison.attempts = 0;
  comparison.check = {livelock};
  Scenario scenario = scenario_of(comparison, card, Fault::none);
  for (auto& [name, value] : scenario.params)
    if (name == "nodes") value = "2";
  return scenario;
}

const std::vector<Parameter> on_two_servers{{"nodes", Parameter::Kind::count, "2", ""}};

TEST(Livelock, IsACircleOfTwoThatTakeOneServerEachAndComeBackAfterTheSameTime) {
  const Card card = card_of<TakesBoth<Slip::yes>>(true, on_two_servers);
  const Scenario scenario = endless(card);
  const Exploration found = explore(scenario, card, Budget());
  ASSERT_TRUE(found.complete);
  ASSERT_EQ(result_of(found, livelock).verdict, Verdict::violated);
  const Counterexample& example = *result_of(found, livelock).counterexample;
  EXPECT_EQ(example.loop->grants, 0u);
  EXPECT_TRUE(is_confirmed(scenario, card, example));
  EXPECT_THAT(example.findings.front().because, testing::HasSubstr("nobody is granted the lock"));
}

// As `check` asks of each lock, unless the user says what to judge.
Verdict livelock_in_step(const Card& card) {
  const auto scenario = scenario_at(Comparison(), {2, 0, 0, 1, 1s, Variant::in_step}, card, Fault::none);
  const Exploration found = explore(*scenario, card, Budget());
  EXPECT_EQ(found.properties.size(), 1u);
  return result_of(found, livelock).verdict;
}
TEST(Livelock, IsAskedOfClientsThatAskInStep) {
  EXPECT_EQ(livelock_in_step(card_of<TakesBoth<Slip::yes>>(true, on_two_servers)), Verdict::violated);
  EXPECT_EQ(livelock_in_step(card_of<TakesBoth<Slip::none>>(true, on_two_servers)), Verdict::holds);
}

TEST(Livelock, IsBrokenUpByChance) {
  const Card card = card_of<TakesBoth<Slip::none>>(true, on_two_servers);
  const Exploration found = explore(endless(card), card, Budget());
  ASSERT_TRUE(found.complete);
  EXPECT_EQ(result_of(found, livelock).verdict, Verdict::holds);
}

TEST(Livelock, IsNotWhatAsksOneServerAgainAndAgain) {
  const Card& token = *algorithms::find("token");
  const Exploration found = explore(endless(token), token, Budget());
  ASSERT_TRUE(found.complete);
  EXPECT_EQ(result_of(found, livelock).verdict, Verdict::holds);
}

// --- availability ---

// Wants the key on every server, or on a majority.
template <Slip slip>
class OnThree final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Command take("SET", key, token, "NX", "PX", 4000);
    const std::vector<Reply> taken = co_await env.ask_all(take);
    std::size_t votes = 0;
    for (const Reply& each : taken) votes += each.is_ok() ? 1 : 0;
    if (votes >= (slip == Slip::none ? 2 : 3)) co_return granted(token);
    const Command give_back("EVAL", compare_and_delete, 1, key, token);
    const std::vector<Reply> ignored = co_await env.ask_all(give_back);
    co_return Attempt::refused("too few");
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Command give_back("EVAL", compare_and_delete, 1, key, grant.token);
    const std::vector<Reply> ignored = co_await env.ask_all(give_back);
    co_return Release::unknown;
  }
};

Verdict available(const Card& card) {
  Comparison comparison = planted::one_attempt();
  comparison.clients = 1;
  comparison.check = {availability};
  return result_of(explore(scenario_of(comparison, card, Fault::none), card, Budget()), availability).verdict;
}

TEST(Availability, NeedsNoServerThatOthersCanStandInFor) {
  const std::vector<Parameter> on_three_servers{{"nodes", Parameter::Kind::count, "3", ""}};
  EXPECT_EQ(available(card_of<OnThree<Slip::yes>>(true, on_three_servers)), Verdict::violated);
  EXPECT_EQ(available(card_of<OnThree<Slip::none>>(true, on_three_servers)), Verdict::holds);
}

TEST(Availability, IsAskedOfEachLockOnThreeServers) {
  const std::vector<Parameter> on_three_servers{{"nodes", Parameter::Kind::count, "3", ""}};
  const auto verdict = [](const Card& card) {
    const auto scenario =
        scenario_at(Comparison(), {2, 1, 1, 1, 1s, Variant::server_away}, card, Fault::none);
    return result_of(explore(*scenario, card, Budget()), availability).verdict;
  };
  EXPECT_EQ(verdict(card_of<OnThree<Slip::yes>>(true, on_three_servers)), Verdict::violated);
  EXPECT_EQ(verdict(card_of<OnThree<Slip::none>>(true, on_three_servers)), Verdict::holds);
  EXPECT_FALSE(scenario_at(Comparison(), {2, 1, 1, 1, 1s, Variant::server_away}, *algorithms::find("token"),
                           Fault::none));
}

TEST(Availability, SaysNothingOfALockOnOneServer) {
  EXPECT_EQ(available(*algorithms::find("token")), Verdict::not_applicable);
}

}  // namespace
}  // namespace holdfast
