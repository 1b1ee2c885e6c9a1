// redsync: Redlock with all servers asked at once, and a release of what was half granted that may be
// skipped.
#include <algorithm>
#include <span>
#include <vector>

#include "algorithms/quorum.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::algorithms {
namespace {

constexpr const char* delete_script =
    "local val = redis.call('GET', KEYS[1])"
    " if val == ARGV[1] then return redis.call('DEL', KEYS[1])"
    " elseif val == false then return -1 else return 0 end";

constexpr std::int64_t delay_min_ms = 50;
constexpr std::int64_t delay_max_ms = 250;

std::size_t count(std::span<const Reply> replies, bool (*is_vote)(const Reply&)) {
  return static_cast<std::size_t>(std::count_if(replies.begin(), replies.end(), is_vote));
}
bool is_granted(const Reply& reply) { return reply.is_ok(); }
bool is_refused(const Reply& reply) { return reply.is_nil(); }
bool is_deleted(const Reply& reply) { return reply.is(1); }
bool is_of_another(const Reply& reply) { return reply.is(0); }
bool is_gone(const Reply& reply) { return reply.is(-1); }

bool is_taken_or_refused(std::span<const Reply> replies) {
  return is_majority(count(replies, is_granted), replies.size()) ||
         is_majority(count(replies, is_refused), replies.size());
}
bool is_given_back_or_not_held(std::span<const Reply> replies) {
  return is_majority(count(replies, is_deleted), replies.size()) ||
         is_majority(count(replies, is_of_another), replies.size());
}

class Redsync final : public Lock {
 public:
  explicit Redsync(const Params& params)
      : ttl_(params.duration("ttl")),
        tries_(params.choice("blocking") == "yes" ? params.count("tries") : 1),
        checks_until_(params.choice("until") == "checked"),
        at_most_(ttl_ * params.count("timeout-factor") / 100) {
    if (params.choice("fail-fast") == "no") return;
    enough_to_take_ = is_taken_or_refused;
    enough_to_give_back_ = is_given_back_or_not_held;
  }

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    // One value for all tries of this call.
    const std::string value = env.random.token();
    Command set("SET", key, value, "NX", "PX", to_milliseconds(ttl_));
    const Command remove("EVAL", delete_script, 1, key, value);
    for (std::int64_t tries = 1;; ++tries) {
      env.loop_head(Args(value, tries));
      const Stopwatch since_start(env.clock);
      const std::vector<Reply> replies =
          co_await env.ask_all(set).within(at_most_).until(enough_to_take_);
      const Duration until = ttl_ - ttl_ / 100;
      if (is_majority(count(replies, is_granted), env.stores.size()) && since_start.elapsed() < until) {
        Grant grant(value);
        if (checks_until_) grant.lease = until;
        co_return Attempt(grant);
      }
      const std::vector<Reply> ignored =
          co_await env.ask_all(remove).within(at_most_).until(enough_to_give_back_);
      if (tries >= tries_) co_return Attempt::refused("lock already taken");
      const Duration wait = delay_min() + env.random.jitter(delay_max() - delay_min());
      co_await env.clock.sleep(wait);
    }
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Command remove("EVAL", delete_script, 1, key, grant.token);
    const std::vector<Reply> replies = co_await env.ask_all(remove).until(enough_to_give_back_);
    // Upstream tells both: ErrLockAlreadyExpired, ErrTaken.
    const std::size_t not_held = std::max(count(replies, is_gone), count(replies, is_of_another));
    co_return release_by_majority(count(replies, is_deleted), not_held, env.stores.size());
  }

 private:
  static Duration delay_min() { return std::chrono::milliseconds(delay_min_ms); }
  static Duration delay_max() { return std::chrono::milliseconds(delay_max_ms); }

  Duration ttl_;
  std::int64_t tries_;
  bool checks_until_;
  Duration at_most_;  // for one server
  Broadcast::Enough enough_to_take_ = nullptr;
  Broadcast::Enough enough_to_give_back_ = nullptr;
};

