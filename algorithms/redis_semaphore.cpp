// redis-semaphore: the Mutex of the library for Node.js: SET NX PX with an identifier, refreshed by a timer
// that tells when it is lost.
#include <map>
#include <string>

#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "algorithms/scripts_sent.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

namespace of_redis_semaphore {

constexpr const char* expire_if_equal =
    "local value = redis.call('get', KEYS[1])"
    " if value == ARGV[1] then redis.call('pexpire', KEYS[1], ARGV[2]) return 1 end"
    " return 0";
// Until 5.3.0.
constexpr const char* expire_or_take_again =
    "local value = redis.call('get', KEYS[1])"
    " if value == ARGV[1] then redis.call('pexpire', KEYS[1], ARGV[2]) return 1"
    " elseif value == false then"
    " redis.call('set', KEYS[1], ARGV[1]) redis.call('pexpire', KEYS[1], ARGV[2]) return 1 end"
    " return 0";
constexpr const char* delete_if_equal =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

// What ioredis rejects with. REQUIRES: `reply` is lost or an error.
std::string rejection(const Reply& reply) { return reply.is_lost() ? "Command timed out" : reply.text(); }

std::string name_of(const std::string& key) { return "mutex:" + key; }

// Math.round(lockTimeout * 0.8) by default, in milliseconds.
Duration part_of(Duration ttl, std::int64_t percent) {
  return std::chrono::milliseconds((to_milliseconds(ttl) * percent + 50) / 100);
}

// A Mutex object is made for one acquisition, as in the README of the library.
struct Held {
  bool is_acquired = false;
  Background timer;       // setInterval()
  Background refreshing;  // what it began last
};
struct Kept {
  std::map<std::string, Held> held;  // by identifier
};

class Mutex final : public LockThatKeeps<Kept> {
 public:
  explicit Mutex(const Params& params)
      : ttl_(params.duration("ttl")),
        retry_interval_(params.duration("retry-interval")),
        acquire_timeout_(params.duration("acquire-timeout")),
        waits_(params.choice("blocking") == "yes"),
        refresh_interval_(part_of(ttl_, params.count("refresh-at"))),
        refresh_script_(params.choice("refresh") == "takes-again" ? expire_or_take_again : expire_if_equal),
        by_digest_(params.choice("scripts") == "evalsha") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const std::string identifier = env.random.token();
    // Date.now(), of which one attempt makes no use.
    const WallTime end = waits_ ? env.clock.wall() + acquire_timeout_ : WallTime();
    for (;;) {
      env.loop_head(Args(identifier, end.time_since_epoch().count()));
      const SetOptions options = SetOptions().px(ttl_).nx();
      const Reply reply = co_await Redis(env.store()).set(name_of(key), identifier, options);
      if (is_failure(reply)) co_return Attempt::failed(rejection(reply));
      if (reply.is_ok()) co_return granted(env, name_of(key), identifier);
      if (!waits_) break;
      // After the last attempt, too.
      co_await env.clock.sleep(retry_interval_);
      if (env.clock.wall() >= end) break;
    }
    env.loop_head();
    co_return Attempt::refused("Acquire mutex " + name_of(key) + " timeout");
  }

