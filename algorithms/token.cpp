// token: SET NX PX with a token of its own, and a release that compares before it deletes.
#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "algorithms/scripts.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

// Of the key that still has the token, or -2.
constexpr const char* time_left =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PTTL', KEYS[1]) else return -2 end";

class Token final : public Lock {
 public:
  explicit Token(const Params& params)
      : ttl_(params.duration("ttl")),
        waits_(params.choice("wait") != "no"),
        looks_again_(params.choice("wait") == "then-look"),
        wait_timeout_(params.duration("wait-timeout")) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().px(ttl_).nx());
    // If the key was set after all, its TTL frees it.
    if (is_failure(reply)) co_return Attempt::failed("failed to set lock: " + error_of(reply));
    if (reply.is_nil()) co_return Attempt::refused("lock already exists.");
    Grant grant(token);
    grant.lease = ttl_;
    if (!waits_) co_return Attempt(grant);
    Attempt confirmed = co_await confirm(env, key, grant);
    co_return confirmed;
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply deleted = co_await Redis(env.store()).eval(compare_and_delete, Keys(key), Args(grant.token));
    co_return release_by(deleted);
  }

 private:
  // Granted only if a replica has it.
  Task<Attempt> confirm(Env& env, std::string key, Grant grant) {
    const Reply replicas = co_await Redis(env.store()).wait(1, wait_timeout_);
    bool is_kept = replicas.number() >= 1;
    if (is_kept && looks_again_) {
      const Reply left = co_await Redis(env.store()).eval(time_left, Keys(key), Args(grant.token));
      is_kept = left.milliseconds() > 0ms;
      grant.lease = left.milliseconds();
    }
    if (is_kept) co_return Attempt(grant);
    const Reply deleted = co_await Redis(env.store()).eval(compare_and_delete, Keys(key), Args(grant.token));
    if (!deleted.is(1)) co_return Attempt::failed("no replica has it, nor the server");
    co_return Attempt::failed("no replica has it");
  }

  Duration ttl_;
  bool waits_;
  bool looks_again_;
  Duration wait_timeout_;
};

constexpr std::string_view lesson =
    "Every attempt writes a token that no other attempt wrote, and the release is a script: delete the key "
    "only if my token is still there. A release can therefore come late, twice, or from a holder whose lease "
    "is long over, and never touches another's lock, and its answer is the truth. This is the lock of the "
    "Redis documentation for one server, and the best that this server alone can give. What it does not give "
    "is exclusion at every moment: the check protects the release, not the work. A holder that is paused, or "
    "whose work takes longer than the TTL, goes on working while the next client holds the lock, and learns "
    "of it only when its release is refused. A server that loses its data forgets the holder. Repair: stop "
    "at a deadline counted from when the request was sent, which leaves only the moment between looking at "
    "the clock and writing; and for that moment, let the resource refuse writes of older grants (a fencing "
    "token). A replica that takes over may not have heard of the holder: WAIT asks before the client "
    "believes, and counts only if the server still has the key afterwards.";

constexpr Protocol protocol{
    .acquire = "SET key with a token, NX and PX; OK grants",
    .release = "EVAL of GET and DEL: deletes if the token is there",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "the token protects the release, not the work: after a pause two clients hold the lock",
       .lesson = "a-token-does-not-stop-a-paused-holder-from-working-on",
       .repair = "a-deadline-from-the-request-keeps-claims-apart-under-a-pause"},
      {.what = "a deadline that counts from the reply comes after the lease",
       .lesson = "a-deadline-from-the-reply-comes-too-late",
       .repair = "a-deadline-from-the-request-keeps-claims-apart-under-a-pause"},
      {.what = "a write can be under way when the deadline passes",
       .lesson = "a-write-can-land-late-although-claims-never-overlap"},
      {.what = "a server that lost its data forgets the holder",
       .lesson = "a-restart-without-its-data-forgets-the-holder"},
      {.what = "a replica that takes over may not have heard of the holder",
       .lesson = "a-failover-forgets-the-holder",
       .repair = "a-grant-that-waits-for-a-replica-and-looks-again-survives-a-failover"},
      {.what = "with wait=once, a WAIT that reaches the server after the failover says nothing of the SET "
               "before it",
       .lesson = "a-wait-after-the-failover-says-nothing-of-the-set-before-it",
       .repair = "a-grant-that-waits-for-a-replica-and-looks-again-survives-a-failover"},
  };
}

}  // namespace

Card token() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "token",
      .summary = "SET NX PX with a unique token; a script releases only when the token is still there",
      .source = "document 004, way five (cut off); Redis documentation, \"Distributed Locks with Redis\"",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write},
                  every_fault_but({pause, slow_section, restart, server_clock_jump, failover, eviction})},
                 {{owner_only_release, owner_only_change, truthful_release, release_frees, recovery},
                  every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "1s", "how long the key lives"},
                     {"wait",
                      Parameter::Kind::choice,
                      "no",
                      "once: no grant until WAIT says that a replica has it; then-look: nor until a script "
                      "finds it on the server, and says how much of the lease is left",
                      {"no", "once", "then-look"}},
                     {"wait-timeout", Parameter::Kind::duration, "100ms", "of WAIT"}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<Token>(params); },
      .is_stateless = true,
      .stands_for_store = Tenure::lease,
  };
}

}  // namespace holdfast::algorithms
