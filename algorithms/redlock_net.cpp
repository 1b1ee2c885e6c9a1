// redlock-net: Redlock for .NET, whose timer extends for as long as the process lives, and sets again what it
// does not find.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/claims.hpp"
#include "algorithms/quorum.hpp"
#include "algorithms/replies.hpp"
#include "algorithms/scripts.hpp"
#include "sim/core/any_of.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::algorithms {
namespace {

namespace of_redlock_net {

// 1: extended, or set anew; -1: the key has another value.
constexpr const char* extend_or_set =
    "local currentVal = redis.call('get', KEYS[1])"
    " if (currentVal == false) then return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) and 1 or 0"
    " elseif (currentVal == ARGV[1]) then return redis.call('pexpire', KEYS[1], ARGV[2])"
    " else return -1 end";
// The same that leaves alone what is gone: as issue 48 of the project proposes, a key that has ended is not
// extended.
constexpr const char* extend_what_is_there =
    "local currentVal = redis.call('get', KEYS[1])"
    " if (currentVal == ARGV[1]) then return redis.call('pexpire', KEYS[1], ARGV[2])"
    " else return -1 end";

std::string name_of(const std::string& key) { return "redlock:" + key; }

// What the driver, StackExchange.Redis, makes of StringSet(…, When.NotExists): whole seconds are EX.
Command set_command(const std::string& name, const std::string& id, Duration expiry) {
  const std::int64_t milliseconds = to_milliseconds(expiry);
  if (milliseconds % 1000 == 0) return Command("SET", name, id, "EX", milliseconds / 1000, "NX");
  return Command("SET", name, id, "PX", milliseconds, "NX");
}

std::size_t count_of(const std::vector<Reply>& replies, bool (*is_it)(const Reply&)) {
  return static_cast<std::size_t>(std::count_if(replies.begin(), replies.end(), is_it));
}
bool is_set(const Reply& reply) { return reply.is_ok(); }
bool is_conflict(const Reply& reply) { return reply.is_nil(); }
bool is_extended(const Reply& reply) { return reply.is(1); }

class RedLock final : public Lock {
 public:
  explicit RedLock(const Params& params)
      : expiry_(std::max<Duration>(params.duration("ttl"), 10ms)),
        wait_time_(params.duration("wait-time")),
        retry_time_(std::max<Duration>(params.duration("retry-time"), 10ms)),
        retry_delay_(params.duration("retry-delay")),
        retry_count_(params.choice("blocking") == "no" ? 1 : params.count("retry-count")),
        waits_(params.choice("blocking") == "yes"),
        cancels_(params.choice("timer") != "runs"),
        extend_script_(params.choice("extend") == "sets" ? extend_or_set : extend_what_is_there) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    // LockId: one for all tries of this object.
    const std::string id = env.random.token();
    std::optional<SteadyTime> end;
    if (waits_) end = env.clock.steady() + wait_time_;
    for (bool has_failed = false;; has_failed = true) {
      Attempt asked = co_await ask(env, name_of(key), id, end, has_failed && cancels_);
      if (asked.is_granted() || !end) co_return std::move(asked);
      co_await env.clock.sleep(retry_time_);
      if (env.clock.steady() > *end) co_return std::move(asked);
    }
  }

  // Dispose(). Waits for an extension that is under way; returns nothing, and errors are lines in a log.
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const std::shared_ptr<Held> held = held_[grant.token];
    held->timer = Background();
    if (held->is_extending) co_await held->extension.next();
    held_.erase(grant.token);
    const Command unlock("EVAL", compare_and_delete, 1, name_of(key), grant.token);
    const std::vector<Reply> ignored = co_await env.ask_all(unlock);
    env.loop_head();
    co_return Release::released;
  }

 private:
  struct Held {
    Background timer;  // lockKeepaliveTimer
    bool is_extending = false;
    AnyOf<bool> extension;  // what it began last, if it is under way
  };

