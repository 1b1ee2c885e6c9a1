// redlock-rb: Redlock in Ruby, one server after the other; its script also takes what holds the own value.
#include <utility>

#include "algorithms/claims.hpp"
#include "algorithms/quorum.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"
#include "sim/core/sha1.hpp"

namespace holdfast::algorithms {
namespace {

// ARGV: the value, the TTL, and whether a key that is missing may be made.
constexpr const char* lock_or_extend =
    "if (redis.call('exists', KEYS[1]) == 0 and ARGV[3] == 'yes') or redis.call('get', KEYS[1]) == ARGV[1]"
    " then return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) end";
constexpr const char* unlock =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
constexpr const char* remaining = "return { redis.call('get', KEYS[1]), redis.call('pttl', KEYS[1]) }";

// What a holder says who calls lock() again.
enum class Again : std::uint8_t { nothing, extend, extend_if_locked };

Again again_of(const Params& params) {
  const std::string_view choice = params.choice("again");
  if (choice == "lock") return Again::nothing;
  return choice == "extend" ? Again::extend : Again::extend_if_locked;
}

class RedlockRb final : public Lock {
 public:
  explicit RedlockRb(const Params& params)
      : ttl_(params.duration("ttl")),
        retries_(params.choice("blocking") == "yes" ? params.count("retry-count") : 0),
        retry_delay_(params.duration("retry-delay")),
        retry_jitter_(params.duration("retry-jitter")),
        redis_timeout_(params.duration("redis-timeout")),
        again_(again_of(params)),
        by_digest_(params.choice("scripts") == "evalsha") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const bool extends = !held_.empty() && again_ != Again::nothing;
    const std::int64_t tries = extends ? 1 : retries_ + 1;
    bool has_error = false;
    for (std::int64_t tried = 0; tried < tries; ++tried) {
      env.loop_head(Args(held_, tried, has_error ? 1 : 0));
      if (tried > 0) {
        // rand(retry_jitter): whole milliseconds, less than that.
        const Duration most = retry_jitter_ > 1ms ? retry_jitter_ - 1ms : Duration::zero();
        const Duration wait = retry_delay_ + env.random.jitter(most);
        co_await env.clock.sleep(wait);
      }
      const std::string value = extends ? held_ : env.random.token();
      const std::int64_t so_far = tried * 2 + static_cast<std::int64_t>(has_error);
      Attempt asked = co_await lock_instances(env, key, value, extends, so_far);
      if (asked.is_granted()) {
        held_ = value;
        co_return std::move(asked);
      }
      has_error |= asked.kind() == Attempt::Kind::failed;
    }
    // What is extended returns false, or raises, and has been unlocked everywhere.
    if (extends) env.lost(held_);
    // A refusal does not forget the error of an earlier try.
    if (has_error) co_return Attempt::failed("Too many Redis errors prevented lock acquisition");
    co_return Attempt::refused("lock: false");
  }

  // "Nothing to do, unlocking is just a best-effort attempt": the caller never learns how it ended.
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    held_.clear();
    co_await unlock_instances(env, key, grant.token, 0);
    co_return Release::released;
  }

 private:
  // `so_far`: what acquire() remembers of the tries before.
  Task<Attempt> lock_instances(Env& env, std::string key, std::string value, bool extends,
                               std::int64_t so_far) {
    const bool makes_keys = !extends || again_ == Again::extend;
    const Args args(value, to_milliseconds(ttl_), makes_keys ? "yes" : "no");
    const Stopwatch since_start(env.clock);
    Duration last_sent{};
    std::size_t locked = 0;
    std::size_t errors = 0;
    for (std::size_t node = 0; node < env.stores.size(); ++node) {
      env.loop_head(Args(value, node, locked, errors, so_far));
      last_sent = since_start.elapsed();
      const Reply reply = co_await execute(env, node, lock_or_extend, Keys(key), args, Where::current());
      locked += reply.is_ok() ? 1 : 0;
      errors += is_failure(reply) ? 1 : 0;
    }
    const Duration whole = std::chrono::floor<std::chrono::milliseconds>(ttl_);
    const Duration drift = std::chrono::floor<std::chrono::milliseconds>(whole / 100) + 2ms;
    if (is_majority(locked, env.stores.size()) && whole - since_start.elapsed() - drift >= Duration::zero()) {
      // :validity counts from now; a client that counts from the last request has more of it.
      Grant grant(value);
      grant.lease = whole - drift - last_sent;
      if (extends) env.renewed(value, *grant.lease);
      co_return Attempt(grant);
    }
    const bool has_failed = is_majority(errors, env.stores.size());
    const std::int64_t remembered = so_far * 2 + static_cast<std::int64_t>(has_failed);
    co_await unlock_instances(env, key, value, remembered);
    if (has_failed) co_return Attempt::failed("too many Redis errors");
    co_return Attempt::refused("no quorum in time");
  }

  // Where there is no answer, or an error, it goes on with the next.
  Task<> unlock_instances(Env& env, std::string key, std::string value, std::int64_t so_far) {
    for (std::size_t node = 0; node < env.stores.size(); ++node) {
      env.loop_head(Args(value, node, so_far));
      co_await execute(env, node, unlock, Keys(key), Args(value), Where::current());
    }
  }

