// bullmq: the lock of a job: who takes the job sets it; a checker gives jobs without it to the next.
#include <map>
#include <string>

#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {
namespace of_bullmq {

// KEYS: job, wait, active, stalled, stalled-check. ARGV: the job, the interval, how often it may stall.
// The checker, if nobody has checked for an interval; then the job is added unless it is there.
constexpr const char* check_and_add =
    "if redis.call('EXISTS', KEYS[5]) == 0 then redis.call('SET', KEYS[5], '1', 'PX', ARGV[2])"
    " local stalling = redis.call('SMEMBERS', KEYS[4])"
    " if #stalling > 0 then redis.call('DEL', KEYS[4]) end"
    " for _, id in ipairs(stalling) do"
    " if redis.call('EXISTS', KEYS[1] .. ':lock') == 0 and redis.call('LREM', KEYS[3], 1, id) > 0 then"
    " if redis.call('HINCRBY', KEYS[1], 'stc', 1) > tonumber(ARGV[3]) then"
    " redis.call('HSET', KEYS[1], 'defa', 'job stalled more than allowable limit') end"
    " redis.call('RPUSH', KEYS[2], id) end end"
    " local active = redis.call('LRANGE', KEYS[3], 0, -1)"
    " if #active > 0 then redis.call('SADD', KEYS[4], unpack(active)) end end"
    " if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end"
    " redis.call('HSET', KEYS[1], 'name', 'job') redis.call('LPUSH', KEYS[2], ARGV[1]) return 1";
// KEYS: job, wait, active, lock. ARGV: token, lockDuration. 1: taken; 0: none waits; -1: stalled too often.
constexpr const char* move_to_active =
    "local id = redis.call('RPOPLPUSH', KEYS[2], KEYS[3]) if not id then return 0 end"
    " if redis.call('HEXISTS', KEYS[1], 'defa') == 1 then"
    " redis.call('LREM', KEYS[3], -1, id) redis.call('DEL', KEYS[1]) return -1 end"
    " redis.call('SET', KEYS[4], ARGV[1], 'PX', ARGV[2]) return 1";
// KEYS: lock, stalled. ARGV: token, lockDuration, the job.
constexpr const char* extend_lock =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then"
    " if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) then"
    " redis.call('SREM', KEYS[2], ARGV[3]) return 1 end end return 0";
// KEYS: job, active, stalled, lock. ARGV: token, the job.
constexpr const char* move_to_finished =
    "local owner = redis.call('GET', KEYS[4])"
    " if owner ~= ARGV[1] then if owner then return -6 else return -2 end end"
    " redis.call('DEL', KEYS[4]) redis.call('SREM', KEYS[3], ARGV[2])"
    " if redis.call('LREM', KEYS[2], -1, ARGV[2]) == 0 then return -3 end"
    " redis.call('DEL', KEYS[1]) return 0";

// The queue has the name of the lock, and one job.
constexpr std::string_view the_job = "1";
std::string in_queue(const std::string& key, std::string_view what) {
  return "bull:" + key + ":" + std::string(what);
}
std::string job_of(const std::string& key) { return in_queue(key, the_job); }

std::string rejection(const Reply& reply) { return reply.is_lost() ? "Connection is closed." : reply.text(); }

struct Kept {
  std::map<std::string, Background> renewals;  // by token
};

class Bullmq final : public LockThatKeeps<Kept> {
 public:
  explicit Bullmq(const Params& params)
      : ttl_(params.duration("ttl")),
        interval_(params.duration("stalled-interval")),
        stalls_max_(params.count("max-stalled")) {
    if (interval_ == Duration::zero()) interval_ = ttl_;
  }

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const Keys queue(job_of(key), in_queue(key, "wait"), in_queue(key, "active"), in_queue(key, "stalled"),
                     in_queue(key, "stalled-check"));
    const Args checked(the_job, to_milliseconds(interval_), stalls_max_);
    const Reply added = co_await Redis(env.store()).eval(check_and_add, queue, checked);
    if (is_failure(added)) co_return Attempt::failed(rejection(added));
    const std::string token = env.random.token();
    env.loop_head(Args(token));
    const Keys taking(job_of(key), in_queue(key, "wait"), in_queue(key, "active"), lock_of(key));
    const Args args(token, to_milliseconds(ttl_));
    const Reply taken = co_await Redis(env.store()).eval(move_to_active, taking, args);
    if (is_failure(taken)) co_return Attempt::failed(rejection(taken));
    if (taken.is(-1)) co_return Attempt::refused("job stalled more than allowable limit");
    if (!taken.is(1)) co_return Attempt::refused("no job waits");
    kept().renewals[token] = Background(env, *this, &Bullmq::renew, key, token);
    Grant grant(token);
    grant.lease = ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    kept().renewals.erase(grant.token);
    const Keys keys(job_of(key), in_queue(key, "active"), in_queue(key, "stalled"), lock_of(key));
    const Args finishing(grant.token, the_job);
    const Reply finished = co_await Redis(env.store()).eval(move_to_finished, keys, finishing);
    if (finished.is(0)) co_return Release::released;
    // "Missing lock for job", or another's.
    co_return finished.is(-2) || finished.is(-6) ? Release::not_held : Release::unknown;
  }

