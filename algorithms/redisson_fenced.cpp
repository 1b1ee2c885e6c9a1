// redisson-fenced: the lock of redisson, whose script also counts; the count is the fencing token.
#include <cstdint>
#include <string>
#include <utility>

#include "algorithms/claims.hpp"
#include "algorithms/redisson.hpp"

namespace holdfast::algorithms {
namespace {

namespace of_redisson_fenced {

using of_redisson::driver_error;
using of_redisson::prefixed;

// ARGV: the lease and the thread. {-1, token}: granted; else how long the lease of the other lasts, and -1.
constexpr const char* enter_and_count =
    "if (redis.call('exists', KEYS[1]) == 0 or (redis.call('hexists', KEYS[1], ARGV[2]) == 1)) then"
    " local token = redis.call('incr', KEYS[2])"
    " redis.call('hincrby', KEYS[1], ARGV[2], 1)"
    " redis.call('pexpire', KEYS[1], ARGV[1])"
    " return {-1, token} end"
    " return {redis.call('pttl', KEYS[1]), -1}";
// The same of lock() and tryLock(), which do not tell the token.
constexpr const char* enter_and_count_silently =
    "if ((redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[2]) == 1)) then"
    " redis.call('incr', KEYS[2])"
    " redis.call('hincrby', KEYS[1], ARGV[2], 1)"
    " redis.call('pexpire', KEYS[1], ARGV[1])"
    " return nil end"
    " return redis.call('pttl', KEYS[1])";

class RedissonFenced final : public of_redisson::ExclusiveLock {
 public:
  explicit RedissonFenced(const Params& params)
      : ExclusiveLock(params), reads_token_(params.choice("token") == "read-later") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode mode) const override {
    Attempt attempt = co_await ExclusiveLock::acquire(env, key, mode);
    if (!attempt.is_granted()) co_return std::move(attempt);
    Grant grant = attempt.grant();
    if (reads_token_) {
      const Reply count = co_await Redis(env.store()).get(token_key(key));
      if (is_failure(count)) {
        // As try { getToken() … } finally { unlock() }.
        co_await ExclusiveLock::release(env, key, grant);
        co_return Attempt::failed(driver_error(count));
      }
      kept().fence = count.is_nil() ? 0 : std::stoll(count.text());
    }
    // The token of who is granted without one, -1, is older than all.
    grant.fence = kept().fence > 0 ? static_cast<std::uint64_t>(kept().fence) : 0;
    co_return Attempt(grant);
  }

 private:
  static std::string token_key(const std::string& key) { return prefixed("redisson_lock_token", key); }
  // Of lockAndGetToken(): it hands Long.MAX_VALUE on as the time that a subscription may take.
  bool subscribes_for_ever() const override { return !reads_token_; }

  Task<Reply> ask(Env& env, std::string key, Mode) const override {
    const Keys keys(key, token_key(key));
    const Args args(to_milliseconds(ttl()), thread());
    if (reads_token_) {
      const Reply left = co_await evaluate(env, enter_and_count_silently, keys, args);
      co_return left;
    }
    const Reply told = co_await evaluate(env, enter_and_count, keys, args);
    // All is raised: also what no replica has, which lock() would give back.
    if (of_redisson::is_unsynced(told)) co_return Reply::error("NoSyncedSlavesException: " + told.text());
    if (is_failure(told)) co_return Reply::error(driver_error(told));
    if (told.elements().size() != 2) co_return Reply::error("ClassCastException");
    // PTTL of a key without an expiry is the same number.
    if (!told.elements()[0].is(-1)) co_return told.elements()[0];
    kept().fence = told.elements()[1].number();
    co_return Reply::nil();
  }

