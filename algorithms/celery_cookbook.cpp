// celery-cookbook: Django's cache.add() with a timeout; cache.delete(), if the own clock says it is not over.
#include <chrono>

#include "algorithms/claims.hpp"
#include "algorithms/expiry_value.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

// Django: key prefix, version and key.
std::string cache_key(const std::string& key) { return ":1:" + key; }

// What the driver raises. REQUIRES: `reply` is lost or an error.
std::string driver_error(const Reply& reply) {
  return reply.is_lost() ? "Timeout reading from socket" : reply.text();
}

// What the context manager remembers.
std::string text_of_steady(SteadyTime time) { return std::to_string(time.time_since_epoch().count()); }
SteadyTime steady_in(std::string_view text) { return SteadyTime(Duration(std::stoll(std::string(text)))); }

struct Kept {
  std::string oid;  // of the task's app; nobody reads it
};

class CeleryCookbook final : public LockThatKeeps<Kept> {
 public:
  explicit CeleryCookbook(const Params& params)
      : ttl_(params.duration("ttl")),
        margin_(ttl_ * params.count("margin") / 1000),
        looks_at_clock_(params.choice("release") == "clock"),
        deletes_when_refused_(params.choice("refused") == "deletes") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const SteadyTime timeout_at = looks_at_clock_ ? env.clock.steady() + ttl_ - margin_ : SteadyTime();
    std::string& oid = kept().oid;
    if (oid.empty()) oid = env.random.token();
    const bool expires = to_seconds(ttl_) > 0;
    SetOptions options;
    if (expires) options.ex(ttl_);
    options.nx();
    const Reply added = co_await Redis(env.store()).set(cache_key(key), oid, options);
    if (is_failure(added)) co_return Attempt::failed(driver_error(added));
    if (!added.is_ok()) {
      // The context manager that was entered is left.
      if (deletes_when_refused_ && !is_over(env, timeout_at)) {
        const Reply deleted = co_await Redis(env.store()).del(cache_key(key));
        if (is_failure(deleted)) co_return Attempt::failed(driver_error(deleted));
      }
      co_return Attempt::refused("Feed is already being imported by another worker");
    }
    if (!expires) {
      // Django: a timeout of 0 means that it is over at once; add() returns True all the same.
      const Reply deleted = co_await Redis(env.store()).del(cache_key(key));
      if (is_failure(deleted)) co_return Attempt::failed(driver_error(deleted));
    }
    Grant grant(written(timeout_at, text_of_steady));
    grant.lease = std::chrono::floor<std::chrono::seconds>(ttl_);
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    const SteadyTime timeout_at = time_in<SteadyTime>(grant.token, steady_in);
    if (is_over(env, timeout_at)) co_return Release::released;
    const Reply deleted = co_await Redis(env.store()).del(cache_key(key));
    co_return silent_release_by(deleted);
  }

 private:
  bool is_over(Env& env, SteadyTime timeout_at) const {
    return looks_at_clock_ && env.clock.steady() >= timeout_at;
  }

  Duration ttl_;
  Duration margin_;
  bool looks_at_clock_;
  bool deletes_when_refused_;
};

constexpr std::string_view lesson =
    "The recipe of Celery's documentation for a task that may not run twice at a time, and what many "
    "projects have copied from it: cache.add() sets a key unless it is there, with a timeout of ten minutes; "
    "a refused worker skips its run. On Django's Redis cache that is SET with EX and NX, and DEL. The value "
    "names the app, and is never compared. Until 2015 the task deleted the key in any case, so one that took "
    "longer than the timeout deleted the key of the next run, and a third began (issue 2926 of the project). "
    "Since then it looks at its own clock first, and deletes only up to three seconds before the timeout: "
    "\"to lessen the chance\", as the recipe says. It looks, and then it sends: a task that is stopped in "
    "between, or whose DEL travels longer than the three seconds, deletes the key of the next run all the "
    "same, which only a comparison at the server would prevent. And a task that is too slow runs beside the "
    "next one in either case; the recipe says that it should not be. For two years, from November 2015 to "
    "November 2017, the printed context manager deleted the key also when add() had said that another worker "
    "holds it: a third worker then entered without any fault (celery-cookbook-2015; issue 3930 of the "
    "project).";

