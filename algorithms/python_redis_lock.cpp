// python-redis-lock: SET NX EX with a token; waiters block in BLPOP on a list that every release fills.
#include <map>

#include "algorithms/claims.hpp"
#include "algorithms/evalsha.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

// KEYS: the lock and its signal list. ARGV: the token, and how many milliseconds a signal lasts. 1: not mine.
constexpr const char* unlock =
    "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 1 end"
    " redis.call('del', KEYS[2])"
    " redis.call('lpush', KEYS[2], 1)"
    " redis.call('pexpire', KEYS[2], ARGV[2])"
    " redis.call('del', KEYS[1])"
    " return 0";

// ARGV: the token and the new lease in seconds. 1: not mine; 2: it has no lease that could be extended.
constexpr const char* extend =
    "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 1 end"
    " if redis.call('ttl', KEYS[1]) < 0 then return 2 end"
    " redis.call('expire', KEYS[1], ARGV[2])"
    " return 0";

// Deletes the lock, no matter which client holds it. ARGV: how many milliseconds a signal lasts.
constexpr const char* reset =
    "redis.call('del', KEYS[2])"
    " redis.call('lpush', KEYS[2], 1)"
    " redis.call('pexpire', KEYS[2], ARGV[1])"
    " return redis.call('del', KEYS[1])";

std::string signal_of(const std::string& key) { return "lock-signal:" + key; }

// What the driver raises. REQUIRES: `reply` is lost or an error.
std::string driver_error(const Reply& reply) {
  return reply.is_lost() ? "Timeout reading from socket" : reply.text();
}

struct Kept {
  bool has_reset = false;
  std::map<std::string, Background> renewals;  // by token
};

class PythonRedisLock final : public LockThatKeeps<Kept> {
 public:
  explicit PythonRedisLock(const Params& params)
      : ttl_(params.duration("ttl")),
        timeout_(params.duration("timeout")),
        signal_ttl_(params.duration("signal-expire")),
        blocks_(params.choice("blocking") == "yes"),
        renews_(params.choice("auto-renewal") == "yes"),
        resets_(params.choice("reset") == "at-start"),
        registers_(params.choice("scripts") == "registered") {}

  // One object of the library for each acquisition, as `with Lock(…):` makes it, so one token.
  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    if (resets_ && !std::exchange(kept().has_reset, true)) {
      const Args signal_lasts(to_milliseconds(signal_ttl_));
      const Reply done = co_await execute(env, reset, Keys(key, signal_of(key)), signal_lasts);
      if (is_failure(done)) co_return Attempt::failed(driver_error(done));
    }
    const std::string token = env.random.token();
    const Reply owner = co_await Redis(env.store()).get(key);
    if (is_failure(owner)) co_return Attempt::failed(driver_error(owner));
    if (owner.text() == token) co_return Attempt::failed("Already acquired from this Lock instance.");
    bool timed_out = false;
    for (;;) {
      env.loop_head(Args(token, timed_out ? 1 : 0));
      SetOptions options;
      if (ttl_ != Duration::zero()) options.ex(ttl_);
      options.nx();
      const Reply reply = co_await Redis(env.store()).set(key, token, options);
      if (is_failure(reply)) co_return Attempt::failed(driver_error(reply));
      if (!reply.is_nil()) break;
      if (timed_out || !blocks_) co_return Attempt::refused("Failed to acquire Lock('" + key + "').");
      RedisConnection connection(env.store());
      const Reply signal = co_await connection.blpop(signal_of(key), longest_wait());
      if (is_failure(signal)) co_return Attempt::failed(driver_error(signal));
      timed_out = signal.is_nil() && timeout_ != Duration::zero();
    }
    if (renews_) kept().renewals[token] = Background(env, *this, &PythonRedisLock::renew, key, token);
    Grant grant(token);
    if (ttl_ != Duration::zero()) grant.lease = std::chrono::floor<std::chrono::seconds>(ttl_);
    co_return Attempt(grant);
  }

  // Upstream waits for a renewal that is on its way; as that compares, it makes no difference.
  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    kept().renewals.erase(grant.token);
    const Args args(grant.token, to_milliseconds(signal_ttl_));
    const Reply error = co_await execute(env, unlock, Keys(key, signal_of(key)), args);
    if (error.is(0)) co_return Release::released;
    co_return error.is(1) ? Release::not_held : Release::unknown;
  }

 private:
  Task<Reply> execute(Env& env, std::string script, Keys keys, Args args,
                      Where where = Where::current()) const {
    if (registers_) {
      const Reply reply = co_await evalsha_or_load(env, script, keys, args, where);
      co_return reply;
    }
    const Reply whole = co_await Redis(env.store()).eval(script, keys, args, where);
    co_return whole;
  }

  // For one BLPOP; zero: for ever.
  Duration longest_wait() const { return timeout_ != Duration::zero() ? timeout_ : ttl_; }

  // Whatever goes wrong raises in the thread that renews: it ends, and nobody is told.
  Task<> renew(Env& env, std::string key, std::string token) const {
    for (;;) {
      env.loop_head();
      co_await env.clock.sleep(std::chrono::seconds(to_seconds(ttl_)) * 2 / 3);
      const Args args(token, to_seconds(ttl_));
      const Reply error = co_await execute(env, extend, Keys(key, signal_of(key)), args);
      if (!error.is(0)) co_return;
      env.renewed(token, ttl_);
    }
  }

  Duration ttl_;
  Duration timeout_;
  Duration signal_ttl_;
  bool blocks_;
  bool renews_;
  bool resets_;  // the first acquire() does
  bool registers_;
};

