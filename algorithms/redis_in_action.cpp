// redis-in-action: the counting semaphores of the book, for two: the first two by rank have a place.
#include <string>

#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {
namespace of_redis_in_action {

constexpr std::uint32_t limit = 2;

// A pipeline of redis-py is MULTI, the commands and EXEC in one piece: one message that the server carries
// out whole. So is a script.
constexpr const char* join =
    "redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])"
    " redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1]) return redis.call('ZRANK', KEYS[1], ARGV[1])";
// In place of ZINTERSTORE of the owners with weight 1 and the members with weight 0: whose membership has
// ended is no owner.
constexpr const char* draw =
    "redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])"
    " for _, each in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do"
    " if not redis.call('ZSCORE', KEYS[1], each) then redis.call('ZREM', KEYS[2], each) end end"
    " return redis.call('INCR', KEYS[3])";
constexpr const char* join_by_number =
    "redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1]) redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])"
    " return redis.call('ZRANK', KEYS[2], ARGV[1])";
constexpr const char* leave =
    "local was_member = redis.call('ZREM', KEYS[1], ARGV[1]) redis.call('ZREM', KEYS[2], ARGV[1])"
    " return was_member";

std::string driver_error(const Reply& reply) {
  return reply.is_lost() ? "Timeout reading from socket" : reply.text();
}

// As Python writes a number of seconds.
std::string seconds_text(Duration since_epoch) {
  const std::int64_t count = std::chrono::duration_cast<std::chrono::microseconds>(since_epoch).count();
  std::string fraction = std::to_string(1'000'000 + count % 1'000'000).substr(1);
  fraction.erase(std::max<std::size_t>(1, fraction.find_last_not_of('0') + 1));
  return std::to_string(count / 1'000'000) + "." + fraction;
}

class CountingSemaphore final : public Lock {
 public:
  explicit CountingSemaphore(const Params& params)
      : ttl_(params.duration("ttl")), is_fair_(params.choice("version") == "fair") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string identifier = env.random.token();
    const Duration now = env.clock.wall().time_since_epoch();
    const std::string ended = seconds_text(now - ttl_);
    const std::string owners = key + ":owner";
    Reply rank = Reply::nil();
    if (is_fair_) {
      const Reply number =
          co_await Redis(env.store()).eval(draw, Keys(key, owners, key + ":counter"), Args(ended));
      if (is_failure(number)) co_return Attempt::failed(driver_error(number));
      const Args args(identifier, seconds_text(now), number.number());
      rank = co_await Redis(env.store()).eval(join_by_number, Keys(key, owners), args);
    } else {
      rank = co_await Redis(env.store()).eval(join, Keys(key), Args(identifier, seconds_text(now), ended));
    }
    if (is_failure(rank)) co_return Attempt::failed(driver_error(rank));
    if (rank.number() >= limit) {
      const Reply left = co_await give_up(env, key, identifier);
      if (is_failure(left)) co_return Attempt::failed(driver_error(left));
      co_return Attempt::refused("None");
    }
    Grant grant(identifier);
    grant.lease = ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply removed = co_await give_up(env, key, grant.token);
    co_return release_by(removed);
  }

 private:
  Task<Reply> give_up(Env& env, std::string key, std::string identifier) {
    if (is_fair_) {
      const Reply left =
          co_await Redis(env.store()).eval(leave, Keys(key, key + ":owner"), Args(identifier));
      co_return left;
    }
    const Reply removed = co_await env.store().send(Command("ZREM", key, identifier));
    co_return removed;
  }

  Duration ttl_;
  bool is_fair_;
};

constexpr std::string_view lesson =
    "The counting semaphores of the book Redis in Action, section 6.3. In the first, a client adds itself to "
    "a sorted set with its time for a score, and has a place if its rank is below the limit. So the order "
    "of the clients' clocks decides, and that of their requests: who looked at the clock early, or has a "
    "clock that is behind, and comes late, ranks before two holders, and is the third. The book sees the "
    "clocks and lets a counter on the server give the order instead; but the number is drawn in one "
    "transaction and used in the next, so who draws first and joins last is the third again. The book ends "
    "with a lock around it. What is missing is to count before joining, in the same step (token-semaphore).";

constexpr Protocol protocol{
    .acquire =
        "ZREMRANGEBYSCORE by the client's time, ZADD of an identifier with it, ZRANK, as one transaction "
        "(here EVAL); too high a rank: ZREM. version=fair: ZREMRANGEBYSCORE, ZINTERSTORE (here ZRANGE, "
        "ZSCORE, ZREM) and INCR in one, ZADD, ZADD with the number, and ZRANK in the next",
    .release = "ZREM; version=fair: two of them in one transaction",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "who reads its clock early and asks late ranks before two holders",
       .lesson = "a-place-by-the-time-of-clients-is-taken-by-a-third",
       .repair = "a-semaphore-by-the-time-of-the-server-has-two-places"},
      {.what = "who draws its number early and joins late ranks before two holders",
       .lesson = "a-place-by-a-number-that-was-drawn-before-is-taken-by-a-third",
       .repair = "a-semaphore-by-the-time-of-the-server-has-two-places"},
  };
}

}  // namespace of_redis_in_action
}  // namespace

Card redis_in_action() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "redis-in-action",
      .summary = "counting semaphores of the book, for two: the rank in a sorted set decides, after joining",
      .source = "josiahcarlson/redis-in-action e31da83, python/ch06_listing_source.py, section 6.3",
      .upstream =
          Upstream{.name = "Redis in Action, counting semaphore", .language = "Python",
                   .repository = "josiahcarlson/redis-in-action",
                   .commit = "e31da835565439bfb6c95acd954818f0f2616b28",
                   .excerpts = {{"python/ch06_listing_source.py", 265, 277, "fcb2f1e611539deb"},
                                {"python/ch06_listing_source.py", 287, 288, "39884cb93b4472e6"},
                                {"python/ch06_listing_source.py", 294, 317, "243256a72bfa6984"},
                                {"python/ch06_listing_source.py", 329, 333, "f3e416995e907e25"}},
                   .files = {{"python/ch06_listing_source.py", "349014061c8d95fe"}}},
      .lesson = of_redis_in_action::lesson,
      .protocol = of_redis_in_action::protocol,
      .claims = {{{recovery}, {none}}},
      .bugs = of_redis_in_action::known_bugs(),
      .driver_retries = 10,
      .driver = "redis-py 8.0.0, Redis(host): 10 times (run)",
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Kind::duration, "10s", "timeout: how long a place is held"},
                     {"version",
                      Kind::choice,
                      "basic",
                      "basic: clients' times give the order (6.3.1); fair: numbers of the server do (6.3.2)",
                      {"basic", "fair"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_redis_in_action::CountingSemaphore>(params);
      },
      .is_stateless = true,
      .capacity = of_redis_in_action::limit,
      .keys = {"NAME"},
  };
}

}  // namespace holdfast::algorithms
