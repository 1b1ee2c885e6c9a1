// What a rehearsal finds out of locks, and what follows from it.
#include "sim/explore/rehearsal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/core/arena.hpp"
#include "sim/core/card_ids_test.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using planted::explored;
using planted::one_attempt;
using planted::result_of;
using planted::violated;
using testing::ElementsAre;
using testing::UnorderedElementsAre;
using enum Property;

LockFacts facts_of(const Card& card, const Comparison& comparison = Comparison()) {
  stores::Kinds kinds;
  return rehearse(scenario_of(comparison, card, Fault::none), card, kinds);
}

// --- the locks that are here ---

class RehearsalOf : public testing::TestWithParam<std::string> {};

// Each holds where its name says, behind its prefix; queues, counters, signals and latches lie beside.
TEST_P(RehearsalOf, FindsTheKeyOfEveryLock) {
  const LockFacts facts = facts_of(*algorithms::find(GetParam()));
  ASSERT_EQ(facts.locks.size(), 1u);
  EXPECT_EQ(facts.locks[0].name, "job");
  EXPECT_THAT(facts.locks[0].keys,
              testing::AnyOf(ElementsAre(testing::EndsWith("job")), ElementsAre("bull:job:1:lock"),
                             ElementsAre("queue:job/"), ElementsAre("job:1", "job:2")));
  EXPECT_EQ(facts.why_ownerless, "");
}

// What is measured in leases stays what it was.
TEST_P(RehearsalOf, SeesTheLeaseThatWasAskedFor) {
  const Card& card = *algorithms::find(GetParam());
  const Comparison usual;
  const std::optional<Duration> asked = card.renews ? renewed_ttl(usual) : usual.ttl;
  const bool has_lease = Params(card.parameters).has("ttl");
  const std::optional<Duration> seen = facts_of(card).lease;
  Duration more{};
  if (card.id == "jedis-lock") more = 1ms;  // its value is a millisecond later than what was asked for
  if (card.id == "redis-objects") more = 1s;
  if (card.id == "lua-setnx-expire") more = 999 * *asked;  // milliseconds, taken for seconds
  EXPECT_EQ(seen, has_lease ? std::optional(*asked + more) : std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Cards, RehearsalOf, testing::ValuesIn(card_ids()), name_of_card);

// --- locks of strangers ---

// A correct lock with a token: where it holds, how it releases and for how long is up to a test. It takes no
// parameters.
struct Habits {
  std::vector<std::string> patterns{"lock:NAME"};
  bool compares = true;
  Duration lease = 4s;
  const char* release = nullptr;  // another script
};

class Stranger final : public Lock {
 public:
  explicit Stranger(const Habits& habits) : habits_(habits) {}

  Task<Attempt> acquire(Env& env, std::string name, Mode) override {
    const std::string token = env.random.token();
    const Args args(token, to_milliseconds(habits_.lease));
    const Keys keys = keys_for(name);
    const Reply reply =
        co_await Redis(env.store())
            .eval(
                "for _, key in ipairs(KEYS) do if (redis.call('GET', key) or 'free') ~= 'free' then return 0 "
                "end end"
                " for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', ARGV[2]) end return 1",
                keys, args);
    if (reply.is_lost()) co_return Attempt::failed("timeout");
    if (!reply.is(1)) co_return Attempt::refused("held");
    Grant grant(token);
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string name, Grant grant) override {
    const char* const script =
        habits_.release != nullptr ? habits_.release
        : habits_.compares
            ? "local gone = 0 for _, key in ipairs(KEYS) do if redis.call('GET', key) == ARGV[1] then"
              " gone = redis.call('DEL', key) end end return gone"
            : "local gone = 0 for _, key in ipairs(KEYS) do gone = redis.call('DEL', key) end return gone";
    const Keys keys = keys_for(name);
    const Reply reply = co_await Redis(env.store()).eval(script, keys, Args(grant.token));
    if (reply.is(1)) co_return Release::released;
    co_return reply.is(0) ? Release::not_held : Release::unknown;
  }

 private:
  Keys keys_for(const std::string& name) const {
    if (habits_.patterns.size() == 1) return Keys(key_of(habits_.patterns[0], name));
    return Keys(key_of(habits_.patterns[0], name), key_of(habits_.patterns[1], name));
  }
  const Habits& habits_;
};

// Cards make locks by a function without captures.
const Habits* habits = nullptr;

Card stranger(const Habits& its) {
  habits = &its;
  Card card;
  card.id = "stranger";
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Stranger>(*habits); };
  return card;
}

