// redisson-fair: a list of those who wait, with a deadline for each; an unlock wakes the first of them.
#include "algorithms/claims.hpp"
#include "algorithms/redisson.hpp"

namespace holdfast::algorithms {
namespace {

// Parts of scripts; literals join only as macros.
// Drops the threads at the head of the queue whose deadline is over by the clock of the client that asks. One
// whose deadline is gone, because the server forgot the set, stays for ever.
#define REDISSON_FAIR_DROP_LATE                                              \
  "while true do"                                                            \
  " local first = redis.call('lindex', KEYS[2], 0)"                          \
  " if first == false then break end"                                        \
  " local until_when = redis.call('zscore', KEYS[3], first)"                 \
  " if until_when == false or tonumber(until_when) > tonumber(ARGV[4]) then" \
  " break end"                                                               \
  " redis.call('zrem', KEYS[3], first)"                                      \
  " redis.call('lpop', KEYS[2])"                                             \
  " end"
// The lock is free and it is one's turn, or one holds it already.
#define REDISSON_FAIR_TAKE                                                                    \
  " if redis.call('exists', KEYS[1]) == 0 and"                                                \
  " (redis.call('exists', KEYS[2]) == 0 or redis.call('lindex', KEYS[2], 0) == ARGV[2]) then" \
  " redis.call('lpop', KEYS[2])"                                                              \
  " redis.call('zrem', KEYS[3], ARGV[2])"                                                     \
  " for _, other in ipairs(redis.call('zrange', KEYS[3], 0, -1)) do"                          \
  " redis.call('zincrby', KEYS[3], -tonumber(ARGV[3]), other) end"                            \
  " redis.call('hset', KEYS[1], ARGV[2], 1)"                                                  \
  " redis.call('pexpire', KEYS[1], ARGV[1])"                                                  \
  " return nil end"                                                                           \
  " if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then"                                     \
  " redis.call('hincrby', KEYS[1], ARGV[2], 1)"                                               \
  " redis.call('pexpire', KEYS[1], ARGV[1])"                                                  \
  " return nil end"

// KEYS: lock, queue, deadlines. ARGV: lease, thread, how long one waits, now; in milliseconds.
// tryLock(): 1 when refused.
constexpr const char* take_once = REDISSON_FAIR_DROP_LATE REDISSON_FAIR_TAKE " return 1";

// lock(): when refused, the thread stands in the queue, and is told how long to wait. When it comes to stand
// there: how long the one before it still has. Who stands there already is told how long the lease lasts: 0,
// ask again at once, when the lock is free and another is first.
#define REDISSON_FAIR_QUEUED                                 \
  " local deadline = redis.call('zscore', KEYS[3], ARGV[2])" \
  " if deadline ~= false then return "
#define REDISSON_FAIR_QUEUE                                                                         \
  " end"                                                                                            \
  " local last = redis.call('lindex', KEYS[2], -1)"                                                 \
  " local before = last ~= false and last ~= ARGV[2] and redis.call('zscore', KEYS[3], last)"       \
  " local ttl"                                                                                      \
  " if before then ttl = tonumber(before) - tonumber(ARGV[4])"                                      \
  " else ttl = redis.call('pttl', KEYS[1]) end"                                                     \
  " if redis.call('zadd', KEYS[3], ttl + tonumber(ARGV[3]) + tonumber(ARGV[4]), ARGV[2]) == 1 then" \
  " redis.call('rpush', KEYS[2], ARGV[2]) end"                                                      \
  " return ttl"
constexpr const char* take_or_queue = REDISSON_FAIR_DROP_LATE REDISSON_FAIR_TAKE REDISSON_FAIR_QUEUED
    "math.max(0, redis.call('pttl', KEYS[1]))" REDISSON_FAIR_QUEUE;
// Before 3.32.0: until the deadline before its own, which may be over.
constexpr const char* take_or_queue_by_deadline =
    REDISSON_FAIR_DROP_LATE REDISSON_FAIR_TAKE REDISSON_FAIR_QUEUED
    "tonumber(deadline) - tonumber(ARGV[3]) - tonumber(ARGV[4])" REDISSON_FAIR_QUEUE;

// KEYS: lock, queue, deadlines, channel, latch. ARGV: message, lease, thread, now, PUBLISH, how long the
// latch lasts.
constexpr const char* leave_script =
    "local val = redis.call('get', KEYS[5])"
    " if val ~= false then return tonumber(val) end"
    " " REDISSON_FAIR_DROP_LATE
    " if redis.call('exists', KEYS[1]) == 1 then"
    " if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then return nil end"
    " if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then"
    " redis.call('pexpire', KEYS[1], ARGV[2])"
    " redis.call('set', KEYS[5], 0, 'px', ARGV[6])"
    " return 0 end"
    " redis.call('del', KEYS[1])"
    " end"
    " redis.call('set', KEYS[5], 1, 'px', ARGV[6])"
    " local next = redis.call('lindex', KEYS[2], 0)"
    " if next ~= false then redis.call(ARGV[5], KEYS[4] .. ':' .. next, ARGV[1]) end"
    " return 1";

// KEYS: queue, deadlines. ARGV: thread, how long one waits. Those behind it move up by that.
constexpr const char* leave_queue =
    "local queue = redis.call('lrange', KEYS[1], 0, -1)"
    " local i = 1"
    " while i <= #queue and queue[i] ~= ARGV[1] do i = i + 1 end"
    " for behind = i + 1, #queue do"
    " redis.call('zincrby', KEYS[2], -tonumber(ARGV[2]), queue[behind]) end"
    " redis.call('zrem', KEYS[2], ARGV[1])"
    " redis.call('lrem', KEYS[1], 0, ARGV[1])";

constexpr const char* extend_script =
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then"
    " redis.call('pexpire', KEYS[1], ARGV[1])"
    " return 1 end"
    " return 0";

class RedissonFair final : public of_redisson::RedissonLock {
 public:
  explicit RedissonFair(const Params& params)
      : RedissonLock(params),
        thread_wait_time_(params.duration("thread-wait-time")),
        take_or_queue_(params.choice("queued-wait") == "lease" ? take_or_queue : take_or_queue_by_deadline) {}

