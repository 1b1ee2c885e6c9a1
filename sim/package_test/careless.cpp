// A user's lock, with a mistake: it takes every answer of SET for success.
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

class Careless final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const Reply reply = co_await Redis(env.store()).set(key, "mine", SetOptions().px(4s));
    if (reply.is(7)) co_await Redis(env.store()).get(key);  // SET answers no numbers: this never runs
    if (!reply.is_ok()) co_return Attempt::refused("not mine");
    Grant grant("mine");
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    const Reply reply = co_await Redis(env.store()).del(key);
    co_return reply.is(1) ? Release::released : Release::unknown;
  }
};

}  // namespace

Card careless() {
  Card card;
  card.id = "careless";
  card.summary = "SET and DEL, no matter which client holds it";
  card.source = "a stranger";
  card.lesson = "A lock that never refuses excludes nobody.";
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Careless>(); };
  card.is_stateless = true;
  return card;
}

}  // namespace holdfast::algorithms