TEST(Rehearsal, FindsAKeyBesideTheName) {
  const Habits its{.patterns = {"{NAME}:lock"}};
  EXPECT_THAT(facts_of(stranger(its)).locks.at(0).keys, ElementsAre("{job}:lock"));
  EXPECT_THAT(key_patterns(scenario_of(Comparison(), stranger(its), Fault::none), stranger(its)),
              ElementsAre("{NAME}:lock"));
}

// Without either of them nobody is let in.
TEST(Rehearsal, FindsBothKeysOfALockThatHoldsTwo) {
  const Habits its{.patterns = {"NAME:a", "NAME:b"}};
  EXPECT_THAT(facts_of(stranger(its)).locks.at(0).keys, UnorderedElementsAre("job:a", "job:b"));
}

TEST(Rehearsal, FindsTheKeyOfALockThatNeverFrees) {
  const Card card = planted::card<planted::Bug::frees_nothing>();
  EXPECT_THAT(facts_of(card).locks.at(0).keys, ElementsAre("job"));
  EXPECT_EQ(violated(explored(card, Fault::none, one_attempt())), PropertySet{release_frees});
}

// The release does not touch the second key, and nobody is let in as long as that stands.
TEST(Rehearsal, FindsTheKeyThatAReleaseForgets) {
  const Habits its{.patterns = {"NAME:a", "NAME:b"},
                   .release =
                       "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end"
                       " return redis.call('DEL', KEYS[1])"};
  EXPECT_THAT(facts_of(stranger(its)).locks.at(0).keys, UnorderedElementsAre("job:a", "job:b"));
  EXPECT_EQ(violated(explored(stranger(its), Fault::none, one_attempt())), PropertySet{release_frees});
}

// A word says that it is free: the key stands, and keeps nobody out.
TEST(Rehearsal, SaysNothingOfWhatStandsWhereALockIsFreeAllTheSame) {
  const Habits its{.release =
                       "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end"
                       " redis.call('SET', KEYS[1], 'free') return 1"};
  EXPECT_NE(facts_of(stranger(its)).why_never_gone, "");
  const Exploration found = explored(stranger(its), Fault::none, one_attempt());
  EXPECT_EQ(result_of(found, release_frees).verdict, Verdict::not_applicable);
}

// Who starts resets the lock, so everybody is let in: the signal that a reset leaves is no grant.
TEST(Rehearsal, FindsTheKeyOfALockThatLetsEverybodyIn) {
  const Card& card = *algorithms::find("python-redis-lock");
  Scenario scenario = scenario_of(Comparison(), card, Fault::none);
  scenario.params.emplace_back("reset", "at-start");
  stores::Kinds kinds;
  EXPECT_THAT(rehearse(scenario, card, kinds).locks.at(0).keys, ElementsAre("job"));
}

TEST(Rehearsal, BelievesACardThatNamesKeys) {
  const Habits its;
  Card card = stranger(its);
  card.keys = {"other:NAME"};
  EXPECT_THAT(facts_of(card).locks.at(0).keys, ElementsAre("other:job"));
}

// All that is measured by the lease of "token" is, by the same lease, measured alike.
TEST(Rehearsal, MakesALockBesideItsNameAsGoodAsOneAtIt) {
  const Habits its;
  const Card card = stranger(its);
  for (const Fault fault : {Fault::none, Fault::crash, Fault::pause, Fault::late_request, Fault::restart})
    EXPECT_EQ(violated(explored(card, fault, one_attempt())),
              violated(explored(*algorithms::find("token"), fault, one_attempt())))
        << id_of(fault);
}

TEST(Rehearsal, SeesAReleaseBesideTheNameThatDoesNotCompare) {
  const Habits its{.compares = false};
  EXPECT_TRUE(violated(explored(stranger(its), Fault::pause, one_attempt())).contains(owner_only_release));
}

