// redis-py: SET NX with a token, with PX only if asked for; sleeps and tries again; a script releases.
#include <utility>

#include "algorithms/claims.hpp"
#include "algorithms/evalsha.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

constexpr const char* compare_and_delete =
    "local token = redis.call('get', KEYS[1])"
    " if not token or token ~= ARGV[1] then return 0 end"
    " redis.call('del', KEYS[1]) return 1";

// What the driver raises. REQUIRES: `reply` is lost or an error.
std::string driver_error(const Reply& reply) {
  return reply.is_lost() ? "Timeout reading from socket" : reply.text();
}

class RedisPy final : public Lock {
 public:
  explicit RedisPy(const Params& params)
      : ttl_(params.duration("ttl")),
        sleep_(params.duration("sleep")),
        blocking_timeout_(params.duration("blocking-timeout")),
        blocks_(params.choice("blocking") != "no"),
        gives_up_(params.choice("blocking") == "until-timeout"),
        registers_(params.choice("scripts") == "registered"),
        shares_token_(params.choice("thread-local") == "no") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    // One token for all tries of this call.
    const std::string token = env.random.token();
    const SteadyTime stop = gives_up_ ? env.clock.steady() + blocking_timeout_ : SteadyTime();
    for (;;) {
      env.loop_head(Args(token, stop.time_since_epoch().count()));
      SetOptions options;
      if (ttl_ != Duration::zero()) options.px(ttl_);
      options.nx();
      const Reply reply = co_await Redis(env.store()).set(key, token, options);
      if (is_failure(reply)) co_return Attempt::failed(driver_error(reply));
      if (!reply.is_nil()) co_return granted(token);
      if (!blocks_ || (gives_up_ && env.clock.steady() + sleep_ > stop)) break;
      co_await env.clock.sleep(sleep_);
    }
    co_return Attempt::refused("Unable to acquire lock within the time specified");
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const std::string token = shares_token_ ? std::exchange(token_, std::string()) : grant.token;
    // "Cannot release a lock that's not owned or is no longer owned"
    if (token.empty()) co_return Release::not_held;
    if (registers_) {
      const Reply reply =
          co_await evalsha_or_load(env, compare_and_delete, Keys(key), Args(token), Where::current());
      co_return release_by(reply);
    }
    const Reply deleted = co_await Redis(env.store()).eval(compare_and_delete, Keys(key), Args(token));
    co_return release_by(deleted);
  }

 private:
  Attempt granted(const std::string& token) {
    token_ = token;
    Grant grant(token);
    if (ttl_ != Duration::zero()) grant.lease = ttl_;
    return Attempt(grant);
  }

  Duration ttl_;
  Duration sleep_;
  Duration blocking_timeout_;
  bool blocks_;
  bool gives_up_;
  bool registers_;
  bool shares_token_;
  std::string token_;  // of the last grant, whichever thread got it
};

constexpr std::string_view lesson =
    "The lock of token, with a loop around it: refused, it sleeps for 0.1 s and tries again. Two defaults "
    "decide what it is worth. Without a timeout the key has no TTL, so a holder that dies, or one whose "
    "answer to SET or whose release gets lost, blocks all others for ever; and without a blocking timeout "
    "they wait for ever, without a word. The loop keeps one token for all its tries, and does not recognise "
    "it: a driver that repeats a SET whose answer was lost is refused by its own token. The release forgets "
    "the token before it asks the server (issue 3847 of the project), so one whose request is lost cannot be "
    "repeated. Waiters poll, so the next holder is the client that comes first, and a holder is not told "
    "that its lease ended. With a timeout it is as good as token: the release compares, the work is not "
    "protected.";

