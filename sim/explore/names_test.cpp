// Claims of locks that know tokens which others made, or numbers that a store counts: states say which is
// older, or how far apart they are, not which number they have. So a lock that reads or compares them has an
// end of rounds, too; one that does something else with other numbers is found, or its states say the
// numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "sim/choose/strategies.hpp"
#include "sim/core/arena.hpp"
#include "sim/core/counts.hpp"
#include "sim/explore/futures_test.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

enum class Look : std::uint8_t {
  at_the_whole,  // whether it is the one that it saw when it was refused before
  at_its_digits,
  at_its_signs,  // the same, where a script can be seen to do so
  at_the_order   // a script asks which of two was made first
};

// Who is refused reads the holder's token. What it does then depends on that, by its look.
template <Look look>
class Reader final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Reply set = co_await Redis(env.store()).set(key, token, SetOptions().nx().px(4s));
    if (set.is_lost()) co_return Attempt::failed("timeout");
    if (set.is_ok()) co_return Attempt(Grant(token));
    const Reply there = co_await Redis(env.store()).get(key);
    if (there.is_lost() || there.is_nil()) co_return Attempt::refused("gone");
    const std::string holder(there.text());
    const bool is_odd = (holder.back() - '0') % 2 == 1;
    if (look == Look::at_its_digits && is_odd) co_await Redis(env.store()).del(key);
    if (look == Look::at_the_whole || look == Look::at_its_digits) co_await env.clock.sleep(1s);
    const char* const script =
        look == Look::at_its_signs
            ? "if string.byte(ARGV[1], -1) % 2 == 1 then redis.call('DEL', KEYS[1]) end"
        : look == Look::at_the_order ? "local now = redis.call('GET', KEYS[1])"
                                       " if now and now > ARGV[1] then redis.call('DEL', KEYS[1]) end"
                                     : "if redis.call('GET', KEYS[1]) == ARGV[1] then return 1 end";
    co_await Redis(env.store()).eval(script, Keys(key), Args(holder));
    co_return Attempt::refused("held");
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const char* const script =
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
    const Reply gone = co_await Redis(env.store()).eval(script, Keys(key), Args(grant.token));
    co_return gone.is(1) ? Release::released : gone.is(0) ? Release::not_held : Release::unknown;
  }
};

template <Look look>
Card reader() {
  Card card = planted::card<planted::Bug::none>();
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Reader<look>>(); };
  return card;
}

// Any number of rounds and attempts.
Scenario endless(const Card& card, Fault fault) {
  Scope scope;
  scope.rounds = scope.attempts = 0;
  scope.tick = 1s;
  return planted::on_time(scenario_at(planted::coarse(), scope, card, fault).value());
}

Exploration explored_endlessly(const Card& card, Fault fault = Fault::none) {
  Scenario scenario = endless(card, fault);
  scenario.explore.states_max = 400'000;
  return explore(scenario, card, Budget(), Engine::snapshots);
}

bool breaks(const Exploration& exploration, Property property) {
  return planted::result_of(exploration, property).verdict == Verdict::violated;
}

class NamesOfOthers : public testing::Test {
 protected:
  void SetUp() override {
    if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  }
};

TEST_F(NamesOfOthers, ThatAreReadOrComparedLeaveAnEndOfRounds) {
  EXPECT_TRUE(explored_endlessly(reader<Look::at_the_whole>()).complete);
  EXPECT_TRUE(explored_endlessly(reader<Look::at_the_order>()).complete);
  for (const char* lock : {"token", "fair-rw", "python-redis-lock", "stackexchange-redis"})
    for (const Fault fault : {Fault::none, Fault::failover})
      EXPECT_TRUE(explored_endlessly(*algorithms::find(lock), fault).complete)
          << lock << " under " << id_of(fault);
}

