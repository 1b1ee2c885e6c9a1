// symfony-lock: scripts keep tokens and their ends in a sorted set; acquire() saves, then puts off the end.
#include <string>
#include <utility>

#include "algorithms/claims.hpp"
#include "algorithms/evalsha.hpp"
#include "algorithms/phpredis.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

const std::string compatible = "if redis.call(\"TYPE\", KEYS[1]).ok == \"string\" then return false end ";
constexpr const char* remove_expired = "redis.call(\"ZREMRANGEBYSCORE\", KEYS[1], \"-inf\", now) ";
constexpr const char* end_with_the_last =
    "local maxExpiration = redis.call(\"ZREVRANGE\", KEYS[1], 0, 0, \"WITHSCORES\")[2] "
    "redis.call(\"PEXPIREAT\", KEYS[1], maxExpiration) return true";

constexpr const char* check_time =
    "local now = redis.call(\"TIME\") redis.call(\"SET\", KEYS[1], \"1\", \"PX\", 1) return 1";
constexpr const char* now_of_server =
    "local now = redis.call(\"TIME\") now = now[1] * 1000 + math.floor(now[2] / 1000) ";
constexpr const char* now_of_client = "local now = tonumber(ARGV[1]) now = math.floor(now * 1000) ";

constexpr const char* save_exclusive =
    "if redis.call(\"ZSCORE\", KEYS[1], ARGV[2]) then"
    " if not redis.call(\"ZSCORE\", KEYS[1], \"__write__\")"
    " and redis.call(\"ZCOUNT\", KEYS[1], \"-inf\", \"+inf\") > 1 then return false end"
    " elseif redis.call(\"ZCOUNT\", KEYS[1], \"-inf\", \"+inf\") > 0 then return false end "
    "redis.call(\"ZADD\", KEYS[1], now + tonumber(ARGV[3]), ARGV[2]) "
    "redis.call(\"ZADD\", KEYS[1], now + tonumber(ARGV[3]), \"__write__\") ";
constexpr const char* save_shared =
    "if not redis.call(\"ZSCORE\", KEYS[1], ARGV[2]) and redis.call(\"ZSCORE\", KEYS[1], \"__write__\")"
    " then return false end "
    "redis.call(\"ZADD\", KEYS[1], now + tonumber(ARGV[3]), ARGV[2]) "
    "redis.call(\"ZREM\", KEYS[1], \"__write__\") ";
constexpr const char* put_off =
    "if not redis.call(\"ZSCORE\", KEYS[1], ARGV[2]) then return false end "
    "redis.call(\"ZADD\", KEYS[1], now + tonumber(ARGV[3]), ARGV[2]) "
    "if redis.call(\"ZSCORE\", KEYS[1], \"__write__\") then"
    " redis.call(\"ZADD\", KEYS[1], now + tonumber(ARGV[3]), \"__write__\") end ";
constexpr const char* remove =
    "if not redis.call(\"ZSCORE\", KEYS[1], ARGV[1]) then return false end "
    "redis.call(\"ZREM\", KEYS[1], ARGV[1]) redis.call(\"ZREM\", KEYS[1], \"__write__\") "
    "local maxExpiration = redis.call(\"ZREVRANGE\", KEYS[1], 0, 0, \"WITHSCORES\")[2] "
    "if nil ~= maxExpiration then redis.call(\"PEXPIREAT\", KEYS[1], maxExpiration) end return true";
constexpr const char* look = "if redis.call(\"ZSCORE\", KEYS[1], ARGV[2]) then return true end return false";

