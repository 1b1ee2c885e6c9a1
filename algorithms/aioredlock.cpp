// aioredlock: Redlock for asyncio; a watchdog sets the lock anew at 0.6 of its lease, also if it is gone.
#include <algorithm>
#include <map>
#include <vector>

#include "algorithms/claims.hpp"
#include "algorithms/quorum.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::algorithms {
namespace {

constexpr const char* set_lock =
    "local identifier = redis.call('get', KEYS[1])"
    " if not identifier or identifier == ARGV[1] then"
    " return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])"
    " else return redis.error_reply('ERROR') end";
constexpr const char* unset_lock =
    "local identifier = redis.call('get', KEYS[1])"
    " if not identifier then return redis.status_reply('OK')"
    " elseif identifier == ARGV[1] then return redis.call('del', KEYS[1])"
    " else return redis.error_reply('ERROR') end";

// What a try came to. LockRuntimeError: no answer; LockAcquiringError: an error reply, such as a refusal.
enum class Tried : std::uint8_t { done, too_late, runtime_error, acquiring_error };

Tried judged(const std::vector<Reply>& replies) {
  std::size_t done = 0;
  bool has_runtime_error = false;
  for (const Reply& reply : replies) {
    done += is_failure(reply) ? 0 : 1;
    has_runtime_error |= reply.is_lost();
  }
  if (is_majority(done, replies.size())) return Tried::done;
  return has_runtime_error ? Tried::runtime_error : Tried::acquiring_error;
}

struct Watchdog {
  Background task;
  bool is_asking = false;
};
struct Kept {
  std::map<std::string, Watchdog> watchdogs;  // by identifier
};

class Aioredlock final : public LockThatKeeps<Kept> {
 public:
  explicit Aioredlock(const Params& params)
      : ttl_(std::chrono::floor<std::chrono::milliseconds>(params.duration("ttl"))),
        tries_(params.choice("blocking") == "yes" ? params.count("retry-count") : 1),
        delay_min_(params.duration("retry-delay-min")),
        delay_max_(params.duration("retry-delay-max")),
        extends_(params.choice("auto-extend") == "yes") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const std::string id = env.random.token();
    const Tried tried = co_await set(env, key, id);
    if (tried == Tried::done) co_return granted(env, key, id);
    if (tried == Tried::runtime_error) co_return Attempt::failed("Can not set lock");
    if (tried == Tried::too_late) co_return Attempt::refused("Lock timeout");
    co_return Attempt::refused("Can not set lock");
  }

  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    // A watchdog that is cancelled while it asks cleans up by itself.
    const bool is_asking = kept().watchdogs[grant.token].is_asking;
    kept().watchdogs.erase(grant.token);
    if (is_asking) Background(unset(env, key, grant.token)).stop();
    const std::vector<Reply> replies = co_await env.ask_all(Command("EVAL", unset_lock, 1, key, grant.token));
    const Tried tried = judged(replies);
    if (tried == Tried::done) co_return Release::released;
    co_return tried == Tried::acquiring_error ? Release::not_held : Release::unknown;
  }

 private:
  // Tells what the last try came to. What failed is cleaned up beside: nobody waits for that.
  Task<Tried> set(Env& env, std::string key, std::string id) const {
    const Command command("EVAL", set_lock, 1, key, id, to_milliseconds(ttl_));
    Tried tried = Tried::acquiring_error;
    for (std::int64_t number = 0; number < tries_; ++number) {
      env.loop_head(Args(id, number));
      if (number > 0) {
        const Duration delay = delay_min_ + env.random.jitter(delay_max_ - delay_min_);
        co_await env.clock.sleep(delay);
      }
      const Stopwatch since_start(env.clock);
      const std::vector<Reply> replies = co_await env.ask_all(command);
      tried = judged(replies);
      if (tried != Tried::done) continue;
      if (ttl_ - since_start.elapsed() - drift_of(ttl_) > Duration::zero()) co_return Tried::done;
      tried = Tried::too_late;
    }
    Background(unset(env, key, id)).stop();
    co_return tried;
  }

  Task<> unset(Env& env, std::string key, std::string id) const {
    co_await env.ask_all(Command("EVAL", unset_lock, 1, key, id));
  }

  Attempt granted(Env& env, const std::string& key, const std::string& id) const {
    if (extends_) kept().watchdogs[id].task = Background(env, *this, &Aioredlock::auto_extend, key, id);
    Grant grant(id);
    grant.lease = ttl_;
    return Attempt(grant);
  }

  // extend() calls unlock() when it fails, which sets `valid` to False and cancels this very task: since
  // Python 3.8 it ends there, before anything is unset.
  Task<> auto_extend(Env& env, std::string key, std::string id) const {
    for (;;) {
      env.loop_head();
      co_await env.clock.sleep(ttl_ * 6 / 10);
      kept().watchdogs[id].is_asking = true;
      const Tried tried = co_await set(env, key, id);
      kept().watchdogs[id].is_asking = false;
      if (tried != Tried::done) break;
      env.renewed(id, ttl_);
    }
    env.lost(id);
  }

  Duration ttl_;
  std::int64_t tries_;
  Duration delay_min_;
  Duration delay_max_;
  bool extends_;
};

