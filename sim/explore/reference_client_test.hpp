// The reference explorer's clients: what a lock does with what it is told, in order.
//
// Coroutines cannot be copied, so a client is the list of all that it was told since its process began. To
// take one more step, a new lock object is told the same again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/lock.hpp"

namespace holdfast::reference {

// The lock or the scenario needs what the reference does not have: it is left out of comparisons.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Input {
  enum class Kind : std::uint8_t { acquire, release, answer, wake, cancel };
  Kind kind = Kind::acquire;
  std::uint32_t number = 0;  // of the call that is answered, or of the sleep that ends
  Mode mode = Mode::exclusive;
  Reply reply{};
  WallTime wall{};  // what its clocks show meanwhile
  SteadyTime steady{};
};

// What the client did in one step.
struct Output {
  std::vector<std::pair<std::uint32_t, Command>> calls{};
  std::vector<std::pair<std::uint32_t, Duration>> sleeps{};
  std::vector<std::uint32_t> forgotten_calls{};
  std::vector<std::uint32_t> forgotten_sleeps{};
  std::vector<std::pair<std::string, std::optional<Duration>>> leases{};  // a token renewed; empty: lost
  std::optional<Attempt> attempt{};
  std::optional<Release> release{};
  bool has_read_clock = false;
};

class Process final : public Store, public Clock, public Random, public Listener {
 public:
  // `name`: of this client and of this process of it; no other process has it.
  Process(const Card& card, const Params& params, std::string key, ClientId client, std::string name)
      : key_(std::move(key)),
        name_(std::move(name)),
        store_(this),
        env_(client, std::span<Store* const>(&store_, 1), *this, *this, this),
        lock_(card.make(params)) {}

  Output step(const Input& input) {
    now_ = &input;
    out_ = Output();
    if (input.kind == Input::Kind::acquire) start(acquiring_, lock_->acquire(env_, key_, input.mode));
    if (input.kind == Input::Kind::release) start(releasing_, lock_->release(env_, key_, grant_));
    if (input.kind == Input::Kind::cancel) acquiring_ = Task<Attempt>();
    if (input.kind == Input::Kind::answer) resume(take(calls_, input.number)->complete(input.reply));
    if (input.kind == Input::Kind::wake) resume(take(sleeps_, input.number)->wake());
    if (acquiring_.is_done()) {
      out_.attempt = acquiring_.take();
      acquiring_ = Task<Attempt>();
      if (out_.attempt->is_granted()) grant_ = out_.attempt->grant();
    }
    if (releasing_.is_done()) {
      out_.release = releasing_.take();
      releasing_ = Task<Release>();
    }
    if (needs_more_) throw Unsupported("a connection of its own, WAIT, or chance");
    return std::exchange(out_, Output());
  }

 private:
  template <class T>
  static void start(Task<T>& place, Task<T> task) {
    place = std::move(task);
    place.start();
  }
  static void resume(std::coroutine_handle<> waiter) {
    if (waiter) run(waiter);
  }
  template <class T>
  static T* take(std::map<std::uint32_t, T*>& waiting, std::uint32_t number) {
    T* const found = waiting.at(number);
    waiting.erase(number);
    return found;
  }

  void submit(Call& call) override {
    needs_more_ |= call.connection() != nullptr || call.command().argv().front() == "WAIT";
    call.message = MessageId{++numbers_};
    calls_[numbers_] = &call;
    out_.calls.emplace_back(numbers_, call.command());
  }
  void forget(Call& call) noexcept override {
    calls_.erase(call.message.value);
    out_.forgotten_calls.push_back(call.message.value);
  }
  void arm(Sleep& sleep) override {
    sleep.place = ++numbers_;
    sleeps_[numbers_] = &sleep;
    out_.sleeps.emplace_back(numbers_, sleep.duration());
  }
  void disarm(Sleep& sleep) noexcept override {
    sleeps_.erase(sleep.place);
    out_.forgotten_sleeps.push_back(sleep.place);
  }
  WallTime wall() override {
    out_.has_read_clock = true;
    return now_->wall;
  }
  SteadyTime steady() override {
    out_.has_read_clock = true;
    return now_->steady;
  }
  std::string token() override { return name_ + std::to_string(100 + ++tokens_); }
  Duration jitter(Duration) override {
    needs_more_ = true;
    return {};
  }
  void keep_only(const Args&, Where) override {}
  void know_clients() override {}
  void renewed(const std::string& token, Duration lease) override { out_.leases.emplace_back(token, lease); }
  void lost(const std::string& token) override { out_.leases.emplace_back(token, std::nullopt); }

  const std::string key_;
  const std::string name_;
  const Input* now_ = nullptr;
  Output out_;
  std::uint32_t numbers_ = 0;
  std::uint32_t tokens_ = 0;
  bool needs_more_ = false;
  std::map<std::uint32_t, Call*> calls_;
  std::map<std::uint32_t, Sleep*> sleeps_;
  Store* store_;
  Env env_;
  Grant grant_;
  std::unique_ptr<Lock> lock_;
  Task<Attempt> acquiring_;  // the tasks end before the lock, whose members they use
  Task<Release> releasing_;
};

}  // namespace holdfast::reference
