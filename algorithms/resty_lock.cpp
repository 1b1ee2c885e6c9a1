// resty-lock: add(key, true, exptime) on a shared dictionary; sleeps ever longer and tries again;
// delete(key).
#include "algorithms/resty_lock.hpp"

#include <utility>
#include <vector>

#include "algorithms/claims.hpp"

namespace holdfast::algorithms {
namespace {

// A parameter at its default is an option that was not given.
std::optional<Duration> given(const Params& params, std::string_view name, Duration otherwise) {
  const Duration value = params.duration(name);
  return value == otherwise ? std::nullopt : std::optional(value);
}

RestyLockOptions options_of(const Params& params) {
  RestyLockOptions options;
  options.exptime = params.duration("ttl");
  options.timeout = given(params, "timeout", 5s);
  options.step = given(params, "step", 1ms);
  options.ratio = params.count("ratio");
  options.max_step = params.duration("max-step");
  options.clamps_every_step = params.choice("clamping") == "document";
  options.adds_safely = params.choice("add") == "safe-add";
  return options;
}

class RestyLockAlgorithm final : public Lock {
 public:
  explicit RestyLockAlgorithm(const Params& params)
      : ttl_(params.duration("ttl")),
        expire_every_(params.duration("expire-every")),
        collect_after_(params.duration("collect-after")),
        has_dictionary_(params.choice("dictionary") == "declared"),
        forgets_unlock_(params.choice("unlock") == "forgotten"),
        fresh_(options_of(params)) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    // What new() returns; without an object there is nothing to call.
    if (!has_dictionary_) co_return Attempt::refused("dictionary not found");
    const std::string error = co_await lock_.lock(env, key);
    if (error == "timeout" || error == "locked" || error == "nil key") co_return Attempt::refused(error);
    if (!error.empty()) co_return Attempt::failed(error);
    // The value is the same for all.
    Grant grant("true");
    if (to_milliseconds(ttl_) > 0) grant.lease = ttl_;
    if (expire_every_ > Duration::zero()) renewal_ = Background(renew(env));
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string, Grant) override {
    renewal_.stop();
    if (forgets_unlock_) {
      // The handler is gone, and nobody refers to its object; the next handler makes another.
      std::erase_if(garbage_, [](const Background& each) { return !each.is_running(); });
      garbage_.push_back(Background(collect(env, std::exchange(lock_, fresh_))));
      co_return Release::unknown;
    }
    const std::string error = co_await lock_.unlock(env);
    if (error == "unlocked") co_return Release::not_held;
    co_return error.empty() ? Release::released : Release::unknown;
  }

 private:
  // What callers do whose work may take longer than exptime. They believe what expire() returns.
  Task<> renew(Env& env) {
    for (;;) {
      co_await env.clock.sleep(expire_every_);
      const std::string error = co_await lock_.expire(env);
      if (!error.empty()) break;
      env.renewed("true", ttl_);
    }
    env.lost("true");
  }

  Task<> collect(Env& env, RestyLock object) const {
    co_await env.clock.sleep(collect_after_);
    co_await object.collect(env);
  }

