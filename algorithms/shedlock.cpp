// shedlock: a job that is running elsewhere is skipped; SET NX PX takes the lock, a plain DEL or SET XX ends
// it.
#include <chrono>

#include "algorithms/claims.hpp"
#include "algorithms/expiry_value.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

constexpr const char* delete_if_equal =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
constexpr const char* keep_if_equal =
    "if redis.call('get', KEYS[1]) == ARGV[1] then"
    " return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end";

// What is left of a number behind `digits` digits, with leading zeros.
std::string padded(std::int64_t number, std::size_t digits) {
  const std::string text = std::to_string(number);
  return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

// "2023-11-14T22:13:20.000Z"
std::string iso_text_of(WallTime time) {
  using namespace std::chrono;
  const sys_time<milliseconds> instant{floor<milliseconds>(time.time_since_epoch())};
  const sys_days day = floor<days>(instant);
  const year_month_day date{day};
  const hh_mm_ss clock{instant - day};
  return padded(static_cast<int>(date.year()), 4) + "-" + padded(static_cast<unsigned>(date.month()), 2) +
         "-" + padded(static_cast<unsigned>(date.day()), 2) + "T" + padded(clock.hours().count(), 2) + ":" +
         padded(clock.minutes().count(), 2) + ":" + padded(clock.seconds().count(), 2) + "." +
         padded(clock.subseconds().count(), 3) + "Z";
}

std::string iso_text(WallTime time) {
  return written(WallTime(whole_milliseconds(time.time_since_epoch())), iso_text_of);
}

struct Kept {
  WallTime at_least_until;  // of the grant that is held
};

class Shedlock final : public LockThatKeeps<Kept> {
 public:
  explicit Shedlock(const Params& params)
      : at_most_(params.duration("ttl")),
        at_least_(params.duration("lock-at-least-for")),
        is_safe_(params.choice("safe-update") == "true") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const WallTime now = env.clock.wall();
    const std::string value =
        "ADDED:" + iso_text(now) + "@host-" + name_of(env.self()) + ":" + env.random.token();
    const Reply reply = co_await Redis(env.store()).set(key, value, SetOptions().px(at_most_).nx());
    if (is_failure(reply)) co_return Attempt::failed("Redis command: " + error_of(reply));
    if (!reply.is_ok()) co_return Attempt::refused("Not executing '" + key + "'. It's locked.");
    kept().at_least_until = now + at_least_;
    Grant grant(value);
    grant.lease = at_most_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    const Duration left = std::exchange(kept().at_least_until, WallTime()) - env.clock.wall();
    const bool keeps = whole_milliseconds(left) > Duration::zero();
    Command command = keeps ? keep(key, grant.token, left) : remove(key, grant.token);
    const Reply reply = co_await env.store().send(std::move(command));
    // unlock() is void, and drops the answer.
    co_return silent_release_by(reply);
  }

 private:
  // The lock is to last a little longer.
  Command keep(const std::string& key, const std::string& value, Duration left) const {
    if (is_safe_) return Command("EVAL", keep_if_equal, 1, key, value, to_milliticks(left.count()));
    return Command("SET", key, value, "PX", to_milliticks(left.count()), "XX");
  }
  Command remove(const std::string& key, const std::string& value) const {
    if (is_safe_) return Command("EVAL", delete_if_equal, 1, key, value);
    return Command("DEL", key);
  }

  Duration at_most_;
  Duration at_least_;
  bool is_safe_;
};

constexpr std::string_view lesson =
    "Not a lock to wait for: a scheduled job tries once, and if another node runs it, this run is skipped. "
    "The value is unique, but by default it is not compared. The release is a plain DEL, so a job that took "
    "longer than lockAtMostFor deletes the lock of the next run, and a third may start beside it. With "
    "lockAtLeastFor, meant to keep nodes whose clocks differ from running a short job twice, the release is "
    "a SET with XX: it does not create, but it overwrites the node that holds it by now, with a shorter "
    "lease and the old owner's name. A clock that is set back while the job runs does the same without "
    "lockAtLeastFor: its end lies ahead again. safe-update=true (issue 2583 of the project) compares the "
    "value in a script before both. That protects the lock, not the job: two runs of a job that is slower "
    "than lockAtMostFor overlap in either case, and unlock() tells neither of them: the answer of the script "
    "is dropped.";

