// distributedlock-redis: the .NET library: SET NX PX in time; a monitor extends, and tells of the loss.
#include <map>
#include <string>

#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "algorithms/scripts.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {
namespace of_distributedlock_redis {

std::string exception_of(const Reply& reply) {
  return reply.is_lost() ? "RedisTimeoutException: Timeout awaiting response"
                         : "RedisServerException: " + reply.text();
}

struct Kept {
  std::map<std::string, Background> monitors;  // by lock id
  Background released;                         // fire and forget
};

// RedisDistributedLock on one database, by its asynchronous methods.
class DistributedLockRedis final : public LockThatKeeps<Kept> {
 public:
  explicit DistributedLockRedis(const Params& params)
      : expiry_(params.duration("ttl")),
        // MinValidityTime is nine tenths, and its third is the cadence; acquiring and extending may take the
        // rest.
        acquire_timeout_(expiry_ / 10),
        cadence_(expiry_ * 3 / 10),
        sleep_min_(params.duration("sleep-min")),
        sleep_max_(params.duration("sleep-max")),
        waits_(params.choice("blocking") == "yes") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    for (;;) {
      env.loop_head();
      const std::string lock_id = env.random.token();
      const Stopwatch since_asked(env.clock);
      const Reply set = co_await Redis(env.store()).set(key, lock_id, SetOptions().px(expiry_).nx());
      if (set.is_ok() && since_asked.elapsed() <= acquire_timeout_) co_return granted(env, key, lock_id);
      // It may have been set, too late or unheard: given back, and the answer to that is not waited for.
      // Upstream refuses at once when the time is over, and sends this when the answer has come.
      if (!set.is_nil())
        kept().released = Background(env, *this, &DistributedLockRedis::forget, key, lock_id);
      if (is_failure(set)) co_return Attempt::failed(exception_of(set));
      if (!waits_) co_return Attempt::refused("TryAcquire: null");
      const Duration wait = sleep_min_ + env.random.jitter(sleep_max_ - sleep_min_);
      co_await env.clock.sleep(wait);
    }
  }

  // Dispose() returns nothing; it throws what the driver throws. What the script answers is not looked at.
  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    kept().monitors.erase(grant.token);
    const Reply deleted = co_await Redis(env.store()).eval(compare_and_delete, Keys(key), Args(grant.token));
    co_return silent_release_by(deleted);
  }

 private:
  Attempt granted(Env& env, const std::string& key, const std::string& lock_id) const {
    kept().monitors[lock_id] = Background(env, *this, &DistributedLockRedis::monitor, key, lock_id);
    Grant grant(lock_id);
    grant.lease = expiry_;
    return Attempt(grant);
  }

  Task<> forget(Env& env, std::string key, std::string lock_id) const {
    co_await Redis(env.store()).eval(compare_and_delete, Keys(key), Args(lock_id));
  }

  // The lifetime of the lease counts from the answer, and is looked at once in a turn.
  Task<> monitor(Env& env, std::string key, std::string lock_id) const {
    Stopwatch lifetime(env.clock);
    for (;;) {
      env.loop_head();
      co_await env.clock.sleep(cadence_);
      if (lifetime.elapsed() > expiry_) break;
      const Args args(lock_id, to_milliseconds(expiry_));
      const Reply extended = co_await Redis(env.store()).eval(compare_and_expire, Keys(key), args);
      // An exception counts as a loss, too: with one database it is a majority.
      if (!extended.is(1)) break;
      lifetime.restart();
      env.renewed(lock_id, expiry_);
    }
    env.lost(lock_id);
  }

  Duration expiry_;
  Duration acquire_timeout_;
  Duration cadence_;
  Duration sleep_min_;
  Duration sleep_max_;
  bool waits_;
};

constexpr std::string_view lesson =
    "The lock of DistributedLock for .NET, on one database. SET must be answered within a tenth of the "
    "expiry (3 s of 30 s), else what it may have set is given back; so a grant has at least nine tenths of "
    "its lease left. While it is held, a monitor extends it every three tenths. It cancels HandleLostToken "
    "when an extension fails, for whatever reason, or when, at its next turn, the expiry has passed since "
    "the last answer. So a holder that was paused learns of the loss only at that turn, and by a clock that "
    "began with the answer; work that does not look at the token goes on in any case. Dispose() compares and "
    "deletes, and says nothing of a lock that was gone. A dispose that times out throws, and the lock stays "
    "until its expiry (issue 191 of the project).";

