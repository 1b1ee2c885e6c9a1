// jedis-lock: SETNX and GETSET with an owner and the end of the lease as value; who finds its own owner there
// takes it for its lock.
#include <optional>
#include <string>

#include "algorithms/claims.hpp"
#include "algorithms/expiry_value.hpp"
#include "algorithms/replies.hpp"
#include "algorithms/scripts.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

namespace of_jedis_lock {

std::string driver_error(const Reply& reply) {
  return reply.is_lost() ? "JedisConnectionException: Read timed out" : reply.text();
}

// The value: "UUID:milliseconds". What cannot be read, null included, is nobody's and long over.
class Held {
 public:
  explicit Held(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) return;
    const std::optional<WallTime> end = parse_expiry(text.substr(colon + 1));
    if (!end) return;
    owner_ = text.substr(0, colon);
    end_ = *end;
  }
  bool is_expired_or_of(const std::string& owner, WallTime now) const {
    return end_ < now || owner_ == owner;
  }

 private:
  std::string owner_ = "00000000-0000-0000-0000-000000000000";
  WallTime end_{};
};

// A JedisLock object is made for one acquisition, as in the README of the library.
class JedisLock final : public Lock {
 public:
  explicit JedisLock(const Params& params)
      : ttl_(params.duration("ttl") + 1ms),
        acquire_timeout_(params.duration("acquire-timeout")),
        resolution_(params.duration("resolution")),
        waits_(params.choice("blocking") == "yes"),
        takes_what_is_there_(params.choice("getset-on-nothing") == "yes"),
        compares_(params.choice("release") == "compares") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string owner = env.random.token();
    for (Duration timeout = waits_ ? acquire_timeout_ : 0s; timeout >= Duration::zero();
         timeout -= resolution_) {
      env.loop_head(Args(owner, to_milliseconds(timeout)));
      const WallTime end = expiry_after(env.clock, ttl_);
      const std::string value = owner + ":" + to_value(end);
      const Reply created = co_await Redis(env.store()).setnx(key, value);
      if (is_failure(created)) co_return Attempt::failed(driver_error(created));
      if (created.is(1)) co_return granted(value, end);
      const Reply current = co_await Redis(env.store()).get(key);
      if (is_failure(current)) co_return Attempt::failed(driver_error(current));
      const bool may_try = takes_what_is_there_ || !current.is_nil();
      if (may_try && Held(current.text()).is_expired_or_of(owner, wall_now(env.clock))) {
        const Reply previous = co_await Redis(env.store()).getset(key, value);
        if (is_failure(previous)) co_return Attempt::failed(driver_error(previous));
        if (!previous.is_nil() && previous == current) co_return granted(value, end);
      }
      if (!waits_) break;
      // After the last try, too.
      co_await env.clock.sleep(resolution_);
    }
    env.loop_head();
    co_return Attempt::refused("acquire: false");
  }

  // Returns nothing.
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    if (compares_) {
      const Reply deleted =
          co_await Redis(env.store()).eval(compare_and_delete, Keys(key), Args(grant.token));
      co_return silent_release_by(deleted);
    }
    const Reply deleted = co_await Redis(env.store()).del(key);
    co_return silent_release_by(deleted);
  }

 private:
  static Attempt granted(const std::string& value, WallTime end) {
    Grant grant(value);
    grant.lease_until = end;
    return Attempt(grant);
  }

  Duration ttl_;
  Duration acquire_timeout_;
  Duration resolution_;
  bool waits_;
  bool takes_what_is_there_;
  bool compares_;
};

constexpr std::string_view lesson =
    "The getset lock with an owner in the value, and that makes it worse. A waiter whose GET finds nothing, "
    "because the holder has just released, takes nothing for an expired lease and sends GETSET; if another "
    "has taken the lock by then, its value is overwritten. The waiter is not granted, for the texts differ. "
    "But a tenth of a second later it finds its own UUID there, takes the lock for its own, and enters "
    "beside the holder: two in the lock, without a fault. The same befalls the loser of two that found one "
    "expired lease (issues 8 and 9 of the project). The release knows its owner, and does not compare: DEL "
    "removes the key of any client. And all ends are by the clients' clocks.";