  // Acquire(): quorumRetryCount tries, each at all servers at once.
  Task<Attempt> ask(Env& env, std::string name, std::string id, std::optional<SteadyTime> end,
                    bool is_cancelled) {
    const Command set = set_command(name, id, expiry_);
    const Command unlock("EVAL", compare_and_delete, 1, name, id);
    const std::int64_t until = end ? end->time_since_epoch().count() : Ticks();
    for (std::int64_t tries = 1;; ++tries) {
      env.loop_head(Args(id, tries, until, is_cancelled ? 1 : 0));
      const Stopwatch since_start(env.clock);
      const std::vector<Reply> replies = co_await env.ask_all(set);
      const Duration validity = validity_after(since_start.elapsed());
      const std::size_t acquired = count_of(replies, is_set);
      const std::size_t conflicted = count_of(replies, is_conflict);
      const bool has_quorum = is_majority(acquired, replies.size());
      if (has_quorum && validity > Duration::zero()) co_return granted(env, name, id, is_cancelled);
      const char* const status = failed_status(has_quorum, acquired + conflicted, replies.size());
      is_cancelled = cancels_;
      env.loop_head(Args(id, tries, until, status));
      const std::vector<Reply> ignored = co_await env.ask_all(unlock);
      if (tries >= retry_count_) {
        env.loop_head(Args(id, until, status));
        co_return Attempt::refused(std::string(status));
      }
      // Random.Next(): less than that.
      const Duration pause = env.random.jitter(retry_delay_ - 1ms);
      co_await env.clock.sleep(pause);
    }
  }

  static const char* failed_status(bool has_quorum, std::size_t answered, std::size_t servers) {
    if (has_quorum) return "Expired";
    return is_majority(answered, servers) ? "Conflicted" : "NoQuorum";
  }
  Duration validity_after(Duration elapsed) const { return expiry_ - elapsed - drift_of(expiry_); }

  // What each server said does not matter any more.
  Attempt granted(Env& env, const std::string& name, const std::string& id, bool is_cancelled) {
    env.loop_head(Args(id));
    held_[id] = std::make_shared<Held>();
    if (!is_cancelled) held_[id]->timer = Background(tick(env, name, id));
    Grant grant(id);
    grant.lease = expiry_ - drift_of(expiry_);
    return Attempt(grant);
  }

  // A turn at which an extension is still under way is skipped.
  Task<> tick(Env& env, std::string name, std::string id) {
    for (;;) {
      co_await env.clock.sleep(expiry_ / 2);
      Held& held = *held_[id];
      if (held.is_extending) continue;
      held.extension.drop_all();
      held.is_extending = true;
      held.extension.begin(0, extend(env, name, id));
    }
  }

  // What failed makes IsAcquired false until a later one succeeds: the timer goes on.
  Task<bool> extend(Env& env, std::string name, std::string id) {
    const Command command("EVAL", extend_script_, 1, name, id, to_milliseconds(expiry_));
    const Stopwatch since_start(env.clock);
    const std::vector<Reply> replies = co_await env.ask_all(command);
    const bool has_quorum = is_majority(count_of(replies, is_extended), replies.size());
    const bool is_acquired = has_quorum && validity_after(since_start.elapsed()) > Duration::zero();
    if (is_acquired) env.renewed(id, expiry_ - drift_of(expiry_));
    else env.lost(id);
    const auto held = held_.find(id);
    if (held != held_.end()) held->second->is_extending = false;
    co_return is_acquired;
  }

  Duration expiry_;
  Duration wait_time_;
  Duration retry_time_;
  Duration retry_delay_;
  std::int64_t retry_count_;
  bool waits_;
  bool cancels_;
  const char* extend_script_;
  std::map<std::string, std::shared_ptr<Held>> held_;  // by LockId
};

constexpr std::string_view lesson =
    "Redlock for .NET: all servers at once, three tries up to 0.4 s apart, a validity that is looked at, and "
    "a timer that extends every half of the expiry. The timer knows no end: not when an extension failed, "
    "not when another was seen to hold the lock, not while the work hangs (issues 48 and 68 of the project). "
    "Its script sets the key again where it is gone. That heals a server that came back empty, and it hides "
    "a loss: when another has taken and released the lock in the meantime, the next extension succeeds and "
    "nothing was ever false. IsAcquired turns false after an extension that failed, and true again when one "
    "succeeds; the README looks at it once, at the top of the block, so most holders never notice a loss. An "
    "extension that is carried out after the release, because its caller gave up waiting, takes the lock "
    "without a holder, for one expiry. Dispose() returns nothing, whatever the servers say.";

