// redisson-rw: a hash with a mode and a counter for each holder; every hold of a reader has a TTL of its own.
#include "algorithms/claims.hpp"
#include "algorithms/redisson.hpp"

namespace holdfast::algorithms {
namespace {

// KEYS: lock, prefix of the keys of the reader's holds. ARGV: lease, reader, the same thread as writer.
constexpr const char* read_enter =
    "local mode = redis.call('hget', KEYS[1], 'mode')"
    " if mode == false then"
    " redis.call('hset', KEYS[1], 'mode', 'read')"
    " redis.call('hset', KEYS[1], ARGV[2], 1)"
    " redis.call('set', KEYS[2] .. ':1', 1)"
    " redis.call('pexpire', KEYS[2] .. ':1', ARGV[1])"
    " redis.call('pexpire', KEYS[1], ARGV[1])"
    " return nil end"
    " if mode == 'read' or (mode == 'write' and redis.call('hexists', KEYS[1], ARGV[3]) == 1) then"
    " local hold = KEYS[2] .. ':' .. redis.call('hincrby', KEYS[1], ARGV[2], 1)"
    " redis.call('set', hold, 1)"
    " redis.call('pexpire', hold, ARGV[1])"
    " redis.call('pexpire', KEYS[1], math.max(redis.call('pttl', KEYS[1]), ARGV[1]))"
    " return nil end"
    " return redis.call('pttl', KEYS[1])";

// ARGV: lease, writer. To enter again adds a lease to what is left.
constexpr const char* write_enter =
    "local mode = redis.call('hget', KEYS[1], 'mode')"
    " if mode == false then"
    " redis.call('hset', KEYS[1], 'mode', 'write')"
    " redis.call('hset', KEYS[1], ARGV[2], 1)"
    " redis.call('pexpire', KEYS[1], ARGV[1])"
    " return nil end"
    " if mode == 'write' and redis.call('hexists', KEYS[1], ARGV[2]) == 1 then"
    " redis.call('hincrby', KEYS[1], ARGV[2], 1)"
    " redis.call('pexpire', KEYS[1], redis.call('pttl', KEYS[1]) + ARGV[1])"
    " return nil end"
    " return redis.call('pttl', KEYS[1])";

// KEYS: lock, channel, prefix of the own holds, prefix of all, latch. ARGV: message, reader, PUBLISH, how
// long the latch lasts. The lock then lives as long as the longest hold that is left.
constexpr const char* read_leave =
    "local val = redis.call('get', KEYS[5])"
    " if val ~= false then return tonumber(val) end"
    " local mode = redis.call('hget', KEYS[1], 'mode')"
    " if mode == false then"
    " redis.call(ARGV[3], KEYS[2], ARGV[1])"
    " redis.call('set', KEYS[5], 1, 'px', ARGV[4])"
    " return nil end"
    " if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end"
    " local counter = redis.call('hincrby', KEYS[1], ARGV[2], -1)"
    " if counter == 0 then redis.call('hdel', KEYS[1], ARGV[2]) end"
    " redis.call('del', KEYS[3] .. ':' .. (counter + 1))"
    " if redis.call('hlen', KEYS[1]) > 1 then"
    " local longest = -3"
    " for _, key in ipairs(redis.call('hkeys', KEYS[1])) do"
    " local holds = tonumber(redis.call('hget', KEYS[1], key))"
    " if type(holds) == 'number' then for i = holds, 1, -1 do"
    " longest = math.max(redis.call('pttl', KEYS[4] .. ':' .. key .. ':rwlock_timeout:' .. i), longest)"
    " end end end"
    " if longest > 0 then"
    " redis.call('pexpire', KEYS[1], longest)"
    " redis.call('set', KEYS[5], 0, 'px', ARGV[4])"
    " return 0 end"
    " if mode == 'write' then"
    " redis.call('set', KEYS[5], 0, 'px', ARGV[4])"
    " return 0 end"
    " end"
    " redis.call('del', KEYS[1])"
    " redis.call(ARGV[3], KEYS[2], ARGV[1])"
    " redis.call('set', KEYS[5], 1, 'px', ARGV[4])"
    " return 1";

// KEYS: lock, channel, latch. ARGV: message, lease, writer, PUBLISH, how long the latch lasts. A writer that
// still reads leaves its read lock, and nobody is told.
constexpr const char* write_leave =
    "local val = redis.call('get', KEYS[3])"
    " if val ~= false then return tonumber(val) end"
    " local mode = redis.call('hget', KEYS[1], 'mode')"
    " if mode == false then"
    " redis.call(ARGV[4], KEYS[2], ARGV[1])"
    " redis.call('set', KEYS[3], 1, 'px', ARGV[5])"
    " return nil end"
    " if mode ~= 'write' or redis.call('hexists', KEYS[1], ARGV[3]) == 0 then return nil end"
    " if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then"
    " redis.call('pexpire', KEYS[1], ARGV[2])"
    " redis.call('set', KEYS[3], 0, 'px', ARGV[5])"
    " return 0 end"
    " redis.call('hdel', KEYS[1], ARGV[3])"
    " if redis.call('hlen', KEYS[1]) == 1 then"
    " redis.call('del', KEYS[1])"
    " redis.call(ARGV[4], KEYS[2], ARGV[1])"
    " else redis.call('hset', KEYS[1], 'mode', 'read') end"
    " redis.call('set', KEYS[3], 1, 'px', ARGV[5])"
    " return 1";

// Before 3.44.0 the unlock() of a lock that is gone was told 1: released. Now it is told nil, and a
// request that is repeated finds 1 in the latch.
std::string before_3_44(std::string script) {
  constexpr std::string_view now = "return nil end";  // in the first branch, for a lock that is gone
  return script.replace(script.find(now), now.size(), "return 1 end");
}

// KEYS: lock, prefix of all holds. ARGV: lease, holder, and whether the holds of others are extended, too.
constexpr const char* read_extend =
    "if redis.call('hget', KEYS[1], ARGV[2]) == false then return 0 end"
    " redis.call('pexpire', KEYS[1], ARGV[1])"
    " for _, key in ipairs(redis.call('hkeys', KEYS[1])) do"
    " local holds = tonumber(redis.call('hget', KEYS[1], key))"
    " if type(holds) == 'number' and (key == ARGV[2] or ARGV[3] == 'all') then for i = holds, 1, -1 do"
    " redis.call('pexpire', KEYS[2] .. ':' .. key .. ':rwlock_timeout:' .. i, ARGV[1])"
    " end end end"
    " return 1";

constexpr const char* write_extend =
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then"
    " redis.call('pexpire', KEYS[1], ARGV[1])"
    " return 1 end"
    " return 0";

class RedissonReadWrite final : public of_redisson::RedissonLock {
 public:
  explicit RedissonReadWrite(const Params& params)
      : RedissonLock(params),
        extends_all_(params.choice("read-watchdog") == "all"),
        read_leave_(read_leave),
        write_leave_(write_leave) {
    if (params.choice("unlock-of-gone") == "nil") return;
    read_leave_ = before_3_44(read_leave);
    write_leave_ = before_3_44(write_leave);
  }

