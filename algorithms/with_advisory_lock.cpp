// with-advisory-lock: the Ruby gem on PostgreSQL: pg_try_advisory_lock, tried again until it is granted.
#include "algorithms/claims.hpp"
#include "algorithms/postgres_sessions.hpp"
#include "algorithms/replies.hpp"

namespace holdfast::algorithms {
namespace {

class WithAdvisoryLock final : public Lock {
 public:
  explicit WithAdvisoryLock(const Params& params)
      : timeout_(params.duration("timeout")),
        sleep_min_(params.duration("sleep-min")),
        sleep_max_(params.duration("sleep-max")),
        is_pooled_(is_pooled(params)) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    Session session = open_session(env, is_pooled_);
    const Stopwatch since(env.clock);
    for (;;) {
      const Reply granted = co_await session->try_advisory_lock(key);
      if (is_failure(granted)) co_return Attempt::failed("pg_try_advisory_lock: " + error_of(granted));
      if (granted.is(1)) break;
      if (timeout_ == Duration::zero() || since.elapsed() >= timeout_) co_return Attempt::refused("false");
      const Duration more = env.random.jitter(sleep_max_ - sleep_min_);
      co_await env.clock.sleep(sleep_min_ + more);
    }
    held_.keep(env, std::move(session));
    const Grant grant;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant) override {
    Session session = held_.take(env);
    if (session == nullptr) co_return Release::not_held;
    const Reply reply = co_await session->advisory_unlock(key);
    // `ensure` looks at no answer.
    co_return silent_release_by(reply);
  }

 private:
  Duration timeout_;
  Duration sleep_min_;
  Duration sleep_max_;
  bool is_pooled_;
  HeldSessions held_;
};

constexpr std::string_view lesson =
    "The advisory lock of the session under a method of Rails models: with_advisory_lock(name) { … }. The "
    "key is the CRC-32 of the name, in 31 bits, so two names may share a lock. Who finds it taken does "
    "not wait in the queue of the database, but asks again after 50 to 150 ms, so nobody is in turn, and "
    "one may be overtaken for ever. The unlock stands in an ensure block, and so before the COMMIT where "
    "the block is called inside of a transaction: then the next client reads what was there before, and an "
    "update is lost. A pooler in transaction mode hands the session to somebody else in between. All else "
    "is as with pg-advisory.";

constexpr Protocol protocol{
    .acquire = "pg_try_advisory_lock(crc32 of the name), again after 50 to 150 ms",
    .release = "pg_advisory_unlock(key) on the same session; the answer is dropped",
};

}  // namespace

Card with_advisory_lock() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "with-advisory-lock",
      .summary = "the session's advisory lock for Rails: tried again at random, unlocked without a look",
      .source = "ClosureTree/with_advisory_lock b5fec35, core_advisory.rb and postgresql_advisory.rb",
      .lesson = lesson,
      .protocol = protocol,
      // As pg-advisory.
      .claims = {{{mutual_exclusion, no_stale_write}, every_fault_but({restart, failover, session_lost})},
                 {{owner_only_release, owner_only_change, truthful_release, release_frees, recovery},
                  every_fault}},
      .bugs = {{.what = "it unlocks before the COMMIT of a transaction around it",
                .lesson = "an-unlock-before-the-commit-loses-an-update",
                .repair = "a-lock-that-ends-with-its-transaction-loses-no-update"},
               {.what = "a pooler in transaction mode hands the session to another client",
                .tracker = "ClosureTree/with_advisory_lock #43",
                .lesson = "two-clients-of-a-pooler-share-a-session-and-its-lock",
                .repair = "a-lock-of-a-transaction-is-not-shared-by-a-pooler"}},
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release},
      .parameters = {{"timeout", Kind::duration, "640000000h",
                      "timeout_seconds, by default for ever; 0s: once"},
                     {"sleep-min", Kind::duration, "50ms", "between two attempts, at least"},
                     {"sleep-max", Kind::duration, "150ms", "… at most, drawn at random"},
                     parameter_of_pooler()},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<WithAdvisoryLock>(params);
      },
      .is_stateless = true,
      .store = StoreKind::postgres,
      .waiting = {{"timeout", "2s"}, {"sleep-min", "1s"}, {"sleep-max", "1s"}},
      .keys = {"lock:NAME"},
  };
}

}  // namespace holdfast::algorithms
