// redis-semaphore: the Mutex of the library for Node.js: SET NX PX with an identifier, refreshed by a timer
// that tells when it is lost.
#include <string>

#include "algorithms/claims.hpp"
#include "algorithms/redis_semaphore.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

namespace of_redis_semaphore {

constexpr const char* expire_if_equal =
    "local value = redis.call('get', KEYS[1])"
    " if value == ARGV[1] then redis.call('pexpire', KEYS[1], ARGV[2]) return 1 end"
    " return 0";
// Until 5.3.0.
constexpr const char* expire_or_take_again =
    "local value = redis.call('get', KEYS[1])"
    " if value == ARGV[1] then redis.call('pexpire', KEYS[1], ARGV[2]) return 1"
    " elseif value == false then"
    " redis.call('set', KEYS[1], ARGV[1]) redis.call('pexpire', KEYS[1], ARGV[2]) return 1 end"
    " return 0";
constexpr const char* delete_if_equal =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

class Mutex final : public LockOfRedisSemaphore {
 public:
  explicit Mutex(const Params& params)
      : LockOfRedisSemaphore(params, "mutex"),
        refresh_script_(params.choice("refresh") == "takes-again" ? expire_or_take_again : expire_if_equal) {}

 private:
  Task<Reply> take(Env& env, std::string name, std::string identifier) const override {
    const SetOptions options = SetOptions().px(ttl()).nx();
    const Reply reply = co_await Redis(env.store()).set(name, identifier, options);
    co_return reply;
  }
  Task<Reply> extend(Env& env, std::string name, std::string identifier) const override {
    const Args args(identifier, to_milliseconds(ttl()));
    const Reply reply = co_await eval_or_evalsha(env, by_digest(), refresh_script_, Keys(name), args);
    co_return reply;
  }
  Task<Reply> give(Env& env, std::string name, std::string identifier) const override {
    const Reply reply =
        co_await eval_or_evalsha(env, by_digest(), delete_if_equal, Keys(name), Args(identifier));
    co_return reply;
  }

  const char* refresh_script_;
};

constexpr std::string_view lesson =
    "The Mutex of npm redis-semaphore: the lock of token, and a timer that refreshes it every 0.8 of its "
    "lockTimeout, so a refresh that is late by a fifth of the lease, or lost once, is one too many: the key "
    "is gone before the next turn. What it does then is right since 5.3.1: a refresh that does not find its "
    "own identifier calls onLockLost, and release() sends nothing any more. The default onLockLost throws "
    "outside of any try, which ends the process; a caller that passes its own has to stop the work there. "
    "Until 5.3.0 a refresh that found no key set it again, and the holder was never told that another had "
    "been in between. A refresh that is not answered is reported to the process only. release() returns "
    "nothing, whether the script found the key or not; and without a turn of the timer since, nobody knows.";

constexpr Protocol protocol{
    .acquire =
        "SET mutex:NAME with an identifier, PX and NX; if refused, again every 10 ms for 10 s by the wall "
        "clock",
    .renew =
        "every 0.8 of the lease, EVALSHA, and EVAL where the script is unknown: GET compares, PEXPIRE; 0 "
        "calls onLockLost",
    .release = "EVALSHA, and EVAL where the script is unknown: GET compares, DEL; the caller is told nothing",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a refresh that found no key set it again, and hid that another had held the lock",
       .tracker = "swarthy/redis-semaphore #175, pull request 177",
       .lesson = "a-refresh-that-takes-the-lock-again-hides-that-it-was-lost",
       .repair = "a-refresh-that-finds-no-key-tells-its-holder"},
      {.what = "a machine that sleeps goes on beside another when it wakes",
       .tracker = "swarthy/redis-semaphore #24, #9",
       .lesson = "a-mutex-that-wakes-up-works-on-beside-another"},
      {.what = "one refresh that is lost costs the lease: the next comes 0.6 leases after its end",
       .lesson = "a-refresh-at-four-fifths-of-the-lease-has-no-second-try",
       .repair = "a-refresh-at-a-third-of-the-lease-is-tried-again"},
      {.what = "a refresh that began before a release and was answered after it counted as a loss",
       .tracker = "swarthy/redis-semaphore #205, pull request 206",
       .instead = "repaired upstream before the version that is here; redis_semaphore_test shows it"},
      {.what = "a refresh that fails is an unhandled rejection, which ends the process",
       .instead = "a lock cannot end the process of its client here"},
  };
}

}  // namespace of_redis_semaphore
}  // namespace

namespace {

Upstream upstream() {
  return Upstream{.name = "redis-semaphore of npm", .language = "JavaScript",
           .repository = "swarthy/redis-semaphore",
           .commit = "63c2d013a3182aa4deeb7c60fd1465687e11cb36",
           .excerpts = {{"src/Lock.ts", 28, 172, "e5538da4f71d99e1"},
                        {"src/RedisMutex.ts", 1, 45, "60409385e39b7ce1"},
                        {"src/mutex/acquire.ts", 15, 44, "7a1d5ec8330477de"},
                        {"src/mutex/refresh.ts", 7, 37, "40ac4e80074b755b"},
                        {"src/mutex/release.ts", 8, 30, "b171ba728f1cc5b6"},
                        {"src/utils/createEval.ts", 16, 45, "d20f2214d778b109"}},
           .files = {{"src/Lock.ts", "08c5a60df34314b4"},
                     {"src/RedisMutex.ts", "60409385e39b7ce1"},
                     {"src/mutex/acquire.ts", "9d679ac846a8099c"},
                     {"src/mutex/refresh.ts", "67175f21c060b5b5"},
                     {"src/mutex/release.ts", "6491258a45a9f736"},
                     {"src/utils/createEval.ts", "2e1cfde4197e545b"}},
           .below = {{.repository = "redis/ioredis",
                      .commit = "dfd542824dfb7168420f19fdfabe9fe1156efe10",
                      .excerpts = {{"lib/redis/RedisOptions.ts", 291, 296, "e1f202827fbbdc09"},
                                   {"lib/redis/RedisOptions.ts", 337, 337, "8f1f961084cb2023"}}}}};
}

}  // namespace

Card redis_semaphore() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "redis-semaphore",
      .summary = "the Mutex of the library: SET NX PX; a timer refreshes, and tells when it is lost",
      .source = "swarthy/redis-semaphore 63c2d01 (5.7.0), src/Lock.ts, src/RedisMutex.ts, src/mutex",
      .upstream =
          upstream(),
      .lesson = of_redis_semaphore::lesson,
      .protocol = of_redis_semaphore::protocol,
      // The timer counts from the answer to SET, and the refresh travels, too: a fifth of the lease is all
      // that both have. Where a message takes longer than a tenth of it, that is too late without any fault,
      // whether the server knows the script or not.
      .claims = {{{owner_only_release, owner_only_change, recovery}, every_fault}},
      .bugs = of_redis_semaphore::known_bugs(),
      .driver_retries = 20,  // ioredis: after each reconnect
      .belief = Belief::notified,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply,
                  Belief::notified},
      .parameters = parameters_of_redis_semaphore(
          {{"refresh",
            Parameter::Kind::choice,
            "compares",
            "takes-again: until 5.3.0, a refresh set a key that was gone",
            {"compares", "takes-again"}}}),
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_redis_semaphore::Mutex>(params);
      },
      .ignores_date = true,
      .renews = true,
      .waiting = {{"retry-interval", "1s"}, {"acquire-timeout", "4s"}},
  };
}

}  // namespace holdfast::algorithms
