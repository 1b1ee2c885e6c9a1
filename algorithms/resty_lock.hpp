// The object that resty.lock's new() returns: lock(), unlock(), expire() and its finaliser, with upstream's
// errors and schedule. resty_lock.cpp makes an algorithm of it.
//
// A method returns Lua's `err`, and nothing when it is done.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "sim/core/lock.hpp"
#include "sim/core/shared_dict.hpp"

namespace holdfast::algorithms {

// The options of new(). nullopt: not given, so that the default counts, unclamped.
struct RestyLockOptions {
  Duration exptime = 30s;
  std::optional<Duration> timeout = std::nullopt;  // 5s
  std::optional<Duration> step = std::nullopt;     // 1ms
  std::int64_t ratio = 2;
  Duration max_step = 500ms;
  // No step reaches beyond what is left of the timeout: the code of document 000, from before 2017. Since
  // then the first step is kept within it only if both were given.
  bool clamps_every_step = false;
  // Stores with safe_add: fails rather than evict. No version does.
  bool adds_safely = false;
};

class RestyLock {
 public:
  explicit RestyLock(const RestyLockOptions& options)
      : options_(options), timeout_(options.timeout.value_or(5s)), step_(options.step.value_or(1ms)) {
    if (options.timeout) timeout_ = std::min(timeout_, options.exptime);
    if (options.timeout && options.step && !options.clamps_every_step) step_ = std::min(step_, timeout_);
  }

  // The empty key stands for nil.
  Task<std::string> lock(Env& env, std::string key) {
    if (key.empty()) co_return "nil key";
    if (is_holding()) co_return "locked";
    Duration left = timeout_;
    Duration step = step_;
    for (;;) {
      env.loop_head(Args(left.count(), step.count()));
      const Reply added = co_await add(env, key);
      if (SharedDict::is_done(added)) break;
      if (added.text() != "exists") co_return error_of(added);
      if (left <= Duration::zero()) co_return "timeout";
      if (options_.clamps_every_step) step = std::min(step, left);
      co_await env.clock.sleep(step);
      left -= step;
      step = next(step, left);
    }
    key_ = std::move(key);
    // The sum of the steps, not the time that has passed: what the event loop does in between is not in it.
    elapsed_ = timeout_ - left;
    co_return std::string();
  }

  Task<std::string> unlock(Env& env) {
    if (!is_holding()) co_return "unlocked";
    const std::string key = std::exchange(key_, std::string());
    const Reply removed = co_await SharedDict(env.store()).remove(key);
    co_return error_of(removed);
  }

  // Without a time: exptime, although upstream's documentation says the timeout given to new().
  Task<std::string> expire(Env& env, std::optional<Duration> time = std::nullopt) {
    if (!is_holding()) co_return "unlocked";
    const Duration exptime = time.value_or(options_.exptime);
    const Reply replaced = co_await SharedDict(env.store()).replace(key_, "true", exptime);
    co_return error_of(replaced);
  }

  // The finaliser, called when the object is unreachable. An error would go to the log.
  Task<> collect(Env& env) {
    if (!is_holding()) co_return;
    const std::string key = std::exchange(key_, std::string());
    const Reply removed = co_await SharedDict(env.store()).remove(key);
    static_cast<void>(removed);
  }

  bool is_holding() const { return !key_.empty(); }
  // What the last lock() that was granted returned. REQUIRES: there was one.
  Duration elapsed() const { return elapsed_; }

 private:
  Call add(Env& env, const std::string& key) const {
    SharedDict dict(env.store());
    if (options_.adds_safely) return dict.safe_add(key, "true", options_.exptime);
    return dict.add(key, "true", options_.exptime);
  }
  static std::string error_of(const Reply& reply) {
    if (SharedDict::is_done(reply)) return std::string();
    // A dictionary always answers; a store that does not is none.
    return reply.is_lost() ? "no answer" : reply.text();
  }

  Duration next(Duration step, Duration left) const {
    const bool reaches_max = step > Duration::zero() && options_.ratio > options_.max_step / step;
    step = reaches_max ? options_.max_step : step * options_.ratio;
    if (!options_.clamps_every_step)
      return std::min({std::max<Duration>(1ms, step), left, options_.max_step});
    return std::min(step <= Duration::zero() ? 1ms : step, options_.max_step);
  }

  RestyLockOptions options_;
  Duration timeout_;
  Duration step_;
  std::string key_;  // empty: holds nothing
  Duration elapsed_{};
};

}  // namespace holdfast::algorithms
