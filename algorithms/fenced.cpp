// fenced: the script that takes the lock also counts the grants; the count is the fencing token.
#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "algorithms/scripts.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

// The counter has no TTL: it must outlive every lease.
constexpr const char* set_and_count =
    "if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then"
    " return redis.call('INCR', KEYS[2]) else return 0 end";

class Fenced final : public Lock {
 public:
  explicit Fenced(const Params& params) : ttl_(params.duration("ttl")) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Keys keys(key, key + ":fence");
    const Args args(token, to_milliseconds(ttl_));
    const Reply counted = co_await Redis(env.store()).eval(set_and_count, keys, args);
    // If the key was set after all, its TTL frees it, and the count has a gap: it need only grow.
    if (is_failure(counted)) co_return Attempt::failed("failed to set lock: " + error_of(counted));
    if (counted.number() <= 0) co_return Attempt::refused("lock already exists.");
    Grant grant(token);
    grant.lease = ttl_;
    grant.fence = static_cast<std::uint64_t>(counted.number());
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply deleted = co_await Redis(env.store()).eval(compare_and_delete, Keys(key), Args(grant.token));
    co_return release_by(deleted);
  }

 private:
  Duration ttl_;
};

constexpr std::string_view lesson =
    "The lock is that of token; the script that takes it also increments a counter that never expires, and "
    "hands the number out. Both must be one step: a client that counts in a second command may get the lock "
    "first and the number last. The number does not keep two holders apart. A holder that is paused past its "
    "lease, or whose work is slow, still meets the next one. It is for the resource: one that remembers the "
    "highest number it has seen can refuse the late write of an older grant, which no lock can do. To refuse "
    "only writes is not enough when a writer first reads: the number must be shown at the first access, or "
    "an old holder writes between the read and the write of the new one. And the counter is lost with the "
    "server: one that restarts without its data counts from one again, the resource refuses all clients "
    "until the count has caught up, and then takes two grants for one.";

constexpr Protocol protocol{
    .acquire = "EVAL of SET with NX and PX, and INCR: the number grows with every grant",
    .release = "EVAL of GET and DEL: deletes if the token is there",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "the number does not keep two holders apart; only a resource that refuses old ones does",
       .lesson = "a-fencing-token-does-not-keep-two-holders-apart"},
      {.what = "a resource that learns the numbers from writes alone loses what was read before",
       .lesson = "numbers-that-are-registered-by-writes-lose-an-update",
       .repair = "numbers-that-are-registered-by-reads-lose-no-update"},
  };
}

}  // namespace

Card fenced() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "fenced",
      .summary = "as token, and the script that grants also counts: the number lets a resource refuse",
      .source = "the fencing tokens of M. Kleppmann, \"How to do distributed locking\", as one Redis script",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write},
                  every_fault_but({pause, slow_section, restart, server_clock_jump, failover, eviction})},
                 {{fence_order}, every_fault_but({restart, failover, eviction})},
                 {{owner_only_release, owner_only_change, truthful_release, recovery, progress},
                  every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "1s", "how long the key lives"}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<Fenced>(params); },
      .is_stateless = true,
      .counters = {"%:fence"},
      .stands_for_store = Tenure::lease,
  };
}

}  // namespace holdfast::algorithms