constexpr Protocol protocol{
    .acquire =
        "SETNX key with a UUID and the end of the lease; on 0, GET; if that end is past, or the UUID is its "
        "own, or no key is there, GETSET, which must return the same text; again every 100 ms for 10 s",
    .release = "DEL key; the caller is told nothing",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "the loser of GETSET finds its own UUID at the next try, and enters beside the winner",
       .tracker = "abelaska/jedis-lock #8, #9",
       .lesson = "who-overwrites-a-lock-finds-itself-in-it-at-the-next-try",
       .repair = "who-does-not-send-getset-on-nothing-waits-for-the-holder"},
      {.what = "a slow holder deletes the lock of the next",
       .tracker = "abelaska/jedis-lock #2, pull request 3",
       .lesson = "a-jedis-lock-that-is-over-deletes-the-next-one",
       .repair = "a-jedis-lock-whose-release-compares-leaves-the-next-one-alone"},
      {.what = "a clock that is ahead by more than the rest of the lease steals it",
       .instead = "getset shows it: a-clock-that-is-ahead-steals-a-living-lock"},
  };
}

}  // namespace of_jedis_lock
}  // namespace

Card jedis_lock() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "jedis-lock",
      .summary = "SETNX with owner and end; a client that finds it past, or its own, swaps in its own with "
                 "GETSET",
      .source = "abelaska/jedis-lock 6b75223, JedisLock.java",
      .upstream =
          Upstream{.name = "jedis-lock", .language = "Java",
                   .also = {"JedisLock"},
                   .repository = "abelaska/jedis-lock",
                   .commit = "6b75223f4cb6c9906a5bdaabfb0112064e429593",
                   .excerpts = {{"src/main/java/com/github/jedis/lock/"
                                 "JedisLock.java", 33, 73, "e99ccc12e85e2226"},
                                {"src/main/java/com/github/jedis/lock/"
                                 "JedisLock.java", 170, 197, "3bee85f855316557"},
                                {"src/main/java/com/github/jedis/lock/"
                                 "JedisLock.java", 224, 250, "b7b3044ae8a7b0dd"}},
                   .files = {{"src/main/java/com/github/jedis/lock/JedisLock.java", "a75a0f5028dc77b5"}}},
      .lesson = of_jedis_lock::lesson,
      .protocol = of_jedis_lock::protocol,
      .claims = {{{recovery}, every_fault_but({clock_skew, clock_jump})}},
      .bugs = of_jedis_lock::known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request},
      .parameters = {{"ttl", Kind::duration, "60s", "expiryTimeMillis; the end in the value is 1 ms later"},
                     {"acquire-timeout", Kind::duration, "10s", "acquireTimeoutMillis"},
                     {"resolution", Kind::duration, "100ms", "acquiry.resolution.millis, between two tries"},
                     {"blocking",
                      Kind::choice,
                      "yes",
                      "no: acquireTimeoutMillis 0, which tries once; the sleep after it is left out",
                      {"yes", "no"}},
                     {"getset-on-nothing",
                      Kind::choice,
                      "yes",
                      "no: a key that is gone is tried again with SETNX",
                      {"yes", "no"}},
                     {"release",
                      Kind::choice,
                      "deletes",
                      "deletes: DEL; compares: a script deletes the own value only",
                      {"deletes", "compares"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_jedis_lock::JedisLock>(params);
      },
      .is_stateless = true,
      .ignores_date = true,
      .waiting = {{"resolution", "1s"}, {"acquire-timeout", "2s"}},
  };
}

}  // namespace holdfast::algorithms
