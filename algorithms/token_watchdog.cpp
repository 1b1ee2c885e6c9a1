// token-watchdog: the lock of token, renewed every third of its TTL for as long as its holder lives.
#include <map>

#include "algorithms/claims.hpp"
#include "algorithms/evalsha.hpp"
#include "algorithms/replies.hpp"
#include "algorithms/scripts.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

struct Kept {
  bool has_loaded = false;                     // the scripts
  std::map<std::string, Background> renewals;  // by token
};

class TokenWatchdog final : public LockThatKeeps<Kept> {
 public:
  explicit TokenWatchdog(const Params& params)
      : ttl_(params.duration("ttl")),
        by_digest_(params.choice("scripts") == "evalsha"),
        loads_once_(params.choice("scripts") == "loaded-once") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    if (loads_once_ && !kept().has_loaded) {
      for (const char* script : {compare_and_expire, compare_and_delete}) {
        const Reply loaded = co_await env.store().send(Command("SCRIPT", "LOAD", script));
        if (is_failure(loaded)) co_return Attempt::failed("failed to load scripts: " + error_of(loaded));
      }
      kept().has_loaded = true;
    }
    const std::string token = env.random.token();
    const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().px(ttl_).nx());
    if (is_failure(reply)) co_return Attempt::failed("failed to set lock: " + error_of(reply));
    if (reply.is_nil()) co_return Attempt::refused("lock already exists.");
    kept().renewals[token] = Background(env, *this, &TokenWatchdog::renew, key, token);
    Grant grant(token);
    grant.lease = ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    kept().renewals.erase(grant.token);
    const Reply deleted = co_await execute(env, compare_and_delete, Keys(key), Args(grant.token));
    co_return release_by(deleted);
  }

 private:
  Task<Reply> execute(Env& env, std::string script, Keys keys, Args args,
                      Where where = Where::current()) const {
    if (by_digest_) {
      const Reply reply = co_await evalsha_or_eval(env, script, keys, args, where);
      co_return reply;
    }
    if (loads_once_) {
      const Reply reply = co_await Redis(env.store()).evalsha(sha1_hex(script), keys, args, where);
      co_return reply;
    }
    const Reply reply = co_await Redis(env.store()).eval(script, keys, args, where);
    co_return reply;
  }

  // A renewal without an answer is tried again at the next turn.
  Task<> renew(Env& env, std::string key, std::string token) const {
    for (;;) {
      env.loop_head();
      co_await env.clock.sleep(ttl_ / 3);
      const Args args(token, to_milliseconds(ttl_));
      const Reply renewed = co_await execute(env, compare_and_expire, Keys(key), args);
      if (renewed.is(1)) env.renewed(token, ttl_);
      if (!renewed.is(0)) continue;
      env.lost(token);
      co_return;
    }
  }

  Duration ttl_;
  bool by_digest_;
  bool loads_once_;
};

constexpr std::string_view lesson =
    "The lock of token, and beside the work a watchdog: every third of the TTL a script extends the key if "
    "the token is still there. So the TTL need not be guessed: work may last for any time, and a holder that "
    "dies is forgotten one TTL later. What a watchdog does not help against is a pause of the whole process, "
    "because it stops with the work, and a network that keeps it from the server for a TTL: then the lease "
    "ends under a holder that goes on. The watchdog learns of the loss at its next turn and tells; a holder "
    "that listens (belief notified) stops then, not before. Against a holder that hangs in its work the "
    "watchdog works too well: no other client gets the lock until the process is killed.";

constexpr Protocol protocol{
    .acquire = "SET key with a token, NX and PX; OK grants",
    .renew = "every third of the TTL, EVAL of GET and PEXPIRE: prolongs if the token is there",
    .release = "EVAL of GET and DEL: deletes if the token is there",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a pause stops the watchdog together with the work",
       .tracker = "redisson/redisson #5698, #3636",
       .lesson = "a-watchdog-sleeps-when-its-process-does"},
      {.what = "scripts that are loaded once are unknown to a server that has started again: renewals fail",
       .lesson = "a-watchdog-that-loads-its-scripts-once-cannot-renew-after-a-restart",
       .repair = "a-watchdog-that-falls-back-to-eval-renews-after-a-restart"},
  };
}

}  // namespace

Card token_watchdog() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "token-watchdog",
      .summary = "as token, and a task beside the work extends the lease every third of it",
      .source =
          "the watchdog of redisson/redisson, lockWatchdogTimeout, around the lock of the Redis "
          "documentation",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{owner_only_release, owner_only_change, truthful_release, recovery}, every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply,
                  Belief::notified},
      .parameters = {{"ttl", Parameter::Kind::duration, "30s", "how long the key lives unless it is renewed"},
                     {"scripts",
                      Parameter::Kind::choice,
                      "eval",
                      "evalsha: by their digests, and EVAL where the server does not know one; loaded-once: "
                      "SCRIPT LOAD when the client begins, then EVALSHA",
                      {"eval", "evalsha", "loaded-once"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<TokenWatchdog>(params);
      },
      .renews = true,
  };
}

}  // namespace holdfast::algorithms
