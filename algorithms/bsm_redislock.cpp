// bsm-redislock: a script sets the key, or takes over a key whose value begins with the own token.
#include <algorithm>

#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "algorithms/scripts_sent.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

constexpr const char* obtain =
    "if redis.call('msetnx', KEYS[1], ARGV[1]) ~= 1 then"
    " local stored = redis.call('get', KEYS[1])"
    " if string.sub(stored, 1, ARGV[2]) ~= string.sub(ARGV[1], 1, ARGV[2]) then return false end"
    " redis.call('mset', KEYS[1], ARGV[1]) end"
    " redis.call('pexpire', KEYS[1], ARGV[3])"
    " return redis.status_reply('OK')";

constexpr const char* compare_and_delete =
    "if redis.call('get', KEYS[1]) ~= ARGV[1] then return false end"
    " redis.call('del', KEYS[1])"
    " return redis.status_reply('OK')";

// What the driver returns. REQUIRES: `reply` is lost or an error.
std::string driver_error(const Reply& reply) { return reply.is_lost() ? "i/o timeout" : reply.text(); }

class BsmRedislock final : public Lock {
 public:
  explicit BsmRedislock(const Params& params)
      : ttl_(params.duration("ttl")),
        backoff_(params.duration("backoff")),
        backoff_max_(params.duration("backoff-max")),
        retries_max_(params.count("retries")),
        retries_(params.choice("retry") != "none"),
        grows_(params.choice("retry") == "exponential"),
        names_itself_(params.choice("token") == "worker"),
        by_digest_(params.choice("scripts") == "evalsha") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = names_itself_ ? worker(env.self()) : env.random.token();
    // A caller that sets no deadline gets one: it is not tried for longer than a lease.
    const SteadyTime deadline = retries_ ? env.clock.steady() + ttl_ : SteadyTime();
    for (std::int64_t tries = 1;; ++tries) {
      env.loop_head(Args(token, deadline.time_since_epoch().count(), tries));
      const Args args(token, token.size(), to_milliseconds(ttl_));
      const Reply reply = co_await eval_or_evalsha(env, by_digest_, obtain, Keys(key), args);
      if (is_failure(reply)) co_return Attempt::failed(driver_error(reply));
      if (reply.is_ok()) co_return granted(token);
      const Duration wait = next_backoff(tries);
      if (wait <= Duration::zero()) break;
      const Duration left = deadline - env.clock.steady();
      co_await env.clock.sleep(std::min(wait, left));
      // Both errors are joined: ErrNotObtained is what callers ask for.
      if (left <= wait) co_return Attempt::refused("redislock: not obtained, context deadline exceeded");
    }
    co_return Attempt::refused("redislock: not obtained");
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply reply =
        co_await eval_or_evalsha(env, by_digest_, compare_and_delete, Keys(key), Args(grant.token));
    if (is_failure(reply)) co_return Release::unknown;
    // nil is ErrLockNotHeld.
    co_return reply.is_ok() ? Release::released : Release::not_held;
  }

 private:
  // Names of which each begins with those before it: worker-1, worker-12, worker-123.
  static std::string worker(ClientId self) {
    std::string name = "worker-";
    for (std::uint32_t number = 1; number <= self.value + 1; ++number) name += std::to_string(number);
    return name;
  }
  // Zero: no more tries. Before try number tries + 1.
  Duration next_backoff(std::int64_t tries) const {
    if (!retries_ || (retries_max_ != 0 && tries > retries_max_)) return Duration::zero();
    if (!grows_) return backoff_;
    constexpr std::int64_t doublings_max = 25;
    const Duration wait = std::chrono::milliseconds(std::int64_t{2} << std::min(tries, doublings_max));
    if (wait < backoff_) return backoff_;
    return backoff_max_ != Duration::zero() ? std::min(wait, backoff_max_) : wait;
  }
  Attempt granted(const std::string& token) const {
    Grant grant(token);
    grant.lease = ttl_;
    return Attempt(grant);
  }

  Duration ttl_;
  Duration backoff_;
  Duration backoff_max_;
  std::int64_t retries_max_;
  bool retries_;
  bool grows_;
  bool names_itself_;
  bool by_digest_;
};