 private:
  static std::string all_holds(const std::string& key) {
    return key.find('{') != std::string::npos ? key : "{" + key + "}";
  }
  std::string own_holds(const std::string& key) const {
    return all_holds(key) + ":" + thread() + ":rwlock_timeout";
  }
  std::string writer() const { return thread() + ":write"; }

  std::string channel_of(const std::string& key, Mode) const override {
    return of_redisson::prefixed("redisson_rwlock", key);
  }

  Task<Reply> ask(Env& env, std::string key, Mode mode) const override {
    const std::int64_t lease = to_milliseconds(ttl());
    if (mode == Mode::shared) {
      const Keys keys(key, own_holds(key));
      const Reply left = co_await evaluate(env, read_enter, keys, Args(lease, thread(), writer()));
      co_return left;
    }
    const Reply left = co_await evaluate(env, write_enter, Keys(key), Args(lease, writer()));
    co_return left;
  }

  Task<Reply> leave(Env& env, std::string key, Mode mode, std::string latch) const override {
    const std::string channel = channel_of(key, mode);
    const std::int64_t latch_lasts = to_milliseconds(of_redisson::latch_ttl);
    if (mode == Mode::shared) {
      const Keys keys(key, channel, own_holds(key), all_holds(key), latch);
      const Args args(of_redisson::unlock_message, thread(), "PUBLISH", latch_lasts);
      const Reply left = co_await evaluate(env, read_leave_, keys, args);
      co_return left;
    }
    const Args args(of_redisson::read_unlock_message, to_milliseconds(ttl()), writer(), "PUBLISH",
                    latch_lasts);
    const Reply left = co_await evaluate(env, write_leave_, Keys(key, channel, latch), args);
    co_return left;
  }

  Task<Reply> extend(Env& env, std::string key, Mode mode) const override {
    const std::int64_t lease = to_milliseconds(ttl());
    if (mode == Mode::shared) {
      const Args args(lease, thread(), extends_all_ ? "all" : "own");
      const Reply extended = co_await renewal(env, read_extend, Keys(key, all_holds(key)), args);
      co_return extended;
    }
    const Reply extended = co_await renewal(env, write_extend, Keys(key), Args(lease, writer()));
    co_return extended;
  }

