// stackexchange-redis: SET NX with the caller's value; a transaction under WATCH releases and extends.
#include <map>

#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

// How LockRelease() or LockExtend() ends.
enum class Done : std::uint8_t { yes, no, raised };

struct Kept {
  std::map<std::string, Background> extensions;  // by token
};

class StackExchangeRedis final : public LockThatKeeps<Kept> {
 public:
  explicit StackExchangeRedis(const Params& params)
      : ttl_(params.duration("ttl")),
        names_machine_(params.choice("token") == "machine"),
        has_transactions_(params.choice("proxy") == "no"),
        extends_(params.choice("extend") == "every-third") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const std::string token = names_machine_ ? "WEB-1" : env.random.token();
    SetOptions options;
    if (is_in_seconds()) options.ex(ttl_);
    else options.px(ttl_);
    options.nx();
    const Reply reply = co_await Redis(env.store()).set(key, token, options);
    if (reply.is_lost()) co_return Attempt::failed("RedisTimeoutException: Timeout performing SET");
    if (reply.is_error()) co_return Attempt::failed("RedisServerException: " + reply.text());
    if (!reply.is_ok()) co_return Attempt::refused("LockTake: false");
    if (extends_) kept().extensions[token] = Background(env, *this, &StackExchangeRedis::extend, key, token);
    Grant grant(token);
    grant.lease = ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    kept().extensions.erase(grant.token);
    if (!has_transactions_) {
      const Reply deleted = co_await Redis(env.store()).del(key);
      co_return release_by(deleted);
    }
    const Done done = co_await if_equal(env, key, grant.token, Command("UNLINK", key));
    if (done == Done::raised) co_return Release::unknown;
    co_return done == Done::yes ? Release::released : Release::not_held;
  }

 private:
  bool is_in_seconds() const { return to_milliseconds(ttl_) % 1000 == 0; }

  // A transaction with the condition StringEqual. Upstream sends WATCH and GET at once, and MULTI, the
  // command and EXEC at once, over the connection that all threads share, and lets nobody in between. Here
  // each is sent when that before it was answered, so more can happen in between.
  Task<Done> if_equal(Env& env, std::string key, std::string token, Command command) const {
    OwnConnection connection(env.store());
    co_await connection.send(Command("WATCH", key));
    const Reply stored = co_await connection.send(Command("GET", key));
    if (stored.is_nil() || is_failure(stored) || stored.text() != token) {
      const Reply unwatched = co_await connection.send(Command("UNWATCH"));
      co_return is_failure(unwatched) ? Done::raised : Done::no;
    }
    co_await connection.send(Command("MULTI"));
    co_await connection.send(std::move(command));
    const Reply executed = co_await connection.send(Command("EXEC"));
    if (is_failure(executed)) co_return Done::raised;
    // Null: the key has changed since WATCH. What the command itself answered is not looked at.
    co_return executed.is_nil() ? Done::no : Done::yes;
  }

  // LockExtend().
  Task<Done> extend_once(Env& env, std::string key, std::string token) const {
    const Command expire = is_in_seconds() ? Command("EXPIRE", key, to_seconds(ttl_))
                                           : Command("PEXPIRE", key, to_milliseconds(ttl_));
    if (has_transactions_) {
      const Done done = co_await if_equal(env, key, token, expire);
      co_return done;
    }
    const Reply set = co_await env.store().send(expire);
    if (is_failure(set)) co_return Done::raised;
    co_return set.is(1) ? Done::yes : Done::no;
  }
  // Nothing of the library: a caller that extends as the library lets it, goes on after an exception, and
  // stops when it is told that the lock is lost.
  Task<> extend(Env& env, std::string key, std::string token) const {
    for (;;) {
      env.loop_head();
      co_await env.clock.sleep(ttl_ / 3);
      const Done done = co_await extend_once(env, key, token);
      if (done == Done::yes) env.renewed(token, ttl_);
      if (done != Done::no) continue;
      env.lost(token);
      co_return;
    }
  }

  Duration ttl_;
  bool names_machine_;
  bool has_transactions_;
  bool extends_;
};

constexpr std::string_view lesson =
    "The lock of most .NET programs, in three calls: LockTake, LockExtend, LockRelease. The library makes no "
    "token: the caller brings the value, and the example that many copied uses the name of the machine. Then "
    "two threads, or two processes, of one machine hold the same value, and the one that took too long "
    "releases the lock of the other. Until Redis 8.4, which has SET IFEQ and DELEX, the release is a "
    "transaction: WATCH, GET, and only if the value is the caller's MULTI, UNLINK, EXEC; a change in between "
    "makes EXEC do nothing. It is as good as a script, as long as there are transactions: behind a proxy "
    "that has none (twemproxy) LockRelease deletes the key without reading the value, and returns true. "
    "LockTake tries once and never waits. Nothing renews the lock but the caller.";