// PHP writes 14 digits of a number.
std::string microtime_of(WallTime now) {
  const std::int64_t parts =
      std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count() / 100;
  std::string text = std::to_string(parts / 10'000) + "." + std::to_string(10'000 + parts % 10'000).substr(1);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::int64_t rounded_up_ms(Duration time) {
  return std::chrono::ceil<std::chrono::milliseconds>(time).count();
}

// One request of PHP for each acquisition, with a store, a factory and a lock of its own.
class SymfonyLock final : public Lock {
 public:
  explicit SymfonyLock(const Params& params)
      : ttl_(params.duration("ttl")),
        initial_ttl_(params.duration("initial-ttl")),
        sleep_(params.duration("sleep")),
        jitter_(params.duration("jitter")),
        blocks_(params.choice("blocking") == "yes"),
        auto_releases_(params.choice("auto-release") == "yes"),
        deletes_expired_(params.choice("expired") == "deleted"),
        takes_errors_for_conflicts_(params.choice("version") == "7.2"),
        by_digest_(takes_errors_for_conflicts_ && params.choice("scripts") == "registered"),
        is_new_(params.choice("store") == "new"),
        server_tells_time_(params.choice("time") == "server") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode mode) override {
    const std::string token = env.random.token();
    if (server_tells_time_ && is_new_) {
      const Reply has_time = co_await evaluate(env, check_time, Keys("symfony_check_support_time"), Args());
      if (raises(has_time)) co_return failed(key);
    }
    const char* const script = mode == Mode::shared ? save_shared : save_exclusive;
    for (;;) {
      env.loop_head(Args(token));
      const Saved saved = co_await save(env, key, token, script, initial_ttl_);
      if (saved == Saved::yes) break;
      if (saved == Saved::raised) co_return failed(key);
      if (!blocks_) co_return not_acquired(saved);
      const Duration wait = sleep_ - jitter_ + env.random.jitter(2 * jitter_);
      co_await env.clock.sleep(wait);
    }
    if (ttl_ != Duration::zero()) {
      env.loop_head(Args(token));
      const Saved refreshed = co_await save(env, key, token, put_off, ttl_);
      if (refreshed == Saved::conflict || refreshed == Saved::error)
        co_return blocks_ ? Attempt::failed("LockConflictedException") : not_acquired(refreshed);
      if (refreshed == Saved::raised) {
        co_await destruct(env, key, token);
        co_return failed(key);
      }
    }
    Grant grant(token);
    grant.lease = ttl_ != Duration::zero() ? ttl_ : initial_ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply deleted = co_await evaluate(env, compatible + remove, Keys(key), Args(grant.token));
    if (raises(deleted)) {
      co_await destruct(env, key, grant.token);
      co_return Release::unknown;
    }
    env.loop_head(Args(grant.token));
    const Reply exists = co_await look_for(env, key, grant.token);
    // "Failed to release the "job" lock, the resource is still locked."
    if (raises(exists) || exists.is(1)) co_return Release::unknown;
    co_return Release::released;
  }

 private:
  // Of an error that is not raised the library sees a conflict; the client knows no more than that.
  enum class Saved : std::uint8_t { yes, conflict, error, raised };
  static Attempt not_acquired(Saved saved) {
    constexpr Attempt::Literal why = "acquire(): false";
    return saved == Saved::error ? Attempt::failed(why) : Attempt::refused(why);
  }

  // Since 7.2 only NOSCRIPT is looked at; what phpredis does not raise itself is false, as a conflict is.
  bool raises(const Reply& reply) const {
    if (reply.is_lost()) return true;
    return reply.is_error() &&
           !(takes_errors_for_conflicts_ && !is_unknown_script(reply) && is_false_to_phpredis(reply));
  }
  static Attempt failed(const std::string& key) {
    return Attempt::failed("Failed to acquire the \"" + key + "\" lock.");
  }
  std::string now() const { return server_tells_time_ ? now_of_server : now_of_client; }

  // save(), saveRead() or putOffExpiration() of the store. The end is kept by the client, too; a key that
  // was saved too late is removed again.
  Task<Saved> save(Env& env, std::string key, std::string token, const char* script, Duration ttl) {
    const std::string cleared = script == put_off ? "" : remove_expired;
    const std::string whole = compatible + now() + cleared + script + end_with_the_last;
    const WallTime begun = env.clock.wall();
    const Args args(microtime_of(begun), token, rounded_up_ms(ttl));
    const Reply reply = co_await evaluate(env, whole, Keys(key), args);
    if (raises(reply)) co_return Saved::raised;
    if (!reply.is(1)) co_return reply.is_error() ? Saved::error : Saved::conflict;
    if (begun + ttl > env.clock.wall()) co_return Saved::yes;
    if (deletes_expired_) co_await evaluate(env, compatible + remove, Keys(key), Args(token));
    co_return Saved::raised;
  }

  // The store's exists().
  Task<Reply> look_for(Env& env, std::string key, std::string token) {
    const std::string whole = compatible + now() + remove_expired + look;
    const Args args(microtime_of(env.clock.wall()), token);
    const Reply exists = co_await evaluate(env, whole, Keys(key), args);
    co_return exists;
  }

  // The lock object goes out of scope and may still hold.
  Task<> destruct(Env& env, std::string key, std::string token) {
    if (!auto_releases_) co_return;
    const Reply exists = co_await look_for(env, key, token);
    if (!exists.is(1)) co_return;
    const Reply deleted = co_await evaluate(env, compatible + remove, Keys(key), Args(token));
    // What is answered to the last look matters to nobody any more.
    if (!raises(deleted)) Background(look_in_vain(env, key, token)).stop();
  }

  Task<> look_in_vain(Env& env, std::string key, std::string token) { co_await look_for(env, key, token); }

  Task<Reply> evaluate(Env& env, std::string script, Keys keys, Args args, Where where = Where::current()) {
    if (by_digest_) {
      const Reply by_digest = co_await evalsha_or_load(env, script, keys, args, where);
      co_return by_digest;
    }
    const Reply whole = co_await Redis(env.store()).eval(script, keys, args, where);
    co_return whole;
  }

  Duration ttl_;
  Duration initial_ttl_;
  Duration sleep_;
  Duration jitter_;
  bool blocks_;
  bool auto_releases_;
  bool deletes_expired_;
  bool takes_errors_for_conflicts_;
  bool by_digest_;
  bool is_new_;
  bool server_tells_time_;
};