// A lease of 30 s that nobody was asked for: who comes comes when it has ended, too, and the new client asks
// until it has.
TEST(Rehearsal, MeasuresInTheLeaseThatItSees) {
  const Habits its{.lease = 30s};
  const Card card = stranger(its);
  const Scenario scenario = scenario_of(one_attempt(), card, Fault::pause);
  EXPECT_EQ(scenario.clients.front().start_late, Duration(30s));
  EXPECT_GT(scenario.timing.recovery * (scenario.timing.recovery_rounds - 1), Duration(30s));
  EXPECT_EQ(scenario.timing.tick, Duration(7500ms));  // a quarter, as of 4 s
  EXPECT_EQ(scenario.timing.delay_max, Duration(7500ms));
  const PropertySet broken = violated(explored(card, Fault::pause, one_attempt()));
  EXPECT_TRUE(broken.contains(mutual_exclusion));
  EXPECT_FALSE(broken.contains(recovery));
}

// It asks again after a second, so an answer that takes a quarter of its lease is a fault to it.
class Impatient final : public Lock {
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    for (int i = 0; i < 2; ++i) {
      Command command("SET", key, token, "NX", "PX", "30000");
      Call call = env.store().send(std::move(command));
      call.within(3s);
      const Reply reply = co_await call;
      if (reply.is_lost()) continue;
      if (reply.is_nil()) co_return Attempt::refused("held");
      Grant grant(token);
      co_return Attempt(grant);
    }
    co_return Attempt::failed("timeout");
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    const Reply gone = co_await Redis(env.store()).del(key);
    co_return gone.is(1) ? Release::released : gone.is(0) ? Release::not_held : Release::unknown;
  }
};

TEST(Rehearsal, KeepsTheDelaysOfALockThatDoesNotBearLongerOnes) {
  Card card;
  card.id = "impatient";
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Impatient>(); };
  const Scenario scenario = scenario_of(one_attempt(), card, Fault::none);
  EXPECT_FALSE(bears(scenario, card, 7500ms));
  EXPECT_TRUE(bears(scenario, card, 1s));
  EXPECT_EQ(scenario.timing.tick, Duration(7500ms));
  EXPECT_EQ(scenario.timing.delay_max, Duration(1s));
  EXPECT_EQ(scenario.timing.timeout, Duration(3s));
}

TEST(Rehearsal, MeasuresInALeaseThatWasChosen) {
  Comparison comparison = one_attempt();
  comparison.given_ttl = 30s;
  const PropertySet broken = violated(explored(*algorithms::find("token"), Fault::pause, comparison));
  EXPECT_TRUE(broken.contains(mutual_exclusion));
  EXPECT_FALSE(broken.contains(recovery));
}

// --- whose a key is, where clients that are refused write to it, too ---

// A lock of two scripts, which get the key, a token and the lease; each answers whether it did it.
class Scripted final : public Lock {
 public:
  Scripted(const char* enter, const char* exit) : enter_(enter), exit_(exit) {}
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Reply taken = co_await Redis(env.store()).eval(enter_, Keys(key), Args(token, "4000"));
    if (taken.is_lost()) co_return Attempt::failed("timeout");
    Grant grant(token);
    if (taken.is(1)) co_return Attempt(grant);
    co_return Attempt::refused("held");
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply gone = co_await Redis(env.store()).eval(exit_, Keys(key), Args(grant.token, "4000"));
    co_return gone.is(1) ? Release::released : gone.is(0) ? Release::not_held : Release::unknown;
  }

 private:
  const char* enter_;
  const char* exit_;
};

Card scripted(const char* enter, const char* exit) {
  Card card;
  card.id = "scripted";
  card.make = [=](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Scripted>(enter, exit); };
  card.is_stateless = true;
  return card;
}

constexpr const char* own_a_hash =
    "if redis.call('HEXISTS', KEYS[1], 'owner') == 0 then redis.call('HSET', KEYS[1], 'owner', ARGV[1]) "
    "redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1 end "
    "redis.call('HINCRBY', KEYS[1], 'refused', 1) return 0";