constexpr Protocol protocol{
    .acquire = "SET key with the caller's value, EX (PX if the time is not whole seconds) and NX",
    .renew =
        "by the caller: WATCH and GET; if the value is its own MULTI, EXPIRE or PEXPIRE, EXEC; else "
        "UNWATCH",
    .release =
        "WATCH and GET; if the value is its own MULTI, UNLINK, EXEC; else UNWATCH. Behind twemproxy DEL",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "with the name of the machine for a token, as in the example, clients of one machine release "
               "each other's locks",
       .lesson = "the-name-of-a-machine-releases-the-lock-of-its-neighbour",
       .repair = "a-token-for-each-lock-take-releases-only-its-own"},
      {.what = "behind a proxy without transactions LockRelease deletes the lock of another",
       .lesson = "without-transactions-lock-release-deletes-what-is-there",
       .repair = "a-token-for-each-lock-take-releases-only-its-own"},
      {.what = "nothing renews the lock, so work that takes longer goes on beside the next holder",
       .tracker = "StackExchange/StackExchange.Redis #2904",
       .lesson = "a-lock-take-that-nobody-extends-ends-under-the-work",
       .repair = "a-caller-that-extends-its-lock-take-keeps-it"},
      {.what = "two calls of LockTake were both true",
       .tracker = "StackExchange/StackExchange.Redis #415, #2588",
       .instead = "what was reported is the end of the lease between the two"},
      {.what = "UNWATCH was answered with QUEUED",
       .tracker = "StackExchange/StackExchange.Redis #2862",
       .instead = "it is about answers that the driver takes for those of another request"},
  };
}

}  // namespace

Card stackexchange_redis() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "stackexchange-redis",
      .summary = "LockTake: SET NX with the caller's value; LockRelease: a transaction under WATCH",
      .source =
          "StackExchange/StackExchange.Redis 90bbf1f, RedisDatabase.cs, RedisTransaction.cs, "
          "Condition.cs; with servers before Redis 8.4",
      .upstream =
          Upstream{.name = "StackExchange.Redis LockTake", .language = "C#",
                   .also = {"StackExchange.Redis", "LockTake"},
                   .repository = "StackExchange/StackExchange.Redis",
                   .commit = "90bbf1fcba1c9cc464c94b96d16c2706f590383f",
                   .excerpts = {{"src/StackExchange.Redis/"
                                 "RedisDatabase.cs", 1864, 1955, "adaec93a8d14529d"},
                                {"src/StackExchange.Redis/"
                                 "RedisDatabase.cs", 4292, 4315, "8b8c55db76aca518"},
                                {"src/StackExchange.Redis/"
                                 "RedisDatabase.cs", 5452, 5512, "7b2494b843aaf58d"},
                                {"src/StackExchange.Redis/"
                                 "RedisTransaction.cs", 325, 488, "497a09b4951c4e1b"},
                                {"src/StackExchange.Redis/"
                                 "RedisTransaction.cs", 514, 615, "68f635689db704db"},
                                {"src/StackExchange.Redis/Condition.cs", 618, 695, "71a8c8057ee8d0fa"}},
                   .files = {{"src/StackExchange.Redis/RedisDatabase.cs", "d80f20c713cc8091"},
                             {"src/StackExchange.Redis/RedisTransaction.cs", "46e061c1937d0437"},
                             {"src/StackExchange.Redis/Condition.cs", "5bc74f32ef88fd2b"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write},
                  every_fault_but({pause, slow_section, restart, server_clock_jump, failover, eviction})},
                 {{owner_only_release, owner_only_change, truthful_release, recovery}, every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Kind::duration, "10s", "argument expiry, rounded down to milliseconds"},
                     {"token",
                      Kind::choice,
                      "random",
                      "argument value. random: new in every attempt; machine: Environment.MachineName, and "
                      "all clients run on one machine",
                      {"random", "machine"}},
                     {"extend",
                      Kind::choice,
                      "no",
                      "every-third: the caller calls LockExtend every third of the lease; no: never",
                      {"no", "every-third"}},
                     {"proxy",
                      Kind::choice,
                      "no",
                      "twemproxy: there are no transactions, so nothing compares",
                      {"no", "twemproxy"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<StackExchangeRedis>(params);
      },
  };
}

}  // namespace holdfast::algorithms