constexpr Protocol protocol{
    .acquire = "SET key with a unique value, NX and PX; tried once",
    .release =
        "DEL key; before lockAtLeastFor is over, SET with PX and XX. With safe-update, EVAL of GET and DEL "
        "or PEXPIRE. The caller is told nothing",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "the release is a plain DEL: a job that is too slow deletes the lock of the next run",
       .tracker = "lukas-krecan/ShedLock #2583, #74",
       .lesson = "a-slow-job-deletes-the-lock-of-the-next-run",
       .repair = "a-safe-update-leaves-the-lock-of-the-next-run-alone"},
      {.what = "lockAtLeastFor overwrites the node that holds the lock by then",
       .tracker = "lukas-krecan/ShedLock #2583",
       .lesson = "a-job-that-was-too-short-shortens-the-lock-of-another",
       .repair = "a-safe-update-does-not-shorten-the-lock-of-another"},
      {.what = "unlock() returns nothing, also when the script found the lock of another",
       .lesson = "a-job-that-lost-its-lock-is-not-told",
       .repair = "a-token-tells-its-holder-that-the-lock-was-lost"},
      {.what = "the time is taken, the process stops, and an end that has passed is written",
       .tracker = "lukas-krecan/ShedLock #132",
       .instead = "only its SQL providers write an end"},
  };
}

}  // namespace

Card shedlock() {
  using enum Fault;
  using enum Property;
  // Under these no holder outlives its lease, and no DEL does: else it deletes the key of the next holder,
  // and a third client enters. A DEL without an answer the driver sends again, when it may be too late.
  const FaultSet release_in_time =
      every_fault_but({pause, slow_section, late_request, late_reply, lost_request, lost_reply, partition,
                       duplicate, restart, server_clock_jump, failover, eviction});
  // A clock that is set back makes the release keep the lock for a moment. That may be over before the answer
  // arrives, and the lock then counts as lost before release() said "released".
  FaultSet told_in_time = release_in_time;
  told_in_time.erase(clock_jump);
  return Card{
      .id = "shedlock",
      .summary = "skip if locked: one SET NX PX with a unique value that, by default, no release compares",
      .source = "lukas-krecan/ShedLock 2495b14, InternalRedisLockProvider",
      .upstream =
          Upstream{.name = "ShedLock", .language = "Java",
                   .repository = "lukas-krecan/ShedLock",
                   .commit = "2495b1406d85323b8deadbe75d7a5dd3e8b8e844",
                   .excerpts = {{"providers/redis/shedlock-support-redis/src/main/java/net/javacrumbs/"
                                 "shedlock/provider/redis/support/InternalRedisLockProvider.java",
                                 47, 164, "c5c08549d6bdca04"}},
                   .files = {{"providers/redis/shedlock-support-redis/src/main/java/net/"
                              "javacrumbs/shedlock/provider/redis/support/"
                              "InternalRedisLockProvider.java", "dbcbcc946b9c1ad5"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release}, release_in_time},
                 {{truthful_release}, told_in_time},
                 {{owner_only_change}, every_fault},
                 // Two jumps back make a release keep the lock for long.
                 {{recovery}, every_fault_but({clock_jump})}},
      .bugs = known_bugs(),
      .driver_retries = 20,  // Lettuce: after each reconnect, without end
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters =
          {{"ttl", Parameter::Kind::duration, "1s", "lockAtMostFor, which has no default"},
           {"lock-at-least-for", Parameter::Kind::duration, "0s",
            "counted from acquire() by the own wall clock; a release before keeps the lock so long"},
           {"safe-update",
            Parameter::Kind::choice,
            "false",
            "false: a plain DEL, or SET XX, releases; true: scripts that compare the value first",
            {"false", "true"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<Shedlock>(params);
      },
      .ignores_date = true,
  };
}

}  // namespace holdfast::algorithms
