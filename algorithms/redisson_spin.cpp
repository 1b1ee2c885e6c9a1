// redisson-spin: RSpinLock of the library: the hash of its RLock, asked again and again, without a channel.
#include "algorithms/redisson.hpp"

#include "algorithms/claims.hpp"

namespace holdfast::algorithms {
namespace {
namespace of_redisson_spin {

constexpr const char* enter =
    "if redis.call('exists', KEYS[1]) == 0 then"
    " redis.call('hincrby', KEYS[1], ARGV[2], 1) redis.call('pexpire', KEYS[1], ARGV[1]) return nil end"
    " if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then"
    " redis.call('hincrby', KEYS[1], ARGV[2], 1) redis.call('pexpire', KEYS[1], ARGV[1]) return nil end"
    " return redis.call('pttl', KEYS[1])";
// KEYS: lock and latch. ARGV: lease, thread, how long the latch lasts.
constexpr const char* leave_quietly =
    "local val = redis.call('get', KEYS[2]) if val ~= false then return tonumber(val) end"
    " if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end"
    " if redis.call('hincrby', KEYS[1], ARGV[2], -1) > 0 then"
    " redis.call('pexpire', KEYS[1], ARGV[1]) redis.call('set', KEYS[2], 0, 'px', ARGV[3]) return 0"
    " else redis.call('del', KEYS[1]) redis.call('set', KEYS[2], 1, 'px', ARGV[3]) return 1 end";

class SpinLock final : public of_redisson::ExclusiveLock {
 public:
  explicit SpinLock(const Params& params)
      : ExclusiveLock(params),
        initial_delay_(params.duration("initial-delay")),
        delay_max_(params.duration("max-delay")) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode mode) const override {
    name_thread(env);
    const WallTime end = is_timed() ? env.clock.wall() + wait_time() : WallTime();
    for (Duration delay = initial_delay_;; delay = std::min(2 * delay, delay_max_)) {
      env.loop_head(Args(thread(), end.time_since_epoch().count(), delay.count()));
      const Reply left = co_await ask(env, key, mode);
      if (left.is_nil()) co_return granted(env, key, mode);
      if (is_failure(left)) co_return ended(env, Attempt::failed(of_redisson::driver_error(left)));
      if (blocking() == of_redisson::Blocking::no || time_left(env, end) <= Duration::zero())
        co_return ended(env, Attempt::refused("tryLock: false"));
      co_await env.clock.sleep(delay);
    }
  }

 private:
  Task<Reply> ask(Env& env, std::string key, Mode) const override {
    const Reply left = co_await evaluate(env, enter, Keys(key), Args(to_milliseconds(ttl()), thread()));
    co_return left;
  }
  Task<Reply> leave(Env& env, std::string key, Mode, std::string latch) const override {
    const Args args(to_milliseconds(ttl()), thread(), to_milliseconds(of_redisson::latch_ttl));
    const Reply left = co_await evaluate(env, leave_quietly, Keys(key, latch), args);
    co_return left;
  }

  Duration initial_delay_;
  Duration delay_max_;
};

constexpr std::string_view lesson =
    "The lock of redisson for those to whom a channel costs too much: with many locks in a cluster each "
    "unlock is published to every node. A thread that is refused asks again after 1 ms, 2 ms and so on up to "
    "128 ms. So no message can be lost, and nobody waits for longer than the pause after the lock is free; "
    "the server pays with requests, as many as there are waiters. The hash, the watchdog and the latch are "
    "those of redisson, and so is what breaks them: renewals that do not get through, and requests of an "
    "earlier call that land late and count a second hold.";

constexpr Protocol protocol{
    .acquire =
        "EVAL: EXISTS, or HEXISTS of the thread; HINCRBY and PEXPIRE grant, else PTTL; refused, again after "
        "1 to 128 ms",
    .renew = "every third of the lease, EVAL of HEXISTS and PEXPIRE, unless a leaseTime was given",
    .release =
        "EVAL: GET of the latch, HEXISTS, HINCRBY; PEXPIRE if holds are left, else DEL; SET of the latch. "
        "Then DEL of the latch",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a client that tries again after a lost answer is counted twice, and one unlock() leaves a "
               "hold",
       .lesson = "who-spins-after-a-lost-answer-holds-twice"},
      {.what = "a holder whose renewals did not reach the server for a lease is not told",
       .tracker = "redisson/redisson #3636, #5698",
       .instead = "redisson shows it: renewals-that-do-not-get-through-let-another-in"},
  };
}