// A holder's second round deletes nobody's key; a script that finds an older token than the one it was told
// does not, and that is a younger one of the same client, or another client's.
TEST_F(NamesOfOthers, ThatAreOrderedBreakWhatDependsOnTheirOrder) {
  const Exploration ordered = explored_endlessly(reader<Look::at_the_order>());
  EXPECT_TRUE(breaks(ordered, Property::mutual_exclusion));
  EXPECT_FALSE(breaks(explored_endlessly(reader<Look::at_the_whole>()), Property::mutual_exclusion));
}

TEST_F(NamesOfOthers, NeedNotHaveNumbersInStates) {
  constexpr std::uint64_t states = 1'200;
  const std::vector<const char*> locks{"token",      "redis-py",          "fair-rw", "redisson-fair",
                                       "jedis-lock", "python-redis-lock", "getset",  "stackexchange-redis"};
  for (const char* lock : locks)
    for (const Fault fault : {Fault::none, Fault::pause, Fault::failover}) {
      const Card& card = *algorithms::find(lock);
      EXPECT_GT(count_states_with_one_future(endless(card, fault), card, states), 100u) << id_of(fault);
    }
  const Card ordered = reader<Look::at_the_order>();
  EXPECT_GT(count_states_with_one_future(endless(ordered, Fault::lost_reply), ordered, states), 100u);
}

// Two may hold it: a sorted set of tokens with their ends. Members that end together are taken from their
// makers in the order in which they were made.
class ForTwo final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const char* const script =
        "local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)"
        " redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. now)"
        " if redis.call('ZCARD', KEYS[1]) >= 2 then return 0 end"
        " redis.call('ZADD', KEYS[1], now + 3000, ARGV[1]) return 1";
    const std::string token = env.random.token();
    const Reply reply = co_await Redis(env.store()).eval(script, Keys(key), Args(token));
    if (reply.is_lost()) co_return Attempt::failed("timeout");
    if (!reply.is(1)) co_return Attempt::refused("two hold it");
    co_return Attempt(Grant(token));
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply gone = co_await Redis(env.store())
                           .eval("return redis.call('ZREM', KEYS[1], ARGV[1])", Keys(key), Args(grant.token));
    co_return gone.is(1) ? Release::released : gone.is(0) ? Release::not_held : Release::unknown;
  }
};

TEST_F(NamesOfOthers, AreInTheOrderInWhichTheyWereMadeWhereSeveralGoAtOnce) {
  Card card = planted::card<planted::Bug::none>();
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<ForTwo>(); };
  card.ignores_date = true;
  for (const Fault fault : {Fault::lost_reply, Fault::late_request})
    EXPECT_GT(count_states_with_one_future(endless(card, fault), card, 30'000), 4'000u) << id_of(fault);
}

