// spring-integration: RedisLockRegistry: one token for a process, a local lock between its threads, polling.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/claims.hpp"
#include "algorithms/evalsha.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

constexpr const char* obtain_or_extend =
    "local lockClientId = redis.call('GET', KEYS[1])"
    " if lockClientId == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) return true"
    " elseif not lockClientId then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return true end"
    " return false";

constexpr const char* renew_own =
    "if (redis.call('GET', KEYS[1]) == ARGV[1]) then"
    " redis.call('PEXPIRE', KEYS[1], ARGV[2]) return true end"
    " return false";

constexpr const char* unlink_own =
    "local lockClientId = redis.call('GET', KEYS[1])"
    " if lockClientId == ARGV[1] then redis.call('UNLINK', KEYS[1]) return true end"
    " return false";

constexpr const char* unlink_own_and_tell =
    "local lockClientId = redis.call('GET', KEYS[1])"
    " if (lockClientId == ARGV[1] and redis.call('UNLINK', KEYS[1]) == 1) then"
    " redis.call('PUBLISH', ARGV[2], KEYS[1]) return true end"
    " return false";

// isCasCadNotSupportedError()
bool lacks_compare(const Reply& reply) {
  return reply.is_error() && (reply.text().find("ERR syntax error") != std::string::npos ||
                              reply.text().find("ERR unknown command") != std::string::npos);
}

// The registry of a process. Its threads, which share the object, have one local lock for each key.
class SpringIntegration final : public Lock {
 public:
  explicit SpringIntegration(const Params& params)
      : ttl_(params.duration("ttl")),
        idle_(params.duration("idle-between-tries")),
        wait_time_(params.choice("blocking") == "no" ? Duration::zero() : params.duration("wait-time")),
        waits_for_ever_(params.choice("blocking") == "for-ever"),
        listens_(params.choice("type") == "pub-sub"),
        renews_(params.choice("renewal") == "yes"),
        by_digest_(params.choice("scripts") == "evalsha"),
        has_thread_token_(params.choice("token") == "thread"),
        unlocks_first_(params.choice("unlock") == "detached"),
        is_evicted_(params.choice("local-lock") == "evicted"),
        compares_(params.choice("registry") == "new") {}

  // lock(), tryLock(time) or tryLock().
  Task<Attempt> acquire(Env& env, std::string path, Mode) override {
    if (client_id_.empty()) client_id_ = env.random.token();
    const std::string key = "locks:" + path;
    const std::string token = token_of(env);
    const SteadyTime local_end = is_timed() ? env.clock.steady() + wait_time_ : SteadyTime();
    // Upstream's threads stand in a queue; here they look as often as they ask the server.
    while (is_taken_by_another_thread(env, key)) {
      env.loop_head(Args(token, local_end.time_since_epoch().count()));
      const bool is_over = is_timed() ? env.clock.steady() >= local_end : !waits_for_ever_;
      if (is_over) co_return Attempt::refused("tryLock: false");
      co_await env.clock.sleep(idle_);
    }
    // It is let go of when this call ends without a grant, however it ends.
    const std::shared_ptr<Hold> hold = hold_locally(env, key);
    const WallTime end = is_timed() ? env.clock.wall() + wait_time_ : WallTime();
    const Asked asked = co_await ask_until(env, key, token, end);
    if (asked == Asked::raised) co_return Attempt::failed("Failed to lock mutex at " + key);
    if (asked == Asked::no) co_return Attempt::refused("tryLock: false");
    ++hold->count;
    held_[local_of(env, key)] = hold;
    if (renews_) start_renewal(env, key, token);
    Grant grant(token);
    grant.lease = ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string path, Grant grant) override {
    const std::string key = "locks:" + path;
    const std::string local = local_of(env, key);
    // "You do not own lock at"
    if (!held_.contains(local) || held_[local]->thread != &env) co_return Release::not_held;
    if (--held_[local]->count > 0) co_return Release::released;
    if (unlocks_first_) {
      held_.erase(local);
      removals_.push_back(Background(remove_alone(env, key, grant.token)));
      co_return Release::released;
    }
    // The local lock stays taken until this call ends.
    const std::shared_ptr<Hold> hold = std::move(held_[local]);
    held_.erase(local);
    const Reply removed = co_await remove(env, key, grant.token);
    if (is_failure(removed)) co_return Release::unknown;
    if (removed.is(1)) stop_renewal();
    // "Lock was released in the store due to expiration."
    co_return removed.is(1) ? Release::released : Release::not_held;
  }

