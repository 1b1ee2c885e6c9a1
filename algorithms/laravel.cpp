// laravel: Cache::lock() of the PHP framework: SET EX NX, or SETNX without a TTL; a script releases.
#include "algorithms/claims.hpp"
#include "algorithms/phpredis.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

constexpr const char* laravel_release =
    "if redis.call(\"get\",KEYS[1]) == ARGV[1] then"
    " return redis.call(\"del\",KEYS[1])"
    " else return 0 end";

class Laravel final : public Lock {
 public:
  explicit Laravel(const Params& params)
      : ttl_(params.duration("ttl")),
        timeout_(params.duration("timeout")),
        sleep_(params.duration("sleep")),
        sets_at_once_(params.choice("version") == "now"),
        has_owner_(params.choice("version") != "5.7"),
        has_serializer_(params.choice("serializer") != "none"),
        packs_the_owner_(params.choice("serializer") == "packed") {}

  // One object of the framework for each acquisition, as Cache::lock(…) makes it, so one owner.
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string owner = has_owner_ ? env.random.token() : "1";
    if (timeout_ == Duration::zero()) {
      const Reply reply = co_await ask(env, key, owner);
      if (phpredis_throws(reply)) co_return Attempt::failed(phpredis_exception(reply));
      if (is_taken(reply)) co_return granted(owner);
      co_return not_taken(reply, "get(): false");
    }
    const WallTime starting = env.clock.wall();
    for (;;) {
      env.loop_head(Args(owner, starting.time_since_epoch().count()));
      const Reply reply = co_await ask(env, key, owner);
      if (phpredis_throws(reply)) co_return Attempt::failed(phpredis_exception(reply));
      if (is_taken(reply)) co_return granted(owner);
      if (env.clock.wall() + sleep_ - timeout_ >= starting)
        co_return not_taken(reply, "LockTimeoutException");
      co_await env.clock.sleep(sleep_);
    }
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    if (!has_owner_) {
      const Reply deleted = co_await Redis(env.store()).del(key);
      co_return phpredis_throws(deleted) ? Release::unknown : Release::released;
    }
    const std::string owner = packs_the_owner_ ? stored(grant.token) : grant.token;
    const Reply released = co_await Redis(env.store()).eval(laravel_release, Keys(key), Args(owner));
    if (phpredis_throws(released)) co_return Release::unknown;
    co_return released.is(1) ? Release::released : Release::not_held;
  }

 private:
  // What set() and setnx() of phpredis write; eval() sends its arguments as they are. The text is that of
  // PHP's serialize().
  std::string stored(const std::string& owner) const {
    return has_serializer_ ? "s:" + std::to_string(owner.size()) + ":\"" + owner + "\";" : owner;
  }
  static bool is_taken(const Reply& reply) { return reply.is_ok() || reply.is(1); }
  // The caller is told the same of an error as of a refusal.
  static Attempt not_taken(const Reply& reply, Attempt::Literal why) {
    return reply.is_error() ? Attempt::failed(why) : Attempt::refused(why);
  }

  Task<Reply> ask(Env& env, std::string key, std::string owner) {
    const std::string value = stored(owner);
    if (ttl_ > Duration::zero() && sets_at_once_) {
      const Reply reply = co_await Redis(env.store()).set(key, value, SetOptions().ex(ttl_).nx());
      co_return reply;
    }
    const Reply reply = co_await Redis(env.store()).setnx(key, value);
    if (ttl_ == Duration::zero() || !reply.is(1)) co_return reply;
    // Nobody looks whether there was still a key.
    const Reply expires = co_await Redis(env.store()).expire(key, ttl_);
    co_return phpredis_throws(expires) ? expires : reply;
  }

  Attempt granted(const std::string& owner) const {
    Grant grant(owner);
    if (ttl_ != Duration::zero()) grant.lease = std::chrono::floor<std::chrono::seconds>(ttl_);
    return Attempt(grant);
  }

  Duration ttl_;
  Duration timeout_;
  Duration sleep_;
  bool sets_at_once_;
  bool has_owner_;
  bool has_serializer_;
  bool packs_the_owner_;
};

constexpr std::string_view lesson =
    "The lock of most PHP programs with Redis: that of token, with seconds for a unit. Everything depends "
    "on the number that the caller gives: Cache::lock(name, 10) lasts ten seconds, Cache::lock(name) has no "
    "TTL at all, and a worker that is killed then blocks all others for ever. get() tries once; block() "
    "tries again every 250 ms, gives up one pause before its time is over, and counts that time by the wall "
    "clock. The owner is drawn for each lock object; a job on a queue that shall release what a request has "
    "taken is told it, and restores the lock with it. The way here took three steps, each after reports: "
    "version 5.7 wrote the number 1 and released with a plain DEL, so a job that took too long deleted the "
    "lock of the next; 5.8 compared the owner in a script, but still sent SETNX and EXPIRE as two commands; "
    "since 6.12 it is one SET. An error of the server that begins with ERR, WRONGTYPE or NOSCRIPT reaches "
    "the caller as false, as if the lock was taken.";

