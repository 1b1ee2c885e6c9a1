// Tokens that repeat: release() compares, and finds its own token in the key of another grant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "sim/choose/strategies.hpp"
#include "sim/core/arena.hpp"
#include "sim/explore/deepening.hpp"
#include "sim/explore/futures_test.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

enum class Token : std::uint8_t { fresh, constant, one_of_few, name_of_client, identity };

class Repeating final : public Lock {
 public:
  explicit Repeating(Token token) : token_(token) {}
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = make(env);
    const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().nx().px(4s));
    if (reply.is_lost()) co_return Attempt::failed("timeout");
    if (reply.is_nil()) co_return Attempt::refused("held");
    Grant grant(token);
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply gone = co_await Redis(env.store())
                           .eval(
                               "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', "
                               "KEYS[1]) end return 0",
                               Keys(key), Args(grant.token));
    co_return gone.is(1) ? Release::released : gone.is(0) ? Release::not_held : Release::unknown;
  }

 private:
  std::string make(Env& env) const {
    if (token_ == Token::constant) return "locked";
    if (token_ == Token::one_of_few) return "worker-" + to_text(env.random.jitter(1s));
    if (token_ == Token::identity) return env.random.identity();
    return token_ == Token::name_of_client ? name_of(env.self()) : env.random.token();
  }
  Token token_;
};

Card repeating(Token token) {
  Card card;
  card.id = "repeating";
  card.make = [=](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Repeating>(token); };
  card.is_stateless = true;
  return card;
}

// Whether the steps that every check takes find that a release removes the key of another grant.
bool is_found(Token token, Fault fault) {
  const Card card = repeating(token);
  const auto scenario = [&](const Scope& scope) {
    Comparison comparison;
    comparison.check = {Property::owner_only_release};
    return scenario_at(comparison, scope, card, fault);
  };
  std::vector<DeepCell> cells{{&card, scenario}};
  deepen(
      cells, {usual_scopes(), usual_states, 20}, 1, {}, [](const Scope&, std::size_t) {},
      [](std::size_t, const auto&) {});
  return cells[0].found.properties.at(0).verdict == Verdict::violated;
}

class Tokens : public testing::Test {
 protected:
  void SetUp() override {
    if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  }
};

// A stops for longer than its lease; B has the lock, and the same text at the key, always or sometimes.
TEST_F(Tokens, ThatTwoClientsShareAreFound) {
  EXPECT_TRUE(is_found(Token::constant, Fault::pause));
  EXPECT_TRUE(is_found(Token::one_of_few, Fault::pause));
}

// Of two clients each has its own, so a pause does no harm. But the release of a first round that comes late
// finds the same text in the second round.
TEST_F(Tokens, ThatAClientUsesAgainAreFound) {
  EXPECT_FALSE(is_found(Token::name_of_client, Fault::pause));
  EXPECT_TRUE(is_found(Token::name_of_client, Fault::late_request));
}

TEST_F(Tokens, ThatAreNewEachTimeAreLeftAlone) {
  EXPECT_FALSE(is_found(Token::fresh, Fault::pause));
  EXPECT_FALSE(is_found(Token::fresh, Fault::late_request));
}

TEST_F(Tokens, ThatAProcessKeepsAreItsOwnAndStayTheSame) {
  EXPECT_FALSE(is_found(Token::identity, Fault::pause));
  EXPECT_TRUE(is_found(Token::identity, Fault::late_request));
}

TEST_F(Tokens, ThatAProcessKeepsAreOthersAfterACrash) {
  const Card card = repeating(Token::identity);
  Comparison twice = planted::coarse();
  twice.rounds = 2;
  const Scenario scenario = scenario_of(twice, card, Fault::crash);
  const Params params(card.parameters);
  std::set<std::string> all;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    stores::Kinds kinds;
    RandomChoices choices(seed);
    Trace trace(true);
    World world(scenario, card, params, kinds, choices, trace);
    while (!world.is_over() && !world.is_calm()) world.step();
    std::map<std::uint32_t, std::string> of_lives;
    for (const Event& each : trace.events()) {
      if (std::holds_alternative<Crashed>(each.what)) of_lives.erase(each.actor.index);
      const auto* const granted = std::get_if<Granted>(&each.what);
      if (granted == nullptr) continue;
      const auto [its, is_first] = of_lives.try_emplace(each.actor.index, granted->token);
      EXPECT_EQ(its->second, granted->token);
      if (is_first) all.insert(granted->token);
    }
  }
  EXPECT_THAT(all, testing::ElementsAre("A.1", "A.2", "B.1", "B.2"));
}

// One who has it at a key, dies, and comes back; a release of the life before is late.
TEST_F(Tokens, ThatAProcessKeepsAreToldApartByTheirLives) {
  const Card card = repeating(Token::identity);
  Scenario scenario = planted::on_time(scenario_of(planted::one_attempt(), card, Fault::crash));
  scenario.clients.pop_back();
  scenario.clients[0].rounds = 2;
  scenario.faults.push_back({.kind = Fault::late_request});
  EXPECT_GT(count_states_with_one_future(scenario, card, 20'000), 500u);
}

}  // namespace
}  // namespace holdfast