  // A server that does not know the script is given all three, once.
  Task<Reply> execute(Env& env, std::size_t node, std::string script, Keys keys, Args args, Where where) {
    Store& store = *env.stores[node];
    if (!by_digest_) {
      const Reply reply = co_await Redis(store).eval(script, keys, args, where).within(redis_timeout_);
      co_return reply;
    }
    const std::string digest = sha1_hex(script);
    const Reply reply = co_await Redis(store).evalsha(digest, keys, args, where).within(redis_timeout_);
    if (!reply.is_error() || reply.text().find("NOSCRIPT") == std::string::npos) co_return reply;
    for (const char* text : {unlock, lock_or_extend, remaining}) {
      const Reply loaded = co_await store.send(Command("SCRIPT", "LOAD", text)).within(redis_timeout_);
      if (is_failure(loaded)) co_return loaded;
    }
    const Reply again = co_await Redis(store).evalsha(digest, keys, args, where).within(redis_timeout_);
    co_return again;
  }

  Duration ttl_;
  std::int64_t retries_;
  Duration retry_delay_;
  Duration retry_jitter_;
  Duration redis_timeout_;
  Again again_;
  bool by_digest_;
  std::string held_;  // the value of what is held
};

constexpr std::string_view lesson =
    "Redlock for Ruby: one server after the other, a new value for each of up to four tries, 200 to 249 ms "
    "between them, and what a failed try may have left is unlocked everywhere. lock() returns how long the "
    "lock is valid, and the block that most callers give it never looks: a validity of zero is granted, too. "
    "The script grants a key that is free, or that holds the own value: so lock() with extend: begins the "
    "lease anew. But if the lease has ended and the key is free, it grants as well, and the caller is told "
    "what he hoped to hear, although others may have held the lock in between (issue 36 of the project); "
    "extend_only_if_locked refuses that, and is not the default. An extension that fails has unlocked "
    "everywhere: a caller that ignores its result works on without a lock that could have lasted. unlock() "
    "rescues every error and returns the list of servers, so nobody learns whether it was late, or whether "
    "anybody was there.";

constexpr Protocol protocol{
    .acquire =
        "EVAL of EXISTS, GET and SET with PX, on one server after the other; a majority within the TTL, less "
        "drift, grants. Else EVAL of GET and DEL everywhere; four tries",
    .renew = "lock() with extend: the same EVAL with the own value, once",
    .release = "EVAL of GET and DEL everywhere: deletes where the value is there; the caller is told nothing",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "extending a lock that has ended acquires it anew, though another held it meanwhile",
       .tracker = "leandromoreira/redlock-rb #36",
       .lesson = "an-extension-revives-a-lock-that-another-held-meanwhile",
       .repair = "an-extension-only-if-locked-tells-that-the-lock-was-lost"},
      {.what = "a timeout raised out of lock(), and what the server had set stayed",
       .tracker = "leandromoreira/redlock-rb #76",
       .instead = "repaired upstream before the version that is here: it unlocks everywhere"},
      {.what = "an extension took the TTL for seconds",
       .tracker = "leandromoreira/redlock-rb #44",
       .instead = "repaired upstream before the version that is here"},
      {.what = "unlock() tells nobody that the lock had ended",
       .instead = "truthful-release under a pause or slow work, in every comparison"},
  };
}

}  // namespace

Card redlock_rb() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "redlock-rb",
      .summary = "Redlock in Ruby, one server after the other; to extend what has ended acquires it anew",
      .source = "leandromoreira/redlock-rb f176e57 (2.0.6), lib/redlock/client.rb, scripts.rb",
      .upstream =
          Upstream{.name = "redlock of Ruby", .language = "Ruby",
                   .also = {"redlock-rb", "Redlock::Client"},
                   .repository = "leandromoreira/redlock-rb",
                   .commit = "f176e5748a41e8b35a9a986fb6cc8eeae203a64f",
                   .excerpts = {{"lib/redlock/scripts.rb", 5, 11, "bdd0b337e90b9a34"},
                                {"lib/redlock/scripts.rb", 16, 20, "d4de0bf361012e8b"},
                                {"lib/redlock/client.rb", 78, 106, "ba34c3e0541571e1"},
                                {"lib/redlock/client.rb", 203, 219, "20a5ea574ec6f867"},
                                {"lib/redlock/client.rb", 233, 328, "141e1d4e6cad741b"},
                                {"lib/redlock/client.rb", 361, 371, "76477096af8bd986"}},
                   .files = {{"lib/redlock/scripts.rb", "10dd61861932d756"},
                             {"lib/redlock/client.rb", "4ee6916a6721f389"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, owner_only_change, recovery},
                  {none}}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::notified},
      .parameters = {{"ttl", Kind::duration, "2s", "how long the keys live; upstream has no default"},
                     {"nodes", Kind::count, "3", "how many servers; a majority holds the lock"},
                     {"retry-count", Kind::count, "3", "how often it tries again"},
                     {"retry-delay", Kind::duration, "200ms", "before it does"},
                     {"retry-jitter", Kind::duration, "50ms", "and less than so much more, by chance"},
                     {"redis-timeout", Kind::duration, "0s",
                      "how long one server may take to answer; 0s: as long as the driver waits. Upstream's "
                      "own 100ms means that delays are short beside a lease"},
                     {"again",
                      Kind::choice,
                      "lock",
                      "what a holder says that calls lock() again. lock: nothing; extend: extend: its lock; "
                      "extend-if-locked: extend_only_if_locked, too",
                      {"lock", "extend", "extend-if-locked"}},
                     {"scripts",
                      Kind::choice,
                      "eval",
                      "evalsha, as upstream: by their digests, loaded where the server does not know them",
                      {"eval", "evalsha"}},
                     {"blocking", Kind::choice, "yes", "no: lock() with retry_count: 0", {"yes", "no"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<RedlockRb>(params);
      },
      .is_stateless = true,
      .waiting = {{"retry-count", "2"}, {"retry-delay", "1s"}, {"retry-jitter", "0s"}},
  };
}

}  // namespace holdfast::algorithms
