// What the locks of Redisson share: they wait on a channel, are renewed by a watchdog, and unlock through a
// latch.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms::of_redisson {

// prefixName() of the library: keys and channels of one lock lie in one slot of a cluster.
inline std::string prefixed(const std::string& prefix, const std::string& key) {
  return key.find('{') != std::string::npos ? prefix + ":" + key : prefix + ":{" + key + "}";
}

// What the library raises. REQUIRES: `reply` is lost or an error.
inline std::string driver_error(const Reply& reply) {
  return reply.is_lost() ? "Redis server response timeout" : reply.text();
}

// (timeout 3 s + the shorter half of retryDelay, 1 s) * retryAttempts 4, the defaults since 3.48.0: for so
// long an unlock may be repeated.
inline constexpr Duration latch_ttl = 16s;

// slavesSyncTimeout, retryAttempts and the shorter half of retryDelay, the defaults.
inline constexpr Duration sync_timeout = 1s;
inline constexpr int sync_retries = 4;
inline constexpr Duration sync_retry_delay = 1s;

// NoSyncedSlavesException: a batch was carried out, and WAIT says that no replica has it.
inline Reply unsynced() { return Reply::error("None of slaves were synced."); }
inline bool is_unsynced(const Reply& reply) {
  return reply.is_error() && reply.text().starts_with("None of slaves");
}

// LockPubSub of the library.
inline constexpr const char* unlock_message = "0";
inline constexpr const char* read_unlock_message = "1";

// Where the locks tell the truth whose unlock() answers as if it had been held when it is gone. It is gone
// when renewals were kept from the server. And a request of an earlier call that arrives after the granted
// one (late, sent twice, or given up by its caller) counts a second hold: unlock() then says that the lock is
// released, and one hold stays.
inline constexpr FaultSet truthful_while_it_is_there = every_fault_but(
    {Fault::pause, Fault::late_request, Fault::lost_request, Fault::duplicate, Fault::partition,
     Fault::cancel, Fault::server_clock_jump, Fault::restart, Fault::failover, Fault::eviction});

// How a caller waits: lock(), tryLock(waitTime, …) or tryLock().
enum class Blocking : std::uint8_t { for_ever, until_timeout, no };

// How the lease is kept.
enum class Watchdog : std::uint8_t { yes, no, until_it_fails };

inline Blocking blocking_of(const Params& params) {
  const std::string_view choice = params.choice("blocking");
  if (choice == "no") return Blocking::no;
  return choice == "for-ever" ? Blocking::for_ever : Blocking::until_timeout;
}

inline Watchdog watchdog_of(const Params& params) {
  const std::string_view choice = params.choice("watchdog");
  if (choice == "no") return Watchdog::no;
  return choice == "yes" ? Watchdog::yes : Watchdog::until_it_fails;
}

inline std::vector<Parameter> parameters() {
  using Kind = Parameter::Kind;
  return {
      {"ttl", Kind::duration, "30s", "lockWatchdogTimeout; with watchdog=no: leaseTime"},
      {"watchdog",
       Kind::choice,
       "yes",
       "yes: the lease is renewed every third of it; no: leaseTime was given; until-it-fails: one renewal "
       "without an answer is the last (issues 2515 and 3194)",
       {"yes", "no", "until-it-fails"}},
      {"blocking",
       Kind::choice,
       "for-ever",
       "for-ever: lock(); until-timeout: tryLock(waitTime, …); no: tryLock()",
       {"for-ever", "until-timeout", "no"}},
      {"wait-time", Kind::duration, "10s", "with blocking=until-timeout: waitTime"},
      {"servers",
       Kind::choice,
       "single",
       "single: one server; replicated (Sentinel, cluster, master and slaves): WAIT follows each script, and "
       "what no replica has is given back and tried again",
       {"single", "replicated"}}};
}