constexpr std::string_view lesson =
    "Redlock for Go: all servers at once, 32 tries with a random wait of 50 to 250 ms between them, and a "
    "validity that counts from the start of the try and is handed out as Until(). Its users hardly ever ask "
    "for it: the example in its README uses one server and works until Unlock, so it is as good as the lock "
    "of "
    "token there, and no better. What a failed try leaves behind is released with the caller's context: if "
    "that was cancelled, nothing is released, and the servers stay taken for a TTL. Unlock tells a lease "
    "that "
    "ended (-1) from a value that is another's (0). Its tracker shows what is easy to get wrong: Valid() was "
    "true for an expired lock (72), the drift was added instead of subtracted (37), servers had no timeout "
    "of "
    "their own (pull request 80), cancelling and giving up could not be told apart (164).";

constexpr Protocol protocol{
    .acquire =
        "SET key with a value, NX and PX, on all servers at once; a majority within the expiry, less drift, "
        "grants. Else EVAL of GET and DEL everywhere; 32 tries",
    .release = "EVAL of GET and DEL everywhere: deletes where the value is there",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a client that does not check Until() works on after the lease",
       .lesson = "until-is-of-no-use-to-a-holder-that-does-not-look",
       .repair = "until-stops-a-holder-that-looks-at-it"},
      {.what = "Valid() was true for an expired lock",
       .tracker = "go-redsync/redsync #72",
       .instead = "repaired upstream before the version that is here"},
      {.what = "the drift was added to the validity",
       .tracker = "go-redsync/redsync #37",
       .instead = "repaired upstream before the version that is here"},
      {.what = "servers had no timeout of their own",
       .tracker = "go-redsync/redsync pull request 80",
       .instead = "repaired upstream before the version that is here"},
      {.what = "cancelling and giving up return the same error",
       .tracker = "go-redsync/redsync #164",
       .instead = "it is about a text"},
      {.what = "an extension makes a missing key anew, so others may have held the lock meanwhile",
       .tracker = "go-redsync/redsync pull requests 147, 149",
       .instead = "WithSetNXOnExtend is not modelled: nothing is extended"},
  };
}

}  // namespace

Card redsync() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "redsync",
      .summary = "Redlock with all servers asked at once; hands out until when it is valid, which few check",
      .source = "go-redsync/redsync 5560bd2",
      .upstream =
          Upstream{.name = "redsync", .language = "Go",
                   .also = {"go-redsync"},
                   .repository = "go-redsync/redsync",
                   .commit = "5560bd2d477db3ce962d5f052bf695543c826751",
                   .excerpts = {{"mutex.go", 75, 134, "cb78e494941ad753"},
                                {"mutex.go", 142, 150, "c80ed1d7cc91281e"},
                                {"mutex.go", 221, 232, "9d3c241078d7b20f"},
                                {"mutex.go", 234, 248, "353d5d43b3f62d6e"},
                                {"mutex.go", 269, 321, "2d522be1d8e62ee9"},
                                {"scripts.go", 5, 14, "b061b46e8b8e643a"}},
                   .files = {{"mutex.go", "226b11f80f5125c9"},
                             {"scripts.go", "3f73597ed3c519dc"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, owner_only_change, truthful_release,
                   recovery},
                  {none}}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request},
      .parameters =
          {{"ttl", Parameter::Kind::duration, "8s", "WithExpiry: how long the keys live"},
           {"nodes", Parameter::Kind::count, "3", "how many pools; a majority holds the lock"},
           {"tries", Parameter::Kind::count, "32", "WithTries: how often it asks"},
           {"until",
            Parameter::Kind::choice,
            "checked",
            "checked: the caller may look at Until(); ignored: it cannot",
            {"checked", "ignored"}},
           {"timeout-factor",
            Parameter::Kind::count,
            "0",
            "WithTimeoutFactor: how long one server may take to grant, in percent of ttl; 0: as long as the "
            "driver waits. Upstream's own 5 means that delays are short beside a lease"},
           {"fail-fast",
            Parameter::Kind::choice,
            "no",
            "yes: WithFailFast, a majority of grants or of refusals is not kept waiting for the others",
            {"no", "yes"}},
           {"blocking", Parameter::Kind::choice, "yes", "no: TryLock, which asks once", {"yes", "no"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<Redsync>(params); },
      .is_stateless = true,
      .waiting = {{"tries", "3"}},
  };
}

}  // namespace holdfast::algorithms
