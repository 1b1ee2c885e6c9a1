// A lock on one server whose lease a task beside the work extends every third of it.
#include <map>

#include "bench/zoo/host.hpp"
#include "bench/zoo/zoo.hpp"
#include "sim/core/sha1.hpp"

namespace holdfast::zoo {
namespace {

constexpr const char* compare_and_expire =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return "
    "0";

class Renewed final : public Host {
 public:
  using Host::Host;

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    if (is_busy_) co_return Attempt::refused("busy");
    is_busy_ = has("stays-busy-after-a-refusal");
    if (has("knows-no-noscript")) {
      const Reply loaded = co_await env.store().send(Command("SCRIPT", "LOAD", compare_and_expire));
      if (loaded.is_lost()) co_return Attempt::failed("no answer");
    }
    const std::string token = env.random.token();
    const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().px(ttl_).nx());
    if (reply.is_lost()) co_return Attempt::failed("no answer");
    if (reply.is_nil()) co_return Attempt::refused("held");
    renewals_[token] = Background(renew(env, key, token));
    co_return granted(token);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    if (!has("never-stops-renewing")) renewals_.erase(grant.token);
    is_busy_ = false;
    const Reply deleted = co_await Redis(env.store()).eval(compare_and_delete, Keys(key), Args(grant.token));
    co_return told_by(deleted);
  }

 private:
  Task<> renew(Env& env, std::string key, std::string token) {
    for (;;) {
      const Duration wait = has("renews-too-late") ? ttl_ : ttl_ / 3;
      co_await env.clock.sleep(wait);
      const Reply renewed = co_await extend(env, key, token);
      if (renewed.is_lost() && has("gives-up-after-one-silence")) co_return;
      if (renewed.is(0)) co_return;
    }
  }
  Call extend(Env& env, const std::string& key, const std::string& token) const {
    if (has("never-stops-renewing") || has("renews-by-writing"))
      return Redis(env.store()).set(key, token, SetOptions().px(ttl_));
    if (has("renews-without-comparing")) return Redis(env.store()).pexpire(key, ttl_);
    if (has("knows-no-noscript"))
      return Redis(env.store())
          .evalsha(sha1_hex(compare_and_expire), Keys(key), Args(token, to_milliseconds(ttl_)));
    const Duration lease = has("renews-in-seconds") ? ttl_ / 1000 : ttl_;
    return Redis(env.store()).eval(compare_and_expire, Keys(key), Args(token, to_milliseconds(lease)));
  }

  std::map<std::string, Background> renewals_;  // by token
  bool is_busy_ = false;
};

}  // namespace

Card renewed() {
  Card card = card_of<Renewed>(
      "renewed", "as leased, and a task beside the work extends the lease",
      {"renews-too-late", "renews-in-seconds", "gives-up-after-one-silence", "renews-without-comparing",
       "renews-by-writing", "never-stops-renewing", "knows-no-noscript", "stays-busy-after-a-refusal"});
  card.is_stateless = false;
  card.renews = true;
  return card;
}

}  // namespace holdfast::zoo