constexpr std::string_view lesson =
    "No client polls: a refused client blocks in BLPOP on the list lock-signal:NAME, and the script that "
    "releases puts one element there, which wakes one waiter. The element is a hint, not the lock: the "
    "waiter still has to win SET NX against a client that comes just then, and hints get lost. They end "
    "after a second, because unread ones once piled up (issues 14 and 15 of the project); so a waiter that "
    "needs longer from its refusal to its BLPOP finds nothing and blocks although the lock is free. And a "
    "waiter that dies with the hint wakes no other waiter. With an expire or a timeout BLPOP returns after "
    "that time and the waiter looks again. By default there is neither: then it blocks for ever, and the key "
    "of a holder that died has no TTL. The thread that renews (auto_renewal, every two thirds of expire) "
    "ends with its first error, without a word to the holder. reset() deletes the lock no matter which "
    "client holds it.";

constexpr Protocol protocol{
    .acquire =
        "SET key with a token and NX, and EX if an expire was given; if refused, BLPOP of the signal list, "
        "then SET again",
    .renew = "every two thirds of the expire, EVAL with GET, TTL and EXPIRE",
    .release =
        "EVAL: GET compares; DEL of the signal, LPUSH, PEXPIRE, and DEL of the key. reset() does the same "
        "without GET",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a waiter that stops between SET and BLPOP sleeps for ever: the signal has ended",
       .tracker = "ionelmc/python-redis-lock #71, #58",
       .lesson = "a-waiter-that-stops-before-its-blpop-sleeps-for-ever",
       .repair = "with-an-expire-a-lost-signal-costs-a-lease"},
      {.what = "an answer to BLPOP that is lost takes the signal with it, and the others sleep on",
       .lesson = "an-answer-to-blpop-that-gets-lost-takes-the-signal-with-it",
       .repair = "with-an-expire-a-lost-signal-costs-a-lease"},
      {.what = "reset() deletes the lock no matter which client holds it",
       .lesson = "a-reset-at-the-start-deletes-a-lock-that-is-held"},
      {.what = "signals were left behind without an end",
       .tracker = "ionelmc/python-redis-lock #14, #15",
       .instead = "repaired upstream before the version that is here"},
  };
}

}  // namespace

namespace {

Upstream upstream() {
  return Upstream{.name = "python-redis-lock", .language = "Python",
           .also = {"redis_lock"},
           .repository = "ionelmc/python-redis-lock",
           .commit = "e448f12f49aa4a07885fe8cd02eae19a7e75fa51",
           .excerpts = {{"src/redis_lock/__init__.py", 17, 27, "a16ab0bf4b7ac630"},
                        {"src/redis_lock/__init__.py", 30, 39, "310bc9de5a56edb1"},
                        {"src/redis_lock/__init__.py", 41, 46, "8620b4b46f5adfa0"},
                        {"src/redis_lock/__init__.py", 104, 166, "9f2c8b4a82394a84"},
                        {"src/redis_lock/__init__.py", 198, 238, "782727566f389509"},
                        {"src/redis_lock/__init__.py", 266, 279, "34de51d68dcdedc0"},
                        {"src/redis_lock/__init__.py", 281, 303, "a2afd9b137b87cc5"},
                        {"src/redis_lock/__init__.py", 330, 347, "2cd51ed4eb6354bd"}},
           .files = {{"src/redis_lock/__init__.py", "b1868d4620ee05b0"}}};
}

}  // namespace

Card python_redis_lock() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "python-redis-lock",
      .summary = "SET NX EX with a token; waiters block in BLPOP until a release signals",
      .source = "ionelmc/python-redis-lock e448f12, src/redis_lock/__init__.py",
      .upstream =
          upstream(),
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write},
                  every_fault_but({pause, slow_section, restart, server_clock_jump, failover, eviction})},
                 {{owner_only_release, owner_only_change, recovery}, every_fault},
                 // A SET that is sent again, or doubled, may come when the lease is over: a release by
                 // digest takes two trips where the server does not know it.
                 {{truthful_release}, every_fault_but({late_request, duplicate})}},
      .bugs = known_bugs(),
      .driver_retries = 10,
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Kind::duration, "0s",
                      "option expire, in whole seconds; 0s: None, the key never expires"},
                     {"blocking",
                      Kind::choice,
                      "yes",
                      "yes: a client that is refused waits in BLPOP; no: acquire() tries once",
                      {"yes", "no"}},
                     {"timeout", Kind::duration, "0s",
                      "how long one BLPOP waits, and then acquire() tries a last time; 0s: None, each waits "
                      "for ttl, and without one for ever"},
                     {"auto-renewal",
                      Kind::choice,
                      "no",
                      "yes: a task beside the work extends the lease every two thirds of it",
                      {"no", "yes"}},
                     {"signal-expire", Kind::duration, "1s", "how long a signal waits for a waiter"},
                     {"reset",
                      Kind::choice,
                      "no",
                      "at-start: a process that starts first calls reset(), for locks that a crash left",
                      {"no", "at-start"}},
                     {"scripts",
                      Kind::choice,
                      "eval",
                      "eval: whole, one request each, as where the server knows them; registered, as "
                      "upstream: EVALSHA, and SCRIPT LOAD where the server does not know it",
                      {"eval", "registered"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<PythonRedisLock>(params);
      },
  };
}

}  // namespace holdfast::algorithms
