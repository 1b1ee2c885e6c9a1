// Leases that the locks on an etcd keep alive while they hold something, as sessions of its Go client do.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "algorithms/replies.hpp"
#include "sim/core/etcd.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::algorithms {

struct EtcdKept {
  std::string lease;                           // of a session that outlives its locks
  std::map<std::string, Background> sessions;  // that are kept alive, by lease
};

class LockWithSessions : public LockThatKeeps<EtcdKept> {
 protected:
  explicit LockWithSessions(Duration ttl) : ttl_(std::chrono::floor<std::chrono::seconds>(ttl)) {}

  // The caller keeps it for as long as the lease is to be kept alive: with kept(), beyond its call. A call
  // that is given up takes it along.
  Background session(Env& env, const std::string& lease) const {
    return Background(env, *this, &LockWithSessions::renew, lease);
  }
  Duration ttl() const { return ttl_; }

 private:
  // etcd client/v3/lease.go: sendKeepAliveLoop asks every third of the lease, counted from the last answer,
  // and again where none comes; deadlineLoop looks every second whether the lease is over, counted from when
  // that answer arrived, so it is found up to a second later. Upstream also asks at once, which renews a
  // lease that has just begun: left out, for its answer changes nothing, and the lease is over no later
  // without it.
  Task<> renew(Env& env, std::string lease) const {
    for (;;) {
      env.loop_head();
      const Stopwatch answered(env.clock);
      co_await env.clock.sleep(ttl_ / 3);
      for (;;) {
        const Duration rest = ttl_ + looked_at_each - answered.elapsed();
        if (rest <= Duration::zero()) {
          env.lost(lease);
          co_return;
        }
        const Reply kept = co_await Etcd(env.store()).keep_alive(lease).within(std::min(rest, asks_again));
        if (kept.is(0)) {
          env.lost(lease);
          co_return;
        }
        if (is_failure(kept)) continue;
        env.renewed(lease, ttl_);
        break;
      }
    }
  }

  static constexpr Duration looked_at_each = 1s;
  // Upstream every half second, and any answer counts; here, one that nothing delays has come by then.
  static constexpr Duration asks_again = 2001ms;
  Duration ttl_;
};

}  // namespace holdfast::algorithms