  // Returns nothing. Of a mutex that is lost nothing is sent; one whose release failed still counts as
  // acquired.
  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    Held& held = kept().held[grant.token];
    held.timer = Background();
    if (held.is_acquired) {
      const Reply deleted =
          co_await eval_or_evalsha(env, by_digest_, delete_if_equal, Keys(name_of(key)), Args(grant.token));
      if (is_failure(deleted)) co_return Release::unknown;
    }
    kept().held.erase(grant.token);
    env.loop_head();
    co_return Release::released;
  }

 private:
  // What it has been told does not matter any more.
  Attempt granted(Env& env, const std::string& name, const std::string& identifier) const {
    env.loop_head(Args(identifier));
    Held& held = kept().held[identifier];
    held.is_acquired = true;
    if (refresh_interval_ > Duration::zero())
      held.timer = Background(env, *this, &Mutex::tick, name, identifier);
    Grant grant(identifier);
    grant.lease = ttl_;
    return Attempt(grant);
  }

  // A turn at which the refresh of an earlier one is still under way is skipped.
  Task<> tick(Env& env, std::string name, std::string identifier) const {
    for (;;) {
      env.loop_head();
      co_await env.clock.sleep(refresh_interval_);
      Held& held = kept().held[identifier];
      if (held.refreshing.is_running()) continue;
      held.refreshing = Background(env, *this, &Mutex::refresh, name, identifier);
    }
  }

  // A rejection reaches nobody but the process, as unhandled: Node.js ends it, unless a handler is there.
  // Here one is, that writes a line in a log.
  Task<> refresh(Env& env, std::string name, std::string identifier) const {
    const Args args(identifier, to_milliseconds(ttl_));
    const Reply refreshed = co_await eval_or_evalsha(env, by_digest_, refresh_script_, Keys(name), args);
    if (is_failure(refreshed)) co_return;
    if (refreshed.is(1)) {
      env.renewed(identifier, ttl_);
      co_return;
    }
    Held& held = kept().held[identifier];
    if (!held.is_acquired) co_return;
    held.is_acquired = false;
    held.timer = Background();
    env.lost(identifier);
  }

  Duration ttl_;
  Duration retry_interval_;
  Duration acquire_timeout_;
  bool waits_;
  Duration refresh_interval_;
  const char* refresh_script_;
  bool by_digest_;
};

constexpr std::string_view lesson =
    "The Mutex of npm redis-semaphore: the lock of token, and a timer that refreshes it every 0.8 of its "
    "lockTimeout, so a refresh that is late by a fifth of the lease, or lost once, is one too many: the key "
    "is gone before the next turn. What it does then is right since 5.3.1: a refresh that does not find its "
    "own identifier calls onLockLost, and release() sends nothing any more. The default onLockLost throws "
    "outside of any try, which ends the process; a caller that passes its own has to stop the work there. "
    "Until 5.3.0 a refresh that found no key set it again, and the holder was never told that another had "
    "been in between. A refresh that is not answered is reported to the process only. release() returns "
    "nothing, whether the script found the key or not; and without a turn of the timer since, nobody knows.";

constexpr Protocol protocol{
    .acquire =
        "SET mutex:NAME with an identifier, PX and NX; if refused, again every 10 ms for 10 s by the wall "
        "clock",
    .renew =
        "every 0.8 of the lease, EVALSHA, and EVAL where the script is unknown: GET compares, PEXPIRE; 0 "
        "calls onLockLost",
    .release = "EVALSHA, and EVAL where the script is unknown: GET compares, DEL; the caller is told nothing",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a refresh that found no key set it again, and hid that another had held the lock",
       .tracker = "swarthy/redis-semaphore #175, pull request 177",
       .lesson = "a-refresh-that-takes-the-lock-again-hides-that-it-was-lost",
       .repair = "a-refresh-that-finds-no-key-tells-its-holder"},
      {.what = "a machine that sleeps goes on beside another when it wakes",
       .tracker = "swarthy/redis-semaphore #24, #9",
       .lesson = "a-mutex-that-wakes-up-works-on-beside-another"},
      {.what = "one refresh that is lost costs the lease: the next comes 0.6 leases after its end",
       .lesson = "a-refresh-at-four-fifths-of-the-lease-has-no-second-try",
       .repair = "a-refresh-at-a-third-of-the-lease-is-tried-again"},
      {.what = "a refresh that began before a release and was answered after it counted as a loss",
       .tracker = "swarthy/redis-semaphore #205, pull request 206",
       .instead = "repaired upstream before the version that is here; redis_semaphore_test shows it"},
      {.what = "a refresh that fails is an unhandled rejection, which ends the process",
       .instead = "a lock cannot end the process of its client here"},
  };
}

}  // namespace of_redis_semaphore
}  // namespace