  Duration ttl_;
  Duration expire_every_;
  Duration collect_after_;
  bool has_dictionary_;
  bool forgets_unlock_;
  const RestyLock fresh_;
  RestyLock lock_ = fresh_;
  Background renewal_;
  std::vector<Background> garbage_;
};

constexpr std::string_view lesson =
    "A lock without an owner: the value is true for all, and no command names the owner. So a holder that is "
    "past its exptime harms the next holder. unlock() deletes any key, returns 1, and lets a third client "
    "in. expire() renews any key and returns true, so one that has long lost its lock is told that it holds "
    "it; without an argument it takes exptime, not the timeout that the documentation names. And an object "
    "that was not unlocked is collected as garbage some time later: its finaliser deletes, too. Until then, "
    "or until exptime, all others wait (openresty/lua-resty-lock#20; in #35, unlock() says \"unlocked\" "
    "because a pcall hid that lock() had failed). A dictionary also forgets: in a full one, add() evicts the "
    "entry that was used longest ago, ended or not, and lock() does not look at `forcible`, which says so "
    "(openresty/lua-nginx-module#2306; safe_add fails instead). Waiting is unfair: each sleep is twice as "
    "long as the one before, so a newcomer that asks every millisecond is likelier to meet a gap than one "
    "that has waited for seconds. elapsed is the sum of these sleeps, not the time that has passed, and the "
    "timeout limits that sum. Since 2017 a first step longer than the timeout is cut off only if both were "
    "given: step=10s alone sleeps for 10 s in spite of the timeout of 5 s. A timeout that was not given is "
    "not kept within exptime either.";

constexpr Protocol protocol{
    .acquire =
        "ADD key with exptime in a shared dictionary; if it exists, sleep and ADD again, each sleep twice as "
        "long",
    .renew = "expire(): REPLACE key with exptime, no matter which client has it now",
    .release = "DELETE key, no matter which client has it now",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "unlock() deletes what is there: after exptime the lock of the next one",
       .lesson = "a-slow-handler-unlocks-the-lock-of-the-next",
       .repair = "a-token-keeps-a-slow-holder-from-deleting-the-lock-of-another"},
      {.what = "that lets a third one in while the second works",
       .lesson = "an-unlock-that-is-late-lets-a-third-worker-in"},
      {.what = "the finaliser of an object that was not unlocked deletes the lock of the next one",
       .tracker = "openresty/lua-resty-lock #20",
       .lesson = "the-garbage-collector-unlocks-the-lock-of-the-next",
       .repair = "an-object-that-is-collected-before-exptime-deletes-only-its-own"},
      {.what = "expire() renews what is there and says true to a client that has lost it",
       .lesson = "expire-renews-the-lock-of-the-next",
       .repair = "a-watchdog-renews-only-its-own"},
      {.what = "add() in a full dictionary evicts a lock that is held, and `forcible` is not looked at",
       .tracker = "openresty/lua-nginx-module #2306",
       .lesson = "a-full-dictionary-drops-a-lock-that-is-held"},
      {.what = "a dictionary does not outlive a stop of nginx",
       .lesson = "a-stop-of-nginx-forgets-the-holder"},
      {.what = "sleeps double, so the waiter that has waited longest asks most seldom",
       .lesson = "the-client-that-has-waited-longest-is-overtaken"},
      {.what = "a caller that does not look up again after lock() asks the backend for what is there",
       .lesson = "without-a-second-look-the-backend-is-asked-twice",
       .repair = "with-a-lock-the-backend-is-asked-once"},
      {.what = "an exptime shorter than the backend's answer lets two ask it",
       .lesson = "a-lock-that-ends-before-the-backend-answers-lets-two-ask",
       .repair = "with-a-lock-the-backend-is-asked-once"},
      {.what = "a caller that does not store \"not found\" lets all that wait ask, one after the other",
       .lesson = "an-answer-of-nothing-that-is-not-stored-is-asked-for-again",
       .repair = "with-a-lock-the-backend-is-asked-once"},
      {.what = "a step that was given alone sleeps beyond the timeout, and a timeout that was not given "
               "exceeds exptime",
       .instead = "no property limits how long acquire() takes; resty_lock_test shows both"},
      {.what = "elapsed, and with it the timeout, counts sleeps and not the time that passes",
       .instead = "no property limits how long acquire() takes; resty_lock_test shows it"},
      {.what = "a pcall hides that lock() failed, and unlock() says \"unlocked\"",
       .tracker = "openresty/lua-resty-lock #35",
       .instead = "a client releases only what it was granted; resty_lock_card_test shows the error"},
      {.what = "the reference to a key was dropped twice",
       .tracker = "openresty/lua-resty-lock pull request 3",
       .instead = "repaired upstream before the version that is here"},
      {.what = "unlock() forgets its reference to the key before a delete that fails, and keeps the number "
               "of the reference",
       .instead = "deleting does not fail in a dictionary"},
  };
}

}  // namespace

namespace {

Upstream upstream() {
  return Upstream{.name = "lua-resty-lock", .language = "Lua", .also = {"resty.lock", "OpenResty"},
           .repository = "openresty/lua-resty-lock",
           .commit = "63ddddbb5203b6a5931561346289e5ab374645f9",
           .excerpts = {{"lib/resty/lock.lua", 57, 219, "dbbeaea54c580686"}},
           .files = {{"lib/resty/lock.lua", "b8135f65c26b88f3"}}};
}

}  // namespace

Card resty_lock() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "resty-lock",
      .summary = "add() on an nginx shared dictionary, with an exptime; polls ever more slowly; delete()",
      .source = "document 000; openresty/lua-resty-lock 63ddddb (0.09), lib/resty/lock.lua",
      .upstream =
          upstream(),
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, truthful_release},
                  {none, crash, cancel}},
                 {{owner_only_change, recovery}, every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "30s", "option exptime; less than 1ms: for ever"},
                     {"timeout", Parameter::Kind::duration, "5s",
                      "option timeout, for one acquire(); at most the ttl if given, and 5s is: not given"},
                     {"step", Parameter::Kind::duration, "1ms",
                      "option step, the first sleep; 1ms is: not given"},
                     {"ratio", Parameter::Kind::count, "2", "option ratio, of each sleep to the one before"},
                     {"max-step", Parameter::Kind::duration, "500ms", "option max_step, the longest sleep"},
                     {"clamping",
                      Parameter::Kind::choice,
                      "upstream",
                      "upstream: the first step may exceed the timeout; document: no step does",
                      {"upstream", "document"}},
                     {"expire-every", Parameter::Kind::duration, "0s",
                      "callers call expire() this often while they hold the lock; 0s: never"},
                     {"unlock",
                      Parameter::Kind::choice,
                      "called",
                      "forgotten: callers leave the object to the garbage collector",
                      {"called", "forgotten"}},
                     {"collect-after", Parameter::Kind::duration, "1m",
                      "with unlock=forgotten: when the garbage collector comes to the object"},
                     {"add",
                      Parameter::Kind::choice,
                      "add",
                      "add: in a full dictionary, at the cost of another's entry; safe-add: \"no memory\"",
                      {"add", "safe-add"}},
                     {"dictionary",
                      Parameter::Kind::choice,
                      "declared",
                      "undeclared: lua_shared_dict does not name it, and new() fails",
                      {"declared", "undeclared"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<RestyLockAlgorithm>(params);
      },
      // The object knows whether it holds something, and no more.
      .is_stateless = true,
      .store = StoreKind::shared_dict,
      .stands_for_store = Tenure::lease,
      .waiting = {{"timeout", "3s"}, {"step", "1s"}, {"max-step", "1s"}},
  };
}

}  // namespace holdfast::algorithms