  bool extends_all_;
  std::string read_leave_;
  std::string write_leave_;
};

constexpr std::string_view lesson =
    "Readers share, a writer is alone. One hash holds the mode and a counter for each thread, and every hold "
    "of a reader has a key of its own with a TTL, so that a reader that died is forgotten when that ends and "
    "not when the last of the others leaves: leaving sets the TTL of the lock to the longest that is "
    "left. There is no queue: readers join readers, and while one of them is always there a writer waits for "
    "ever. "
    "A thread that writes may also read, and then leave as writer (a downgrade); the script flips the mode "
    "and publishes nothing, so readers that wait sleep until the TTL that they were told of. The other "
    "way round, from reader to writer, a thread waits for itself. Before pull request 7098 the "
    "watchdog of one reader extended the holds of all readers, dead ones included.";

constexpr Protocol protocol{
    .acquire =
        "EVAL: HGET of the mode; a reader adds itself with HSET or HINCRBY and SET of a key for this hold, a "
        "writer with HSET, or if HEXISTS HINCRBY; PEXPIRE grants, else PTTL. If refused: SUBSCRIBE, and EVAL "
        "again after a message or that time",
    .renew =
        "every third of the lease, EVAL of HGET or HEXISTS and PEXPIRE; a reader also of its holds, which "
        "HKEYS "
        "and HGET count",
    .release =
        "EVAL: GET of the latch, HGET of the mode, HEXISTS, HINCRBY; HDEL at zero. DEL of the reader's key; "
        "while "
        "HLEN tells of others, PEXPIRE to the longest PTTL of their holds, which HKEYS finds; else DEL and "
        "PUBLISH. SET of the latch, and DEL of it. Where there are replicas, WAIT after each script",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "the watchdog of one reader extended the holds of all, also of those that had died",
       .tracker = "redisson/redisson #1458, pull request 7098",
       .lesson = "a-watchdog-that-renews-all-readers-keeps-the-dead",
       .repair = "a-watchdog-that-renews-its-own-reader-lets-the-dead-go"},
      {.what = "a reader that asks to write waits for itself",
       .tracker = "redisson/redisson #4796",
       .lesson = "a-reader-that-asks-to-write-waits-for-itself"},
      {.what =
           "entering again as writer adds a lease, so a request that comes twice blocks for longer than one",
       .lesson = "a-writer-that-is-counted-twice-blocks-for-two-leases"},
      {.what = "before 3.44.0, unlock() of a lock that is gone returned as if it had been held",
       .lesson = "unlocking-a-lock-that-is-gone-looks-like-success"},
      {.what = "a writer that goes on as reader publishes nothing: readers that wait sleep out the lease",
       .instead = "no property limits how long acquire() takes; the script has no PUBLISH on that way"},
      {.what = "a reader that left shortened the lock of the others",
       .tracker = "redisson/redisson #2144",
       .instead = "repaired upstream before the version that is here"},
      {.what = "the watchdog renewed the hash, but not the keys of the holds",
       .tracker = "redisson/redisson #1604",
       .instead = "repaired upstream before the version that is here"},
  };
}

}  // namespace

Card redisson_rw() {
  using enum Fault;
  using enum Property;
  std::vector<Parameter> parameters = of_redisson::parameters();
  parameters.push_back(
      {"read-watchdog",
       Parameter::Kind::choice,
       "own",
       "own: a reader extends its own holds; all: those of every reader (before pull request 7098)",
       {"own", "all"}});
  parameters.push_back({"unlock-of-gone",
                        Parameter::Kind::choice,
                        "nil",
                        "of a lock that is gone. nil: tells the caller; released: does not, as before 3.44.0",
                        {"nil", "released"}});
  return Card{
      .id = "redisson-rw",
      .summary = "readers share a hash, each hold with a TTL of its own; a watchdog renews; no queue",
      .source = "redisson/redisson 6686397, RedissonReadLock, RedissonWriteLock",
      .upstream =
          Upstream{.name = "Redisson RReadWriteLock", .language = "Java",
                   .also = {"RReadWriteLock"},
                   .repository = "redisson/redisson",
                   .commit = "66863978b4a92093b97c1f8c96f182a77e81d50e",
                   .excerpts = {{"redisson/src/main/java/org/redisson/"
                                 "RedissonReadLock.java", 56, 79, "c8066f9caa5ab383"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonReadLock.java", 82, 140, "f35be8fa01cb601d"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonWriteLock.java", 54, 74, "da45ecd38fbb5612"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonWriteLock.java", 77, 117, "987462d07b61d4b1"}},
                   .files = {{"redisson/src/main/java/org/redisson/"
                              "RedissonReadLock.java", "64c3b6984105c57e"},
                             {"redisson/src/main/java/org/redisson/"
                              "RedissonWriteLock.java", "22eefe341216fee0"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion}, {none, crash, slow_section, lost_reply}},
                 // What unlocks goes by the thread, and a copy that lands late ends its next hold.
                 {{owner_only_release}, every_fault_but({late_request, duplicate})},
                 // Left unseen is a second hold, of a request that came late or twice, and an earlier one,
                 // which a replica may bring back.
                 {{truthful_release}, every_fault_but({late_request, duplicate, cancel, failover})},
                 // Each entry of a writer whose answer is lost is counted, and adds a lease.
                 {{recovery}, every_fault_but({duplicate, partition})}},
      .bugs = known_bugs(),
      .driver_retries = 4,  // of renewals; what locks and unlocks is sent once
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = parameters,
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<RedissonReadWrite>(params);
      },
      .ignores_date = true,
      .renews = true,
      .has_readers = true,
      .is_reentrant = true,
  };
}

}  // namespace holdfast::algorithms
