// A lock for two: a correct one holds, and those that let a third in are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "sim/core/redis_client.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

enum class Flaw : std::uint8_t {
  none,
  counts_before,   // looks how many there are, and joins in a second command
  one_too_many,    // lets in where two are
  forgets_nobody,  // who is dead keeps its place
};

// A set of tokens, each with its end by the server's clock.
class ForTwo final : public Lock {
 public:
  explicit ForTwo(Flaw flaw) : flaw_(flaw) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    if (flaw_ == Flaw::counts_before) {
      const Reply members = co_await env.store().send(Command("ZCARD", key));
      if (members.is_lost()) co_return Attempt::failed("no answer");
      if (members.number() >= 2) co_return Attempt::refused("full");
    }
    const int most = flaw_ == Flaw::one_too_many ? 3 : flaw_ == Flaw::counts_before ? 9 : 2;
    const Args args(token, most, flaw_ == Flaw::forgets_nobody ? 3'600'000 : 4000);
    const Reply joined = co_await Redis(env.store()).eval(join, Keys(key), args);
    if (joined.is_lost()) co_return Attempt::failed("no answer");
    if (!joined.is(1)) co_return Attempt::refused("full");
    Grant grant(token);
    grant.lease = 4s;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply removed = co_await env.store().send(Command("ZREM", key, grant.token));
    co_return removed.is(1) ? Release::released : removed.is(0) ? Release::not_held : Release::unknown;
  }

 private:
  static constexpr const char* join =
      "local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)"
      " redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. now)"
      " if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end"
      " redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[1]) return 1";
  Flaw flaw_;
};

template <Flaw flaw>
Card for_two(std::uint32_t capacity = 2) {
  Card card;
  card.id = "for-two";
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<ForTwo>(flaw); };
  card.is_stateless = true;
  card.capacity = capacity;
  card.keys = {"NAME"};
  return card;
}

// Under a pause all but the first come when its lease is over.
Exploration judged(const Card& card, Fault fault, PropertySet check) {
  Scenario scenario = planted::on_time(scenario_of(planted::one_attempt(), card, fault));
  for (std::size_t i = 1; fault == Fault::pause && i < scenario.clients.size(); ++i)
    scenario.clients[i].start = scenario.clients[i].start_late = 6s;
  scenario.check = check;
  return explore(scenario, card, Budget());
}

Verdict exclusion_of(const Card& card, Fault fault) {
  return judged(card, fault, {Property::mutual_exclusion}).properties.front().verdict;
}

// No client holds longer than its lease, but after a pause.
TEST(Semaphore, ThatCountsAndJoinsInOneStepHolds) {
  EXPECT_EQ(exclusion_of(for_two<Flaw::none>(), Fault::none), Verdict::holds);
  EXPECT_EQ(exclusion_of(for_two<Flaw::none>(), Fault::crash), Verdict::holds);
  EXPECT_EQ(exclusion_of(for_two<Flaw::none>(), Fault::pause), Verdict::violated);
}

TEST(Semaphore, ThatCountsFirstOrWronglyLetsAThirdIn) {
  EXPECT_EQ(exclusion_of(for_two<Flaw::counts_before>(), Fault::none), Verdict::violated);
  EXPECT_EQ(exclusion_of(for_two<Flaw::one_too_many>(), Fault::none), Verdict::violated);
}

// The same lock, and a card that does not say so: two are one too many.
TEST(Semaphore, ForTwoIsNoLockForOne) {
  EXPECT_EQ(exclusion_of(for_two<Flaw::none>(1), Fault::none), Verdict::violated);
}

TEST(Semaphore, NamesHowManyHaveIt) {
  const Exploration found = judged(for_two<Flaw::one_too_many>(), Fault::none, {Property::mutual_exclusion});
  ASSERT_TRUE(found.properties.front().counterexample);
  const std::string because = found.properties.front().counterexample->findings.front().because;
  EXPECT_NE(because.find("and so have 1 more, where the lock is for 2 at once"), std::string::npos)
      << because;
}

// Two crash, and keep both places.
TEST(Semaphore, WhoseDeadKeepTheirPlacesDoesNotRecover) {
  Scenario scenario =
      planted::on_time(scenario_of(planted::one_attempt(), for_two<Flaw::forgets_nobody>(), Fault::crash));
  scenario.check = {Property::recovery};
  scenario.faults.front().budget = 2;
  const Card broken = for_two<Flaw::forgets_nobody>();
  EXPECT_EQ(explore(scenario, broken, Budget()).properties.front().verdict, Verdict::violated);
  const Card correct = for_two<Flaw::none>();
  EXPECT_EQ(explore(scenario, correct, Budget()).properties.front().verdict, Verdict::holds);
}

TEST(Semaphore, OfWhichOneCrashLeavesAPlaceIsNotSaidToRecover) {
  EXPECT_EQ(
      judged(for_two<Flaw::forgets_nobody>(), Fault::crash, {Property::recovery}).properties.front().verdict,
      Verdict::hollow);
  EXPECT_EQ(judged(for_two<Flaw::none>(), Fault::none, {Property::recovery}).properties.front().verdict,
            Verdict::holds);
}

TEST(Semaphore, IsExploredWithOneClientMoreThanMayHoldIt) {
  EXPECT_EQ(scenario_of(Comparison(), for_two<Flaw::none>(), Fault::none).clients.size(), 3u);
  EXPECT_EQ(scenario_of(Comparison(), for_two<Flaw::none>(1), Fault::none).clients.size(), 2u);
}

// What is said of the one holder, or of the one key of a grant, is not said of several.
TEST(Semaphore, IsNotJudgedByWhatOneHolderMeans) {
  const Exploration found = judged(for_two<Flaw::none>(), Fault::none, PropertySet());
  for (const Property property : {Property::no_stale_write, Property::owner_only_release,
                                  Property::owner_only_change, Property::truthful_release}) {
    const PropertyResult& result = planted::result_of(found, property);
    EXPECT_EQ(result.verdict, Verdict::not_applicable) << id_of(property);
    EXPECT_EQ(result.note, "several clients may hold it at once");
  }
}

}  // namespace
}  // namespace holdfast