 private:
  static std::string queue_of(const std::string& key) {
    return of_redisson::prefixed("redisson_lock_queue", key);
  }
  static std::string deadlines_of(const std::string& key) {
    return of_redisson::prefixed("redisson_lock_timeout", key);
  }
  static std::string lock_channel(const std::string& key) {
    return of_redisson::prefixed("redisson_lock__channel", key);
  }
  static std::int64_t now_ms(Env& env) { return to_milliseconds(env.clock.wall().time_since_epoch()); }
  std::int64_t wait_ms() const {
    return to_milliseconds(blocking() == of_redisson::Blocking::until_timeout ? wait_time()
                                                                              : thread_wait_time_);
  }

  // Each thread listens to a channel of its own.
  std::string channel_of(const std::string& key, Mode) const override {
    return lock_channel(key) + ":" + thread();
  }

  Task<Reply> ask(Env& env, std::string key, Mode) const override {
    const Keys keys(key, queue_of(key), deadlines_of(key));
    const Args args(to_milliseconds(ttl()), thread(), wait_ms(), now_ms(env));
    const char* const script = blocking() == of_redisson::Blocking::no ? take_once : take_or_queue_;
    const Reply left = co_await evaluate(env, script, keys, args);
    co_return left;
  }

  Task<Reply> leave(Env& env, std::string key, Mode, std::string latch) const override {
    const Keys keys(key, queue_of(key), deadlines_of(key), lock_channel(key), latch);
    const Args args(of_redisson::unlock_message, to_milliseconds(ttl()), thread(), now_ms(env), "PUBLISH",
                    to_milliseconds(of_redisson::latch_ttl));
    const Reply left = co_await evaluate(env, leave_script, keys, args);
    co_return left;
  }

  Task<Reply> extend(Env& env, std::string key, Mode) const override {
    const Args args(to_milliseconds(ttl()), thread());
    const Reply extended = co_await renewal(env, extend_script, Keys(key), args);
    co_return extended;
  }

  Task<> give_up(Env& env, std::string key) const override {
    const Keys keys(queue_of(key), deadlines_of(key));
    co_await evaluate(env, leave_queue, keys, Args(thread(), wait_ms()));
  }