constexpr std::string_view lesson =
    "Redlock for Python's asyncio; by default on one server. A lock that is asked for without a timeout is "
    "renewed at six tenths of ten seconds, again and again. To renew is to set: the script that acquires "
    "accepts a key that holds its own identifier, and one that is missing. So a watchdog that comes too late "
    "does not find out that the lock had ended: if the key is free it takes the lock anew, and the holder "
    "goes on although others held it in between. Only when all three tries fail does it end: lock.valid "
    "becomes False, which few programs check, and keys that were not set are removed, so a renewal whose "
    "answers got lost deletes the key under a holder that works. The attribute says nothing of the server: "
    "without a watchdog it stays True for ever (issue 46 of the project). unlock() of what is gone succeeds. "
    "And it does not wait for what a cancelled watchdog has sent: a renewal that arrives after the unlock "
    "sets the key of a lock without a holder, and all wait for a lease.";

constexpr Protocol protocol{
    .acquire =
        "EVAL of GET and SET with PX, on all servers at once; a majority within the timeout, less drift, "
        "grants. Three tries, then EVAL of GET and DEL everywhere",
    .renew = "every 0.6 of the lease, the same EVAL",
    .release = "EVAL of GET and DEL everywhere; a key that is gone is as good",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a watchdog that comes too late takes the lock anew, though another held it meanwhile",
       .lesson = "a-watchdog-that-was-away-takes-the-lock-anew",
       .repair = "a-watchdog-that-renews-only-what-is-there-tells-that-it-was-away"},
      {.what = "a renewal without an answer cleans up, and so deletes the key of a lock that is held",
       .lesson = "a-renewal-whose-answer-got-lost-unlocks-under-the-holder",
       .repair = "a-watchdog-that-goes-on-outlives-a-lost-renewal"},
      {.what = "lock.valid stays True when the lock has ended on the server",
       .lesson = "a-lock-stays-valid-after-its-lease"},
      {.what = "unlock() of a lock that is gone succeeds",
       .instead = "truthful-release, in every comparison under a pause"},
      {.what = "a renewal that was cancelled may arrive after the unlock, and blocks for a lease",
       .instead = "recovery is within the bound, for the server frees it"},
      {.what = "a lock was not extended by itself",
       .tracker = "joanvila/aioredlock #51",
       .instead = "repaired upstream before the version that is here"},
  };
}

}  // namespace

Card aioredlock() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "aioredlock",
      .summary = "Redlock for asyncio, on one server unless told; its watchdog sets again what may be gone",
      .source = "joanvila/aioredlock 685d1b5 (0.7.3), aioredlock/algorithm.py, redis.py",
      .upstream =
          Upstream{.name = "aioredlock", .language = "Python",
                   .repository = "joanvila/aioredlock",
                   .commit = "685d1b5b08113738083ac8a449cc56b5ce10cee2",
                   .excerpts = {{"aioredlock/algorithm.py", 59, 205, "ac9bd73afc208ffd"},
                                {"aioredlock/redis.py", 36, 54, "b847df2dde59641d"},
                                {"aioredlock/redis.py", 183, 222, "351b57e0b87bc178"},
                                {"aioredlock/redis.py", 263, 298, "aff04aa975335b48"},
                                {"aioredlock/redis.py", 328, 359, "c401809ff58d6005"},
                                {"aioredlock/redis.py", 388, 419, "f84192ff397627f9"}},
                   .files = {{"aioredlock/algorithm.py", "5da76ecc1ca58408"},
                             {"aioredlock/redis.py", "2a1227013396e8ec"}}},
      .lesson = lesson,
      .protocol = protocol,
      // As long as no renewal is late or unheard, the key stands.
      .claims = {{{mutual_exclusion, no_stale_write, truthful_release},
                  {none, crash, slow_section, clock_skew, clock_jump}},
                 {{owner_only_release, owner_only_change, recovery}, every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::notified},
      .parameters =
          {{"ttl", Kind::duration, "10s", "internal_lock_timeout; with auto-extend=no: lock_timeout"},
           {"nodes", Kind::count, "1", "how many redis_connections; a majority holds the lock"},
           {"retry-count", Kind::count, "3", "how often lock() and the watchdog try in all"},
           {"retry-delay-min", Kind::duration, "100ms", "between two tries, at least"},
           {"retry-delay-max", Kind::duration, "300ms", "and at most"},
           {"auto-extend",
            Kind::choice,
            "yes",
            "yes: lock() without lock_timeout; no: with one",
            {"yes", "no"}},
           {"blocking", Kind::choice, "yes", "no: retry_count 1, for the watchdog, too", {"yes", "no"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<Aioredlock>(params);
      },
      .renews = true,
      .waiting = {{"retry-count", "2"}, {"retry-delay-min", "1s"}, {"retry-delay-max", "1s"}},
  };
}

}  // namespace holdfast::algorithms
