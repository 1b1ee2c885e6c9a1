// redisson-multi: RMultiLock of the library: several of its RLocks, taken one after the other, as one.
#include "algorithms/redisson.hpp"

#include "algorithms/claims.hpp"

namespace holdfast::algorithms {
namespace {
namespace of_redisson_multi {

// Of RedissonLock, which each of them is.
constexpr const char* enter =
    "if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then"
    " redis.call('hincrby', KEYS[1], ARGV[2], 1)"
    " redis.call('pexpire', KEYS[1], ARGV[1])"
    " return nil end"
    " return redis.call('pttl', KEYS[1])";

// expireAsync(): no matter who holds it.
constexpr const char* set_expiry =
    "local result = 0 for j = 1, #KEYS, 1 do local expireSet"
    " if ARGV[2] ~= '' then expireSet = redis.call('pexpire', KEYS[j], ARGV[1], ARGV[2])"
    " else expireSet = redis.call('pexpire', KEYS[j], ARGV[1]) end"
    " if expireSet == 1 then result = expireSet end end return result";

class MultiLock final : public of_redisson::ExclusiveLock {
 public:
  explicit MultiLock(const Params& params)
      : ExclusiveLock(params),
        locks_(static_cast<std::size_t>(params.count("locks"))),
        has_lease_time_(of_redisson::watchdog_of(params) == of_redisson::Watchdog::no),
        unlocks_all_(params.choice("unlock") == "all") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode mode) const override {
    name_thread(env);
    for (std::size_t i = 0; i < locks_; ++i) {
      env.loop_head(Args(thread(), i));
      const Reply left = co_await ask(env, name_of(key, i), mode);
      if (left.is_nil()) {
        granted(env, name_of(key, i), mode);
        continue;
      }
      // RedisResponseTimeoutException, and no other, gives back what may have been taken all the same.
      if (left.is_lost()) co_await unlock(env, name_of(key, i), mode);
      for (std::size_t taken = 0; taken < i; ++taken) {
        env.loop_head(Args(thread(), i, taken));
        co_await unlock(env, name_of(key, taken), mode);
      }
      co_return ended(env, Attempt::refused("tryLock: false"));
    }
    for (std::size_t i = 0; has_lease_time_ && i < locks_; ++i) {
      env.loop_head(Args(thread(), locks_, i));
      const Keys keys(name_of(key, i));
      const Reply set = co_await Redis(env.store()).eval(set_expiry, keys, Args(to_milliseconds(ttl()), ""));
      if (is_failure(set)) co_return ended(env, Attempt::failed(of_redisson::driver_error(set)));
    }
    Grant grant(thread());
    grant.lease = ttl();
    co_return Attempt(grant);
  }

  // locks.forEach(Lock::unlock): what one of them throws ends it, and those after it are not unlocked.
  Task<Release> release(Env& env, std::string key, Grant) const override {
    Release result = Release::released;
    for (std::size_t i = 0; i < locks_; ++i) {
      env.loop_head(Args(thread(), i, static_cast<int>(result)));
      const Reply left = co_await unlock(env, name_of(key, i), Mode::exclusive);
      if (!is_failure(left) && !left.is_nil()) continue;
      // "attempt to unlock lock, not locked by current thread"
      const Release thrown = left.is_nil() ? Release::not_held : Release::unknown;
      if (!unlocks_all_) co_return thrown;
      if (result == Release::released) result = thrown;
    }
    co_return result;
  }

 private:
  static std::string name_of(const std::string& key, std::size_t i) {
    return key + ":" + std::to_string(i + 1);
  }

  Task<Reply> ask(Env& env, std::string key, Mode) const override {
    const Reply left = co_await evaluate(env, enter, Keys(key), Args(to_milliseconds(ttl()), thread()));
    co_return left;
  }

  // Its renewals end whatever is answered.
  Task<Reply> unlock(Env& env, std::string key, Mode mode) const {
    const std::string latch = new_latch(env, key);
    const Reply left = co_await leave(env, key, mode, latch);
    const bool is_still_held = left.is(0) && --kept().holds[key] > 0;
    if (!is_still_held) {
      kept().holds.erase(key);
      kept().renewals.erase(key);
    }
    // No client waits for the answer.
    if (!is_failure(left)) Background(forget(env, latch)).stop();
    co_return left;
  }

