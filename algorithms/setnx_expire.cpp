// setnx-expire: SETNX takes the lock, a second command gives it a TTL.
#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

class SetnxExpire final : public Lock {
 public:
  explicit SetnxExpire(const Params& params)
      : ttl_(params.duration("ttl")), is_repaired_(params.choice("on-expire-failure") == "repaired") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string value = "1234";
    const Reply created = co_await Redis(env.store()).setnx(key, value);
    if (is_failure(created)) co_return Attempt::failed("failed to setnx lock: " + error_of(created));
    if (!created.is(1)) co_return Attempt::refused("lock already exists.");

    const Reply expiring = co_await Redis(env.store()).expire(key, ttl_);
    if (is_failure(expiring)) {
      if (is_repaired_) {
        // Whatever this answers, there is nothing more to be done.
        co_await Redis(env.store()).del(key);
      }
      co_return Attempt::failed("failed to expire lock: " + error_of(expiring));
    }
    // 0: the key is gone. The printed code asks only whether there is a result, and in Lua 0 counts as true.
    if (is_repaired_ && !expiring.is(1)) co_return Attempt::refused("lock is taken by others.");
    Grant grant(value);
    grant.lease = ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant) override {
    const Reply deleted = co_await Redis(env.store()).del(key);
    co_return release_by(deleted);
  }

 private:
  Duration ttl_;
  bool is_repaired_;
};

constexpr std::string_view lesson =
    "SETNX decides who holds, EXPIRE then makes sure that the key cannot outlive its holder. Between the two "
    "the key has no TTL. The known failure is a crash in that gap: the lock is stuck for ever. It takes no "
    "crash, though. If the answer to SETNX is lost, or SETNX arrives after its sender gave up, or the sender "
    "is stopped until it gives up, it reports a failure and never sends EXPIRE. If EXPIRE is lost, the "
    "printed code returns early and leaves the key behind. And EXPIRE answers 0 when the key is already "
    "gone, which the printed Lua takes for success. on-expire-failure=repaired sends DEL when EXPIRE failed "
    "and believes the 0: that frees the lock after a lost EXPIRE, but not after a crash or a lost answer to "
    "SETNX, where the client does not know the owner, so DEL would be a guess; and an EXPIRE that was only "
    "late may then hit the next holder's key. Once the TTL works it brings the next failure: a holder that "
    "outlives it shares the lock with the next one and deletes that one's key at the end. Repair: one "
    "command that does both (set-nx-px), and an owner in the value (token).";

constexpr Protocol protocol{
    .acquire = "SETNX key 1234; after 1, EXPIRE key with the TTL in seconds",
    .release = "DEL key",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a crash between SETNX and EXPIRE leaves a key without an end",
       .tracker = "redis/redis-py #818, #554",
       .lesson = "a-crash-between-setnx-and-expire-blocks-for-ever",
       .repair = "set-nx-px-recovers-when-any-reply-is-lost"},
      {.what = "when the answer to SETNX is lost, EXPIRE is never sent",
       .lesson = "a-lost-setnx-reply-blocks-for-ever-without-any-crash",
       .repair = "set-nx-px-recovers-when-any-reply-is-lost"},
      {.what = "a SETNX that lands after its sender gave up is followed by no EXPIRE",
       .lesson = "a-late-setnx-blocks-for-ever-after-its-sender-gave-up",
       .repair = "set-nx-px-recovers-when-any-reply-is-lost"},
      {.what = "when EXPIRE is lost, the printed code returns and leaves the key behind",
       .lesson = "a-lost-expire-blocks-for-ever-as-printed",
       .repair = "deleting-the-key-after-a-lost-expire-unblocks-the-lock"},
      {.what = "DEL removes whatever is there, after the lease the lock of another",
       .lesson = "an-expire-does-not-say-whose-lock-del-removes",
       .repair = "a-token-keeps-a-slow-holder-from-deleting-the-lock-of-another"},
  };
}

}  // namespace

Card setnx_expire() {
  using enum Fault;
  using enum Property;
  // Under these no holder outlives its lease, and no DEL does: else it deletes the key of the next holder, a
  // third client enters, and the EXPIRE of the next one lands on its key.
  const FaultSet release_in_time = every_fault_but({pause, slow_section, late_request, late_reply, duplicate,
                                                    restart, server_clock_jump, failover, eviction});
  return Card{
      .id = "setnx-expire",
      .summary = "SETNX, then EXPIRE as a second command; plain DEL releases",
      .source = "document 004, way one (shows no release); Redis documentation, SETNX, EXPIRE",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, owner_only_change, truthful_release},
                  release_in_time},
                 {{recovery}, {none, slow_section, restart, clock_skew}}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "1s",
                      "TTL of the key, rounded down to whole seconds (EXPIRE 0 deletes at once)"},
                     {"on-expire-failure",
                      Parameter::Kind::choice,
                      "printed",
                      "printed: leave the key, take 0 for success; repaired: DEL the key, and refuse on 0",
                      {"printed", "repaired"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<SetnxExpire>(params);
      },
      .is_stateless = true,
  };
}

}  // namespace holdfast::algorithms
