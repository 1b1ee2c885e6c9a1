// redis-objects-px: SET NX PX with an empty value, tried every 0.1 s; DEL if the own clock allows it.
#include "algorithms/claims.hpp"
#include "algorithms/redis_objects.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

class RedisObjectsPx final : public Lock {
 public:
  explicit RedisObjectsPx(const Params& params)
      : expiration_(params.duration("ttl")),
        timeout_(params.duration("timeout")),
        ends_too_late_(params.choice("end-time-unit") == "milliseconds") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const bool tries_once = timeout_ == Duration::zero();
    const WallTime start = tries_once ? WallTime() : env.clock.wall();
    for (;;) {
      env.loop_head(Args(start.time_since_epoch().count()));
      if (!tries_once && env.clock.wall() - start >= timeout_) break;
      const WallTime end = end_time(env.clock);
      const Reply created = co_await Redis(env.store()).set(key, "", SetOptions().px(lease()).nx());
      if (is_failure(created)) co_return Attempt::failed(redis_rb_error(created));
      if (created.is_ok()) co_return granted(end);
      if (has_expiration()) {
        // A lock that version 1.4.1 left behind has its expiry as value, and no TTL.
        const Reply legacy = co_await Redis(env.store()).get(key);
        if (is_failure(legacy)) co_return Attempt::failed(redis_rb_error(legacy));
        const WallTime expires = wall_time_in(legacy);
        if (expires != WallTime() && expires < env.clock.wall()) {
          const WallTime later_end = end_time(env.clock);
          const Reply taken = co_await Redis(env.store()).set(key, "", SetOptions().px(lease()));
          if (is_failure(taken)) co_return Attempt::failed(redis_rb_error(taken));
          co_return granted(later_end);
        }
      }
      if (tries_once) break;
      co_await env.clock.sleep(redis_objects_sleep);
    }
    co_return Attempt::refused(lock_timeout(key, timeout_));
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const WallTime end{from_ruby_float(grant.token)};
    if (has_expiration() && end <= env.clock.wall()) co_return Release::released;
    const Reply deleted = co_await Redis(env.store()).del(key);
    co_return silent_release_by(deleted);
  }

 private:
  bool has_expiration() const { return expiration_ != Duration::zero(); }
  // Without an expiration, a second.
  Duration lease() const { return has_expiration() ? expiration_ : Duration(1s); }
  // By the own clock, whose fraction of a second is cut off.
  WallTime end_time(Clock& clock) const {
    const Duration added = ends_too_late_ ? lease() * 1000 : lease();
    return std::chrono::floor<std::chrono::seconds>(clock.wall()) + added;
  }
  // The token is what release() needs to know; the key itself is empty.
  Attempt granted(WallTime end) const {
    Grant grant(to_ruby_float(end.time_since_epoch()));
    grant.lease = lease();
    return Attempt(grant);
  }

  Duration expiration_;
  Duration timeout_;
  bool ends_too_late_;
};

constexpr std::string_view lesson =
    "One SET with NX and PX replaced SETNX and GETSET: expiry is the server's business now, so clocks that "
    "differ steal nothing and no loser overwrites a winner. The value is empty, so the key still does not "
    "name its owner, and the release still reads the client's clock and then sends DEL: a holder that is "
    "stopped between the two, or whose DEL is still on its way when the lease ends, removes the next "
    "holder's key; work, or an answer, that takes most of the lease is enough for that. The guard has a "
    "history: at first the end was computed by adding milliseconds to seconds (end-time-unit=milliseconds; "
    "issue 234 of the project), so it never prevented a DEL. And it remains a guess: the fraction of the "
    "second is cut off, so with a lease of a second a holder often does not delete although the lock is "
    "still its own, and all wait for the TTL. Without an expiration, the default, the lease is one second "
    "and the release checks nothing: work that takes longer loses the lock and then deletes the lock of "
    "another, without any fault. A leftover of version 1.4.1, a past time as value, is overwritten by a SET "
    "without NX, so two clients that read it both take it. Repair: an owner in the value (token).";

