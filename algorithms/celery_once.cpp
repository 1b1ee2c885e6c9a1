// celery-once: redis-py's lock when a task is queued; a plain DEL when it has run, in another process.
#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

// What the driver raises. REQUIRES: `reply` is lost or an error.
std::string driver_error(const Reply& reply) {
  return reply.is_lost() ? "Timeout reading from socket" : reply.text();
}

class CeleryOnce final : public Lock {
 public:
  explicit CeleryOnce(const Params& params)
      : ttl_(params.duration("ttl")),
        blocking_timeout_(params.duration("blocking-timeout")),
        sleep_(params.duration("sleep")),
        blocks_(params.choice("blocking") == "yes") {}

  // apply_async(): one redis.lock.Lock for each call, so one token.
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const SteadyTime stop = blocks_ ? env.clock.steady() + blocking_timeout_ : SteadyTime();
    for (;;) {
      env.loop_head(Args(token, stop.time_since_epoch().count()));
      SetOptions options;
      if (ttl_ != Duration::zero()) options.px(ttl_);
      options.nx();
      const Reply reply = co_await Redis(env.store()).set(key, token, options);
      if (is_failure(reply)) co_return Attempt::failed(driver_error(reply));
      if (!reply.is_nil()) break;
      if (!blocks_ || env.clock.steady() + sleep_ > stop) {
        // How long it may take is all that the caller is told.
        const Reply left = co_await Redis(env.store()).pttl(key);
        if (is_failure(left)) co_return Attempt::failed(driver_error(left));
        co_return Attempt::refused("AlreadyQueued");
      }
      co_await env.clock.sleep(sleep_);
    }
    Grant grant(token);
    if (ttl_ != Duration::zero()) grant.lease = ttl_;
    co_return Attempt(grant);
  }

  // after_return(): the worker has the name of the key, and no token. How many keys were removed is dropped.
  Task<Release> release(Env& env, std::string key, Grant) override {
    const Reply deleted = co_await Redis(env.store()).del(key);
    co_return silent_release_by(deleted);
  }

 private:
  Duration ttl_;
  Duration blocking_timeout_;
  Duration sleep_;
  bool blocks_;
};

constexpr std::string_view lesson =
    "A task that may be queued once: the caller that queues it takes a lock whose name is made of the task "
    "and its arguments, and the worker that has run it frees the lock. These are two processes, and what "
    "goes from one to the other is the task, not the token; so the release is a plain DEL of redis-py's "
    "lock, whose token is not used. A task that waits in the queue and runs for longer than the timeout "
    "together, an hour unless told, deletes the lock of the next one, and a third is queued. The other way "
    "round, what kills a worker (a hard time limit, the kernel when memory is short, a deployment) also "
    "kills the process that would have released the lock: then no caller can queue the task until the "
    "timeout ends (issues 130 and 147 of the project), and with a timeout of None never.";

constexpr Protocol protocol{
    .acquire =
        "SET key with a token and NX, and PX unless the timeout is None; if refused, PTTL, and it raises",
    .release = "DEL key, when the task has run; how many keys that removed is dropped",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a worker that is killed leaves the lock behind; without a timeout it stays for ever",
       .tracker = "cameronmaske/celery-once #130, #147",
       .lesson = "a-worker-that-is-killed-keeps-its-task-from-being-queued-again",
       .repair = "with-a-timeout-a-task-is-queued-again-after-its-worker-was-killed"},
      {.what = "a task that outlasts the timeout deletes the lock of the next one",
       .lesson = "a-slow-worker-deletes-the-lock-of-the-next-task",
       .repair = "a-token-keeps-a-slow-holder-from-deleting-the-lock-of-another"},
  };
}

}  // namespace

Card celery_once() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  // A DEL that is late, or sent twice, or again for want of an answer, or of a task that outlasts its lease,
  // removes the key of the next.
  const FaultSet release_in_time =
      every_fault_but({pause, slow_section, late_request, late_reply, lost_request, lost_reply, partition,
                       duplicate, restart, server_clock_jump, failover, eviction});
  return Card{
      .id = "celery-once",
      .summary = "redis-py's lock when a task is queued, a plain DEL by the worker that has run it",
      .source =
          "cameronmaske/celery-once 4f68b6b (3.0.1), celery_once/backends/redis.py, tasks.py; "
          "redis/redis-py 34817ce, redis/lock.py",
      .upstream =
          Upstream{.name = "celery-once", .language = "Python",
                   .also = {"QueueOnce"},
                   .repository = "cameronmaske/celery-once",
                   .commit = "4f68b6b3c8503b9360179a246521b07315cdf577",
                   .excerpts = {{"celery_once/backends/redis.py", 96, 118, "fa94938ec5462f61"},
                                {"celery_once/tasks.py", 77, 108, "6e3c435b8f2f9eb4"},
                                {"celery_once/tasks.py", 132, 141, "6a65d252397fe03b"}},
                   .files = {{"celery_once/backends/redis.py", "7c1aae933fa7916f"},
                             {"celery_once/tasks.py", "86a6ab61d6576bf9"}},
                   .below = {{.repository = "redis/redis-py",
                              .commit = "34817ce2a2accc893a81180fe737e0c4f5ac6b0c",
                              .excerpts = {{"redis/lock.py", 30, 37, "0f69f44fccf52ba4"},
                                           {"redis/lock.py", 237, 245, "5b41732503dca210"}}}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, truthful_release}, release_in_time},
                 {{owner_only_change, release_frees, recovery}, every_fault}},
      .bugs = known_bugs(),
      .driver_retries = 3,
      .driver = "redis-py 6.4.0, the newest that kombu 5.6.2 allows, 3 times (run); 5.2.1, the newest for "
                "kombu 5.5.4, never (run); 8.0.0, 10 times (run)",
      .editions = {{.name = "redis-py-5",
                    .summary = "with redis-py 5.2.1, which sends nothing again",
                    .driver_retries = 0}},
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters =
          {{"ttl", Kind::duration, "60m",
            "default_timeout, or once={'timeout': …}; 0s: None, the key never expires"},
           {"blocking", Kind::choice, "no", "yes: the backend's setting of that name", {"no", "yes"}},
           {"blocking-timeout", Kind::duration, "1s", "with blocking=yes: how long it tries"},
           {"sleep", Kind::duration, "100ms", "between two tries; redis-py's default"}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<CeleryOnce>(params);
      },
      .is_stateless = true,
      .ignores_date = true,
      .waiting = {{"blocking", "yes"}, {"sleep", "1s"}, {"blocking-timeout", "3s"}},
  };
}

}  // namespace holdfast::algorithms