constexpr std::string_view lesson =
    "One script takes the lock and gives it its TTL; another compares and deletes: the lock of token, and a "
    "caller with a token of its own can obtain its lock again. To recognise it, the script compares the "
    "token with the beginning of the stored value. So a caller whose token is worker-1 takes over the lock "
    "of worker-12, which is held and alive, and no fault is needed. Random tokens all have the same length "
    "and are safe. And a lease below a millisecond, such as a bare number that was meant as milliseconds, "
    "becomes PEXPIRE 0, which deletes the key that was just set; the answer is OK all the same, and every "
    "caller believes that it holds the lock. By default acquire() tries once; with a strategy it tries until "
    "a lease has passed, unless the caller sets a deadline.";

constexpr Protocol protocol{
    .acquire =
        "EVAL of MSETNX and PEXPIRE; if refused, GET: a value that begins with the client's token is taken "
        "over with MSET",
    .release = "EVAL of GET and DEL: deletes if the token is there",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a client called worker-1 takes the lock of worker-12",
       .tracker = "bsm/redislock pull request 71",
       .lesson = "worker-1-takes-the-lock-of-worker-12",
       .repair = "tokens-of-one-length-do-not-take-each-others-locks"},
      {.what = "a caller that obtains again with its token is not counted: the first release frees the lock",
       .lesson = "the-first-of-two-releases-frees-a-lock-that-does-not-count",
       .repair = "a-holder-is-counted-when-it-locks-again"},
      {.what = "a TTL below a millisecond deletes the key, and OK is returned",
       .lesson = "a-lease-below-a-millisecond-excludes-nobody"},
  };
}

}  // namespace

Card bsm_redislock() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "bsm-redislock",
      .summary = "a script sets key and TTL, or takes over a value that begins with the client's token",
      .source = "bsm/redislock 76760bd (v0.10), redislock.go, obtain.lua, release.lua",
      .upstream =
          Upstream{.name = "bsm/redislock", .language = "Go",
                   .also = {"redislock"},
                   .repository = "bsm/redislock",
                   .commit = "76760bd8b28471f9c2a71f27406b7e825c912b95",
                   .excerpts = {{"obtain.lua", 1, 40, "b758a8bfa2a21a3b"},
                                {"release.lua", 1, 15, "abd83f2704ab3733"},
                                {"redislock.go", 71, 101, "af0c3d9331b7fe6c"},
                                {"redislock.go", 118, 161, "082e734c0da78cab"},
                                {"redislock.go", 163, 172, "c596cac3cf1c2d79"},
                                {"redislock.go", 272, 284, "58cbe41d4474fea5"},
                                {"retry.go", 71, 86, "80cec49503d7726e"}},
                   .files = {{"obtain.lua", "b758a8bfa2a21a3b"},
                             {"release.lua", "abd83f2704ab3733"},
                             {"redislock.go", "677ae2a5bc344e6e"},
                             {"retry.go", "167e8cdf9f9165d9"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write},
                  every_fault_but({pause, slow_section, restart, server_clock_jump, failover, eviction})},
                 {{owner_only_release, owner_only_change, release_frees, recovery}, every_fault},
                 // A request that is sent again, or doubled, may come when the lease is over: a release by
                 // digest takes two trips where the server does not know it.
                 {{truthful_release}, every_fault_but({late_request, duplicate})}},
      .bugs = known_bugs(),
      .driver_retries = 3,
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "1s",
                      "how long the key lives, rounded down to milliseconds (0 deletes it at once)"},
                     {"token",
                      Parameter::Kind::choice,
                      "random",
                      "random: new in every attempt; worker: A is worker-1, B worker-12, C worker-123",
                      {"random", "worker"}},
                     {"retry",
                      Parameter::Kind::choice,
                      "none",
                      "none: acquire() tries once; linear: every backoff; exponential: 4ms, 8ms, 16ms, …",
                      {"none", "linear", "exponential"}},
                     {"backoff", Parameter::Kind::duration, "100ms",
                      "linear: the wait; exponential: at least"},
                     {"backoff-max", Parameter::Kind::duration, "0s", "exponential: at most; 0s: unlimited"},
                     {"retries", Parameter::Kind::count, "0", "at most; 0: until the lease would be over"},
                     how_scripts_are_sent()},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<BsmRedislock>(params);
      },
      .is_stateless = true,
      .ignores_date = true,
      .waiting = {{"retry", "linear"}, {"backoff", "1s"}},
  };
}

}  // namespace holdfast::algorithms