constexpr std::string_view lesson =
    "The lock of Symfony, with readers and writers. A sorted set holds the tokens, each with its end for a "
    "score, and the mark __write__ while the lock is exclusive; scripts ask the server for the time. "
    "acquire() takes two of them: the first saves the token with the TTL of the store (initialTtl, 300 s), "
    "the second puts the end off, or rather forward, to the TTL of the lock. A client that dies between the "
    "two, or does not get the first answer, leaves a lock that lasts for 300 s, however short its own TTL. "
    "The client counts the end, too, by its wall clock: an answer that comes too late is an exception, and "
    "what it saved is removed again, which version 3.4 forgot. release() deletes and then looks whether the "
    "token is still there; it returns nothing, so the caller is not told that the lock was lost meanwhile. A "
    "lock object that goes out of scope releases by itself if a release before failed. Where scripts may not "
    "send TIME (Redis before 5, some clusters), the clocks of the clients decide which tokens have expired.";

constexpr Protocol protocol{
    .acquire =
        "EVAL of TIME and SET once, to see if scripts may ask for the time. EVAL: TYPE, TIME, "
        "ZREMRANGEBYSCORE; if ZSCORE and ZCOUNT find no other, ZADD of the token and of __write__ (a reader: "
        "ZREM of it), then ZREVRANGE and PEXPIREAT. Then EVAL of ZSCORE, ZADD and PEXPIREAT with the TTL of "
        "the lock. acquire(true): again every 90 to 110 ms",
    .release =
        "EVAL: TYPE and ZSCORE compare, ZREM of the token and of __write__, ZREVRANGE and PEXPIREAT for "
        "those that stay. Then EVAL of TIME, ZREMRANGEBYSCORE and ZSCORE: is it gone? Since 7.2 EVALSHA and "
        "SCRIPT LOAD",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a lock that was saved too late was left behind, and no client could get it",
       .tracker = "symfony/symfony #31426, pull request 32071",
       .lesson = "symfony-left-behind-what-it-had-saved-too-late",
       .repair = "symfony-removes-what-it-has-saved-too-late"},
      {.what = "an answer that is lost between the two scripts leaves a lock for the TTL of the store, 300 s",
       .lesson = "a-lost-answer-leaves-the-initial-ttl-of-symfony",
       .repair = "an-initial-ttl-as-short-as-the-lease-frees-it-in-time"},
      {.what = "release() did not tell that the lock was gone, and after an unlucky end that it was not",
       .tracker = "symfony/symfony #54234, pull requests 59556, 59557",
       .instead = "the store of Redis asks for its own token, so only the first is true of it; "
                  "truthful-release shows that"},
      {.what = "since 7.2.0 an error of the server counted as a conflict",
       .tracker = "symfony/symfony pull requests 58533, 59348",
       .instead = "a test of the lock shows what it makes of an error with version=7.2"},
      {.what = "TIME is not allowed in scripts of some clusters",
       .tracker = "symfony/symfony pull request 54252",
       .instead = "the simulated server allows it; time=client is what happens then"},
  };
}