  Duration thread_wait_time_;
  const char* take_or_queue_;
};

constexpr std::string_view lesson =
    "The lock of redisson with a queue: a thread that is refused is put at the end of a list, an unlock "
    "wakes the first, and only the first is let in. A waiter that died would keep all others out, so each "
    "has a deadline, five minutes after the end of the lease or the deadline before its own, and the client "
    "that asks first drops those from the head that are late by its own wall clock. So the order is as good "
    "as the clocks agree: a client whose clock is ahead drops living waiters and passes them, and they are "
    "not told; with clocks behind, the dead stay longer. A waiter that lives for longer than its deadline is "
    "dropped, too, and then no unlock wakes it; one that dies at the head costs all others five minutes, in "
    "which those behind it, once the lock is free, are told to wait 0 ms and ask without a pause. Before "
    "3.32.0 they were told the time until the deadline before their own, and when that was over, a negative "
    "number, which means for ever. A server that forgets the deadlines and keeps the list never drops its "
    "head. Exclusion does not depend on clocks.";

constexpr Protocol protocol{
    .acquire =
        "EVAL: LINDEX, ZSCORE, ZREM and LPOP drop the late from the queue; if EXISTS finds no lock and "
        "oneself is first, LPOP, ZREM, ZRANGE with ZINCRBY for those behind, HSET and PEXPIRE; if HEXISTS, "
        "HINCRBY and PEXPIRE; else ZADD and RPUSH, and the deadline of the last or PTTL; in the queue, PTTL. "
        "Then SUBSCRIBE to a channel of one's own, and EVAL again after a message or that time",
    .renew = "every third of the lease, EVAL of HEXISTS and PEXPIRE, unless a leaseTime was given",
    .release =
        "EVAL: GET of the latch; LINDEX, ZSCORE, ZREM and LPOP drop the late; HEXISTS, HINCRBY; PEXPIRE if "
        "holds are left, else DEL; SET of the latch; PUBLISH to the first of the queue. Then DEL of the "
        "latch. Where there are replicas, WAIT after each script",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a waiter that died keeps all others out until its deadline, five minutes later",
       .tracker = "redisson/redisson #6150, #1104",
       .lesson = "a-waiter-that-died-keeps-the-others-out",
       .repair = "a-waiter-that-died-is-soon-passed-over-with-a-short-wait"},
      {.what = "unlock() of a lock that is gone returns as if it had been held",
       .lesson = "unlocking-a-fair-lock-that-is-gone-looks-like-success"},
      {.what = "a client whose clock is ahead drops waiters that live, and passes them",
       .instead = "no property speaks of the order of the queue; the holder still holds alone"},
      {.what = "a waiter that lives longer than its deadline is dropped, and no unlock wakes it",
       .tracker = "redisson/redisson #3004",
       .instead = "no property limits how long acquire() takes"},
      {.what = "the deadlines of those behind moved hours into the future",
       .tracker = "redisson/redisson #2099, pull request 2100",
       .instead = "repaired upstream before the version that is here"},
      {.what = "before 3.32.0 a waiter was told a negative number of milliseconds: wait without an end",
       .tracker = "redisson/redisson #5503, #4705",
       .instead = "scripts_test shows it with queued-wait=deadline; the deadline of a waiter must be over "
                  "while it is asked for"},
      {.what = "behind a waiter that died, those in the queue of a free lock ask again without a pause",
       .instead = "no property limits how often a lock asks; scripts_test shows the 0 that they are told"},
  };
}

}  // namespace

Card redisson_fair() {
  using enum Fault;
  using enum Property;
  std::vector<Parameter> parameters = of_redisson::parameters();
  parameters.push_back({"thread-wait-time", Parameter::Kind::duration, "5m",
                        "how much later than the one before it a waiter is taken for dead"});
  parameters.push_back({"queued-wait",
                        Parameter::Kind::choice,
                        "lease",
                        "what a waiter is told. lease: how long that lasts; deadline: how long until the one "
                        "before its own (before 3.32.0)",
                        {"lease", "deadline"}});
  return Card{
      .id = "redisson-fair",
      .summary = "a queue with deadlines beside the hash; an unlock wakes the first",
      .source = "redisson/redisson 6686397, RedissonFairLock",
      .upstream =
          Upstream{.name = "Redisson RLock, fair", .language = "Java",
                   .also = {"RFairLock"},
                   .repository = "redisson/redisson",
                   .commit = "66863978b4a92093b97c1f8c96f182a77e81d50e",
                   .excerpts = {{"redisson/src/main/java/org/redisson/"
                                 "RedissonFairLock.java", 100, 232, "14b3c7b16ea46343"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonFairLock.java", 235, 285, "a6240acea663f114"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonFairLock.java", 70, 97, "79dedf4a833e79f7"}},
                   .files = {{"redisson/src/main/java/org/redisson/"
                              "RedissonFairLock.java", "6530708593303cbc"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion}, {none, crash, slow_section, lost_reply, clock_skew, clock_jump}},
                 // What unlocks goes by the thread, and a copy that lands late ends its next hold.
                 {{owner_only_release}, every_fault_but({late_request, duplicate})},
                 // Who dies or is not heard while it waits keeps its place for thread-wait-time.
                 {{recovery}, {none, Fault::pause, slow_section, clock_skew, clock_jump, server_clock_jump}},
                 {{truthful_release}, of_redisson::truthful_while_it_is_there}},
      .bugs = known_bugs(),
      .driver_retries = 4,  // of renewals; what locks and unlocks is sent once
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = parameters,
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<RedissonFair>(params);
      },
      .ignores_date = true,
      .renews = true,
      .is_reentrant = true,
  };
}

}  // namespace holdfast::algorithms