constexpr Protocol protocol{
    .acquire = "SET key with a token and NX, and PX if a timeout was given; if refused, again every 0.1 s",
    .release = "EVAL of GET and DEL: deletes if the token is there",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "without a timeout, the default, a lost answer blocks for ever",
       .lesson = "without-a-timeout-a-lost-reply-blocks-redis-py-for-ever",
       .repair = "with-a-timeout-redis-py-recovers-from-a-lost-reply"},
      {.what = "a registered script that is forgotten between SCRIPT LOAD and EVALSHA is not loaded again",
       .lesson = "a-restart-between-loading-a-script-and-its-digest-keeps-the-lock-for-ever",
       .repair = "a-script-that-is-sent-whole-releases-after-a-restart"},
      {.what = "SETNX and PEXPIRE were two commands",
       .tracker = "redis/redis-py #818, #554",
       .instead = "repaired upstream before the version that is here; setnx-expire shows it"},
      {.what = "an instance that threads shared released with the token of another",
       .tracker = "redis/redis-py #416, #490",
       .lesson = "threads-that-share-a-token-release-the-lock-of-another",
       .repair = "threads-with-tokens-of-their-own-share-a-lock-object"},
      {.what = "the token is forgotten before the release is sent, so a lost release cannot be repeated",
       .tracker = "redis/redis-py #3847",
       .instead = "a client releases each grant once"},
      {.what = "a SET that the driver repeats is refused by its own token",
       .tracker = "redis/go-redis #2985 is the same in another driver",
       .lesson = "a-set-that-the-driver-repeats-is-refused-by-its-own-token",
       .repair = "with-a-timeout-redis-py-recovers-from-a-lost-reply"},
  };
}

}  // namespace

Card redis_py() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "redis-py",
      .summary = "SET NX with a token, without a TTL unless asked for; polls; a script releases",
      .source = "redis/redis-py 34817ce, redis/lock.py",
      .upstream =
          Upstream{.name = "redis-py", .language = "Python",
                   .also = {"django-redis", "redis.lock"},
                   .repository = "redis/redis-py",
                   .commit = "34817ce2a2accc893a81180fe737e0c4f5ac6b0c",
                   .excerpts = {{"redis/lock.py", 30, 37, "0f69f44fccf52ba4"},
                                {"redis/lock.py", 190, 235, "09668d9df0f4c3de"},
                                {"redis/lock.py", 237, 245, "5b41732503dca210"},
                                {"redis/lock.py", 265, 276, "6bbdb05ed93946c5"},
                                {"redis/lock.py", 278, 285, "03cec58fbf86eb91"},
                                {"redis/client.py", 285, 292, "88bb2d71d5ad038a"},
                                {"redis/_defaults.py", 37, 37, "64b81168c4f7df8c"}},
                   .files = {{"redis/lock.py", "f8f16f2e3453bec4"},
                             {"redis/_defaults.py", "fbbe4a0f4e1754b0"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write},
                  every_fault_but({pause, slow_section, restart, server_clock_jump, failover, eviction})},
                 {{owner_only_release, owner_only_change, release_frees, recovery}, every_fault},
                 // By its digest, a script takes long: the lease may end, and a copy of SET begin another.
                 // So may a first SET that comes when the driver has asked again.
                 {{truthful_release}, every_fault_but({duplicate, late_request})}},
      .bugs = known_bugs(),
      .driver_retries = 10,
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "0s",
                      "option timeout; 0s: None, the key never expires"},
                     {"sleep", Parameter::Kind::duration, "100ms", "between two tries"},
                     {"blocking",
                      Parameter::Kind::choice,
                      "for-ever",
                      "for-ever: no blocking_timeout; until-timeout: with one; no: acquire() tries once",
                      {"for-ever", "until-timeout", "no"}},
                     {"blocking-timeout", Parameter::Kind::duration, "10s",
                      "with blocking=until-timeout: acquire() begins no sleep that would end later"},
                     {"scripts",
                      Parameter::Kind::choice,
                      "eval",
                      "registered, as upstream: EVALSHA, and SCRIPT LOAD where the server does not know it",
                      {"eval", "registered"}},
                     {"thread-local",
                      Parameter::Kind::choice,
                      "yes",
                      "no: threads that share the object share its token",
                      {"yes", "no"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<RedisPy>(params); },
      .is_stateless = true,
      .ignores_date = true,
      .waiting = {{"sleep", "1s"}},
  };
}

}  // namespace holdfast::algorithms
