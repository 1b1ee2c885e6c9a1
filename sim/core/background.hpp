// Tasks that run beside the caller that began them: renewals, for example.
#pragma once

#include <coroutine>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "sim/core/env.hpp"
#include "sim/core/task.hpp"

namespace holdfast {

// Ends by itself, or when this is destroyed, as a thread that is killed: what it has sent may still land.
// MUST NOT be destroyed by the task itself.
class Background {
 public:
  // A client's environment, and the line of its lock.
  struct Here {
    Here(Env& its_env, Where its_line = Where::current()) : env(its_env), where(its_line) {}
    Env& env;
    Where where;
  };
  Background() = default;
  // Runs it until it waits for something.
  explicit Background(Task<> task) : task_(std::move(task)) { task_.start(); }
  // The same, of a lock that tells what it keeps (LockThatKeeps). The task goes on with its arguments, with
  // what the lock keeps and with what it is told itself, not with what its caller was told.
  template <class Its, class... Parameters>
  Background(Here here, const Its& lock, Task<> (Its::*task)(Env&, Parameters...) const,
             std::type_identity_t<Parameters>... arguments)
      : Background(here, Args(word_of(arguments)...), (lock.*task)(here.env, arguments...)) {}
  bool is_running() const { return task_ && !task_.is_done(); }
  // What it is told is not kept apart from what its caller is told.
  bool is_mingled() const { return name_.number == 0; }
  // By which the client knows it.
  std::uint32_t number() const { return name_.number; }
  // Kills it, if it still runs. Rethrows what it threw, if it ended so.
  void stop() {
    Background ended = std::move(*this);
    if (ended.task_.is_done()) ended.task_.take();
  }

 private:
  struct Name {
    Name() = default;
    Name(Listener& its_listener, std::uint32_t its_number) : listener(&its_listener), number(its_number) {}
    Name(Name&& other) noexcept
        : listener(std::exchange(other.listener, nullptr)), number(std::exchange(other.number, 0)) {}
    Name& operator=(Name other) noexcept {
      std::swap(listener, other.listener);
      std::swap(number, other.number);
      return *this;
    }
    ~Name() {
      if (number != 0) listener->end_beside(number);
    }
    Listener* listener = nullptr;
    std::uint32_t number = 0;
  };

  Background(Here here, const Args& values, Task<> task) : task_(std::move(task)) {
    Listener* const listener = here.env.listener();
    if (listener != nullptr)
      name_ = Name(*listener, listener->begin_beside(values, here.where, task_.frame()));
    task_.start();
    if (name_.number != 0) listener->end_turn();
  }
  static const std::string& word_of(const std::string& text) { return text; }
  template <class Number>
  static std::int64_t word_of(Number number) {
    return static_cast<std::int64_t>(number);
  }

  Name name_;
  Task<> task_;  // destroyed first
};

}  // namespace holdfast