constexpr Protocol protocol{
    .acquire = "SET key with EX and NX, once; with a timeout below a second, SET with NX and then DEL",
    .release =
        "DEL key, unless the client's clock says that the timeout is nearly over; returns nothing. From 2015 "
        "to 2017 also by who was refused",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a task that took longer than the timeout deleted the lock of the next run",
       .tracker = "celery/celery #2926",
       .lesson = "a-task-that-outlasts-its-timeout-deletes-the-lock-of-the-next-run",
       .repair = "a-task-that-looks-at-its-clock-leaves-the-lock-of-the-next-run-alone"},
      {.what = "from 2015 to 2017 a refused worker deleted the key of the holder, and a third one entered",
       .tracker = "celery/celery #3930, pull request 4344",
       .lesson = "a-refused-worker-deletes-the-lock-of-the-holder",
       .repair = "a-worker-that-deletes-only-what-it-has-added-lets-no-third-one-in"},
      {.what = "a DEL that is late deletes it although the task looked at its clock",
       .lesson = "a-task-that-looked-at-its-clock-deletes-the-lock-of-the-next-run-later",
       .repair = "a-token-keeps-a-slow-holder-from-deleting-the-lock-of-another"},
      {.what = "first it was cache.get() and cache.set(), between which another worker came",
       .tracker = "celery/celery #87",
       .instead = "repaired upstream before the version that is here"},
      {.what = "with Django's default cache, each process has a lock of its own",
       .tracker = "celery/celery #2049",
       .instead = "the memory of a process is no store that clients share"},
  };
}

}  // namespace

namespace {

Upstream upstream() {
  return Upstream{.name = "Celery's cookbook", .language = "Python",
           .also = {"celery", "memcache_lock", "cache.add"},
           .repository = "celery/celery",
           .commit = "5dc781f0bd5f36186bfcc74e0a4f9f654452c69b",
           .excerpts = {{"docs/tutorials/task-cookbook.rst", 50, 80, "656422fc20332543"}},
           .files = {{"docs/tutorials/task-cookbook.rst", "6c12806c85ccaf41"}},
           .below = {{.repository = "django/django",
                      .commit = "0019a798fd207915c1bbe44cd6a81e937365a103",
                      .excerpts = {{"django/core/cache/"
                                     "backends/redis.py", 136, 143, "9e99631ec21dcade"},
                                   {"django/core/cache/"
                                    "backends/redis.py", 152, 161, "7f60797d59641b71"}}}}};
}

}  // namespace

Card celery_cookbook() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  // A DEL that is late, or sent twice, or of a task that outlasts its lease, removes the key of the next. One
  // that is lost is not sent again, so it removes nothing.
  const FaultSet release_in_time = every_fault_but({pause, slow_section, late_request, late_reply, duplicate,
                                                    restart, server_clock_jump, failover, eviction});
  return Card{
      .id = "celery-cookbook",
      .summary = "Django's cache.add() and cache.delete(), the latter if the client's clock allows it",
      .source =
          "celery/celery 5dc781f, docs/tutorials/task-cookbook.rst; django/django 0019a79, "
          "django/core/cache/backends/redis.py",
      .upstream =
          upstream(),
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, truthful_release}, release_in_time},
                 {{owner_only_change, recovery}, every_fault}},
      .bugs = known_bugs(),
      .driver = "redis-py 8.0.0 as Django 0019a79 makes its client, from a URL: it raises ConnectionError at "
                "once (run)",
      .editions = {{.name = "2015",
                    .summary = "as printed from November 2015 to November 2017: who is refused deletes, too",
                    .params = {{"refused", "deletes"}}}},
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Kind::duration, "10m", "LOCK_EXPIRE, in whole seconds"},
                     {"margin", Kind::count, "5",
                      "so many thousandths of ttl before its end it is not deleted any more. 5: the three "
                      "seconds of ten minutes that are printed"},
                     {"release",
                      Kind::choice,
                      "clock",
                      "clock: deletes while the client's clock allows it; always: as printed until 2015",
                      {"clock", "always"}},
                     {"refused",
                      Kind::choice,
                      "leaves",
                      "what a refused worker does with the key. leaves: nothing; deletes: as printed from "
                      "November 2015 to November 2017",
                      {"leaves", "deletes"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<CeleryCookbook>(params);
      },
      .ignores_date = true,
      .keys = {":1:NAME"},
  };
}

}  // namespace holdfast::algorithms