constexpr Protocol protocol{
    .acquire =
        "SET key with an id, PX and NX; refused, again after 10 to 800 ms; answered too late, EVAL of GET "
        "and DEL",
    .renew = "every three tenths of the expiry, EVAL of GET and PEXPIRE; anything but 1 is a loss",
    .release = "EVAL of GET and DEL: deletes if the id is there; the caller is told nothing",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a holder that was paused is told of its loss only at the next turn of the monitor",
       .lesson = "a-monitor-that-was-paused-tells-of-the-loss-too-late",
       .repair = "a-monitor-that-ticks-in-time-keeps-the-lock"},
      {.what = "a dispose that times out leaves the lock until its expiry",
       .tracker = "madelson/DistributedLock #191",
       .instead = "recovery is within the bound, for the server frees it"},
  };
}

}  // namespace of_distributedlock_redis
}  // namespace

namespace {

Upstream upstream() {
  return Upstream{.name = "DistributedLock.Redis", .language = "C#",
           .also = {"RedisDistributedLock", "Medallion"},
           .repository = "madelson/DistributedLock",
           .commit = "3da3eaf4367507231bfae6c8e60e51acd39e02b0",
           .excerpts = {{"src/DistributedLock.Redis/Primitives/"
                         "RedisMutexPrimitive.cs", 8, 54, "c45e6dbee63d429b"},
                        {"src/DistributedLock.Redis/RedLock/"
                         "RedLockAcquire.cs", 27, 145, "ccedd2b64342635c"},
                        {"src/DistributedLock.Redis/RedLock/"
                         "RedLockExtend.cs", 12, 89, "fa2447c5bd3beea4"},
                        {"src/DistributedLock.Redis/RedLock/"
                         "RedLockHandle.cs", 7, 64, "845e71feade67f77"},
                        {"src/DistributedLock.Core/Internal/"
                         "LeaseMonitor.cs", 59, 121, "e7c2f0454ba1fba7"},
                        {"src/DistributedLock.Redis/"
                         "RedisDistributedSynchronizationOptionsBuilder.cs",
                         106, 160, "385ea03ccd0a31a3"}},
           .files = {{"src/DistributedLock.Redis/Primitives/"
                      "RedisMutexPrimitive.cs", "b913be270e75cb38"},
                     {"src/DistributedLock.Redis/RedLock/"
                      "RedLockAcquire.cs", "2434dfe9d146691e"},
                     {"src/DistributedLock.Redis/RedLock/"
                      "RedLockExtend.cs", "fc54bed98cdc4783"},
                     {"src/DistributedLock.Redis/RedLock/"
                      "RedLockHandle.cs", "fde3ffc803f02c80"},
                     {"src/DistributedLock.Core/Internal/"
                      "LeaseMonitor.cs", "aa88269c369c72c2"},
                     {"src/DistributedLock.Redis/"
                      "RedisDistributedSynchronizationOptionsBuilder.cs", "416a19714518f189"}}};
}

}  // namespace

Card distributedlock_redis() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "distributedlock-redis",
      .summary = "SET NX PX answered within a tenth of the expiry; a monitor extends and tells of the loss",
      .source = "madelson/DistributedLock 3da3eaf (2.8.1, package DistributedLock.Redis 1.1.1)",
      .upstream =
          upstream(),
      .lesson = of_distributedlock_redis::lesson,
      .protocol = of_distributedlock_redis::protocol,
      // An extension without an answer counts as a loss, but only when the driver has given up, and the lease
      // may have ended by then. Scripts compare, so nobody else's key is touched, and every key ends.
      .claims = {{{mutual_exclusion, no_stale_write}, {none, crash, cancel}},
                 {{owner_only_release, owner_only_change, recovery}, every_fault}},
      .bugs = of_distributedlock_redis::known_bugs(),
      .driver = "StackExchange.Redis sends nothing again that it has sent (read)",
      .belief = Belief::notified,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply,
                  Belief::notified},
      .parameters = {{"ttl", Kind::duration, "30s", "Expiry"},
                     {"sleep-min", Kind::duration, "10ms", "BusyWaitSleepTime, at least"},
                     {"sleep-max", Kind::duration, "800ms", "BusyWaitSleepTime, at most"},
                     {"blocking",
                      Kind::choice,
                      "yes",
                      "yes: Acquire() without a timeout waits for ever; no: TryAcquire()",
                      {"yes", "no"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_distributedlock_redis::DistributedLockRedis>(params);
      },
      .renews = true,
      .waiting = {{"sleep-min", "1s"}, {"sleep-max", "1s"}},
  };
}

}  // namespace holdfast::algorithms
