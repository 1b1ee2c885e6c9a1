// redis-semaphore-two: the Semaphore of npm redis-semaphore, for two: a sorted set with times of clients.
#include <string>
#include <utility>

#include "algorithms/claims.hpp"
#include "algorithms/redis_semaphore.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {
namespace of_redis_semaphore_two {

constexpr std::uint32_t limit = 2;

constexpr const char* acquire_script =
    "local ended = tonumber(ARGV[4]) - tonumber(ARGV[3])"
    " redis.call('zremrangebyscore', KEYS[1], '-inf', ended)"
    " if redis.call('zcard', KEYS[1]) < tonumber(ARGV[1]) then"
    " redis.call('zadd', KEYS[1], tonumber(ARGV[4]), ARGV[2])"
    " redis.call('pexpire', KEYS[1], tonumber(ARGV[3])) return 1"
    " else return 0 end";
constexpr const char* refresh_script =
    "local ended = tonumber(ARGV[4]) - tonumber(ARGV[3])"
    " redis.call('zremrangebyscore', KEYS[1], '-inf', ended)"
    " if redis.call('zscore', KEYS[1], ARGV[2]) then"
    " redis.call('zadd', KEYS[1], tonumber(ARGV[4]), ARGV[2])"
    " redis.call('pexpire', KEYS[1], tonumber(ARGV[3])) return 1"
    " else return 0 end";

class SemaphoreOfTwo final : public LockOfRedisSemaphore {
 public:
  explicit SemaphoreOfTwo(const Params& params) : LockOfRedisSemaphore(params, "semaphore") {}

 private:
  Task<Reply> take(Env& env, std::string name, std::string identifier) const override {
    return ask(env, acquire_script, std::move(name), std::move(identifier));
  }
  Task<Reply> extend(Env& env, std::string name, std::string identifier) const override {
    return ask(env, refresh_script, std::move(name), std::move(identifier));
  }
  Task<Reply> give(Env& env, std::string name, std::string identifier) const override {
    const Reply reply = co_await env.store().send(Command("ZREM", name, identifier));
    co_return reply;
  }
  Task<Reply> ask(Env& env, const char* script, std::string name, std::string identifier) const {
    // Date.now(), taken before the request.
    const std::int64_t now =
        std::chrono::duration_cast<std::chrono::milliseconds>(env.clock.wall().time_since_epoch()).count();
    const Args args(limit, identifier, to_milliseconds(ttl()), now);
    const Reply reply = co_await eval_or_evalsha(env, by_digest(), script, Keys(name), args);
    co_return reply;
  }
};

constexpr std::string_view lesson =
    "The Semaphore of npm redis-semaphore, for two. A script removes who has ended, counts, and joins, in "
    "one step, so without faults and with clocks that agree there are never three. But each member's score "
    "is the time of its own client, and who has ended is decided by the clock of the client that asks: one "
    "that is ahead by a lease removes living holders and enters beside them. The same with a request that "
    "travels: its time was read before. A timer refreshes every 0.8 of lockTimeout, and tells when "
    "the place is lost.";

constexpr Protocol protocol{
    .acquire =
        "EVALSHA, and EVAL where the script is unknown: ZREMRANGEBYSCORE by the client's time, ZCARD; if "
        "there is a place, ZADD of an identifier with that time, and PEXPIRE; again every 10 ms for 10 s",
    .renew = "every 0.8 of the lease, the same with ZSCORE in place of ZCARD; 0 calls onLockLost",
    .release = "ZREM; the caller is told nothing",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a client whose clock is ahead by a lease removes living holders",
       .lesson = "a-clock-that-is-ahead-takes-a-third-place-of-two",
       .repair = "a-semaphore-by-the-time-of-the-server-has-two-places"},
  };
}

}  // namespace of_redis_semaphore_two
}  // namespace

Card redis_semaphore_two() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "redis-semaphore-two",
      .summary = "npm redis-semaphore's Semaphore for two: a sorted set of identifiers with clients' times",
      .source = "swarthy/redis-semaphore 63c2d01 (5.7.0), src/Lock.ts, src/RedisSemaphore.ts, src/semaphore",
      .upstream =
          Upstream{.name = "redis-semaphore of npm, Semaphore", .language = "JavaScript",
                   .repository = "swarthy/redis-semaphore",
                   .commit = "63c2d013a3182aa4deeb7c60fd1465687e11cb36",
                   .excerpts = {{"src/semaphore/acquire/lua.ts", 3, 25, "145a6098ca4856ae"},
                                {"src/semaphore/acquire/index.ts", 16, 54, "2cc4ba8f4b14fbd6"},
                                {"src/semaphore/refresh/lua.ts", 3, 25, "6631df6db837467e"},
                                {"src/semaphore/release.ts", 6, 14, "d85a6eb09f679ee9"},
                                {"src/RedisSemaphore.ts", 6, 50, "ff913a8c39ddf962"},
                                {"src/Lock.ts", 28, 172, "e5538da4f71d99e1"}},
                   .files = {{"src/semaphore/acquire/lua.ts", "d8b2989fbdb794b3"},
                             {"src/semaphore/acquire/index.ts", "23b5e82bb258cfd3"},
                             {"src/semaphore/refresh/lua.ts", "918ad310581578ca"},
                             {"src/semaphore/release.ts", "786586e0a778b490"},
                             {"src/RedisSemaphore.ts", "e3f312dd08d46909"},
                             {"src/Lock.ts", "08c5a60df34314b4"}}},
      .lesson = of_redis_semaphore_two::lesson,
      .protocol = of_redis_semaphore_two::protocol,
      .claims = {{{recovery}, {none}}},
      .bugs = of_redis_semaphore_two::known_bugs(),
      .driver_retries = 20,
      .driver = "ioredis 5, after each reconnect, maxRetriesPerRequest (read)",
      .belief = Belief::notified,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply,
                  Belief::notified},
      .parameters = parameters_of_redis_semaphore({}),
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_redis_semaphore_two::SemaphoreOfTwo>(params);
      },
      .ignores_date = true,
      .renews = true,
      .capacity = of_redis_semaphore_two::limit,
      .waiting = {{"retry-interval", "1s"}, {"acquire-timeout", "4s"}},
      .keys = {"semaphore:NAME"},
  };
}

}  // namespace holdfast::algorithms