constexpr Protocol protocol{
    .acquire =
        "SET key with an owner, EX and NX; without seconds SETNX. Until 6.11 SETNX, then EXPIRE. block(): "
        "again every 250 ms",
    .release = "EVAL of GET and DEL: deletes if the owner is there. Until 5.7 DEL",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a job that took longer than its lease deletes the lock of the next",
       .tracker = "laravel/framework #26213, #20709, pull request 26645",
       .lesson = "laravel-until-5-7-deletes-the-lock-of-the-next-job",
       .repair = "laravel-deletes-only-what-its-owner-wrote"},
      {.what = "SETNX and EXPIRE were two commands, and a client that died between them blocked for ever",
       .tracker = "laravel/framework #31166, pull requests 29076, 31168",
       .lesson = "a-laravel-worker-that-dies-before-expire-blocks-for-ever",
       .repair = "one-set-leaves-no-laravel-lock-without-an-end"},
      {.what = "without seconds, the default, a worker that is killed blocks for ever",
       .lesson = "without-seconds-a-killed-laravel-worker-blocks-for-ever",
       .repair = "one-set-leaves-no-laravel-lock-without-an-end"},
      {.what = "with a serializer of phpredis the key has another text than the release compares, so no "
               "release deletes anything, and everybody waits for the end of the lease",
       .tracker = "laravel/framework #36337",
       .lesson = "a-release-that-compares-another-text-frees-nothing",
       .repair = "a-release-that-packs-the-owner-as-set-does-frees-the-lock"},
      {.what = "the file driver looked first and wrote then",
       .tracker = "laravel/framework #43627, pull request 43661",
       .instead = "it is another driver; the lock here is that of Redis"},
  };
}

}  // namespace

Card laravel() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "laravel",
      .summary = "SET EX NX with an owner, or SETNX without a TTL; get() tries once, block() polls",
      .source =
          "laravel/framework bd71b45 (13.x), src/Illuminate/Cache: RedisLock, PhpRedisLock, LuaScripts, Lock",
      .upstream =
          Upstream{.name = "Laravel Cache::lock", .language = "PHP",
                   .also = {"Cache::lock", "illuminate"},
                   .repository = "laravel/framework",
                   .commit = "bd71b45fbb7e672957bf6ff61baddefe15fbca6a",
                   .excerpts = {{"src/Illuminate/Cache/RedisLock.php", 34, 66, "c7484e83400f4240"},
                                {"src/Illuminate/Cache/PhpRedisLock.php", 40, 48, "35063b4dc5dee93a"},
                                {"src/Illuminate/Cache/LuaScripts.php", 57, 66, "be391d952c16175e"},
                                {"src/Illuminate/Cache/Lock.php", 90, 139, "6857cb95b4571730"}},
                   .files = {{"src/Illuminate/Cache/RedisLock.php", "d8d828ea1923d8dc"},
                             {"src/Illuminate/Cache/PhpRedisLock.php", "785dcd470a0352d4"},
                             {"src/Illuminate/Cache/LuaScripts.php", "6358838dbe0a2110"},
                             {"src/Illuminate/Cache/Lock.php", "549a44468cdefa74"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write},
                  every_fault_but({pause, slow_section, restart, server_clock_jump, failover, eviction})},
                 {{owner_only_release, owner_only_change, truthful_release, release_frees, recovery},
                  every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Kind::duration, "0s",
                      "the seconds of Cache::lock(), whole ones; 0s: the key never expires"},
                     {"timeout", Kind::duration, "0s", "the seconds of block(); 0s: get(), which tries once"},
                     {"sleep", Kind::duration, "250ms", "betweenBlockedAttemptsSleepFor()"},
                     {"version",
                      Kind::choice,
                      "now",
                      "now: one SET, and a script that compares; 5.8: SETNX, then EXPIRE; 5.7: the same with "
                      "the value 1, and DEL",
                      {"now", "5.8", "5.7"}},
                     {"serializer",
                      Kind::choice,
                      "none",
                      "of phpredis, which packs what is stored; packed: the release packs the owner, too "
                      "(PhpRedisLock); plain: it does not, as before that",
                      {"none", "packed", "plain"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<Laravel>(params); },
      .is_stateless = true,
      .ignores_date = true,
      .waiting = {{"timeout", "3s"}, {"sleep", "1s"}},
  };
}

}  // namespace holdfast::algorithms
