// redbeat: a scheduler takes redis-py's lock when it starts, extends it at every tick, and ends if it cannot.
#include <map>

#include "algorithms/claims.hpp"
#include "algorithms/evalsha.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

// In place of redis-py's script of that name, which adds to what is left. ARGV: the token, milliseconds, and
// redis-py's replace_ttl, which this script does not read.
constexpr const char* extend_to =
    "local token = redis.call('get', KEYS[1])"
    " if not token or token ~= ARGV[1] then return 0 end"
    " local expiration = redis.call('pttl', KEYS[1])"
    " if not expiration then expiration = 0 end"
    " if expiration < 0 then return 0 end"
    " redis.call('pexpire', KEYS[1], ARGV[2])"
    " return 1";

// redis-py's.
constexpr const char* release_script =
    "local token = redis.call('get', KEYS[1])"
    " if not token or token ~= ARGV[1] then return 0 end"
    " redis.call('del', KEYS[1]) return 1";

// What the driver raises. REQUIRES: `reply` is lost or an error.
std::string driver_error(const Reply& reply) {
  return reply.is_lost() ? "Timeout reading from socket" : reply.text();
}

struct Kept {
  std::map<std::string, Background> ticks;  // by token
};

class Redbeat final : public LockThatKeeps<Kept> {
 public:
  explicit Redbeat(const Params& params)
      : ttl_(params.duration("ttl")),
        max_interval_(params.duration("max-interval")),
        blocks_(params.choice("blocking") == "yes"),
        compares_(params.choice("extend") == "by-token"),
        ignores_errors_(params.choice("on-error") == "ignored"),
        registers_(params.choice("scripts") == "registered") {
    // lock_timeout is max_interval * 5 where it is not given.
    if (max_interval_ == Duration::zero()) max_interval_ = ttl_ / 5;
  }

  // The handler of beat_init, and the first tick: nothing is scheduled before that.
  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const std::string token = env.random.token();
    for (;;) {
      env.loop_head(Args(token));
      const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().px(ttl_).nx());
      // Celery squashes what the handler raises, so there is no lock. Since 2.1.0 the first tick misses it.
      if (is_failure(reply)) co_return without_lock(token, driver_error(reply));
      if (!reply.is_nil()) break;
      if (!blocks_) co_return Attempt::refused("another beat holds the lock");
      co_await env.clock.sleep(max_interval_);
    }
    const Reply extended = co_await extend(env, key, token);
    if (is_failure(extended) || is_lost(extended)) {
      // The tick raises, and Service.start() closes the scheduler.
      const std::string why = is_failure(extended)
                                  ? driver_error(extended)
                                  : std::string("Cannot extend a lock that's no longer owned");
      co_await close(env, key, token);
      co_return Attempt::failed(why);
    }
    kept().ticks[token] = Background(env, *this, &Redbeat::tick, key, token);
    Grant grant(token);
    grant.lease = new_lease();
    co_return Attempt(grant);
  }

  // close(): says nothing of a lock that is gone.
  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    if (kept().ticks.erase(grant.token) == 0) co_return Release::released;
    const Release closed = co_await close(env, key, grant.token);
    co_return closed;
  }

 private:
  Attempt without_lock(const std::string& token, std::string why) const {
    if (!ignores_errors_) return Attempt::failed(std::move(why));
    // Nobody extends it, and nobody will release it.
    Grant grant(token);
    grant.lease = ttl_;
    return Attempt(grant);
  }

  // extend(int(lock_timeout)) and pexpire(…, int(lock_timeout * 1000)).
  Duration new_lease() const {
    return compares_ ? Duration(std::chrono::seconds(to_seconds(ttl_)))
                     : Duration(std::chrono::milliseconds(to_milliseconds(ttl_)));
  }
  // PEXPIRE says 0 of a key that is gone, which nobody reads.
  bool is_lost(const Reply& extended) const { return compares_ && !extended.is(1); }

  Task<Reply> extend(Env& env, std::string key, std::string token) const {
    if (!compares_) {
      const Reply reply = co_await Redis(env.store()).pexpire(key, ttl_);
      co_return reply;
    }
    const Args args(token, to_milliseconds(new_lease()), 0);
    const Reply reply = co_await execute(env, extend_to, Keys(key), args);
    co_return reply;
  }

  // Whatever a tick raises ends the process: its scheduler stops.
  Task<> tick(Env& env, std::string key, std::string token) const {
    for (;;) {
      env.loop_head();
      co_await env.clock.sleep(max_interval_);
      const Reply extended = co_await extend(env, key, token);
      if (is_failure(extended) || is_lost(extended)) break;
      env.renewed(token, new_lease());
    }
    env.lost(token);
  }

  Task<Release> close(Env& env, std::string key, std::string token) const {
    const Reply owner = co_await Redis(env.store()).get(key);
    if (is_failure(owner)) co_return Release::unknown;
    if (owner.text() != token) co_return Release::released;
    const Reply deleted = co_await execute(env, release_script, Keys(key), Args(token));
    co_return release_by(deleted);
  }

  Task<Reply> execute(Env& env, std::string script, Keys keys, Args args,
                      Where where = Where::current()) const {
    if (registers_) {
      const Reply reply = co_await evalsha_or_load(env, script, keys, args, where);
      co_return reply;
    }
    const Reply reply = co_await Redis(env.store()).eval(script, keys, args, where);
    co_return reply;
  }

  Duration ttl_;
  Duration max_interval_;
  bool blocks_;
  bool compares_;
  bool ignores_errors_;
  bool registers_;
};