  std::size_t locks_;
  bool has_lease_time_;
  bool unlocks_all_;
};

constexpr std::string_view lesson =
    "Two things that one job needs, and a lock for each: RMultiLock takes them one after the other, gives "
    "back what it has when one is refused, and the job begins when it has all. So all must be lost before "
    "another gets in: a key that the server evicts is guarded by the others. But nothing makes it one "
    "step. Each lock has a watchdog of its own from the moment at which it is taken, and a caller that gives "
    "up in between leaves a lock behind that is renewed for as long as the process runs. unlock() "
    "goes through the locks and ends at the first that throws: one answer that does not come, or one key "
    "that is gone, and those after it are never unlocked, and their watchdogs keep everybody out. A "
    "leaseTime instead of a watchdog ends that: what is left behind ends by itself. RedissonRedLock is "
    "this class with a majority instead of all.";

constexpr Protocol protocol{
    .acquire =
        "for each lock in order, EVAL: EXISTS and HEXISTS of its hash; HINCRBY and PEXPIRE grant, else PTTL. "
        "Refused: those before are unlocked; without an answer, it is unlocked, too. With a leaseTime, EVAL "
        "of PEXPIRE for each",
    .renew = "every third of the lease, EVAL of HEXISTS and PEXPIRE for each, unless a leaseTime was given",
    .release =
        "for each lock in order, EVAL: GET of the latch, HEXISTS, HINCRBY; PEXPIRE if holds are left, else "
        "DEL and PUBLISH; SET of the latch. Then DEL of the latch",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a caller that gives up between two of the locks leaves the first, which its watchdog renews "
               "without end",
       .tracker = "redisson/redisson #4456",
       .lesson = "a-multilock-that-is-given-up-halfway-is-renewed-for-ever"},
      {.what = "unlock() ends at the first lock that throws, and those after it are renewed without end",
       .lesson = "an-unlock-that-ends-at-its-first-lock-leaves-the-second"},
  };
}

std::vector<Parameter> parameters() {
  using Kind = Parameter::Kind;
  std::vector<Parameter> all = of_redisson::parameters();
  std::erase_if(all, [](const Parameter& each) { return each.name != "ttl" && each.name != "watchdog"; });
  all.push_back({"blocking", Kind::choice, "no",
                 "tryLock(), which asks each lock once; lock() and tryLock(waitTime) wait on the channels of "
                 "the locks, as redisson does, and are not here", {"no"}});
  all.push_back({"wait-time", Kind::duration, "0s", "of tryLock(waitTime), which is not here"});
  all.push_back({"servers", Kind::choice, "single", "one server for all the locks", {"single"}});
  all.push_back({"locks", Kind::count, "2", "how many locks it is made of"});
  all.push_back({"unlock", Kind::choice, "until-one-throws",
                 "until-one-throws: as upstream; all: each is unlocked, whatever the others answer",
                 {"until-one-throws", "all"}});
  return all;
}

}  // namespace of_redisson_multi
}  // namespace

Card redisson_multi() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "redisson-multi",
      .summary = "two of redisson's locks taken one after the other as one, each with a watchdog of its own",
      .source = "redisson/redisson 6686397, RedissonMultiLock, RedissonLock, RedissonExpirable",
      .upstream =
          Upstream{.name = "Redisson RMultiLock", .language = "Java",
                   .also = {"RMultiLock", "RedissonMultiLock", "getMultiLock", "RedissonRedLock"},
                   .repository = "redisson/redisson",
                   .commit = "66863978b4a92093b97c1f8c96f182a77e81d50e",
                   .excerpts = {{"redisson/src/main/java/org/redisson/"
                                 "RedissonMultiLock.java", 277, 287, "28700424bf9cb39c"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonMultiLock.java", 300, 303, "f1775749ef07ed74"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonMultiLock.java", 305, 386, "4a81d9c9ab8adb2f"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonMultiLock.java", 412, 415, "7c3384a1c9ecaa67"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonLock.java", 160, 182, "a7168ef52833457f"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonLock.java", 214, 225, "ba08d3a60a3b12e2"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonBaseLock.java", 161, 182, "2799aaa20cbf200b"},
                                {"redisson/src/main/java/org/redisson/"
                                 "RedissonExpirable.java", 207, 222, "75ade13e6a785ad6"}},
                   .files = {{"redisson/src/main/java/org/redisson/"
                              "RedissonMultiLock.java", "b468189365d5aaf0"},
                             {"redisson/src/main/java/org/redisson/"
                              "RedissonLock.java", "e2ae327c53d37cd6"},
                             {"redisson/src/main/java/org/redisson/"
                              "RedissonBaseLock.java", "f5e0730997491ada"},
                             {"redisson/src/main/java/org/redisson/"
                              "RedissonExpirable.java", "7525afca33eb96a2"}}},
      .lesson = of_redisson_multi::lesson,
      .protocol = of_redisson_multi::protocol,
      // Exclusion is that of each lock, and all are needed. What ends unlock() halfway leaves a lock that is
      // renewed; nothing does where each answer comes and no key is lost. Under a crash and a lost answer
      // exclusion should hold as well; with two watchdogs these spaces are too large to close.
      .claims = {{{mutual_exclusion, recovery, owner_only_release, truthful_release}, {none, slow_section}}},
      .bugs = of_redisson_multi::known_bugs(),
      .driver_retries = 4,  // of renewals and expiries; what locks and unlocks is sent once
      .driver = "its own: retryAttempts 4, and none for scripts that lock and unlock (read)",
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release},
      .parameters = of_redisson_multi::parameters(),
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_redisson_multi::MultiLock>(params);
      },
      .ignores_date = true,
      .renews = true,
      .is_compared_by_name = true,
      // A thread may enter again, as with redisson; with two watchdogs that space is too large to close.
  };
}

}  // namespace holdfast::algorithms
