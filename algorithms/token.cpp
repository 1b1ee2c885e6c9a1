// token: SET NX PX with a token of its own, and a release that compares before it deletes.
#include "sim/core/lock.hpp"

namespace holdfast::algorithms {
namespace {

constexpr const char* compare_and_delete =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end";

class Token final : public Lock {
 public:
  explicit Token(const Params& params) : ttl_(params.duration("ttl")) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Reply reply = co_await env.store().set(key, token, SetOptions().px(ttl_).nx());
    if (reply.is_nil()) co_return Attempt::refused("failed to set lock: it is held");
    if (!reply.is_ok()) co_return Attempt::failed("no answer: the key, if it was set, is left to its TTL");
    Grant grant(token);
    grant.lease = ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply reply = co_await env.store().eval(compare_and_delete, Keys(key), Args(grant.token));
    if (reply.is(1)) co_return Release::released;
    if (reply.is(0)) co_return Release::not_held;
    co_return Release::unknown;
  }

 private:
  Duration ttl_;
};

}  // namespace

Card token() {
  return Card{
      .id = "token",
      .summary = "SET NX PX with a unique token; a script releases only when the token is still there",
      .source = "document 004, way five; Redis documentation, SET",
      .lesson = "",
      .claims = {},
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "1s", "how long the key lives"}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<Token>(params); },
  };
}

}  // namespace holdfast::algorithms