TEST_F(NamesOfOthers, AreMissedInStatesWhereALockLooksAtTheirDigits) {
  const Card card = reader<Look::at_its_digits>();
  EXPECT_GT(compare_futures(endless(card, Fault::none), card, 4'000).with_two_futures, 0u);
  // An exploration compares one state in a hundred or so: of a few, one notices.
  const auto is_noticed = [&](Fault fault) {
    try {
      explored_endlessly(card, fault);
    } catch (const Nondeterminism&) {
      return true;
    }
    return false;
  };
  constexpr std::array some{Fault::none, Fault::lost_reply, Fault::late_request, Fault::pause};
  EXPECT_TRUE(std::any_of(some.begin(), some.end(), is_noticed));
}

TEST_F(NamesOfOthers, HaveNumbersInStatesWhereAScriptLooksAtTheirSigns) {
  const Card card = reader<Look::at_its_signs>();
  EXPECT_EQ(compare_futures(endless(card, Fault::none), card, 1'200).with_two_futures, 0u);
  EXPECT_TRUE(breaks(explored_endlessly(card), Property::mutual_exclusion));
}

// A number that the store counts, and what the lock does with it beside comparing.
enum class Count : std::uint8_t { is_compared, is_odd };

// Who is refused looks at the number of the last grant.
template <Count count>
class CountedLock final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Reply set = co_await Redis(env.store()).set(key, token, SetOptions().nx().px(4s));
    if (set.is_lost()) co_return Attempt::failed("timeout");
    const std::string counter = key + ":count";
    if (set.is_ok()) {
      const Reply number = co_await Redis(env.store()).incr(counter);
      if (number.kind() != Reply::Kind::integer) co_return Attempt::failed("no number");
      Grant grant(token);
      grant.fence = static_cast<std::uint64_t>(number.number());
      co_return Attempt(grant);
    }
    const Reply there = co_await Redis(env.store()).get(counter);
    if (there.is_lost() || there.is_nil()) co_return Attempt::refused("no count");
    const std::int64_t last = std::stoll(std::string(there.text()));
    if (count == Count::is_odd && last % 2 == 1) co_await Redis(env.store()).del(key);
    co_return Attempt::refused("held");
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const char* const script =
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
    const Reply gone = co_await Redis(env.store()).eval(script, Keys(key), Args(grant.token));
    co_return gone.is(1) ? Release::released : gone.is(0) ? Release::not_held : Release::unknown;
  }
};

template <Count count>
Card counting() {
  Card card = planted::card<planted::Bug::none>();
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<CountedLock<count>>(); };
  card.counters = {"%:count"};
  return card;
}

using CountsOfLocks = NamesOfOthers;

TEST_F(CountsOfLocks, ThatAreComparedLeaveAnEndOfRounds) {
  const Exploration found = explored_endlessly(counting<Count::is_compared>());
  EXPECT_TRUE(found.complete);
  EXPECT_FALSE(breaks(found, Property::mutual_exclusion));
  for (const Fault fault : {Fault::none, Fault::pause, Fault::failover})
    EXPECT_TRUE(explored_endlessly(*algorithms::find("fenced"), fault).complete) << id_of(fault);
  EXPECT_TRUE(explored_endlessly(*algorithms::find("ticket")).complete);
}

TEST_F(CountsOfLocks, NeedNotBeInStates) {
  for (const Card& card : algorithms::all()) {
    if (card.counters.empty()) continue;
    for (const Fault fault : {Fault::none, Fault::lost_reply, Fault::pause, Fault::failover})
      EXPECT_GT(count_states_with_one_future(endless(card, fault), card, 1'500), 100u) << id_of(fault);
  }
}

TEST_F(CountsOfLocks, AreMissedInStatesWhereALockLooksAtTheirDigits) {
  const Card odd = counting<Count::is_odd>();
  EXPECT_GT(compare_futures(endless(odd, Fault::none), odd, 4'000).with_two_futures, 0u);
  EXPECT_THROW(explored_endlessly(odd), Nondeterminism);
}

// Every card names keys that its lock counts at, and nothing else begins with so large a number.
TEST_F(CountsOfLocks, AreCountedWhereTheirCardSays) {
  for (const Card& card : algorithms::all()) {
    if (card.counters.empty()) continue;
    const Scenario scenario = endless(card, Fault::none);
    ASSERT_EQ(scenario.store.size(), card.counters.size());
    const Params params(card.parameters);
    stores::Kinds kinds;
    RandomChoices choices(1);
    Trace trace(true);
    World world(scenario, card, params, kinds, choices, trace);
    for (int step = 0; step < 300 && !world.is_over(); ++step) world.step();
    std::uint64_t granted = 0;
    for (const Event& each : trace.events())
      if (const auto* const grant = std::get_if<Granted>(&each.what); grant && grant->fence) {
        EXPECT_TRUE(is_count(*grant->fence)) << card.id;
        ++granted;
      }
    EXPECT_EQ(granted > 0, world.reach().numbered) << card.id;
  }
}

}  // namespace
}  // namespace holdfast