 private:
  // Of a local lock, a ReentrantLock of Java: which thread has it, and how often.
  struct Hold {
    const Env* thread = nullptr;
    int count = 0;
  };

  // Without a time to wait nobody looks at the clock here. Upstream does, and would ask once more if it had
  // been set back meanwhile.
  bool is_timed() const { return !waits_for_ever_ && wait_time_ > Duration::zero(); }

  // One token for all threads of a process, or one for each.
  std::string token_of(Env& env) const {
    return has_thread_token_ ? client_id_ + ":" + name_of(env.self()) : client_id_;
  }
  // An evicted lock object left its thread alone with it; the next thread got a new one.
  std::string local_of(Env& env, const std::string& key) const {
    return is_evicted_ ? key + " of " + name_of(env.self()) : key;
  }
  bool is_taken_by_another_thread(Env& env, const std::string& key) {
    const std::shared_ptr<Hold> hold = locals_[local_of(env, key)].lock();
    return hold != nullptr && hold->thread != &env;
  }
  std::shared_ptr<Hold> hold_locally(Env& env, const std::string& key) {
    std::weak_ptr<Hold>& local = locals_[local_of(env, key)];
    std::shared_ptr<Hold> hold = local.lock();
    if (hold == nullptr) local = hold = std::make_shared<Hold>(Hold{&env, 0});
    return hold;
  }

  enum class Asked : std::uint8_t { yes, no, raised };

  Task<Asked> ask(Env& env, std::string key, std::string token, Where where = Where::current()) {
    const Args args(token, to_milliseconds(ttl_));
    const Reply obtained = co_await execute(env, obtain_or_extend, Keys(key), args, where);
    if (is_failure(obtained)) co_return Asked::raised;
    co_return obtained.is(1) ? Asked::yes : Asked::no;
  }
  Task<Asked> ask_until(Env& env, std::string key, std::string token, WallTime end) {
    if (listens_) {
      const Asked when_told = co_await ask_when_told(env, key, token, end);
      co_return when_told;
    }
    for (;;) {
      env.loop_head(Args(token, end.time_since_epoch().count()));
      const Asked asked = co_await ask(env, key, token);
      if (asked != Asked::no) co_return asked;
      const bool is_over = is_timed() ? env.clock.wall() >= end : !waits_for_ever_;
      if (is_over) co_return Asked::no;
      co_await env.clock.sleep(idle_);
    }
  }
  // RedisPubSubLock. One connection listens for all threads of a registry, and begins anew by itself when it
  // is lost; here each call has its own. Who waits and is told nothing asks after a lease.
  Task<Asked> ask_when_told(Env& env, std::string key, std::string token, WallTime end) {
    const Asked first = co_await ask(env, key, token);
    if (first != Asked::no || (!waits_for_ever_ && !is_timed())) co_return first;
    std::optional<OwnConnection> channel(std::in_place, env.store());
    const Reply listening = co_await channel->send(Command("PSUBSCRIBE", "locks-channel:*"));
    if (is_failure(listening)) co_return Asked::raised;
    const Duration at_most = waits_for_ever_ ? ttl_ : wait_time_;
    while (waits_for_ever_ || env.clock.wall() <= end) {
      env.loop_head(Args(token, end.time_since_epoch().count()));
      const Asked before = co_await ask(env, key, token);
      if (before != Asked::no) co_return before;
      const Reply woken = co_await channel->receive(at_most);
      if (woken.is_lost()) {
        channel.emplace(env.store());
        co_await channel->send(Command("PSUBSCRIBE", "locks-channel:*"));
      }
      const Asked after = co_await ask(env, key, token);
      if (after != Asked::no) co_return after;
    }
    co_return Asked::no;
  }

  // StringRedisTemplate.execute()
  Task<Reply> execute(Env& env, const char* script, Keys keys, Args args, Where where = Where::current()) {
    if (by_digest_) {
      const Reply by_digest = co_await evalsha_or_eval(env, script, keys, args, where);
      co_return by_digest;
    }
    const Reply whole = co_await Redis(env.store()).eval(script, keys, args, where);
    co_return whole;
  }

