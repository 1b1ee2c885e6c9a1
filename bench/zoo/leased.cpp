// A lock on one server: SET NX PX with a token of its own, and a release that compares.
#include "bench/zoo/host.hpp"
#include "bench/zoo/zoo.hpp"

namespace holdfast::zoo {
namespace {

// Of tokens "HOST:NUMBER", only the host counts.
constexpr const char* compare_hosts_and_delete =
    "local function host(text) return string.match(text or '', '^[^:]*') end "
    "if host(redis.call('GET', KEYS[1])) == host(ARGV[1]) then return redis.call('DEL', KEYS[1]) end return "
    "0";

class Leased final : public Host {
 public:
  explicit Leased(const Params& params) : Host(params), margin_(params.duration("margin")) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = new_token(env);
    const std::string name = name_of_key(env, key);
    if (has("looks-then-sets")) {
      const Reply found = co_await Redis(env.store()).get(name);
      if (!found.is_nil()) co_return Attempt::refused("held");
    }
    const Reply reply = co_await ask(env, name, token);
    if (reply.is_lost()) co_return co_await after_silence(env, name, token);
    if (reply.is_nil()) co_return co_await after_refusal(env, name, token);
    if (has("expires-in-a-second-command")) co_await Redis(env.store()).pexpire(name, ttl_);
    if (has("cuts-its-lease-to-nothing")) co_await Redis(env.store()).pexpire(name, ttl_ / 10'000);
    if (has("asks-twice-and-counts-from-the-second")) co_await Redis(env.store()).exists(name);
    if (has("releases-one-of-two-keys")) {
      const Reply second = co_await Redis(env.store()).set(name + ":too", token, SetOptions().px(ttl_).nx());
      if (!second.is_ok()) co_return co_await give_back(env, name, token);
    }
    token_ = token;
    if (!has("deletes-while-its-clock-allows")) co_return granted(token, lease());
    Grant grant(token);
    grant.lease_until = env.clock.wall() + ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const std::string name = name_of_key(env, key);
    if (has("deletes-nothing")) co_return Release::released;
    if (has("looks-then-deletes")) {
      const Reply found = co_await Redis(env.store()).get(name);
      if (found.is_lost()) co_return Release::unknown;
      if (found.text() != grant.token) co_return Release::not_held;
    }
    if (has("deletes-while-its-clock-allows") && env.clock.wall() > *grant.lease_until)
      co_return Release::not_held;
    if (has("deletes-blindly") || has("looks-then-deletes") || has("deletes-while-its-clock-allows")) {
      const Reply deleted = co_await Redis(env.store()).del(name);
      co_return told_by(deleted);
    }
    const char* const script = has("compares-only-the-host") ? compare_hosts_and_delete : compare_and_delete;
    const std::string last = std::exchange(token_, std::string());
    const std::string& own = has("keeps-one-token-for-all-threads") ? last : grant.token;
    const std::string token = has("compares-a-serialized-token") ? "s:" + own : own;
    const Reply reply = co_await Redis(env.store()).eval(script, Keys(name), Args(token));
    if (reply.is_lost() && has("deletes-when-unanswered")) {
      const Reply deleted = co_await Redis(env.store()).del(name);
      co_return told_by(deleted);
    }
    if (has("says-released-whatever-happened")) co_return Release::released;
    co_return told_by(reply);
  }

 private:
  std::string new_token(Env& env) const {
    if (has("reuses-its-token")) return name_of(env.self());
    if (has("compares-only-the-host")) return "worker:" + env.random.token();
    if (has("takes-what-begins-with-its-token")) return env.self().value == 0 ? "worker-1" : "worker-12";
    return env.random.token();
  }
  std::string name_of_key(Env& env, const std::string& key) const {
    return has("locks-a-key-of-its-own") ? key + name_of(env.self()) : key;
  }
  // Less than the store's, for a clock that runs slowly.
  Duration lease() const { return has("forgets-the-drift") ? ttl_ : ttl_ - margin_; }