constexpr const char* own_a_hash_with_a_time =
    "if redis.call('HEXISTS', KEYS[1], 'owner') == 0 then redis.call('DEL', KEYS[1]) "
    "redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'tried', 'never') "
    "redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1 end "
    "redis.call('HSET', KEYS[1], 'tried', 'once') return 0";
constexpr const char* compare_owner_and_delete =
    "if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
constexpr const char* delete_it = "return redis.call('DEL', KEYS[1])";
constexpr const char* be_the_first =
    "redis.call('ZADD', KEYS[1], redis.call('ZCARD', KEYS[1]), ARGV[1]) "
    "redis.call('PEXPIRE', KEYS[1], ARGV[2]) "
    "if redis.call('ZRANK', KEYS[1], ARGV[1]) == 0 then return 1 end "
    "redis.call('ZREM', KEYS[1], ARGV[1]) return 0";
constexpr const char* leave_the_set = "return redis.call('ZREM', KEYS[1], ARGV[1])";
constexpr const char* count_up =
    "if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1 end "
    "redis.call('DECR', KEYS[1]) return 0";
constexpr const char* count_down =
    "if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end redis.call('DECR', KEYS[1]) return 1";

// The count of refusals takes the lock from nobody, and the release compares.
TEST(Owners, AreJudgedOfALockWhoseRefusedClientsCountThemselvesInIt) {
  const Card card = scripted(own_a_hash, compare_owner_and_delete);
  EXPECT_EQ(facts_of(card).why_ownerless, "");
  EXPECT_TRUE(facts_of(card).are_shared);
  for (const Fault fault : {Fault::none, Fault::pause, Fault::late_request, Fault::crash}) {
    const PropertySet broken = violated(explored(card, fault, one_attempt()));
    for (const Property property : about_owners) EXPECT_FALSE(broken.contains(property)) << id_of(fault);
  }
}

// The lease ends while the holder stands still, another gets the lock, and a third may have counted itself
// there: DEL removes what is another's, and says that it was the own.
TEST(Owners, AreRobbedByADelOfAHashInWhichRefusedClientsCountThemselves) {
  const Card card = scripted(own_a_hash, delete_it);
  EXPECT_EQ(violated(explored(card, Fault::none, one_attempt())), PropertySet());
  const PropertySet broken = violated(explored(card, Fault::pause, one_attempt()));
  EXPECT_TRUE(broken.contains(owner_only_release));
  EXPECT_TRUE(broken.contains(truthful_release));
  EXPECT_FALSE(broken.contains(owner_only_change));
}

// The holder writes a time, and so does who is refused. That field holds no grant, as a rehearsal sees: the
// holder's name stays where it was.
TEST(Owners, DoNotOwnAFieldThatIsWrittenByAllWhoAsk) {
  const Card card = scripted(own_a_hash_with_a_time, compare_owner_and_delete);
  EXPECT_THAT(facts_of(card).asides, ElementsAre("tried"));
  EXPECT_EQ(violated(explored(card, Fault::none, one_attempt())), PropertySet());
}

// Members are each one's own. The end of the key is everybody's, and who is refused sets it anew: that of
// the holder, too.
TEST(Owners, AreJudgedWhereClientsHaveMembersInOneSet) {
  const Exploration found = explored(scripted(be_the_first, leave_the_set), Fault::none, one_attempt());
  EXPECT_EQ(violated(found), PropertySet({owner_only_change}));
}

// Who is refused counts up and down again, within one script: it takes nothing, and the holder's release is
// true. Without a fault the lease lasts, so nothing else happens either.
TEST(Owners, AreJudgedWhereClientsCountANumber) {
  const Card card = scripted(count_up, count_down);
  EXPECT_TRUE(facts_of(card).are_shared);
  EXPECT_EQ(violated(explored(card, Fault::none, one_attempt())), PropertySet());
}

TEST(Cards, WithoutALockAreRefused) {
  Card card;
  card.id = "empty";
  EXPECT_THROW(explore(Scenario(), card, Budget()), BadCard);
  EXPECT_THROW(scenario_of(Comparison(), card, Fault::none), BadCard);
}

}  // namespace
}  // namespace holdfast