struct Kept {
  std::string thread;
  std::int64_t fence = 0;            // that was counted last, of redisson-fenced
  std::map<std::string, int> holds;  // by key, as this process counts them
  std::map<std::string, Mode> modes;
  std::map<std::string, Background> renewals;
};

// One process with one thread. Each lock of the library says with which scripts it enters and leaves.
class RedissonLock : public LockThatKeeps<Kept> {
 public:
  explicit RedissonLock(const Params& params)
      : ttl_(params.duration("ttl")),
        wait_time_(params.duration("wait-time")),
        watchdog_(watchdog_of(params)),
        blocking_(blocking_of(params)),
        is_replicated_(params.choice("servers") == "replicated") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode mode) const override {
    name_thread(env);
    const WallTime end = is_timed() ? env.clock.wall() + wait_time_ : WallTime();
    const Reply first = co_await ask_until_synced(env, key, mode);
    if (first.is_nil()) co_return granted(env, key, mode);
    if (is_failure(first)) co_return ended(env, Attempt::failed(driver_error(first)));
    if (blocking_ == Blocking::no) co_return ended(env, Attempt::refused("tryLock: false"));
    std::optional<RedisConnection> channel(std::in_place, env.store());
    bool goes_on = time_left(env, end) > Duration::zero();
    if (goes_on) {
      for (;;) {
        const Reply confirmed = co_await channel->subscribe(channel_of(key, mode));
        goes_on = !is_failure(confirmed) && time_left(env, end) > Duration::zero();
        if (!confirmed.is_lost() || is_timed() || !subscribes_for_ever()) break;
        env.loop_head(Args(thread()));
        channel.emplace(env.store());
      }
      if (!goes_on && !is_timed()) co_return ended(env, Attempt::failed("Subscribe timeout: (7500ms)"));
    }
    while (goes_on) {
      env.loop_head(Args(thread(), end.time_since_epoch().count()));
      const Reply left = co_await ask_until_synced(env, key, mode);
      if (left.is_nil()) co_return granted(env, key, mode);
      // Since 4.7.0 tryLock() gives up when it is not answered (issue 5019).
      if (left.is_lost() && is_timed()) break;
      if (is_failure(left)) co_return ended(env, Attempt::failed(driver_error(left)));
      Duration at_most = time_left(env, end);
      if (at_most <= Duration::zero()) break;
      // A negative number, for a key without a TTL, say: as long as it takes.
      if (left.milliseconds() >= 0ms) at_most = std::min(at_most, left.milliseconds());
      const Stopwatch asleep(env.clock);
      for (;;) {
        const Reply woken = co_await channel->receive(rest_of(at_most, asleep));
        if (!woken.is_lost() || rest_of(at_most, asleep) == Duration::zero()) break;
        // The library subscribes again by itself, and sleeps on; what was published in between is gone.
        channel.emplace(env.store());
        co_await channel->subscribe(channel_of(key, mode));
      }
      goes_on = time_left(env, end) > Duration::zero();
    }
    co_await give_up(env, key);
    co_return ended(env, Attempt::refused("tryLock: false"));
  }

  // The watchdog goes on until the answer is here.
  Task<Release> release(Env& env, std::string key, Grant) const override {
    const std::string latch = new_latch(env, key);
    const Mode mode = kept().modes[key];
    const Reply left = co_await leave_until_synced(env, key, mode, latch);
    const bool is_still_held = left.is(0) && --kept().holds[key] > 0;
    if (!is_still_held) {
      kept().holds.erase(key);
      kept().renewals.erase(key);
    }
    if (is_failure(left)) co_return Release::unknown;
    // No client waits for the answer.
    Background(forget(env, latch)).stop();
    // "attempt to unlock lock, not locked by current thread"
    co_return left.is_nil() ? Release::not_held : Release::released;
  }

 protected:
  virtual std::string channel_of(const std::string& key, Mode mode) const = 0;
  // Nil: granted. Else for how many milliseconds, at most, it makes sense to wait.
  virtual Task<Reply> ask(Env& env, std::string key, Mode mode) const = 0;
  // Nil: not held; 0: still held; 1: free.
  virtual Task<Reply> leave(Env& env, std::string key, Mode mode, std::string latch) const = 0;
  // 1: the lease was extended.
  virtual Task<Reply> extend(Env& env, std::string key, Mode mode) const = 0;
  // Whether a SUBSCRIBE that is not confirmed in time is waited for, until the library has reconnected.
  virtual bool subscribes_for_ever() const { return false; }
  // The time to wait is over.
  virtual Task<> give_up(Env&, std::string) const { co_return; }

  // With replicas, a batch of the script and WAIT. Upstream sends both at once; here WAIT follows over the
  // same connection when the script is answered, so one server carries out both, too.
  // REQUIRES: `script` outlives the lock.
  Task<Reply> evaluate(Env& env, std::string_view script, Keys keys, Args args,
                       Where where = Where::current()) const {
    if (!is_replicated_) {
      // RedissonLock, tryLockInnerAsync() and unlockInnerAsync(): evalWriteSyncedNoRetryAsync().
      const Reply reply = co_await Redis(env.store()).eval(script, keys, args, where).once();
      co_return reply;
    }
    OwnConnection batch(env.store());
    const Command command("EVAL", script, keys.list().size(), keys.list(), args.list());
    const Reply reply = co_await batch.send(command, where);
    if (is_failure(reply)) co_return reply;
    const Reply synced = co_await batch.send(Command("WAIT", 1, to_milliseconds(sync_timeout)), sync_timeout);
    if (is_failure(synced)) co_return synced;
    co_return synced.is(0) ? unsynced() : reply;
  }
  // The same for a renewal, whose replication is not checked: over the connection that all share.
  Task<Reply> renewal(Env& env, std::string_view script, Keys keys, Args args,
                      Where where = Where::current()) const {
    const Reply reply = co_await Redis(env.store()).eval(script, keys, args, where);
    if (!is_replicated_ || is_failure(reply)) co_return reply;
    const Reply synced = co_await Redis(env.store()).wait(1, sync_timeout);
    if (is_failure(synced)) co_return synced;
    co_return synced.is(0) ? unsynced() : reply;
  }

  const std::string& thread() const { return kept().thread; }
  Duration ttl() const { return ttl_; }
  Blocking blocking() const { return blocking_; }
  Duration wait_time() const { return wait_time_; }
  // The UUID of the process and the number of the thread.
  void name_thread(Env& env) const {
    if (kept().thread.empty()) kept().thread = env.random.identity() + ":1";
  }

  bool is_timed() const { return blocking_ == Blocking::until_timeout; }
  // Of the time to wait, by the wall clock, as upstream.
  Duration time_left(Env& env, WallTime end) const {
    return is_timed() ? end - env.clock.wall() : OwnConnection::for_ever;
  }

  static std::string new_latch(Env& env, const std::string& key) {
    return prefixed("redisson_unlock_latch", key) + ":" + env.random.token();
  }

  Task<> forget(Env& env, std::string latch) const { co_await Redis(env.store()).del(latch); }

  // What it has been told does not matter to calls after it.
  Attempt ended(Env& env, Attempt attempt) const {
    env.loop_head(Args(thread()));
    return attempt;
  }

  Attempt granted(Env& env, const std::string& key, Mode mode) const {
    kept().modes[key] = mode;
    ++kept().holds[key];
    if (watchdog_ != Watchdog::no && !kept().renewals[key].is_running())
      kept().renewals[key] = Background(env, *this, &RedissonLock::renew, key, mode);
    Grant grant(thread());
    grant.lease = ttl_;
    return Attempt(grant);
  }

 private:
  static Duration rest_of(Duration at_most, const Stopwatch& asleep) {
    if (at_most == OwnConnection::for_ever) return at_most;
    return std::max(Duration::zero(), at_most - asleep.elapsed());
  }

  // What no replica has is given back, and asked for again a little later.
  Task<Reply> ask_until_synced(Env& env, std::string key, Mode mode) const {
    for (int retries = 0;; ++retries) {
      const Reply left = co_await ask(env, key, mode);
      if (!is_unsynced(left)) co_return left;
      const std::string latch = new_latch(env, key);
      const Reply given_back = co_await leave(env, key, mode, latch);
      if (!is_failure(given_back)) Background(forget(env, latch)).stop();
      if (retries == sync_retries) co_return left;
      const Duration pause = sync_retry_delay + env.random.jitter(sync_retry_delay);
      co_await env.clock.sleep(pause);
    }
  }
  // The latch tells the repeated one what the first has done. The renewals end with the first.
  Task<Reply> leave_until_synced(Env& env, std::string key, Mode mode, std::string latch) const {
    for (int retries = 0;; ++retries) {
      const Reply left = co_await leave(env, key, mode, latch);
      if (!is_unsynced(left) || retries == sync_retries) co_return left;
      if (kept().holds[key] <= 1) kept().renewals.erase(key);
      const Duration pause = sync_retry_delay + env.random.jitter(sync_retry_delay);
      co_await env.clock.sleep(pause);
    }
  }

  // No client is told when the lock is lost.
  Task<> renew(Env& env, std::string key, Mode mode) const {
    for (;;) {
      env.loop_head();
      co_await env.clock.sleep(std::chrono::floor<std::chrono::milliseconds>(ttl_ / 3));
      const Reply extended = co_await extend(env, key, mode);
      if (extended.is(1)) env.renewed(thread(), ttl_);
      if (extended.is(0) || extended.is_nil()) co_return;
      if (is_failure(extended) && watchdog_ == Watchdog::until_it_fails) co_return;
    }
  }

  Duration ttl_;
  Duration wait_time_;
  Watchdog watchdog_;
  Blocking blocking_;
  bool is_replicated_;
};