  Task<Reply> remove(Env& env, std::string key, std::string token) {
    if (listens_) {
      const Args args(token, "locks-channel:" + key);
      const Reply told = co_await execute(env, unlink_own_and_tell, Keys(key), args);
      co_return told;
    }
    if (compares_) {
      const Reply deleted = co_await env.store().send(Command("DELEX", key, "IFEQ", token));
      if (!lacks_compare(deleted)) co_return deleted;
      compares_ = false;
    }
    const Reply unlinked = co_await execute(env, unlink_own, Keys(key), Args(token));
    co_return unlinked;
  }
  Task<> remove_alone(Env& env, std::string key, std::string token) {
    const Reply removed = co_await remove(env, key, token);
    if (removed.is(1)) stop_renewal();
  }

  Task<Reply> extend(Env& env, std::string key, std::string token) {
    if (compares_) {
      const Command set("SET", key, token, "PX", to_milliseconds(ttl_), "IFEQ", token);
      const Reply extended = co_await env.store().send(set);
      if (!lacks_compare(extended)) co_return extended;
      compares_ = false;
    }
    const Reply extended = co_await execute(env, renew_own, Keys(key), Args(token, to_milliseconds(ttl_)));
    co_return extended;
  }

  // Upstream forgets an earlier renewal, which then goes on for ever.
  void start_renewal(Env& env, const std::string& key, const std::string& token) {
    current_ = renewals_.size();
    renewals_.emplace_back();
    renewals_.back() = Background(renew(env, key, token, renewals_.size() - 1));
  }
  void stop_renewal() {
    if (current_) renewals_[*current_].stop();
    current_.reset();
  }
  // The first at once (TaskScheduler.scheduleWithFixedDelay); an exception is logged.
  Task<> renew(Env& env, std::string key, std::string token, std::size_t number) {
    for (;;) {
      env.loop_head(Args(key, token, number));
      const Reply extended = co_await extend(env, key, token);
      const bool is_own = extended.is(1) || extended.is_ok();
      if (is_own) env.renewed(token, ttl_);
      if (!is_own && !is_failure(extended)) {
        const bool is_current = current_ == number;
        if (is_current) current_.reset();
        if (is_current) co_return;
        stop_renewal();
      }
      co_await env.clock.sleep(std::chrono::floor<std::chrono::milliseconds>(ttl_ / 3));
    }
  }

  Duration ttl_;
  Duration idle_;
  Duration wait_time_;
  bool waits_for_ever_;
  bool listens_;
  bool renews_;
  bool by_digest_;
  bool has_thread_token_;
  bool unlocks_first_;
  bool is_evicted_;
  bool compares_;  // as far as the registry knows, the server has DELEX and SET IFEQ
  std::string client_id_;
  std::map<std::string, std::weak_ptr<Hold>> locals_;  // gone: free
  std::map<std::string, std::shared_ptr<Hold>> held_;  // those that are granted
  std::vector<Background> renewals_;
  std::optional<std::size_t> current_;  // of them
  std::vector<Background> removals_;
};

constexpr std::string_view lesson =
    "The lock of Spring programs, on two floors. Threads of a process are kept apart by a ReentrantLock in "
    "memory, processes by a key; its value is one UUID for the whole registry, so Redis cannot tell the "
    "threads of a process apart, and everything hangs on the local lock. It is freed when unlock() has an "
    "answer, or an exception in its place: if the request to remove the key is late (over another connection "
    "of a pool), the next thread finds the UUID of its own process, works, and loses the key to the late "
    "request. No fault was needed while an interrupted thread freed the local lock first and let another "
    "remove the key (issue 11049), and while the registry could forget a lock object in use and make another "
    "for the key (issue 11044). unlock() raises if the key was gone. A waiter asks every 100 ms, or when "
    "it is told. Nothing renews the lock unless a TaskScheduler was given; then only an unlock() that was "
    "answered ends the renewal, and one that raised leaves the key alive for as long as the process lives.";