std::vector<Parameter> parameters() {
  std::vector<Parameter> all = of_redisson::parameters();
  std::erase_if(all, [](const Parameter& each) { return each.name == "servers"; });
  all.push_back({"servers",
                 Parameter::Kind::choice,
                 "single",
                 "one server: where there are replicas, upstream gives up instead of trying again",
                 {"single"}});
  all.push_back({"initial-delay", Parameter::Kind::duration, "1ms", "ExponentialBackOff, the first pause"});
  all.push_back({"max-delay", Parameter::Kind::duration, "128ms", "ExponentialBackOff, the longest pause"});
  return all;
}

}  // namespace of_redisson_spin
}  // namespace

Card redisson_spin() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "redisson-spin",
      .summary = "redisson's hash and watchdog; who is refused asks again after 1 ms to 128 ms",
      .source = "redisson/redisson 6686397, RedissonSpinLock, RedissonBaseLock, LockOptions",
      .upstream =
          Upstream{.name = "Redisson RSpinLock", .language = "Java",
                   .also = {"RSpinLock", "getSpinLock"},
                   .repository = "redisson/redisson",
                   .commit = "66863978b4a92093b97c1f8c96f182a77e81d50e",
                   .excerpts = {{"redisson/src/main/java/org/redisson/"
                                 "RedissonSpinLock.java", 83, 126, "2efcb0771c99cf8b"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonSpinLock.java", 128, 145, "0d6d6a1c258eb1ac"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonSpinLock.java", 147, 176, "1926011ac7ca1704"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonSpinLock.java", 202, 226, "12ace35761745f1b"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonBaseLock.java", 161, 182, "2799aaa20cbf200b"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonBaseLock.java", 218, 247, "ebe4640f22d124e0"},
                                {"redisson/src/main/java/org/redisson/api/"
                                 "LockOptions.java", 51, 54, "30c4aa4e30912875"},
                                {"redisson/src/main/java/org/redisson/api/"
                                 "LockOptions.java", 125, 148, "08ba5c13e28cbeec"}},
                   .files = {{"redisson/src/main/java/org/redisson/"
                              "RedissonSpinLock.java", "feb9a03b0e351c8d"},
                             {"redisson/src/main/java/org/redisson/"
                              "RedissonBaseLock.java", "f5e0730997491ada"},
                             {"redisson/src/main/java/org/redisson/api/"
                              "LockOptions.java", "a5d296592b03593c"}}},
      .lesson = of_redisson_spin::lesson,
      .protocol = of_redisson_spin::protocol,
      // As redisson, whose scripts these are but for the channel.
      .claims = {{{mutual_exclusion}, {none, crash, slow_section, lost_reply}},
                 {{recovery}, every_fault},
                 {{owner_only_release}, every_fault_but({late_request, duplicate})},
                 {{truthful_release}, every_fault_but({late_request, duplicate, failover, cancel})}},
      .bugs = of_redisson_spin::known_bugs(),
      .driver_retries = 4,  // of renewals; what locks and unlocks is sent once
      .driver = "its own: retryAttempts 4, and none for scripts that lock and unlock (read)",
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = of_redisson_spin::parameters(),
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_redisson_spin::SpinLock>(params);
      },
      .ignores_date = true,
      .renews = true,
      .is_reentrant = true,
      .waiting = {{"blocking", "until-timeout"},
                  {"wait-time", "3s"},
                  {"initial-delay", "1s"},
                  {"max-delay", "1s"}},
  };
}

}  // namespace holdfast::algorithms