  Call ask(Env& env, const std::string& key, const std::string& token) const {
    SetOptions options;
    if (!has("forgets-nx") && !has("looks-then-sets")) options.nx();
    if (has("takes-milliseconds-for-seconds")) options.ex(ttl_ * 1000);
    else if (has("takes-seconds-for-milliseconds")) options.px(ttl_ / 1000);
    else if (!has("sets-no-lease") && !has("expires-in-a-second-command")) options.px(ttl_);
    return Redis(env.store()).set(key, token, options);
  }

  Task<Attempt> give_back(Env& env, std::string key, std::string token) {
    co_await Redis(env.store()).eval(compare_and_delete, Keys(key), Args(token));
    co_return Attempt::refused("held");
  }

  // Nobody knows whether the key was set.
  Task<Attempt> after_silence(Env& env, std::string key, std::string token) {
    if (has("takes-silence-for-success")) co_return granted(token);
    if (has("cleans-up-blindly")) co_await Redis(env.store()).del(key);
    if (has("asks-again-without-nx")) {
      const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().px(ttl_));
      if (reply.is_ok()) co_return granted(token);
    }
    if (has("adopts-blindly")) {
      const Reply found = co_await Redis(env.store()).get(key);
      if (found.text() != token) co_return Attempt::failed("not found");
      const Reply renewed = co_await Redis(env.store()).pexpire(key, ttl_);
      if (renewed.is(1)) co_return granted(token);
    }
    co_return Attempt::failed("no answer");
  }

  Task<Attempt> after_refusal(Env& env, std::string key, std::string token) {
    if (has("takes-null-for-success")) co_return granted(token);
    if (has("renews-what-it-ran-into")) co_await Redis(env.store()).pexpire(key, ttl_);
    if (has("writes-itself-over-the-holder"))
      co_await Redis(env.store()).set(key, token, SetOptions().px(ttl_));
    if (has("sleeps-instead-of-asking-again")) {
      const Reply left = co_await Redis(env.store()).pttl(key);
      co_await env.clock.sleep(left.milliseconds());
      const Reply taken = co_await Redis(env.store()).set(key, token, SetOptions().px(ttl_));
      if (taken.is_ok()) co_return granted(token);
    }
    if (has("takes-missing-for-immortal")) {
      // -1: it has no expiry; -2: there is no such key (Redis documentation, PTTL).
      const Reply left = co_await Redis(env.store()).pttl(key);
      if (left.milliseconds() < 0ms) co_await Redis(env.store()).del(key);
    }
    if (has("takes-what-begins-with-its-token")) {
      const Reply found = co_await Redis(env.store()).get(key);
      if (found.text().starts_with(token)) co_return granted(token);
    }
    co_return Attempt::refused("held");
  }

  const Duration margin_;
  std::string token_;  // of the last grant
};

}  // namespace

Card leased() {
  return card_of<Leased>(
      "leased", "SET NX PX with a token, and a release that compares",
      {"takes-null-for-success",
       "forgets-nx",
       "looks-then-sets",
       "locks-a-key-of-its-own",
       "takes-seconds-for-milliseconds",
       "takes-milliseconds-for-seconds",
       "cuts-its-lease-to-nothing",
       "sets-no-lease",
       "expires-in-a-second-command",
       "renews-what-it-ran-into",
       "writes-itself-over-the-holder",
       "sleeps-instead-of-asking-again",
       "takes-missing-for-immortal",
       "takes-what-begins-with-its-token",
       "takes-silence-for-success",
       "cleans-up-blindly",
       "asks-again-without-nx",
       "adopts-blindly",
       "reuses-its-token",
       "deletes-blindly",
       "looks-then-deletes",
       "compares-only-the-host",
       "keeps-one-token-for-all-threads",
       "deletes-while-its-clock-allows",
       "deletes-when-unanswered",
       "says-released-whatever-happened",
       "deletes-nothing",
       "compares-a-serialized-token",
       "releases-one-of-two-keys",
       "asks-twice-and-counts-from-the-second",
       "forgets-the-drift"},
      {{"margin", Parameter::Kind::duration, "0s", "how much sooner than the key it ends"}});
}

}  // namespace holdfast::zoo
