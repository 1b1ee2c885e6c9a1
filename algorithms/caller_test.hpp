// One client with one lock object, against a scripted store: the test checks every word and gives every
// answer.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/lock.hpp"

namespace holdfast::scripted {

using Argv = std::vector<std::string>;
using Settings = std::vector<std::pair<std::string, std::string>>;

// Stands for the text of a script: what scripts do is tested against the simulated Redis.
inline const std::string any_script = "a script";
inline Argv script(const Argv& rest) {
  Argv argv{"EVAL", any_script};
  argv.insert(argv.end(), rest.begin(), rest.end());
  return argv;
}

inline const Argv get{"GET", "lock"};
inline const Reply ok = Reply::ok();
inline const Reply nil = Reply::nil();

struct Exchange {
  Argv sent;
  Reply answer;
  Duration takes{};  // the answer arrives this much later
};

// Holds the one request in flight until the test answers it.
class Wire final : public Store {
 public:
  Call* pending = nullptr;

 private:
  void submit(Call& call) override {
    INVARIANT(pending == nullptr, "these locks ask one thing at a time");
    pending = &call;
  }
  void forget(Call&) noexcept override { pending = nullptr; }
};

// Time passes when the test says so, and in sleep.
class HandClock final : public Clock {
 public:
  WallTime now{1000s};
  Sleep* sleeping = nullptr;
  std::vector<Duration> slept;
  void end_sleep() {
    slept.push_back(sleeping->duration());
    now += sleeping->duration();
    run(std::exchange(sleeping, nullptr)->wake());
  }

 private:
  WallTime wall() override { return now; }
  SteadyTime steady() override { return SteadyTime(now.time_since_epoch()); }
  void arm(Sleep& sleep) override { sleeping = &sleep; }
  void disarm(Sleep&) noexcept override { sleeping = nullptr; }
};

class Counter final : public Random {
 public:
  explicit Counter(std::string prefix) : prefix_(std::move(prefix)) {}

 private:
  std::string token() override { return prefix_ + std::to_string(++tokens_); }
  std::string identity() override { return identity_.empty() ? identity_ = token() : identity_; }
  Duration jitter(Duration) override { return 0s; }
  std::string prefix_;
  std::string identity_;
  int tokens_ = 0;
};

inline std::string told(const Attempt& attempt) {
  if (attempt.kind() == Attempt::Kind::refused) return "refused: " + attempt.why();
  if (attempt.kind() == Attempt::Kind::failed) return "failed: " + attempt.why();
  const Grant& grant = attempt.grant();
  std::string text = "granted " + grant.token;
  if (grant.lease) text += " for " + to_text(*grant.lease);
  if (grant.lease_until) text += " until " + to_text(grant.lease_until->time_since_epoch());
  if (grant.fence) text += " fence " + std::to_string(*grant.fence);
  return text;
}

// One client with one lock object, whose wall clock begins at 1000 s.
class Caller {
 public:
  explicit Caller(std::string_view id, const Settings& settings = {}, ClientId self = {})
      : Caller(*algorithms::find(id), settings, self) {}
  explicit Caller(const Card& card, const Settings& settings = {}, ClientId self = {})
      : random_(self == ClientId{} ? "token-" : name_of(self) + "-"), env_(self, stores_, clock, random_) {
    Params params(card.parameters);
    for (const auto& [name, value] : settings) params.set(name, value);
    lock_ = card.make(params);
  }

  std::string acquire(const std::vector<Exchange>& script) { return told(play(start_acquire(), script)); }
  Release release(const Grant& grant, const std::vector<Exchange>& script) {
    return play(start_release(grant), script);
  }
  Task<Attempt> start_acquire() { return lock_->acquire(env_, "lock", Mode::exclusive); }
  Task<Release> start_release(const Grant& grant) { return lock_->release(env_, "lock", grant); }

  HandClock clock;
  Wire wire;

 private:
  template <class Result>
  Result play(Task<Result> task, const std::vector<Exchange>& script) {
    task.start();
    for (const Exchange& exchange : script) {
      if (wire.pending == nullptr) throw std::runtime_error("it ended before " + exchange.sent.front());
      Argv sent = wire.pending->command().argv();
      if (exchange.sent.size() > 1 && exchange.sent[1] == any_script) sent[1] = any_script;
      EXPECT_EQ(sent, exchange.sent);
      clock.now += exchange.takes;
      run(std::exchange(wire.pending, nullptr)->complete(exchange.answer));
      while (clock.sleeping != nullptr) clock.end_sleep();
    }
    if (!task.is_done()) throw std::runtime_error("it waits for an answer to one more request");
    return task.take();
  }

  std::vector<Store*> stores_{&wire};
  Counter random_;
  Env env_;
  std::unique_ptr<Lock> lock_;
};

inline const Reply yes = Reply::integer(1);
inline const Reply no = Reply::integer(0);
inline const Reply broken = Reply::error("ERR broken");
inline const Argv del{"DEL", "lock"};

}  // namespace holdfast::scripted