 private:
  static std::string lock_of(const std::string& key) { return job_of(key) + ":lock"; }

  // Every lockRenewTime, half of the lease. What fails is an event, which stops no job.
  Task<> renew(Env& env, std::string key, std::string token) const {
    for (;;) {
      env.loop_head();
      co_await env.clock.sleep(ttl_ / 2);
      const Args args(token, to_milliseconds(ttl_), the_job);
      const Keys keys(lock_of(key), in_queue(key, "stalled"));
      const Reply extended = co_await Redis(env.store()).eval(extend_lock, keys, args);
      if (extended.is(1)) env.renewed(token, ttl_);
      if (extended.is(0)) env.lost(token);
    }
  }

  Duration ttl_;
  Duration interval_;
  std::int64_t stalls_max_;
};

constexpr std::string_view lesson =
    "The lock of a job in BullMQ. A worker that takes a job from the list of waiting ones sets the key of "
    "its lock for lockDuration, and extends it every half of that. Every stalledInterval some worker looks: "
    "jobs that were active at the last look, were not extended since, and have no lock any more are given to "
    "the next worker. That is what a crash needs, and what a busy worker suffers: one whose event loop "
    "stands still does not extend, its job is run by another, and when it goes on both run. Its end is told: "
    "\"Missing lock\", or another's. An extension that fails is an event that stops no job. A job that "
    "stalls more often than maxStalledCount fails. Here a job with an id of its own is added by everybody "
    "who asks, which does nothing while the job exists, and removed when it is done.";

constexpr Protocol protocol{
    .acquire =
        "EVAL of the checker (EXISTS, SET of stalled-check, SMEMBERS, DEL, LREM, HINCRBY, HSET, RPUSH, "
        "LRANGE, SADD) and of the add (EXISTS, HSET, LPUSH); EVAL of RPOPLPUSH, HEXISTS and SET with PX",
    .renew = "every half of lockDuration, EVAL of GET, SET with PX and SREM; 0 is an event",
    .release = "EVAL: GET compares; DEL, SREM, LREM, DEL of the job",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a worker that stands still for longer than its lock runs its job beside another",
       .tracker = "taskforcesh/bullmq #3183, OptimalBits/bull #308",
       .lesson = "a-checker-of-stalled-jobs-runs-a-living-job-again",
       .repair = "a-worker-that-extends-its-lock-keeps-its-job"},
  };
}

}  // namespace of_bullmq
}  // namespace

Card bullmq() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "bullmq",
      .summary = "the lock of a job: set when it is taken, extended; a checker hands on jobs without it",
      .source = "taskforcesh/bullmq c06b51c (6.2.0), src/commands, src/classes: worker.ts, lock-manager.ts",
      .upstream =
          Upstream{.name = "BullMQ job lock", .language = "JavaScript",
                   .also = {"bull", "bullmq", "stalled jobs"},
                   .repository = "taskforcesh/bullmq",
                   .commit = "c06b51cd3aacd0d9ee65e2544220c89f24d2479c",
                   .excerpts = {{"src/commands/extendLock-2.lua", 15, 23, "097f83fef2a654f2"},
                                {"src/commands/moveStalledJobsToWait-9.lua", 44, 122, "7dc01adc6c1ac2de"},
                                {"src/commands/moveToActive-11.lua", 74, 91, "3a404f1acd05275f"},
                                {"src/commands/includes/removeLock.lua", 1, 19, "e57ebe57ebc9393d"},
                                {"src/commands/includes/"
                                 "prepareJobForProcessing.lua", 26, 32, "4fc24b2c2feb2d6e"},
                                {"src/classes/lock-manager.ts", 46, 95, "d62a7c68218ed792"},
                                {"src/classes/lock-manager.ts", 97, 128, "bcb7a23331f80915"}},
                   .files = {{"src/commands/extendLock-2.lua", "3bcc6c4705e455c6"},
                             {"src/commands/moveStalledJobsToWait-9.lua", "309e07d796040204"},
                             {"src/commands/moveToActive-11.lua", "eb6ce87979cb806b"},
                             {"src/commands/includes/removeLock.lua", "e57ebe57ebc9393d"},
                             {"src/commands/includes/prepareJobForProcessing.lua", "f5fd9897c2fed494"},
                             {"src/classes/lock-manager.ts", "7754da09f9325004"}}},
      .lesson = of_bullmq::lesson,
      .protocol = of_bullmq::protocol,
      .claims = {{{mutual_exclusion, owner_only_release, owner_only_change}, {none, crash}}},
      .bugs = of_bullmq::known_bugs(),
      .driver = "ioredis with maxRetriesPerRequest null, as workers have it, sends again after each "
                "reconnect; left out here (read)",
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply,
                  Belief::notified},
      .parameters = {{"ttl", Kind::duration, "30s", "lockDuration; it is extended every half of it"},
                     {"stalled-interval", Kind::duration, "0s",
                      "stalledInterval, between two looks of the checker; 0s: lockDuration, as by default"},
                     {"max-stalled", Kind::count, "1", "maxStalledCount"}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_bullmq::Bullmq>(params);
      },
      .renews = true,
      .keys = {"bull:NAME:1:lock"},
  };
}

}  // namespace holdfast::algorithms
