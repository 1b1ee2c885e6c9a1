// Leases that the locks on an etcd keep alive while they hold something, as sessions of its Go client do.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "algorithms/replies.hpp"
#include "sim/core/any_of.hpp"
#include "sim/core/etcd.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::algorithms {

struct EtcdKept {
  std::string lease;                           // of a session that outlives its locks
  std::map<std::string, Background> sessions;  // that are kept alive, by lease
};

class LockWithSessions : public LockThatKeeps<EtcdKept> {
 protected:
  explicit LockWithSessions(const Params& params)
      : ttl_(std::chrono::floor<std::chrono::seconds>(params.duration("ttl"))),
        asks_(params.choice("keep-alives") == "one" ? Asking{.again = {2001ms, 2001ms}, .at_most = 1}
                                                    : Asking{.again = {1s, 2s}, .at_most = 2}) {}

  // The caller keeps it for as long as the lease is to be kept alive: with kept(), beyond its call. A call
  // that is given up takes it along.
  Background session(Env& env, const std::string& lease) const {
    return Background(env, *this, &LockWithSessions::renew, lease);
  }
  Duration ttl() const { return ttl_; }

 private:
  // Upstream each time half a second. A client that asks less often keeps the lease no longer. An answer that
  // nothing delays has come before one more than `at_most` is sent, and an older one keeps it no longer.
  struct Asking {
    std::array<Duration, 2> again;  // in turns
    std::uint32_t at_most;          // are under way
  };

  // etcd client/v3/lease.go: sendKeepAliveLoop asks every third of the lease, counted from the last answer,
  // and every half second again where none comes, however many are under way: the first answer counts.
  // deadlineLoop looks every second whether the lease is over, counted from when that answer arrived, so it
  // is found up to a second later. Upstream also asks at once, which renews a lease that has just begun:
  // left out, for its answer changes nothing, and the lease is over no later without it.
  Task<> renew(Env& env, std::string lease) const {
    for (;;) {
      env.loop_head();
      const Stopwatch answered(env.clock);
      co_await env.clock.sleep(ttl_ / 3);
      AnyOf<Reply> under_way;
      bool is_alive = false;
      for (std::uint32_t asked = 1; !is_alive; ++asked) {
        const Duration rest = ttl_ + looked_at_each - answered.elapsed();
        bool is_gone = rest <= Duration::zero();
        if (!is_gone) {
          if (asked > asks_.at_most) under_way.drop(asked - asks_.at_most);
          under_way.begin(asked, keep_alive(env, lease));
          under_way.begin(pause_ends, pause(env, std::min(rest, asks_.again[(asked - 1) % 2])));
        }
        for (bool is_over = is_gone; !is_over;) {
          const auto ended = co_await under_way.next();
          is_gone = ended.result.is(0);
          is_alive = ended.id != pause_ends && !is_failure(ended.result) && !is_gone;
          is_over = ended.id == pause_ends || is_alive || is_gone;
        }
        if (!is_gone) continue;
        env.lost(lease);
        co_return;
      }
      env.renewed(lease, ttl_);
    }
  }

  static Task<Reply> keep_alive(Env& env, std::string lease) {
    const Reply kept = co_await Etcd(env.store()).keep_alive(lease);
    co_return kept;
  }
  static Task<Reply> pause(Env& env, Duration length) {
    co_await env.clock.sleep(length);
    co_return Reply::nil();
  }

  static constexpr std::uint32_t pause_ends = 0;
  static constexpr Duration looked_at_each = 1s;
  Duration ttl_;
  Asking asks_;
};

inline Parameter parameter_of_keep_alives(std::string_view default_value) {
  return {"keep-alives",
          Parameter::Kind::choice,
          default_value,
          "how many may be under way: several, as in etcd's client; one: the next when none is, which has "
          "fewer states, and loses the lease by one request that is lost",
          {"several", "one"}};
}

}  // namespace holdfast::algorithms
