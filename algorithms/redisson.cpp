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

class Redisson final : public of_redisson::ExclusiveLock {
 public:
  using ExclusiveLock::ExclusiveLock;

 private:
  Task<Reply> ask(Env& env, std::string key, Mode) const override {
    const Reply left = co_await evaluate(env, enter, Keys(key), Args(to_milliseconds(ttl()), thread()));
    co_return left;
  }
};

constexpr std::string_view lesson =
    "The lock of most Java programs. A hash holds the thread and the number of its holds, so a thread may "
    "enter again; a thread that is refused subscribes to a channel, looks once more, and sleeps until an "
    "unlock is published or the lease that it was told of is over: a message that gets lost costs a lease, "
    "not for ever. Without a leaseTime a watchdog extends the lease every third of lockWatchdogTimeout for "
    "as long as the process runs, so work may last as long as it likes; but if renewals are kept from the "
    "server for a lease, or the process stops, another enters while the first goes on without being told. An "
    "acquire whose answer is lost, or whose caller was interrupted, and that is tried again is a second "
    "entry, and one unlock then leaves one hold until the lease ends. The unlock writes its result into a "
    "latch, so that a client that repeats it is told what the first one did. It does so where there are "
    "replicas (servers=replicated, every mode but that of a single server): WAIT follows each script, and "
    "what no replica has is given back, or unlocked again, up to four times. Told of a single server behind "
    "an address that moves, Redisson sends no WAIT, and a failover forgets who holds.";

constexpr Protocol protocol{
    .acquire =
        "EVAL: EXISTS and HEXISTS of the hash; HINCRBY of the thread and PEXPIRE grant, else PTTL tells how "
        "long the lease lasts. If refused: SUBSCRIBE, EVAL once more, and again after a message or that time",
    .renew = "every third of the lease, EVAL of HEXISTS and PEXPIRE, unless a leaseTime was given",
    .release =
        "EVAL: GET of the latch, HEXISTS, HINCRBY; PEXPIRE if holds are left, else DEL and PUBLISH; SET of "
        "the latch. Then DEL of the latch. Where there are replicas, WAIT after each script",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what =
           "a holder whose renewals did not reach the server for a lease is not told, and works on beside "
           "another",
       .tracker = "redisson/redisson #3636, #5698",
       .lesson = "renewals-that-do-not-get-through-let-another-in"},
      {.what = "after one renewal without an answer the watchdog never came back",
       .tracker = "redisson/redisson #2515, #3194",
       .lesson = "a-renewal-that-fails-once-was-the-last",
       .repair = "a-watchdog-that-goes-on-outlives-a-lost-renewal"},
      {.what = "a client that tries again after a lost answer is counted twice, and one unlock() leaves a "
               "hold",
       .lesson = "who-tries-again-after-a-lost-answer-holds-twice"},
      {.what = "a leaseTime below a millisecond deletes the lock, and it counts as acquired",
       .lesson = "a-lease-time-below-a-millisecond-excludes-nobody"},
      {.what = "a thread that is interrupted while it locks leaves a watchdog that renews a lock without a "
               "holder",
       .tracker = "redisson/redisson #7272, pull request 7277",
       .instead =
           "a call that is cancelled here takes its callbacks with it: none schedules a renewal afterwards"},
      {.what = "an RLock and an RReadWriteLock of one name do not exclude each other",
       .tracker = "redisson/redisson #4023",
       .instead = "all clients of a scenario use one kind of lock"},
      {.what = "a replica that did not get the write is promoted, and grants the lock once more",
       .tracker = "redisson/redisson #4706, #4822, #3994",
       .lesson = "a-replica-that-did-not-hear-of-the-thread-lets-another-in",
       .repair = "a-thread-that-waits-for-a-replica-is-known-after-a-failover"},
      {.what = "a renewal that no replica has is only logged, and a failover forgets it",
       .instead = "check finds it: redisson, fault failover, servers=replicated, with two attempts"},
      {.what = "of two replicas WAIT is content with one, and the other may be promoted; with none, none is "
               "asked",
       .instead = "a simulated server has one replica"},
  };
}

}  // namespace

Card redisson() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "redisson",
      .summary = "a hash counts holds, a watchdog renews, waiters listen on a channel",
      .source = "redisson/redisson 6686397, RedissonLock, RedissonBaseLock, LockPubSub",
      .upstream =
          Upstream{.name = "Redisson RLock", .language = "Java",
                   .also = {"RLock"},
                   .repository = "redisson/redisson",
                   .commit = "66863978b4a92093b97c1f8c96f182a77e81d50e",
                   .excerpts = {{"redisson/src/main/java/org/redisson/"
                                 "RedissonLock.java", 103, 148, "f91fe9e90a525623"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonLock.java", 185, 207, "2d6a8276d82960d5"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonLock.java", 214, 224, "ba08d3a60a3b12e2"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonLock.java", 227, 309, "d79e9f33157e108a"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonLock.java", 347, 371, "d70c3d75f8074a6f"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonBaseLock.java", 161, 182, "2799aaa20cbf200b"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonBaseLock.java", 218, 247, "ebe4640f22d124e0"}},
                   .files = {{"redisson/src/main/java/org/redisson/RedissonLock.java", "e2ae327c53d37cd6"},
                             {"redisson/src/main/java/org/redisson/"
                              "RedissonBaseLock.java", "f5e0730997491ada"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion}, {none, crash, slow_section, lost_reply}},
                 {{recovery}, every_fault},
                 // Scripts go by the thread, and a copy that lands late changes or ends its next hold.
                 {{owner_only_release, owner_only_change}, every_fault_but({late_request, duplicate})},
                 // A renewal that was sent before the release may land on the next hold of the same thread,
                 // and a failover may bring back a hold of that thread that is over.
                 {{truthful_release}, every_fault_but({late_request, duplicate, failover, cancel})}},
      .bugs = known_bugs(),
      .driver_retries = 4,  // of renewals; what locks and unlocks is sent once
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = of_redisson::parameters(),
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<Redisson>(params);
      },
      .ignores_date = true,
      .renews = true,
      .is_reentrant = true,
  };
}

}  // namespace holdfast::algorithms