constexpr Protocol protocol{
    .acquire =
        "SET redlock:NAME with an id, EX or PX, and NX on all servers at once; a majority within the expiry, "
        "less drift, grants. Else EVAL of GET and DEL everywhere; three tries",
    .renew =
        "every half of the expiry, EVAL on all servers: GET, then PEXPIRE, or SET with PX of a key that is "
        "gone",
    .release =
        "waits for an extension under way, then EVAL of GET and DEL everywhere; the caller is told nothing",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "an extension that finds no key sets it, and hides that another had held the lock",
       .tracker = "samcook/RedLock.net #48",
       .lesson = "an-extension-that-sets-the-key-again-hides-that-it-was-lost",
       .repair = "an-extension-that-sets-nothing-tells-that-the-lock-was-lost"},
      {.what =
           "in 2.3.1 a lock that was granted after a failed try was never extended, and IsAcquired stayed "
           "true",
       .tracker = "samcook/RedLock.net #97, #93",
       .lesson = "a-lock-that-was-granted-after-a-failed-try-is-never-extended",
       .repair = "a-lock-that-was-granted-after-a-failed-try-is-extended"},
      {.what = "who looked at IsAcquired once works on beside another",
       .tracker = "samcook/RedLock.net #48, #46",
       .lesson = "who-looked-at-is-acquired-once-works-beside-another",
       .repair = "who-looks-at-is-acquired-again-does-not-write-too-late"},
      {.what = "an extension that arrives after the release takes the lock for nobody",
       .instead = "check finds it under late-request; it costs the others one expiry"},
      {.what = "a holder that hangs in its work is extended for ever",
       .tracker = "samcook/RedLock.net #68",
       .instead = "a client that never ends its work is no failure of a property here"},
      {.what = "a release that ended while an extension was under way left the key",
       .tracker = "samcook/RedLock.net pull request 64",
       .instead = "repaired upstream before the version that is here"},
  };
}

}  // namespace of_redlock_net
}  // namespace

namespace {

Upstream upstream() {
  return Upstream{.name = "RedLock.net", .language = "C#",
           .also = {"redlock-cs", ".NET"},
           .repository = "samcook/RedLock.net",
           .commit = "dcfe373b3e288caac4f45b78c88b5943f8b47e42",
           .excerpts = {{"RedLockNet.SERedis/RedLock.cs", 59, 97, "c5f2754cfa7dfbbb"},
                        {"RedLockNet.SERedis/RedLock.cs", 178, 204, "31547d02b664e2cd"},
                        {"RedLockNet.SERedis/RedLock.cs", 255, 382, "94156d5d4306c9f1"},
                        {"RedLockNet.SERedis/RedLock.cs", 394, 441, "7594796b8f5e27b6"},
                        {"RedLockNet.SERedis/RedLock.cs", 473, 588, "045d45201300a688"},
                        {"RedLockNet.SERedis/RedLock.cs", 642, 681, "87f097de091c7f62"},
                        {"RedLockNet.SERedis/Lua/Extend.lua", 1, 8, "6e0624ac77329fa8"},
                        {"RedLockNet.SERedis/Lua/Unlock.lua", 1, 5, "203c98c5b1f8743c"}},
           .files = {{"RedLockNet.SERedis/RedLock.cs", "3a67ee7e22c3d215"},
                     {"RedLockNet.SERedis/Lua/Extend.lua", "6e0624ac77329fa8"},
                     {"RedLockNet.SERedis/Lua/Unlock.lua", "203c98c5b1f8743c"}}};
}

}  // namespace

Card redlock_net() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "redlock-net",
      .summary = "Redlock with a timer that extends without end, and sets again what is gone",
      .source =
          "samcook/RedLock.net dcfe373 (2.3.2), RedLockNet.SERedis/RedLock.cs, Lua/Extend.lua, Unlock.lua",
      .upstream =
          upstream(),
      .lesson = of_redlock_net::lesson,
      .protocol = of_redlock_net::protocol,
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, owner_only_change, truthful_release,
                   recovery},
                  {none}}},
      .bugs = of_redlock_net::known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::notified},
      .parameters =
          {{"ttl", Kind::duration, "30s", "expiryTime, at least 10 ms: how long the keys live"},
           {"nodes", Kind::count, "3", "how many servers; a majority holds the lock"},
           {"blocking",
            Kind::choice,
            "yes",
            "yes: CreateLock with waitTime and retryTime; retries: without them; no: and retryCount 1",
            {"yes", "retries", "no"}},
           {"wait-time", Kind::duration, "10s", "with blocking=yes: waitTime, as in the README"},
           {"retry-time", Kind::duration, "1s",
            "with blocking=yes: retryTime, at least 10 ms, as in the README"},
           {"retry-count", Kind::count, "3", "retryCount: how often one call asks all servers"},
           {"retry-delay", Kind::duration, "400ms", "retryDelayMs: less than that between two of those"},
           {"extend",
            Kind::choice,
            "sets",
            "sets: also a key that is gone; compares: extends what is there, which issue 48 asks for",
            {"sets", "compares"}},
           {"timer",
            Kind::choice,
            "runs",
            "cancelled: in 2.3.1 each failed try cancelled what a later one would begin (issue 97)",
            {"runs", "cancelled"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_redlock_net::RedLock>(params);
      },
      .renews = true,
      .waiting = {{"retry-count", "1"}, {"retry-time", "1s"}, {"wait-time", "2s"}},
  };
}

}  // namespace holdfast::algorithms