// KEYS: lock, channel, latch. ARGV: message, lease, thread, PUBLISH or SPUBLISH, how long the latch lasts.
// What the first execution answered stands in the latch for those that repeat it.
inline constexpr const char* leave_script =
    "local val = redis.call('get', KEYS[3])"
    " if val ~= false then return tonumber(val) end"
    " if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then return nil end"
    " if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then"
    " redis.call('pexpire', KEYS[1], ARGV[2])"
    " redis.call('set', KEYS[3], 0, 'px', ARGV[5])"
    " return 0 end"
    " redis.call('del', KEYS[1])"
    " redis.call(ARGV[4], KEYS[2], ARGV[1])"
    " redis.call('set', KEYS[3], 1, 'px', ARGV[5])"
    " return 1";

// ARGV: the lease and the thread.
inline constexpr const char* extend_script =
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then"
    " redis.call('pexpire', KEYS[1], ARGV[1])"
    " return 1 end"
    " return 0";

// RedissonLock of the library, and RedissonFencedLock, which inherits unlock() and the watchdog from it.
class ExclusiveLock : public RedissonLock {
 public:
  using RedissonLock::RedissonLock;

 protected:
  std::string channel_of(const std::string& key, Mode) const override {
    return prefixed("redisson_lock__channel", key);
  }
  Task<Reply> leave(Env& env, std::string key, Mode mode, std::string latch) const override {
    const Keys keys(key, channel_of(key, mode), latch);
    const Args args(unlock_message, to_milliseconds(ttl()), thread(), "PUBLISH", to_milliseconds(latch_ttl));
    const Reply left = co_await evaluate(env, leave_script, keys, args);
    co_return left;
  }
  Task<Reply> extend(Env& env, std::string key, Mode) const override {
    const Args args(to_milliseconds(ttl()), thread());
    const Reply extended = co_await renewal(env, extend_script, Keys(key), args);
    co_return extended;
  }
};

}  // namespace holdfast::algorithms::of_redisson
