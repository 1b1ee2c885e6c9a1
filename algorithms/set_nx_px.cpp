// set-nx-px: one SET with PX and NX takes the lock, plain DEL frees it.
#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

class SetNxPx final : public Lock {
 public:
  explicit SetNxPx(const Params& params) : ttl_(params.duration("ttl")) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string value = "1234";
    const Reply reply = co_await Redis(env.store()).set(key, value, SetOptions().px(ttl_).nx());
    if (is_failure(reply)) co_return Attempt::failed("failed to set lock: " + error_of(reply));
    if (reply.is_nil()) co_return Attempt::refused("lock already exists.");
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
};

constexpr std::string_view lesson =
    "SET with NX and PX creates the key and its TTL in one command, so there is no gap in which a crash or a "
    "lost message leaves a lock for ever: in any case, the server frees it when the TTL ends. Two failures "
    "remain. A holder that outlives the TTL, because it is paused or its work is slow, does not notice: the "
    "next client takes the lock and both work. Then the first one finishes and its DEL, which does not check "
    "the owner, removes the second one's lock and reports success, and a third client gets in. For the "
    "second failure the holder need not even be slow: a DEL that is delayed by more than the rest of the "
    "lease hits the next holder just as well. Repair of the release: an owner in the value, compared before "
    "the delete (token). The first failure stays even then: a lease can end while its holder believes in it, "
    "and only the resource can refuse the late write.";

constexpr Protocol protocol{
    .acquire = "SET key 1234 with NX and PX; OK grants, nil refuses",
    .release = "DEL key",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a holder that is slower than the lease deletes the lock of the next one",
       .lesson = "a-slow-holder-deletes-the-lock-of-another",
       .repair = "a-token-keeps-a-slow-holder-from-deleting-the-lock-of-another"},
      {.what = "a DEL that is late does so without any slow work",
       .lesson = "a-late-del-hits-the-next-holder",
       .repair = "a-token-keeps-a-slow-holder-from-deleting-the-lock-of-another"},
      {.what = "the document asks for EX, PX and NX together, which is a syntax error",
       .instead = "no lock here sends it; conformance_test compares the error with that of a real server"},
  };
}

}  // namespace

Card set_nx_px() {
  using enum Fault;
  using enum Property;
  // Under these no holder outlives its lease, and no DEL does: else it deletes the key of the next holder,
  // and a third client enters.
  const FaultSet release_in_time = every_fault_but({pause, slow_section, late_request, late_reply, duplicate,
                                                    restart, server_clock_jump, failover, eviction});
  return Card{
      .id = "set-nx-px",
      .summary = "SET NX PX with a constant value; plain DEL releases whatever is there",
      .source = "document 004, way four, null read rightly (shows no release); Redis documentation, SET",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, truthful_release}, release_in_time},
                 {{owner_only_change, recovery}, every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "1s", "how long the key lives"}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<SetNxPx>(params); },
      .is_stateless = true,
  };
}

}  // namespace holdfast::algorithms
