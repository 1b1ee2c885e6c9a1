// Tokens that repeat: release() compares, and finds its own token in the key of another grant.
#include <gtest/gtest.h>

#include "sim/core/arena.hpp"
#include "sim/explore/deepening.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

enum class Token : std::uint8_t { fresh, constant, one_of_few, name_of_client };

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
    return token_ == Token::name_of_client ? name_of(env.self()) : env.random.token();
  }
  Token token_;
};

// Whether the steps that every check takes find that a release removes the key of another grant.
bool is_found(Token token, Fault fault) {
  Card card;
  card.id = "repeating";
  card.make = [=](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Repeating>(token); };
  card.is_stateless = true;
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

}  // namespace
}  // namespace holdfast