namespace {

Upstream upstream() {
  return Upstream{.name = "redis-semaphore of npm", .language = "JavaScript",
           .repository = "swarthy/redis-semaphore",
           .commit = "63c2d013a3182aa4deeb7c60fd1465687e11cb36",
           .excerpts = {{"src/Lock.ts", 28, 172, "e5538da4f71d99e1"},
                        {"src/RedisMutex.ts", 1, 45, "60409385e39b7ce1"},
                        {"src/mutex/acquire.ts", 15, 44, "7a1d5ec8330477de"},
                        {"src/mutex/refresh.ts", 7, 37, "40ac4e80074b755b"},
                        {"src/mutex/release.ts", 8, 30, "b171ba728f1cc5b6"},
                        {"src/utils/createEval.ts", 16, 45, "d20f2214d778b109"}},
           .files = {{"src/Lock.ts", "08c5a60df34314b4"},
                     {"src/RedisMutex.ts", "60409385e39b7ce1"},
                     {"src/mutex/acquire.ts", "9d679ac846a8099c"},
                     {"src/mutex/refresh.ts", "67175f21c060b5b5"},
                     {"src/mutex/release.ts", "6491258a45a9f736"},
                     {"src/utils/createEval.ts", "2e1cfde4197e545b"}},
           .below = {{.repository = "redis/ioredis",
                      .commit = "dfd542824dfb7168420f19fdfabe9fe1156efe10",
                      .excerpts = {{"lib/redis/RedisOptions.ts", 291, 296, "e1f202827fbbdc09"},
                                   {"lib/redis/RedisOptions.ts", 337, 337, "8f1f961084cb2023"}}}}};
}

}  // namespace

Card redis_semaphore() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "redis-semaphore",
      .summary = "the Mutex of the library: SET NX PX; a timer refreshes, and tells when it is lost",
      .source = "swarthy/redis-semaphore 63c2d01 (5.7.0), src/Lock.ts, src/RedisMutex.ts, src/mutex",
      .upstream =
          upstream(),
      .lesson = of_redis_semaphore::lesson,
      .protocol = of_redis_semaphore::protocol,
      // The timer counts from the answer to SET, and the refresh travels, too: a fifth of the lease is all
      // that both have. Where a message takes longer than a tenth of it, that is too late without any fault,
      // whether the server knows the script or not.
      .claims = {{{owner_only_release, owner_only_change, recovery}, every_fault}},
      .bugs = of_redis_semaphore::known_bugs(),
      .driver_retries = 20,  // ioredis: after each reconnect
      .belief = Belief::notified,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply,
                  Belief::notified},
      .parameters = {{"ttl", Kind::duration, "10s", "option lockTimeout"},
                     {"refresh-at", Kind::count, "80",
                      "option refreshInterval, in percent of lockTimeout; 0: it is never refreshed"},
                     {"refresh",
                      Kind::choice,
                      "compares",
                      "takes-again: until 5.3.0, a refresh set a key that was gone",
                      {"compares", "takes-again"}},
                     {"retry-interval", Kind::duration, "10ms", "option retryInterval"},
                     {"acquire-timeout", Kind::duration, "10s", "option acquireTimeout"},
                     {"blocking",
                      Kind::choice,
                      "yes",
                      "yes: tries until acquireTimeout is over; no: acquireAttemptsLimit 1, retryInterval 0",
                      {"yes", "no"}},
                     how_scripts_are_sent()},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_redis_semaphore::Mutex>(params);
      },
      .ignores_date = true,
      .renews = true,
      .waiting = {{"retry-interval", "1s"}, {"acquire-timeout", "4s"}},
  };
}

}  // namespace holdfast::algorithms
