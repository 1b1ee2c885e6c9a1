// redis-objects: SETNX and GETSET with the expiry as value, tried every 0.1 s; DEL if the own clock allows
// it.
#include "algorithms/redis_objects.hpp"

#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

class RedisObjects final : public Lock {
 public:
  explicit RedisObjects(const Params& params)
      : expiration_(params.duration("ttl")), timeout_(params.duration("timeout")) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const bool tries_once = timeout_ == Duration::zero();
    const WallTime start = tries_once ? WallTime() : env.clock.wall();
    for (;;) {
      env.loop_head(Args(start.time_since_epoch().count()));
      if (!tries_once && env.clock.wall() - start >= timeout_) break;
      WallTime expires = expiry(env.clock);
      const Reply created = co_await Redis(env.store()).setnx(key, value_of(expires));
      if (is_failure(created)) co_return Attempt::failed(redis_rb_error(created));
      if (created.is(1)) co_return granted(expires);
      if (expires_ever()) {
        const Reply current = co_await Redis(env.store()).get(key);
        if (is_failure(current)) co_return Attempt::failed(redis_rb_error(current));
        // No value at all reads as 0, long ago.
        if (wall_time_in(current) < env.clock.wall()) {
          expires = expiry(env.clock);
          const Reply previous = co_await Redis(env.store()).getset(key, value_of(expires));
          if (is_failure(previous)) co_return Attempt::failed(redis_rb_error(previous));
          if (wall_time_in(previous) < env.clock.wall()) co_return granted(expires);
        }
      }
      if (tries_once) break;
      co_await env.clock.sleep(redis_objects_sleep);
    }
    co_return Attempt::refused(lock_timeout(key, timeout_));
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    if (expires_ever() && grant.lease_until <= env.clock.wall()) co_return Release::released;
    const Reply deleted = co_await Redis(env.store()).del(key);
    co_return silent_release_by(deleted);
  }

 private:
  bool expires_ever() const { return expiration_ != Duration::zero(); }
  // A second more than asked for.
  WallTime expiry(Clock& clock) const {
    return expires_ever() ? clock.wall() + expiration_ + 1s : WallTime();
  }
  std::string value_of(WallTime expires) const {
    return expires_ever() ? to_ruby_float(expires) : "1";
  }
  Attempt granted(WallTime expires) const {
    Grant grant(value_of(expires));
    if (expires_ever()) grant.lease_until = expires;
    return Attempt(grant);
  }

  Duration expiration_;
  Duration timeout_;
};

constexpr std::string_view lesson =
    "The value is the time at which the lease ends, by the holder's wall clock, one second later than "
    "asked for. A waiter that reads a past time swaps in its own with GETSET and has won if what it got "
    "back is past as well. Its losers have written too: a GETSET that was under way for a while puts an "
    "earlier expiry over the winner's, and a third client takes the lock while the winner works within "
    "its lease. Nothing needs to go wrong for a loser to overwrite: a key that vanished between SETNX and "
    "GET reads as the time 0, so GETSET follows, and meets the client that came first. The answer is judged "
    "when it arrives: one that travels longer than the lease says \"past\" of a lease that was running when "
    "it was sent. The release looks at the clock and then sends DEL, so a DEL that is still on its way when "
    "the lease ends removes the next holder's key. Clocks that differ by more than the rest of a lease "
    "let one client steal from another. And without expiration, the default, the value is 1 and nothing "
    "ever frees the lock of a process that died (issue 254 of the project); where some clients give an "
    "expiration and others do not, the former read that 1 as long past and take a lock that is held. "
    "Waiters try again after 0.1 s and give up with LockTimeout when their wall clock says so, in no "
    "order of arrival. Version 1.4.2 leaves the expiry to the server (redis-objects-px); the owner that "
    "both lack is in token.";

