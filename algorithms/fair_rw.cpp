// fair-rw: readers and writers wait in one queue; a client waits for those before it that clash with it.
#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

// KEYS: the holders (a hash: token to "w" or "r"), the queue (a list of mode and token), the leases (a sorted
// set: token to the end of its lease or of its place in the queue, by the server's clock).
// ARGV: token, "w" or "r", TTL in ms. Answers nil when granted, else how long the first obstacle still has,
// in ms.
//
// A waiter that stays away for a TTL loses its place, and a holder that holds for longer than a TTL loses the
// lock: one rule for both. A reader is granted when no writer holds and none waits before it; a writer when
// nobody holds and nobody waits before it. A key is kept for the longest lease in it.
constexpr const char* enter_script =
    "local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)"
    " for _, dead in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', '(' .. now)) do"
    " redis.call('ZREM', KEYS[3], dead) redis.call('HDEL', KEYS[1], dead)"
    " redis.call('LREM', KEYS[2], 0, 'w' .. dead) redis.call('LREM', KEYS[2], 0, 'r' .. dead) end"
    " local me, mode = ARGV[1], ARGV[2]"
    " if redis.call('ZSCORE', KEYS[3], me) == false then redis.call('RPUSH', KEYS[2], mode .. me) end"
    " redis.call('ZADD', KEYS[3], now + ARGV[3], me)"
    " local function keep(key) if redis.call('PTTL', key) < ARGV[3] + 0 then"
    " redis.call('PEXPIRE', key, ARGV[3]) end end keep(KEYS[2]) keep(KEYS[3])"
    " local blocker local held = redis.call('HGETALL', KEYS[1])"
    " for i = 1, #held, 2 do if mode == 'w' or held[i + 1] == 'w' then blocker = held[i] end end"
    " for _, waiting in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do"
    " if waiting == mode .. me then break end"
    " if mode == 'w' or string.sub(waiting, 1, 1) == 'w' then blocker = string.sub(waiting, 2) break end end"
    " if blocker then return math.max(0, redis.call('ZSCORE', KEYS[3], blocker) - now) end"
    " redis.call('LREM', KEYS[2], 0, mode .. me) redis.call('HSET', KEYS[1], me, mode)"
    " keep(KEYS[1]) return nil";
// Gives back the lock, or the place in the queue. 1: it held the lock.
constexpr const char* leave_script =
    "redis.call('ZREM', KEYS[3], ARGV[1])"
    " redis.call('LREM', KEYS[2], 0, 'w' .. ARGV[1]) redis.call('LREM', KEYS[2], 0, 'r' .. ARGV[1])"
    " return redis.call('HDEL', KEYS[1], ARGV[1])";

class FairRw final : public Lock {
 public:
  explicit FairRw(const Params& params)
      : ttl_(params.duration("ttl")),
        poll_(params.duration("poll")),
        waits_(params.choice("blocking") == "yes") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode mode) override {
    // One token for all tries: it is the place in the queue.
    const std::string token = env.random.token();
    const Args args(token, mode == Mode::shared ? "r" : "w", to_milliseconds(ttl_));
    const Keys keys(key, key + ":queue", key + ":leases");
    for (;;) {
      env.loop_head(Args(token));
      const Reply reply = co_await Redis(env.store()).eval(enter_script, keys, args);
      if (reply.is_nil()) {
        Grant grant(token);
        grant.lease = ttl_;
        co_return Attempt(grant);
      }
      if (is_failure(reply) || !waits_) {
        const Reply left = co_await Redis(env.store()).eval(leave_script, keys, Args(token));
        if (is_failure(reply)) co_return Attempt::failed(error_of(reply));
        if (is_failure(left)) co_return Attempt::failed(error_of(left));
        co_return Attempt::refused("others hold it, or wait before");
      }
      co_await env.clock.sleep(poll_);
    }
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Keys keys(key, key + ":queue", key + ":leases");
    const Reply left = co_await Redis(env.store()).eval(leave_script, keys, Args(grant.token));
    co_return release_by(left);
  }

 private:
  Duration ttl_;
  Duration poll_;
  bool waits_;
};

constexpr std::string_view lesson =
    "The lock that document 002 ends on: put readers and writers into one queue, so that none can starve. A "
    "reader goes in together with the readers before it, a writer alone, and neither overtakes a client that "
    "came first and clashes with it. The queue is only as fair as the way to it: a request that travels "
    "longer joins later. Readers pay the price: they wait behind a waiting writer although only readers hold "
    "the lock; and all are as slow as the slowest poll. A waiter that dies in the queue must not block it, "
    "so a place lives only as long as a lease and is kept by asking again: a client that asks too seldom, or "
    "is paused, goes to the end. What a queue does not change: the lease of a holder who is late ends under "
    "it.";

constexpr Protocol protocol{
    .acquire =
        "EVAL with TIME: ended clients leave (ZRANGEBYSCORE, ZREM, HDEL, LREM); RPUSH and ZADD queue; HSET "
        "takes if no incompatible client holds (HGETALL) or waits before (LRANGE), else ZSCORE tells how "
        "long; PTTL, and PEXPIRE where that is shorter",
    .release = "EVAL of ZREM, LREM and HDEL",
};

}  // namespace

Card fair_rw() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "fair-rw",
      .summary =
          "readers and writers wait in one queue on the server; a reader joins readers, a writer goes alone",
      .source = "document 002, its last section; the scripts are ours",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{owner_only_release}, every_fault}},
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "4s", "of a grant, and of a place in the queue"},
                     {"poll", Parameter::Kind::duration, "100ms", "how often a waiter asks again"},
                     {"blocking",
                      Parameter::Kind::choice,
                      "yes",
                      "no: acquire() asks once and leaves the queue",
                      {"yes", "no"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<FairRw>(params); },
      .is_stateless = true,
      .ignores_date = true,
      .has_readers = true,
      .waiting = {{"poll", "1s"}},
  };
}

}  // namespace holdfast::algorithms