constexpr std::string_view lesson =
    "Of several schedulers of periodic tasks one may run; the others wait, polling, until it is gone. The "
    "lock is redis-py's, with a TTL of five times the longest interval between two ticks, and each tick "
    "begins with a script that compares the token and begins the TTL anew. A scheduler whose extension fails "
    "raises and ends, so it is told of the loss, but only at its next tick: until then it schedules beside "
    "its successor. Two defects of its history are parameters. Once a tick sent a bare PEXPIRE: a scheduler "
    "that came back after its lease renewed the lock of the next, for ever, and both ran (issue 127 of the "
    "project). And what the handler raises that acquires the lock is squashed by Celery: a lost answer was "
    "taken for success, and a second scheduler ran without any lock (208, 238); since 2.1.0 the first tick "
    "fails then. A user that sets the interval to no less than the TTL loses the lock between two ticks "
    "(129).";

constexpr Protocol protocol{
    .acquire =
        "SET key with a token, NX and PX; if refused, again every max_interval; then the first tick extends. "
        "With extend=pexpire, PEXPIRE",
    .renew = "every tick, EVAL of GET, PTTL and PEXPIRE: prolongs if the token is there",
    .release = "GET; if it is the own token, EVAL of GET and DEL",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a tick extended the lock with PEXPIRE, no matter which scheduler held it",
       .tracker = "sibson/redbeat #127, pull request 128",
       .lesson = "a-scheduler-that-was-away-renews-the-lock-of-its-successor",
       .repair = "a-scheduler-that-compares-ends-at-its-next-tick"},
      {.what = "an error while the lock was acquired was taken for success",
       .tracker = "sibson/redbeat #208, #238",
       .lesson = "a-scheduler-whose-answer-got-lost-runs-without-the-lock",
       .repair = "a-scheduler-whose-answer-got-lost-ends-at-its-first-tick"},
      {.what = "with an interval as long as the TTL, the lock ends between two ticks",
       .tracker = "sibson/redbeat #129, #230",
       .lesson = "a-scheduler-that-ticks-too-seldom-loses-its-lock",
       .repair = "a-scheduler-that-ticks-five-times-a-lease-keeps-its-lock"},
      {.what = "closing a scheduler whose lock was gone raised",
       .tracker = "sibson/redbeat #129, pull request 225",
       .instead = "repaired upstream before the version that is here"},
  };
}

}  // namespace

namespace {

Upstream upstream() {
  return Upstream{.name = "celery-redbeat", .language = "Python",
           .also = {"celery-redbeat"},
           .repository = "sibson/redbeat",
           .commit = "a7fd9e9a7b7aaa6f07a62a952ce4a02924e273a8",
           .excerpts = {{"redbeat/schedulers.py", 40, 55, "c080e0ed1e1469b5"},
                        {"redbeat/schedulers.py", 626, 648, "3171b30c94c44d2f"},
                        {"redbeat/schedulers.py", 670, 694, "1cbc617784b894ca"}},
           .files = {{"redbeat/schedulers.py", "083456492b1ab002"}},
           .below = {{.repository = "redis/redis-py",
                      .commit = "34817ce2a2accc893a81180fe737e0c4f5ac6b0c",
                      .excerpts = {{"redis/lock.py", 30, 37, "0f69f44fccf52ba4"},
                                   {"redis/lock.py", 237, 245, "5b41732503dca210"}}}}};
}

}  // namespace

Card redbeat() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "redbeat",
      .summary =
          "redis-py's lock around a scheduler, extended at every tick; an extension that fails ends it",
      .source =
          "sibson/redbeat a7fd9e9 (2.4.3), redbeat/schedulers.py; redis/redis-py 34817ce, redis/lock.py",
      .upstream =
          upstream(),
      .lesson = lesson,
      .protocol = protocol,
      // What keeps a tick from the server makes it raise only when the driver has waited in vain, and the
      // lease may have ended by then. Nobody else may extend.
      .claims = {{{mutual_exclusion, no_stale_write},
                  every_fault_but({pause, late_request, late_reply, lost_request, lost_reply, partition,
                                   restart, server_clock_jump, failover, eviction})},
                 {{owner_only_release, owner_only_change, recovery}, every_fault}},
      .bugs = known_bugs(),
      .driver = "redis-py 8.0.0 with a client from a URL, as redbeat makes it: it raises ConnectionError at "
                "once (run)",
      .belief = Belief::notified,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply,
                  Belief::notified},
      .parameters = {{"ttl", Kind::duration, "25m",
                      "redbeat_lock_timeout: how long the key lives; extensions are in whole seconds"},
                     {"max-interval", Kind::duration, "0s",
                      "beat_max_loop_interval: between two ticks, and between two tries; 0s: a fifth of ttl"},
                     {"blocking",
                      Kind::choice,
                      "yes",
                      "yes: it waits for ever; no: it tries once, which upstream cannot",
                      {"yes", "no"}},
                     {"scripts",
                      Kind::choice,
                      "eval",
                      "registered, as upstream: EVALSHA, and SCRIPT LOAD where the server does not know it",
                      {"eval", "registered"}},
                     {"extend",
                      Kind::choice,
                      "by-token",
                      "pexpire: before 1.0.0, a PEXPIRE that asks for no token",
                      {"by-token", "pexpire"}},
                     {"on-error",
                      Kind::choice,
                      "ends",
                      "ends: the first tick misses the lock; ignored: before 2.1.0, it goes on without one",
                      {"ends", "ignored"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<Redbeat>(params); },
      .renews = true,
      .waiting = {{"max-interval", "1s"}},
  };
}

}  // namespace holdfast::algorithms
