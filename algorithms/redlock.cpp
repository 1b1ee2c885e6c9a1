// redlock: the same key on several independent servers; a client that has a majority of them in time holds
// the lock.
#include <utility>

#include "algorithms/quorum.hpp"
#include "algorithms/replies.hpp"
#include "algorithms/scripts.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

class Redlock final : public Lock {
 public:
  explicit Redlock(const Params& params)
      : ttl_(params.duration("ttl")),
        retry_(params.duration("retry")),
        waits_(params.choice("blocking") == "yes") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    for (;;) {
      env.loop_head();
      const std::string token = env.random.token();
      Attempt asked = co_await ask(env, key, token);
      if (asked.is_granted()) co_return std::move(asked);
      // Everywhere: a server that did not answer may have set the key.
      for (std::size_t node = 0; node < env.stores.size(); ++node) {
        env.loop_head(Args(token, node));
        co_await Redis(*env.stores[node]).eval(compare_and_delete, Keys(key), Args(token));
      }
      if (!waits_) co_return std::move(asked);
      const Duration wait = env.random.jitter(retry_);
      co_await env.clock.sleep(wait);
    }
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    std::size_t deleted = 0;
    std::size_t missing = 0;
    for (std::size_t node = 0; node < env.stores.size(); ++node) {
      env.loop_head(Args(grant.token, node, deleted, missing));
      const Reply reply =
          co_await Redis(*env.stores[node]).eval(compare_and_delete, Keys(key), Args(grant.token));
      deleted += reply.is(1) ? 1 : 0;
      missing += reply.is(0) ? 1 : 0;
    }
    co_return release_by_majority(deleted, missing, env.stores.size());
  }

 private:
  // Once, one server after the other.
  Task<Attempt> ask(Env& env, std::string key, std::string token) {
    const Stopwatch since_start(env.clock);
    Duration last_sent{};
    std::size_t granted = 0;
    for (std::size_t node = 0; node < env.stores.size(); ++node) {
      env.loop_head(Args(token, node, granted));
      if (node + 1 == env.stores.size()) last_sent = since_start.elapsed();
      const Reply reply = co_await Redis(*env.stores[node]).set(key, token, SetOptions().px(ttl_).nx());
      granted += reply.is_ok() ? 1 : 0;
    }
    const Duration validity = ttl_ - drift_of(ttl_) - since_start.elapsed();
    if (!is_majority(granted, env.stores.size()) || validity <= Duration::zero())
      co_return Attempt::refused("no majority in time");
    // The lease counts from the first request; a client that counts from the last one has less.
    Grant grant(token);
    grant.lease = ttl_ - drift_of(ttl_) - last_sent;
    co_return Attempt(grant);
  }

  Duration ttl_;
  Duration retry_;
  bool waits_;
};

constexpr std::string_view lesson =
    "The key is set, with one random token, on every one of several servers that know nothing of each other; "
    "a client that has it on more than half of them holds the lock, for the TTL less the time that asking "
    "took and a margin for clocks that run unequally. A server that dies takes nothing with it. Whether one "
    "that comes back empty does, is arithmetic: granted by k of n and forgotten by m of them, the lock can "
    "be given away a second time when n - k + m is a majority. Granted by all five it survives two; granted "
    "by three, because another client had the others for a moment, it does not survive one. A server whose "
    "clock jumps forward forgets in the same way. And nothing here watches the work: a holder that is paused "
    "beyond the validity goes on, as with one server. The validity counts from the first request, so a "
    "holder that stops at that deadline is safe against slow answers.";

constexpr Protocol protocol{
    .acquire =
        "SET key with a token, NX and PX, on every server; a majority within the TTL, less drift, grants. "
        "Else EVAL of GET and DEL everywhere",
    .release = "EVAL of GET and DEL everywhere: deletes where the token is there",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "one server that comes back empty is enough when a bare majority granted the lock",
       .lesson = "a-server-that-comes-back-empty-gives-redlock-away-again"},
      {.what = "keys of tries that were given up were left behind",
       .tracker = "antirez/redlock-rb #3",
       .instead = "it releases everywhere; node-redlock shows what happens if not"},
  };
}

}  // namespace

Card redlock() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "redlock",
      .summary = "SET NX PX on several servers, one after the other; held by a majority within the validity",
      .source = "Redis documentation, \"Distributed Locks with Redis\", the Redlock algorithm",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, owner_only_change, truthful_release,
                   recovery},
                  {none}}},
      .bugs = known_bugs(),
      .belief = Belief::deadline_from_request,
      .beliefs = {Belief::until_release, Belief::deadline_from_request},
      .parameters = {{"ttl", Parameter::Kind::duration, "10s", "how long the keys live"},
                     {"nodes", Parameter::Kind::count, "5", "how many servers; a majority holds the lock"},
                     {"retry", Parameter::Kind::duration, "200ms", "at most, before it asks again"},
                     {"blocking", Parameter::Kind::choice, "yes", "no: acquire() asks once", {"yes", "no"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<Redlock>(params); },
      .is_stateless = true,
      .waiting = {{"retry", "1s"}},
  };
}

}  // namespace holdfast::algorithms