constexpr Protocol protocol{
    .acquire =
        "SET key \"\" with PX and NX; if refused, GET: a past end that version 1.4.1 left behind is "
        "overwritten by SET without NX. Every 0.1 s until the timeout",
    .release = "DEL key, unless the own clock says that the lease is over; the caller is told nothing",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "without an expiration the lease is a second and nothing guards the DEL",
       .lesson = "a-default-lease-of-one-second-ends-in-the-lock-of-another",
       .repair = "with-an-expiration-the-release-looks-at-the-clock-first"},
      {.what = "two clients overwrite what an old version left behind",
       .lesson = "two-clients-overwrite-what-an-old-version-left-behind"},
      {.what = "the end was computed by adding milliseconds to seconds, so nothing was ever guarded",
       .tracker = "nateware/redis-objects #234",
       .lesson = "an-end-in-milliseconds-taken-for-seconds-never-comes",
       .repair = "an-end-in-seconds-keeps-a-slow-holder-from-deleting"},
      {.what = "the end is cut off to whole seconds, so a holder that is in time does not delete",
       .lesson = "an-end-in-whole-seconds-comes-before-the-lease-is-over",
       .repair = "an-end-that-is-computed-on-the-second-lets-the-holder-delete"},
      {.what = "looking at the clock does not stop a DEL that is late",
       .lesson = "looking-at-the-clock-does-not-help-a-del-that-is-late",
       .repair = "a-token-keeps-a-slow-holder-from-deleting-the-lock-of-another"},
      {.what = "a DEL that the driver sends again deletes the lock of the next one",
       .lesson = "a-del-that-the-driver-repeats-deletes-the-lock-of-the-next",
       .repair = "a-script-that-the-driver-repeats-deletes-nothing-of-others"},
  };
}

}  // namespace

Card redis_objects_px() {
  using enum Fault;
  using enum Property;
  // The holder looks at the end and then sends DEL. A DEL that is late, or that the driver sends again for
  // want of an answer, deletes the key of the next holder, and a third client enters. So does a copy of it.
  const FaultSet release_in_time =
      every_fault_but({pause, slow_section, late_request, late_reply, lost_request, lost_reply, partition,
                       duplicate, restart, server_clock_jump, failover, eviction});
  return Card{
      .id = "redis-objects-px",
      .summary = "SET NX PX with an empty value, every 0.1 s; DEL unless expired by own clock",
      .source = "nateware/redis-objects 8ab0b42, since 1.4.2, lib/redis/lock.rb",
      .upstream =
          Upstream{.name = "redis-objects since 1.4.2", .language = "Ruby",
                   .also = {"redis-objects"},
                   .repository = "nateware/redis-objects",
                   .commit = "8ab0b424f0db008873d6bef098565a9a5f6f7b20",
                   .excerpts = {{"lib/redis/lock.rb", 28, 67, "4a4b2b718091be07"},
                                {"lib/redis/lock.rb", 76, 87, "a378cc9857c9fac6"}},
                   .files = {{"lib/redis/lock.rb", "523e9d95f570d744"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, truthful_release},
                  release_in_time},
                 {{owner_only_change, recovery}, every_fault}},
      .bugs = known_bugs(),
      .driver_retries = 1,
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "0s",
                      "option expiration; 0s: nil, a lease of a second and a release that never looks"},
                     {"timeout", Parameter::Kind::duration, "5s",
                      "how long acquire() goes on trying; 0s: it tries once"},
                     {"end-time-unit",
                      Parameter::Kind::choice,
                      "seconds",
                      "of the lease in the end that release() looks at. milliseconds: as first published",
                      {"seconds", "milliseconds"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<RedisObjectsPx>(params);
      },
      .is_stateless = true,
      .ignores_date = true,
      .waiting = {{"timeout", "3s"}},
  };
}

}  // namespace holdfast::algorithms
