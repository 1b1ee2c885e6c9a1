// redisson: a hash counts the holds of a thread; a watchdog renews it; waiters listen on a channel.
#include "algorithms/redisson.hpp"

#include "algorithms/claims.hpp"

namespace holdfast::algorithms {
namespace {

// ARGV: the lease and the thread. Nil: granted; else how long the lease of the other lasts.
constexpr const char* enter =
    "if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then"
    " redis.call('hincrby', KEYS[1], ARGV[2], 1)"
    " redis.call('pexpire', KEYS[1], ARGV[1])"
    " return nil end"
    " return redis.call('pttl', KEYS[1])";

// KEYS: lock, channel, latch. ARGV: message, lease, thread, PUBLISH or SPUBLISH, how long the latch lasts.
// What the first execution answered stands in the latch for those that repeat it.
constexpr const char* leave_script =
    "local val = redis.call('get', KEYS[3])"
    " if val ~= false then return tonumber(val) end"
    " if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then return nil end"
    " if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then"
    " redis.call('pexpire', KEYS[1], ARGV[2])"
    " redis.call('set', KEYS[3], 0, 'px', ARGV[5])"
    " return 0 end"
    " redis.call('del', KEYS[1])"
    " redis.call(ARGV[4], KEYS[2], ARGV[1])"
    " redis.call('set', KEYS[3], 1, 'px', ARGV[5])"
    " return 1";

// ARGV: the lease and the thread.
constexpr const char* extend_script =
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then"
    " redis.call('pexpire', KEYS[1], ARGV[1])"
    " return 1 end"
    " return 0";

class Redisson final : public of_redisson::RedissonLock {
 public:
  using RedissonLock::RedissonLock;

 private:
  std::string channel_of(const std::string& key, Mode) const override {
    return of_redisson::prefixed("redisson_lock__channel", key);
  }
  Task<Reply> ask(Env& env, std::string key, Mode) override {
    const Reply left = co_await env.store().eval(enter, Keys(key), Args(to_milliseconds(ttl()), thread()));
    co_return left;
  }
  Task<Reply> leave(Env& env, std::string key, Mode mode, std::string latch) override {
    const Keys keys(key, channel_of(key, mode), latch);
    const Args args(of_redisson::unlock_message, to_milliseconds(ttl()), thread(), "PUBLISH",
                    to_milliseconds(of_redisson::latch_ttl));
    const Reply left = co_await env.store().eval(leave_script, keys, args);
    co_return left;
  }
  Task<Reply> extend(Env& env, std::string key, Mode) override {
    const Args args(to_milliseconds(ttl()), thread());
    const Reply extended = co_await env.store().eval(extend_script, Keys(key), args);
    co_return extended;
  }
};

constexpr std::string_view lesson =
    "The lock of most Java programs. A hash holds the thread and the number of its holds, so a thread may "
    "enter again; whoever is refused subscribes to a channel, looks once more, and sleeps until an unlock "
    "is published or the lease that it was told of is over: a message that gets lost costs a lease, not "
    "for ever. Without a leaseTime a watchdog extends the lease every third of lockWatchdogTimeout for as "
    "long as the process runs, so work may last as long as it likes; but if renewals are kept from the "
    "server for a lease, or the process stops, another enters while the first goes on, and nobody tells it "
    "(issues "
    "3636, 5698). An acquire whose answer is lost and that is tried again is a second entry, and one unlock "
    "then leaves one hold until the lease ends. The unlock writes its result into a latch, so that a driver "
    "that "
    "repeats it is told what the first one did. Once, a renewal that failed was the last (2515, 3194).";

}  // namespace

Card redisson() {
  using enum Fault;
  return Card{
      .id = "redisson",
      .summary = "a hash counts holds, a watchdog renews, waiters listen on a channel",
      .source = "redisson/redisson 6686397, RedissonLock, RedissonBaseLock, LockPubSub",
      .lesson = lesson,
      .claims = {{Property::owner_only_release, every_fault},
                 {Property::owner_only_change, every_fault_but({late_request, duplicate})},
                 {Property::truthful_release, every_fault_but({late_request, duplicate})},
                 {Property::recovery, every_fault}},
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = of_redisson::parameters(),
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<Redisson>(params);
      },
      .renews = true,
  };
}

}  // namespace holdfast::algorithms
