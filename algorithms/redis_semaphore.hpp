// What the Mutex and the Semaphore of npm redis-semaphore have in common, its class Lock: an identifier that
// is refreshed by a timer, and a holder that is told when a refresh does not find it.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/replies.hpp"
#include "algorithms/scripts_sent.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::algorithms {

// An object is made for one acquisition, as in the README of the library.
struct RedisSemaphoreHeld {
  bool is_acquired = false;
  Background timer;       // setInterval()
  Background refreshing;  // what it began last
};
struct RedisSemaphoreKept {
  std::map<std::string, RedisSemaphoreHeld> held;  // by identifier
};

class LockOfRedisSemaphore : public LockThatKeeps<RedisSemaphoreKept> {
 protected:
  LockOfRedisSemaphore(const Params& params, std::string kind)
      : kind_(std::move(kind)),
        ttl_(params.duration("ttl")),
        by_digest_(params.choice("scripts") == "evalsha"),
        retry_interval_(params.duration("retry-interval")),
        acquire_timeout_(params.duration("acquire-timeout")),
        waits_(params.choice("blocking") == "yes"),
        // Math.round(lockTimeout * 0.8) by default, in milliseconds.
        refresh_interval_(
            std::chrono::milliseconds((to_milliseconds(ttl_) * params.count("refresh-at") + 50) / 100)) {}

  // OK or 1 if it is taken.
  virtual Task<Reply> take(Env& env, std::string name, std::string identifier) const = 0;
  // 1 if it was there.
  virtual Task<Reply> extend(Env& env, std::string name, std::string identifier) const = 0;
  virtual Task<Reply> give(Env& env, std::string name, std::string identifier) const = 0;

  Task<Attempt> acquire(Env& env, std::string key, Mode) const final {
    const std::string name = name_of(key);
    const std::string identifier = env.random.token();
    // Date.now(), of which one attempt makes no use.
    const WallTime end = waits_ ? env.clock.wall() + acquire_timeout_ : WallTime();
    for (;;) {
      env.loop_head(Args(identifier, end.time_since_epoch().count()));
      const Reply reply = co_await take(env, name, identifier);
      if (is_failure(reply)) co_return Attempt::failed(rejection(reply));
      if (reply.is_ok() || reply.is(1)) co_return granted(env, name, identifier);
      if (!waits_) break;
      // After the last attempt, too.
      co_await env.clock.sleep(retry_interval_);
      if (env.clock.wall() >= end) break;
    }
    env.loop_head();
    co_return Attempt::refused("Acquire " + kind_ + " " + name + " timeout");
  }

  // Returns nothing. Of what is lost nothing is sent; what could not be given back still counts as acquired.
  Task<Release> release(Env& env, std::string key, Grant grant) const final {
    RedisSemaphoreHeld& held = kept().held[grant.token];
    held.timer = Background();
    if (held.is_acquired) {
      const Reply given = co_await give(env, name_of(key), grant.token);
      if (is_failure(given)) co_return Release::unknown;
    }
    kept().held.erase(grant.token);
    env.loop_head();
    co_return Release::released;
  }

  Duration ttl() const { return ttl_; }
  bool by_digest() const { return by_digest_; }

 private:
  // What ioredis rejects with. REQUIRES: `reply` is lost or an error.
  static std::string rejection(const Reply& reply) {
    return reply.is_lost() ? "Command timed out" : reply.text();
  }
  std::string name_of(const std::string& key) const { return kind_ + ":" + key; }

  // What it has been told does not matter any more.
  Attempt granted(Env& env, const std::string& name, const std::string& identifier) const {
    env.loop_head(Args(identifier));
    RedisSemaphoreHeld& held = kept().held[identifier];
    held.is_acquired = true;
    if (refresh_interval_ > Duration::zero())
      held.timer = Background(env, *this, &LockOfRedisSemaphore::tick, name, identifier);
    Grant grant(identifier);
    grant.lease = ttl_;
    return Attempt(grant);
  }

  // A turn at which the refresh of an earlier one is still under way is skipped.
  Task<> tick(Env& env, std::string name, std::string identifier) const {
    for (;;) {
      env.loop_head();
      co_await env.clock.sleep(refresh_interval_);
      RedisSemaphoreHeld& held = kept().held[identifier];
      if (held.refreshing.is_running()) continue;
      held.refreshing = Background(env, *this, &LockOfRedisSemaphore::refresh, name, identifier);
    }
  }

  // A rejection reaches nobody but the process, as unhandled: Node.js ends it, unless a handler is there.
  // Here one is, that writes a line in a log.
  Task<> refresh(Env& env, std::string name, std::string identifier) const {
    const Reply refreshed = co_await extend(env, name, identifier);
    if (is_failure(refreshed)) co_return;
    if (refreshed.is(1)) {
      env.renewed(identifier, ttl_);
      co_return;
    }
    RedisSemaphoreHeld& held = kept().held[identifier];
    if (!held.is_acquired) co_return;
    held.is_acquired = false;
    held.timer = Background();
    env.lost(identifier);
  }

  std::string kind_;
  Duration ttl_;
  bool by_digest_;
  Duration retry_interval_;
  Duration acquire_timeout_;
  bool waits_;
  Duration refresh_interval_;
};

// `own`: those of one class alone.
inline std::vector<Parameter> parameters_of_redis_semaphore(const std::vector<Parameter>& own) {
  using Kind = Parameter::Kind;
  std::vector<Parameter> all{{"ttl", Kind::duration, "10s", "option lockTimeout"},
                             {"refresh-at", Kind::count, "80",
                              "option refreshInterval, in percent of lockTimeout; 0: it is never refreshed"}};
  all.insert(all.end(), own.begin(), own.end());
  all.push_back({"retry-interval", Kind::duration, "10ms", "option retryInterval"});
  all.push_back({"acquire-timeout", Kind::duration, "10s", "option acquireTimeout"});
  all.push_back({"blocking",
                 Kind::choice,
                 "yes",
                 "yes: tries until acquireTimeout is over; no: acquireAttemptsLimit 1, retryInterval 0",
                 {"yes", "no"}});
  all.push_back(how_scripts_are_sent());
  return all;
}

}  // namespace holdfast::algorithms
