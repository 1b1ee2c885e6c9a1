// setnx-del-recovery: the value is the holder's expiry; who finds it expired deletes the key and tries again.
#include "algorithms/claims.hpp"
#include "algorithms/expiry_value.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

class SetnxDelRecovery final : public Lock {
 public:
  explicit SetnxDelRecovery(const Params& params) : ttl_(params.duration("ttl")) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const WallTime expiry = expiry_after(env.clock, ttl_);
    const Reply created = co_await Redis(env.store()).setnx(key, to_value(expiry));
    if (is_failure(created)) co_return Attempt::failed("failed to setnx lock: " + error_of(created));
    if (created.is(1)) co_return granted(expiry);

    const Reply current = co_await Redis(env.store()).get(key);
    if (is_failure(current)) co_return Attempt::failed("failed to get lock: " + error_of(current));
    if (current.is_nil()) co_return Attempt::refused("lock was released a moment ago.");
    const std::optional<WallTime> held_until = parse_expiry(current.text());
    if (!held_until) co_return Attempt::failed("failed to read lock: its value is not a time");
    if (*held_until >= wall_now(env.clock)) co_return Attempt::refused("lock is not expired.");

    // This may remove the key that was read, another waiter's new one, or nothing; the protocol goes on.
    const Reply deleted = co_await Redis(env.store()).del(key);
    if (is_failure(deleted)) co_return Attempt::failed("failed to del lock: " + error_of(deleted));

    const WallTime new_expiry = expiry_after(env.clock, ttl_);
    const Reply retaken = co_await Redis(env.store()).setnx(key, to_value(new_expiry));
    if (is_failure(retaken)) co_return Attempt::failed("failed to setnx lock: " + error_of(retaken));
    if (!retaken.is(1)) co_return Attempt::refused("lock is taken by others.");
    co_return granted(new_expiry);
  }

  Task<Release> release(Env& env, std::string key, Grant) override {
    const Reply deleted = co_await Redis(env.store()).del(key);
    co_return release_by(deleted);
  }

 private:
  static Attempt granted(WallTime expiry) {
    Grant grant(to_value(expiry));
    grant.lease_until = expiry;
    return Attempt(grant);
  }

  Duration ttl_;
};

constexpr std::string_view lesson =
    "To survive a dead holder, the key holds the time at which the lease ends. A waiter that is refused "
    "reads it; if by its own clock that time has passed, it deletes the key and tries SETNX again. Each "
    "command is atomic, the recovery is not: B and C both read the expired time; C deletes the key and "
    "takes the lock; B, which still acts on what it read before, deletes C's fresh key and takes the lock "
    "as well. Now both hold it. A holder that is merely slow adds two more failures: it works on while a "
    "waiter takes over, and its own DEL at the end removes the lock of the client that holds it by then. And "
    "the judgement \"expired\" compares the holder's clock with the waiter's: a waiter whose clock is ahead "
    "by more than the rest of the lease steals a living lock. Repair of the recovery: replace the value and "
    "look at what was there in one step (getset), or leave expiry to the server (set-nx-px); of the "
    "release: compare before deleting (token).";

constexpr Protocol protocol{
    .acquire =
        "SETNX key with the end of the lease as value; on 0, GET; if that end is past, DEL and SETNX again",
    .release = "DEL key",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "two waiters read the same end; the second deletes the key that the first has just made",
       .lesson = "two-waiters-both-delete-an-expired-lock",
       .repair = "getset-lets-only-one-waiter-take-an-expired-lock"},
      {.what = "a holder that is slower than its lease deletes the lock of the next one",
       .lesson = "a-slow-holder-deletes-the-lock-that-replaced-its-own",
       .repair = "a-token-keeps-a-slow-holder-from-deleting-the-lock-of-another"},
  };
}

}  // namespace

Card setnx_del_recovery() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "setnx-del-recovery",
      .summary = "SETNX with the expiry as value; a waiter that finds it expired sends DEL, then SETNX again",
      .source = "document 003, SETNX with expiry; Redis documentation, SETNX, \"Handling deadlocks\"",
      .lesson = lesson,
      .protocol = protocol,
      // No exclusion, even without a fault: of two that find an expired key, the slower deletes the key of
      // the faster, and a third client enters.
      .claims = {{{owner_only_change, recovery}, every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request},
      .parameters = {{"ttl", Parameter::Kind::duration, "1s", "how far ahead the expiry in the value is"}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<SetnxDelRecovery>(params);
      },
      .is_stateless = true,
      .ignores_date = true,
  };
}

}  // namespace holdfast::algorithms