constexpr Protocol protocol{
    .acquire =
        "SETNX key with the end of the lease, a second late, as value; on 0, GET; if that end is past, "
        "GETSET, which must return a past end. Every 0.1 s until the timeout",
    .release = "DEL key, unless the own clock says that the lease is over; the caller is told nothing",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a loser's GETSET that is late puts an earlier end over that of the winner",
       .lesson = "a-loser-writes-an-earlier-end-over-the-lease-of-the-winner"},
      {.what = "a key that vanishes between SETNX and GET reads as 0: the loser overwrites although nothing "
               "goes wrong",
       .lesson = "a-loser-overwrites-the-winner-although-nothing-goes-wrong"},
      {.what = "GETSET's answer is judged when it arrives: one that travels longer than the lease looks like "
               "a win",
       .lesson = "an-answer-that-travels-longer-than-the-lease-looks-like-a-win"},
      {.what = "a clock that is ahead overwrites a living lease",
       .lesson = "a-clock-that-is-ahead-overwrites-a-living-lease"},
      {.what = "a clock that is set forward steals a living lock",
       .lesson = "a-clock-that-is-set-forward-steals-a-living-lock"},
      {.what = "a client whose clock is ahead and that dies blocks the others beyond its lease",
       .lesson = "a-crash-with-a-clock-that-is-ahead-blocks-beyond-the-lease",
       .repair = "a-clock-that-is-right-ends-the-lease-of-a-crashed-holder"},
      {.what = "looking at the clock does not stop a DEL that is on its way",
       .lesson = "looking-at-the-clock-does-not-stop-a-del-on-its-way",
       .repair = "a-token-keeps-a-slow-holder-from-deleting-the-lock-of-another"},
      {.what = "a client with an expiration takes the lock of one without, whose value is 1",
       .lesson = "a-lock-without-expiration-is-stolen-by-a-client-that-has-one",
       .repair = "clients-with-the-same-expiration-exclude-each-other"},
      {.what = "without an expiration, the default, a crash blocks for ever",
       .tracker = "nateware/redis-objects #254",
       .lesson = "without-an-expiration-a-crash-blocks-redis-objects-for-ever",
       .repair = "with-an-expiration-redis-objects-recovers-after-a-crash"},
      {.what = "the wall clock counts the wait: set back, it lengthens it, set forward, it shortens it",
       .instead = "no property limits how long acquire() takes"},
  };
}

}  // namespace

Card redis_objects() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "redis-objects",
      .summary = "SETNX and GETSET with the expiry as value, every 0.1 s; DEL unless expired by own clock",
      .source = "document 003; nateware/redis-objects up to 1.4.1, lib/redis/lock.rb",
      .upstream =
          Upstream{.name = "redis-objects up to 1.4.1", .language = "Ruby",
                   .repository = "nateware/redis-objects",
                   .commit = "3066276d3b1b1ef2ae013c969265e019215d151a",
                   .excerpts = {{"lib/redis/lock.rb", 36, 73, "97bed72654579621"},
                                {"lib/redis/lock.rb", 81, 92, "a378cc9857c9fac6"},
                                {"lib/redis/lock.rb", 75, 77, "8df89ac2b6f441bf"}},
                   .files = {{"lib/redis/lock.rb", "19a58f40aa991b06"}}},
      .lesson = lesson,
      .protocol = protocol,
      // release() is not truthful even without a fault: a slow loser's GETSET may have overwritten the key.
      // Two jumps of one clock, ahead before acquire() and again before release(), leave a key for long.
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release}, {none}},
                 {{recovery}, every_fault_but({clock_skew, clock_jump})}},
      .bugs = known_bugs(),
      .driver_retries = 1,
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request},
      .parameters = {{"ttl", Parameter::Kind::duration, "0s", "option expiration; 0s: nil, no expiry"},
                     {"timeout", Parameter::Kind::duration, "5s",
                      "how long acquire() goes on trying; 0s: it tries once"}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<RedisObjects>(params);
      },
      .is_stateless = true,
      .ignores_date = true,
      .waiting = {{"timeout", "3s"}},
  };
}

}  // namespace holdfast::algorithms
