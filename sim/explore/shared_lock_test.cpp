// Clients that share a lock object: what one leaves in it, another finds; and a crash ends them all.
#include <gtest/gtest.h>

#include "sim/explore/futures_test.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using enum Property;
using Op = ProgramStep::Op;

constexpr const char* own_delete_script =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

// Of two threads that begin, the last one leaves its token for both. No answer tells which one that was.
class LastWins final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const Reply seen = co_await Redis(env.store()).exists(key);
    token_ = env.random.token();
    co_await env.clock.sleep(1s);
    const Reply reply = co_await Redis(env.store()).set(key, token_, SetOptions().nx().px(4s));
    if (!reply.is_ok()) co_return Attempt::refused("taken");
    Grant grant(token_);
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply reply = co_await Redis(env.store()).eval(own_delete_script, Keys(key), Args(grant.token));
    co_return reply.is(1) ? Release::released : Release::not_held;
  }

 private:
  std::string token_;
};

// The lock of token behind a flag of its process: a thread that finds it set does not ask the server.
template <bool resets>
class Flagged final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    if (is_busy_) co_return Attempt::refused("another thread has it");
    is_busy_ = true;
    const std::string token = env.random.token();
    const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().nx().px(4s));
    if (reply.is_ok()) co_return granted(token);
    if (resets) is_busy_ = false;
    co_return Attempt::refused("taken");
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply reply = co_await Redis(env.store()).eval(own_delete_script, Keys(key), Args(grant.token));
    is_busy_ = false;
    co_return reply.is(1) ? Release::released : Release::not_held;
  }

 private:
  static Attempt granted(const std::string& token) {
    Grant grant(token);
    grant.lease = 4s;
    return Attempt(grant);
  }
  bool is_busy_ = false;
};

template <bool resets>
Card flagged() {
  return {.id = "flagged",
          .make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Flagged<resets>>(); }};
}

// A and B are threads of one process; C is another process.
Scenario with_threads(const Card& card, Fault fault, bool has_stranger) {
  Comparison comparison = planted::one_attempt();
  comparison.clients = has_stranger ? 3 : 2;
  Scenario scenario = planted::on_time(scenario_of(comparison, card, fault));
  scenario.clients[1].shares_lock_of = ClientId{0};
  return scenario;
}

Verdict verdict_of(const Scenario& scenario, const Card& card, Property property) {
  return planted::result_of(explore(scenario, card, Budget()), property).verdict;
}

TEST(SharedLocks, AreExploredAlikeByBothEnginesAndTakeForOneOnlyWhatHasOneFuture) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::one_engine;
  const Card last_wins{.id = "last-wins", .make = [](const Params&) -> std::unique_ptr<Lock> {
                         return std::make_unique<LastWins>();
                       }};
  for (const Card& each : {flagged<true>(), last_wins, *algorithms::find("redis-py")})
    for (const Fault fault : {Fault::none, Fault::crash, Fault::cancel, Fault::lost_reply}) {
      Scenario scenario = with_threads(each, fault, false);
      if (each.id == "redis-py") scenario.params.emplace_back("thread-local", "no");
      const Exploration copied = explore(scenario, each, Budget(), Engine::snapshots);
      const Exploration replayed = explore(scenario, each, Budget(), Engine::replay);
      EXPECT_EQ(copied.states, replayed.states) << scenario.name;
      EXPECT_GT(count_states_with_one_future(scenario, each, 5'000), 20u);
    }
}

// What a thread that was refused leaves in the object keeps the whole process out.
TEST(SharedLocks, AFlagThatIsNotResetKeepsTheOldClientsOut) {
  const Card forgets = flagged<false>();
  EXPECT_EQ(verdict_of(with_threads(forgets, Fault::none, true), forgets, progress), Verdict::violated);
  const Card resets = flagged<true>();
  EXPECT_EQ(verdict_of(with_threads(resets, Fault::none, true), resets, progress), Verdict::holds);
  EXPECT_EQ(verdict_of(with_threads(resets, Fault::none, true), resets, mutual_exclusion), Verdict::holds);
}

// With tokens in one place, a thread gives back what another was granted.
TEST(SharedLocks, ATokenInOnePlaceReleasesTheLockOfAnotherThread) {
  const Card& card = *algorithms::find("redis-py");
  for (const char* local : {"no", "yes"}) {
    Scenario scenario = with_threads(card, Fault::slow_section, false);
    scenario.clients[1].start_late = 5s;
    scenario.params.emplace_back("thread-local", local);
    EXPECT_EQ(verdict_of(scenario, card, owner_only_release),
              std::string(local) == "no" ? Verdict::violated : Verdict::holds);
  }
}

// Both die in one step, and both begin again.
TEST(SharedLocks, ACrashEndsAllClientsOfTheProcess) {
  const Card card = flagged<true>();
  const Scenario scenario = with_threads(card, Fault::crash, true);
  Subject subject(scenario, card);
  int crashes = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomChoices choices(seed);
    holdfast::Run sample(subject, choices, true);
    while (sample.world.step()) continue;
    std::map<Step, std::set<std::uint32_t>> dead;
    std::map<std::uint32_t, int> starts;
    for (const Event& event : sample.trace.events()) {
      if (const auto* const crashed = std::get_if<Crashed>(&event.what))
        dead[event.step].insert(crashed->client.value);
      if (const auto* const started = std::get_if<Started>(&event.what)) ++starts[started->client.value];
    }
    for (const auto& [step, who] : dead) {
      EXPECT_FALSE(who.contains(2) && who.size() > 1);
      for (const std::uint32_t each : who) EXPECT_GE(starts[each], 1);
      crashes += who.size() == 2;
    }
  }
  EXPECT_GT(crashes, 0);
}

}  // namespace
}  // namespace holdfast