constexpr Protocol protocol{
    .acquire =
        "in the process a ReentrantLock; then EVAL: GET; the registry's own UUID gets PEXPIRE, no key SET "
        "with PX; if refused, again every 100 ms, or (PUB_SUB_LOCK) after PSUBSCRIBE and a message",
    .renew = "with a TaskScheduler, every third of the lease: SET with IFEQ, or EVAL of GET and PEXPIRE",
    .release = "DELEX with IFEQ, and before Redis 8.4 EVAL of GET and UNLINK; PUB_SUB_LOCK: and PUBLISH",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a removal that is late removes the lock of another thread of the process",
       .lesson = "a-late-unlock-removes-the-lock-of-another-thread",
       .repair = "a-late-unlock-with-the-token-of-a-thread-removes-nothing"},
      {.what = "the renewal of a lock whose removal raised goes on for as long as the process lives",
       .lesson = "a-lost-unlock-is-renewed-for-ever",
       .repair = "without-a-renewal-a-lost-unlock-costs-a-lease"},
      {.what = "an interrupted thread freed the local lock before the key was removed",
       .tracker = "spring-projects/spring-integration #11049, pull request 11058",
       .lesson = "an-interrupted-unlock-removes-the-lock-of-the-next-thread",
       .repair = "an-unlock-that-waits-for-the-removal-keeps-threads-apart"},
      {.what =
           "a lock object that was in use was evicted from the cache, and two threads had a local lock each",
       .tracker = "spring-projects/spring-integration #11044, pull requests 11051, 11181",
       .lesson = "two-local-locks-for-one-key-let-two-threads-in",
       .repair = "one-local-lock-for-one-key-lets-one-thread-in"},
      {.what = "two keys shared a local lock by chance",
       .tracker = "spring-projects/spring-integration #11146",
       .instead = "all clients of a scenario want one key"},
      {.what = "the local lock was not freed when the key had expired",
       .tracker = "spring-projects/spring-integration #1888, pull requests 1890, 2661",
       .instead = "repaired upstream before the version that is here"},
  };
}

std::vector<Parameter> parameters_of_registry() {
  using Kind = Parameter::Kind;
  return {{"ttl", Kind::duration, "60s", "expireAfter"},
          {"blocking",
           Kind::choice,
           "for-ever",
           "for-ever: lock(); until-timeout: tryLock(time); no: tryLock()",
           {"for-ever", "until-timeout", "no"}},
          {"wait-time", Kind::duration, "10s",
           "with blocking=until-timeout: for the local lock, and again for the key"},
          {"idle-between-tries", Kind::duration, "100ms", "between two tries"},
          {"type",
           Kind::choice,
           "spin",
           "spin: SPIN_LOCK; pub-sub: PUB_SUB_LOCK, a waiter asks when it is told of an unlock",
           {"spin", "pub-sub"}},
          {"renewal", Kind::choice, "no", "yes: a TaskScheduler was given", {"no", "yes"}},
          {"token",
           Kind::choice,
           "registry",
           "registry: one for all threads of a process; thread: one for each, as no version has it",
           {"registry", "thread"}},
          {"unlock",
           Kind::choice,
           "waits",
           "waits: the local lock is freed after the removal; detached: before it, as when interrupted "
           "(issue 11049)",
           {"waits", "detached"}},
          {"local-lock",
           Kind::choice,
           "shared",
           "shared: one for each key; evicted: each thread has one of its own (issue 11044)",
           {"shared", "evicted"}},
          {"registry",
           Kind::choice,
           "used",
           "used: it has found out that the server has no DELEX; new: it tries that first",
           {"used", "new"}},
          {"scripts",
           Kind::choice,
           "eval",
           "evalsha, as upstream: by their digests, and EVAL where the server does not know one",
           {"eval", "evalsha"}}};
}

}  // namespace

Card spring_integration() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "spring-integration",
      .summary = "one UUID for a process, a ReentrantLock between its threads; a script sets or extends",
      .source = "spring-projects/spring-integration f369e89 (7.2), RedisLockRegistry.java",
      .upstream =
          Upstream{.name = "Spring RedisLockRegistry", .language = "Java",
                   .also = {"spring", "RedisLockRegistry", "LockRegistry"},
                   .repository = "spring-projects/spring-integration",
                   .commit = "f369e899dd3007756e4da49273e201b85afa5cc7",
                   .excerpts = {{"spring-integration-redis/src/main/java/org/springframework/integration/"
                                 "redis/util/RedisLockRegistry.java", 433, 979, "7a0f7df29dad2a27"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write},
                  every_fault_but({pause, slow_section, late_request, duplicate, restart, server_clock_jump,
                                   failover, partition, eviction, cancel})},
                 // A late removal meets the process's next lock; a nested lock() is asked for beyond a lease.
                 {{owner_only_release}, every_fault_but({late_request, duplicate, cancel})},
                 {{recovery}, every_fault}},
      .bugs = known_bugs(),
      .driver_retries = 20,  // Lettuce: after each reconnect, without end
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = parameters_of_registry(),
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<SpringIntegration>(params);
      },
      .is_reentrant = true,
      .waiting = {{"blocking", "for-ever"}, {"idle-between-tries", "1s"}},
      .keys = {"locks:NAME"},
  };
}

}  // namespace holdfast::algorithms
