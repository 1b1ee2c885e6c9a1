// token-semaphore: two may hold it at once: a sorted set of tokens with their ends, by the server's time.
#include <string>

#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {
namespace of_token_semaphore {

constexpr std::uint32_t limit = 2;

// A token is there up to and including the millisecond of its end, as a key is.
constexpr const char* take =
    "local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)"
    " redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. now)"
    " if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end"
    " redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])"
    " redis.call('PEXPIREAT', KEYS[1], redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2])"
    " return 1";
constexpr const char* give_back =
    "local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)"
    " redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. now)"
    " return redis.call('ZREM', KEYS[1], ARGV[1])";

class Semaphore final : public Lock {
 public:
  explicit Semaphore(const Params& params) : ttl_(params.duration("ttl")) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Args args(token, limit, to_milliseconds(ttl_));
    const Reply reply = co_await Redis(env.store()).eval(take, Keys(key), args);
    if (is_failure(reply)) co_return Attempt::failed(error_of(reply));
    if (!reply.is(1)) co_return Attempt::refused("two hold it");
    Grant grant(token);
    grant.lease = ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply removed = co_await Redis(env.store()).eval(give_back, Keys(key), Args(grant.token));
    co_return release_by(removed);
  }

 private:
  Duration ttl_;
};

constexpr std::string_view lesson =
    "A lock for two: at most so many may work at once, as with connections or licences. Each holder is a "
    "member of a sorted set, and the score is the end of its own lease, so a holder that dies frees its "
    "place alone. Three things must be one step: to remove who has ended, to count who is left, and to join. "
    "And one clock must decide who has ended: the server's. Where the clients' clocks decide, who is ahead "
    "removes living holders (redis-semaphore-two), and where the place is counted after joining, by the "
    "clients' clocks or by numbers that were drawn before, one too many gets in without any fault "
    "(redis-in-action). As with token, nothing stops a holder that outlasts its lease.";

constexpr Protocol protocol{
    .acquire =
        "EVAL of TIME, ZREMRANGEBYSCORE and ZCARD; if there is a place, ZADD of a token with its end, then "
        "ZREVRANGE and PEXPIREAT: the set lives as long as its last member",
    .release = "EVAL of TIME, ZREMRANGEBYSCORE and ZREM",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a holder that outlasts its lease is a third one",
       .lesson = "a-holder-of-a-semaphore-that-outlasts-its-lease-is-a-third-one"},
  };
}

}  // namespace of_token_semaphore
}  // namespace

Card token_semaphore() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "token-semaphore",
      .summary = "two may hold it: a sorted set of tokens with their ends, by the server's time, in a script",
      .source = "the scripts are ours; Redis documentation, ZADD, TIME",
      .lesson = of_token_semaphore::lesson,
      .protocol = of_token_semaphore::protocol,
      // Of more faults the same is true, but three clients make large spaces.
      .claims = {{{mutual_exclusion}, {none, crash, lost_request, lost_reply}}, {{recovery}, {none}}},
      .bugs = of_token_semaphore::known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "10s", "how long a place is held"}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_token_semaphore::Semaphore>(params);
      },
      .is_stateless = true,
      .ignores_date = true,
      .capacity = of_token_semaphore::limit,
      .keys = {"NAME"},
  };
}

}  // namespace holdfast::algorithms