std::vector<Parameter> parameters_of_symfony() {
  using Kind = Parameter::Kind;
  return {{"ttl", Kind::duration, "300s", "of the lock; 0s: null, the lock keeps the TTL of the store"},
          {"initial-ttl", Kind::duration, "300s", "of the store"},
          {"blocking",
           Kind::choice,
           "no",
           "no: acquire() tries once; yes: acquire(true) waits for ever",
           {"no", "yes"}},
          {"sleep", Kind::duration, "100ms", "between two tries"},
          {"jitter", Kind::duration, "10ms", "more or less of that, by chance"},
          {"auto-release",
           Kind::choice,
           "yes",
           "yes: a lock object that goes out of scope after a failure releases; no: it does not",
           {"yes", "no"}},
          {"expired",
           Kind::choice,
           "deleted",
           "what was saved too late. deleted: it is removed; left: it stays (before pull request 32071)",
           {"deleted", "left"}},
          {"version",
           Kind::choice,
           "7.2",
           "7.2: sends scripts by their digests, and takes most errors of the server for a conflict; 7.1: "
           "EVAL, and every error is an exception",
           {"7.2", "7.1"}},
          {"scripts",
           Kind::choice,
           "eval",
           "eval: each is one request, as where the server knows it; registered, as version 7.2: EVALSHA, "
           "and SCRIPT LOAD where the server does not know it",
           {"eval", "registered"}},
          {"store",
           Kind::choice,
           "used",
           "used: it has locked something before, and knows that scripts may send TIME; new: it asks first",
           {"used", "new"}},
          {"time",
           Kind::choice,
           "server",
           "which clock decides what has expired. server: TIME in scripts; client: scripts may not send it",
           {"server", "client"}}};
}

}  // namespace

Card symfony_lock() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "symfony-lock",
      .summary = "scripts keep readers and writers in a sorted set with their ends, in two steps",
      .source = "symfony/lock 091a6ff (7.1), symfony/symfony 5feb749 (7.2): Lock, Key, Store/RedisStore",
      .upstream =
          Upstream{.name = "Symfony Lock", .language = "PHP",
                   .also = {"symfony", "RedisStore", "LockFactory"},
                   .repository = "symfony/symfony",
                   .commit = "5feb7493c372384d78b4931bb76f73c83f49f50e",
                   .excerpts = {{"src/Symfony/Component/Lock/Store/"
                                 "RedisStore.php", 48, 227, "bd6c36e50eadfa79"},
                                {"src/Symfony/Component/Lock/Store/"
                                 "RedisStore.php", 229, 307, "3bba7a1392b34889"},
                                {"src/Symfony/Component/Lock/Store/"
                                 "RedisStore.php", 319, 354, "35f9a30d7463b2d7"},
                                {"src/Symfony/Component/Lock/Lock.php", 58, 118, "0edfdc1b66205bc8"},
                                {"src/Symfony/Component/Lock/Lock.php", 178, 235, "9ad606429ae9a55e"},
                                {"src/Symfony/Component/Lock/Key.php", 62, 90, "7f7dd59125fa90c0"}},
                   .files = {{"src/Symfony/Component/Lock/Store/RedisStore.php", "2af94ece08017b6d"},
                             {"src/Symfony/Component/Lock/Lock.php", "93f492382bf99ba0"},
                             {"src/Symfony/Component/Lock/Key.php", "47f231bf7b945408"}}},
      .lesson = lesson,
      .protocol = protocol,
      // A token ends a millisecond before its key would, and the script of the next client removes it then.
      .claims = {{{mutual_exclusion, no_stale_write},
                  every_fault_but(
                      {pause, slow_section, late_reply, restart, server_clock_jump, failover, eviction})},
                 {{owner_only_release},
                  every_fault_but({pause, slow_section, late_reply, server_clock_jump})}},
      .bugs = known_bugs(),
      .editions = {{.name = "7-1",
                    .summary = "version 7.1: sends every script whole, and raises every error of the server",
                    .params = {{"version", "7.1"}}}},
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = parameters_of_symfony(),
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<SymfonyLock>(params);
      },
      .is_stateless = true,
      .ignores_date = true,
      .has_readers = true,
      .waiting = {{"blocking", "yes"}, {"sleep", "1s"}, {"jitter", "0s"}},
      .keys = {"NAME"},
  };
}

}  // namespace holdfast::algorithms
