// getset: the value is the holder's expiry; a client that finds it expired swaps in its own with GETSET.
#include "algorithms/claims.hpp"
#include "algorithms/expiry_value.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

class GetSet final : public Lock {
 public:
  explicit GetSet(const Params& params)
      : ttl_(params.duration("ttl")),
        computes_after_get_(params.choice("expiry-computed") == "after-get"),
        wins_if_expired_(params.choice("won-if") == "still-expired"),
        keeps_expired_(params.choice("release") == "if-unexpired") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    WallTime expiry = expiry_after(env.clock, ttl_);
    const Reply created = co_await Redis(env.store()).setnx(key, to_value(expiry));
    if (is_failure(created)) co_return Attempt::failed("failed to setnx lock: " + error_of(created));
    if (created.is(1)) co_return granted(expiry);

    const Reply current = co_await Redis(env.store()).get(key);
    if (is_failure(current)) co_return Attempt::failed("failed to get lock: " + error_of(current));
    if (current.is_nil()) co_return Attempt::refused("lock is not expired.");
    const std::optional<WallTime> held_until = parse_expiry(current.text());
    if (!held_until) co_return Attempt::failed("failed to get lock: its value is not a time");
    if (*held_until >= wall_now(env.clock)) co_return Attempt::refused("lock is not expired.");

    if (computes_after_get_) expiry = expiry_after(env.clock, ttl_);
    const Reply previous = co_await Redis(env.store()).getset(key, to_value(expiry));
    if (is_failure(previous)) co_return Attempt::failed("failed to getset lock: " + error_of(previous));
    const bool won = wins_if_expired_ ? is_free(previous, wall_now(env.clock)) : previous == current;
    if (!won) co_return Attempt::refused("lock is taken by others.");
    co_return granted(expiry);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    if (keeps_expired_ && grant.lease_until <= env.clock.wall()) co_return Release::not_held;
    const Reply deleted = co_await Redis(env.store()).del(key);
    co_return release_by(deleted);
  }

 private:
  // What GETSET replaced: an expired lease, or (redis-objects reads nil as the time 0) no lease at all.
  static bool is_free(const Reply& previous, WallTime now) {
    const std::optional<WallTime> held_until = parse_expiry(previous.text());
    return previous.is_nil() || (held_until && *held_until < now);
  }
  static Attempt granted(WallTime expiry) {
    Grant grant(to_value(expiry));
    grant.lease_until = expiry;
    return Attempt(grant);
  }

  Duration ttl_;
  bool computes_after_get_;
  bool wins_if_expired_;
  bool keeps_expired_;
};

constexpr std::string_view lesson =
    "The value is the time at which the lease ends, by the holder's clock. A waiter that finds it expired "
    "writes its own with GETSET, which returns what was there: of two waiters only the first gets back the "
    "value that both had read, so the double DEL of setnx-del-recovery is gone. But the loser has written "
    "too. It overwrote the winner's expiry with its own, which is earlier when the loser was slow, and a "
    "third client then takes the lock while the winner still works. As printed, the expiry is computed "
    "before SETNX: a SETNX that travels longer than the lease takes a lock that has already expired. And "
    "equal values are no proof: a slow client may swap in a text that is equal to the old one and just as "
    "expired, so that a second one wins as well; expiry-computed=after-get repairs this, for then the new "
    "value is fresh. A loser whose GETSET found no key has created a lease without an owner. "
    "won-if=still-expired, as in the Redis documentation, avoids such leases but judges the store's past by "
    "the client's present: an answer that arrives after the other's lease looks like a win. The release "
    "deletes any key; release=if-unexpired, as in redis-objects, looks at the clock first, but a DEL that is "
    "late by more than the rest of the lease still hits the next holder. No parameter helps when clocks "
    "differ: one that is ahead by more than the rest of the lease steals a living lock. Repair: expiry by "
    "the server's clock (set-nx-px) and an owner in the value (token).";

constexpr Protocol protocol{
    .acquire =
        "SETNX key with the end of the lease as value; on 0, GET; if that end is past, GETSET, which must "
        "return the same text",
    .release = "DEL key",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "the end is computed before SETNX: one that is late takes a lease that is over",
       .lesson = "a-late-setnx-takes-a-lease-that-is-already-over",
       .repair = "set-nx-px-recovers-when-any-reply-is-lost"},
      {.what = "a loser's GETSET writes, too: it puts its own end over that of the winner",
       .lesson = "a-loser-of-getset-overwrites-the-lease-of-the-winner"},
      {.what = "that end can be earlier, and a third client then takes the lock of the winner",
       .lesson = "a-late-loser-lets-a-third-client-in"},
      {.what = "a GETSET that finds no key returns null and leaves a lease without an owner",
       .lesson = "a-getset-that-meets-no-value-leaves-a-lease-without-an-owner"},
      {.what = "two equal ends are no proof: two clients win with the same text",
       .lesson = "two-ends-in-the-same-millisecond-look-like-one-lock",
       .repair = "an-end-computed-after-get-is-no-other-clients-end"},
      {.what = "a clock that is ahead by more than the rest of the lease steals it",
       .lesson = "a-clock-that-is-ahead-steals-a-living-lock"},
      {.what = "a look at the clock before DEL does not stop a DEL that is on its way",
       .lesson = "looking-at-the-clock-before-del-does-not-protect-the-next-holder",
       .repair = "a-token-keeps-a-slow-holder-from-deleting-the-lock-of-another"},
      {.what = "ngx.now() is as old as the turn of nginx's event loop",
       .instead =
           "no client's clock stands still here; one that is behind all the time does the same (clock-skew)"},
  };
}

}  // namespace

Card getset() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "getset",
      .summary =
          "SETNX with the expiry as value; a client that finds it expired swaps in its own with "
          "GETSET",
      .source = "document 004, way two (shows no release); 003, redis-objects; Redis documentation, SETNX",
      .lesson = lesson,
      .protocol = protocol,
      // Nothing else, even without a fault: a slow loser's GETSET overwrites the lease of the next winner.
      .claims = {{{recovery}, every_fault_but({clock_skew, clock_jump})}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request},
      .parameters = {{"ttl", Parameter::Kind::duration, "1s", "how far ahead the expiry in the value is"},
                     {"expiry-computed",
                      Parameter::Kind::choice,
                      "first",
                      "of GETSET's value. first: before SETNX, as printed; after-get: once more after GET",
                      {"first", "after-get"}},
                     {"won-if",
                      Parameter::Kind::choice,
                      "same-value",
                      "GETSET must return. same-value: what GET did, as printed; still-expired: past or nil",
                      {"same-value", "still-expired"}},
                     {"release",
                      Parameter::Kind::choice,
                      "plain",
                      "plain: DEL; if-unexpired: DEL only while the lease lasts by the client's clock "
                      "(redis-objects)",
                      {"plain", "if-unexpired"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<GetSet>(params); },
      .is_stateless = true,
      .ignores_date = true,
  };
}

}  // namespace holdfast::algorithms