  bool reads_token_;
};

constexpr std::string_view lesson =
    "The lock of redisson, and a counter beside it that never expires: the script that grants increments it "
    "and hands the number out. Like every fencing token it does not keep two clients from working at the "
    "same time; a resource that remembers the highest number can refuse the write of a holder whose renewals "
    "were kept from the server. That needs the number that came with the grant, from lockAndGetToken(). A "
    "caller of lock() that calls getToken() afterwards gets the count of that moment: after a pause that is "
    "the number of the next holder, and the resource refuses no write. A failover or a restart takes the "
    "counter along, and the numbers begin again. lockAndGetToken(leaseTime, unit) does not look at its "
    "leaseTime, and tryLockAndGetToken() without a time waits for ever. And -1, by which the script says "
    "that it granted, is also what PTTL says of a lock without an expiry: that one is granted to everybody, "
    "with the token -1.";

constexpr Protocol protocol{
    .acquire =
        "EVAL: EXISTS and HEXISTS of the hash; INCR of the token, HINCRBY of the thread and PEXPIRE grant, "
        "else PTTL tells how long the lease lasts. If refused: SUBSCRIBE, EVAL once more, and again after a "
        "message or that time",
    .renew = "every third of the lease, EVAL of HEXISTS and PEXPIRE, unless a leaseTime was given",
    .release =
        "EVAL: GET of the latch, HEXISTS, HINCRBY; PEXPIRE if holds are left, else DEL and PUBLISH; SET of "
        "the latch. Then DEL of the latch",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a token that is read after the lock may be that of the next holder",
       .lesson = "a-token-that-is-read-after-the-lock-may-be-that-of-the-next",
       .repair = "a-token-that-comes-with-the-lock-is-its-own"},
      {.what = "a server that restarts without its data counts from one again",
       .lesson = "redisson-counts-from-one-again-after-a-restart"},
      {.what = "a lock without an expiry is granted to everybody, for PTTL says -1, and so does a grant",
       .instead = "a scenario can store texts only; redisson_fenced_test shows it"},
      {.what = "lockAndGetToken(leaseTime, unit) does not look at its leaseTime",
       .instead = "nothing is broken but the caller's expectation: the watchdog renews"},
      {.what = "tryLockAndGetToken() without a time waits for ever",
       .instead = "blocking=no is tryLockAndGetToken(0, unit), which tries once"},
      {.what = "the tokens of locks that nobody uses any more stay for ever",
       .tracker = "redisson/redisson #6510",
       .instead = "a counter that expired would begin again"},
  };
}

}  // namespace of_redisson_fenced
}  // namespace

Card redisson_fenced() {
  using enum Fault;
  using enum Property;
  std::vector<Parameter> parameters = of_redisson::parameters();
  parameters.push_back({"token",
                        Parameter::Kind::choice,
                        "returned",
                        "returned: lockAndGetToken(), tryLockAndGetToken(waitTime, …); read-later: lock() or "
                        "tryLock(), then getToken()",
                        {"returned", "read-later"}});
  return Card{
      .id = "redisson-fenced",
      .summary = "as redisson, and the script that grants also counts: the number lets a resource refuse",
      .source = "redisson/redisson 6686397, RedissonFencedLock, RedissonLock, RedissonBaseLock",
      .upstream =
          Upstream{.name = "Redisson RFencedLock", .language = "Java",
                   .also = {"RFencedLock", "getFencedLock"},
                   .repository = "redisson/redisson",
                   .commit = "66863978b4a92093b97c1f8c96f182a77e81d50e",
                   .excerpts = {{"redisson/src/main/java/org/redisson/"
                                 "RedissonFencedLock.java", 51, 308, "7a0828bb6454203c"}},
                   .files = {{"redisson/src/main/java/org/redisson/"
                              "RedissonFencedLock.java", "8b39695a52e6c4db"}}},
      .lesson = of_redisson_fenced::lesson,
      .protocol = of_redisson_fenced::protocol,
      .claims = {{{mutual_exclusion}, {none, crash, slow_section, lost_reply}},
                 {{fence_order}, every_fault_but({restart, failover, eviction})},
                 {{recovery}, every_fault},
                 // Scripts go by the thread, and a copy that lands late changes or ends its next hold.
                 {{owner_only_release, owner_only_change}, every_fault_but({late_request, duplicate})},
                 {{truthful_release}, every_fault_but({late_request, duplicate, failover, cancel})}},
      .bugs = of_redisson_fenced::known_bugs(),
      .driver_retries = 4,  // of renewals; what locks and unlocks is sent once
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = std::move(parameters),
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_redisson_fenced::RedissonFenced>(params);
      },
      .ignores_date = true,
      .counters = {"redisson_lock_token:{%}"},
      .renews = true,
      .is_reentrant = true,
  };
}

}  // namespace holdfast::algorithms
