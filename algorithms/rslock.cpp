// rslock: Redlock for Rust: all servers at once, and a try that came too late is not given back.
#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/claims.hpp"
#include "algorithms/quorum.hpp"
#include "algorithms/replies.hpp"
#include "algorithms/scripts.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::algorithms {
namespace {

namespace of_rslock {

// CLOCK_DRIFT_FACTOR, in whole milliseconds, and 2.
Duration drift_in_milliseconds(Duration ttl) {
  return std::chrono::milliseconds(to_milliseconds(ttl) / 100 + 2);
}

class Rslock final : public Lock {
 public:
  explicit Rslock(const Params& params)
      : ttl_(params.duration("ttl")),
        retry_count_(params.choice("blocking") == "no" ? 1 : params.count("retry-count")),
        retry_delay_(params.duration("retry-delay")),
        waits_(params.choice("blocking") == "acquire"),
        gives_back_(params.choice("too-late") == "given-back") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    for (;;) {
      // A new value for each call of lock(); acquire() calls it until it has the lock.
      env.loop_head();
      const std::string value = env.random.token();
      Attempt locked = co_await lock(env, key, value);
      if (locked.is_granted() || !waits_) co_return std::move(locked);
    }
  }

  // Returns nothing.
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Command unlock("EVAL", compare_and_delete, 1, key, grant.token);
    const std::vector<Reply> ignored = co_await env.ask_all(unlock);
    co_return Release::released;
  }

 private:
  Task<Attempt> lock(Env& env, std::string key, std::string value) {
    const Command set("SET", key, value, "NX", "PX", to_milliseconds(ttl_));
    const Command unlock("EVAL", compare_and_delete, 1, key, value);
    for (std::int64_t tries = 1;; ++tries) {
      env.loop_head(Args(value, tries));
      const Stopwatch since_start(env.clock);
      const std::vector<Reply> replies = co_await env.ask_all(set);
      const auto votes =
          std::count_if(replies.begin(), replies.end(), [](const Reply& reply) { return reply.is_ok(); });
      const Duration elapsed = whole_milliseconds(since_start.elapsed());
      const Duration validity = ttl_ - drift_in_milliseconds(ttl_) - elapsed;
      const bool is_late = validity <= Duration::zero();
      if (is_late && !gives_back_) co_return Attempt::failed("TTL exceeded");
      if (!is_late && is_majority(static_cast<std::size_t>(votes), replies.size())) {
        Grant grant(value);
        grant.lease = ttl_ - drift_in_milliseconds(ttl_);
        co_return Attempt(grant);
      }
      env.loop_head(Args(value, tries, is_late ? 1 : 0));
      const std::vector<Reply> ignored = co_await env.ask_all(unlock);
      if (is_late) co_return Attempt::failed("TTL exceeded");
      if (tries >= retry_count_) co_return Attempt::refused("Resource is unavailable");
      // random_range(0..retry_delay): less than that.
      const Duration pause = env.random.jitter(retry_delay_ - 1ms);
      co_await env.clock.sleep(pause);
    }
  }

  Duration ttl_;
  std::int64_t retry_count_;
  Duration retry_delay_;
  bool waits_;
  bool gives_back_;
};

constexpr std::string_view lesson =
    "Redlock for Rust: all servers at once, three tries up to 0.2 s apart, a validity that counts from the "
    "start of the try and is handed out as validity_time. A try that took longer than the lease ends in an "
    "error, at once and for good: since 2024 in place of a panic. But it is not given back, and not tried "
    "again, while every other try that failed is. What a slow server granted last then stands for a whole "
    "lease, and with it a majority may be taken without a holder. Nothing renews by itself: extend() is the "
    "caller's, and few callers check validity_time, so work that outlasts it goes on beside another's. "
    "unlock() returns nothing, whatever the servers say; and the guard that acquire() returns unlocks when "
    "it is dropped only if the crate is built without tokio.";

constexpr Protocol protocol{
    .acquire =
        "SET key with a value, NX and PX, on all servers at once; a majority within the lease, less drift, "
        "grants. Else EVAL of GET and DEL everywhere; three tries. Later than that: an error, and nothing is "
        "sent",
    .release = "EVAL of GET and DEL everywhere; the caller is told nothing",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a try that took longer than the lease is not given back",
       .instead = "no property says that acquire() must succeed; rslock_test shows it"},
      {.what = "acquire() begins anew without a pause when lock() has failed",
       .instead = "a retry that is too fast breaks nothing; it is load"},
      {.what = "a holder that does not look at validity_time works on after the lease",
       .lesson = "a-validity-time-that-nobody-looks-at-ends-under-its-holder",
       .repair = "a-validity-time-that-is-looked-at-ends-the-claim"},
      {.what = "a try that took longer than the lease panicked",
       .instead = "repaired upstream before the version that is here"},
      {.what = "with tokio the guard of acquire() unlocks nothing when it is dropped",
       .instead = "a client here calls release()"},
  };
}

}  // namespace of_rslock
}  // namespace

Card rslock() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "rslock",
      .summary = "Redlock with all servers asked at once, whose tries that come too late are not given back",
      .source = "hexcowboy/rslock e5d7583, src/lock.rs",
      .upstream =
          Upstream{.name = "rslock", .language = "Rust",
                   .repository = "hexcowboy/rslock",
                   .commit = "e5d758312081540b3fbb4871a139b6349ef785c1",
                   .excerpts = {{"src/lock.rs", 13, 22, "2f03585cecbc60c7"},
                                {"src/lock.rs", 142, 166, "86324ff49f229d95"},
                                {"src/lock.rs", 190, 207, "0ac4583a7db8f99c"},
                                {"src/lock.rs", 315, 392, "4861976c91aad419"},
                                {"src/lock.rs", 414, 485, "f652a8df435f0825"}},
                   .files = {{"src/lock.rs", "f7af4a2c5e13b9e2"}}},
      .lesson = of_rslock::lesson,
      .protocol = of_rslock::protocol,
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, owner_only_change, truthful_release,
                   recovery},
                  {none}}},
      .bugs = of_rslock::known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request},
      .parameters =
          {{"ttl", Kind::duration, "1s", "how long the keys live, as in the examples"},
           {"nodes", Kind::count, "3", "how many servers; a majority holds the lock"},
           {"blocking",
            Kind::choice,
            "acquire",
            "acquire: acquire(), until it has the lock; lock: lock(); no: and retry_count 1",
            {"acquire", "lock", "no"}},
           {"retry-count", Kind::count, "3", "set_retry: how often lock() asks all servers"},
           {"retry-delay", Kind::duration, "200ms", "set_retry: less than that between two of those"},
           {"too-late",
            Kind::choice,
            "kept",
            "kept: what a try that took longer than the lease has set stays; given-back: it is unlocked",
            {"kept", "given-back"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_rslock::Rslock>(params);
      },
      .is_stateless = true,
      .waiting = {{"retry-count", "2"}, {"retry-delay", "1s"}},
  };
}

}  // namespace holdfast::algorithms
