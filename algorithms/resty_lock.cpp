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
    "A lock without an owner: the value is true for everybody, and nothing that is sent says whose lock is "
    "meant. "
    "So whoever is past its exptime harms the next holder. unlock() deletes what is there, returns 1, and "
    "lets a third "
    "one in. expire() renews what is there and returns true, so one that has long lost its lock is told that "
    "it holds "
    "it; without an argument it takes exptime, not the timeout that the documentation names. And an object "
    "that nobody "
    "unlocked is collected as garbage some time later: its finaliser deletes, too. Until then, or until "
    "exptime, all "
    "others wait (openresty/lua-resty-lock#20; in #35, unlock() says \"unlocked\" because a "
    "pcall hid that "
    "lock() had failed). A dictionary also forgets: in a full one, add() evicts the entry that was used "
    "longest ago, "
    "ended or not, and lock() does not look at `forcible`, which says so (openresty/lua-nginx-module#2306; "
    "safe_add "
    "fails instead). Waiting is unfair: each sleep is twice as long as the one before, so a newcomer that "
    "asks every "
    "millisecond is likelier to meet a gap than one that has waited for seconds. elapsed is the sum of these "
    "sleeps, "
    "not the time that has passed, and the timeout limits that sum. Since 2017 a first step longer than the "
    "timeout is "
    "cut off only if both were given: step=10s alone sleeps for 10 s in spite of the timeout of 5 s. A "
    "timeout that "
    "was not given is not kept within exptime either.";

}  // namespace

Card resty_lock() {
  using enum Fault;
  return Card{
      .id = "resty-lock",
      .summary = "add() on an nginx shared dictionary, with an exptime; polls ever more slowly; delete()",
      .source = "document 000; openresty/lua-resty-lock 63ddddb (0.09), lib/resty/lock.lua",
      .lesson = lesson,
      .claims = {{Property::mutual_exclusion, {none, crash, cancel}},
                 {Property::no_stale_write, {none, crash, cancel}},
                 {Property::owner_only_release, {none, crash, cancel}},
                 {Property::owner_only_change, every_fault},
                 {Property::truthful_release, {none, crash, cancel}},
                 {Property::recovery, every_fault}},
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
      // The object knows whether it holds something; so does whoever has its grant.
      .is_stateless = true,
      .store = StoreKind::shared_dict,
  };
}

}  // namespace holdfast::algorithms
