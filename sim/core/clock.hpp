// What a client knows of time, and what it knows of chance. Both may only be asked here.
#pragma once

#include <coroutine>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "sim/core/task.hpp"
#include "sim/core/units.hpp"

namespace holdfast {

class Clock;

// co_await clock.sleep(30ms); measured by the steady clock.
class [[nodiscard]] Sleep {
 public:
  Sleep(Clock& clock, Duration duration) : clock_(clock), duration_(duration) {}
  Sleep(const Sleep&) = delete;
  ~Sleep();  // destroyed while asleep: the sleeper crashed

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiter);
  void await_resume() const noexcept {}

  Duration duration() const { return duration_; }
  // REQUIRES: called from the clock's loop, never inside arm().
  std::coroutine_handle<> wake() {
    INVARIANT(waiter_, "a sleeper wakes once");
    return std::exchange(waiter_, nullptr);
  }
  // Free for the clock: where it keeps this sleep.
  std::uint32_t place = 0;

 private:
  Clock& clock_;
  Duration duration_;
  std::coroutine_handle<> waiter_;
};
static_assert(SafeInAwait<Sleep>);

// How long ago something was, by the steady clock: all that most protocols need to know of time. A lock that
// asks only this need not be told what time it is, and is explored faster.
class Stopwatch {
 public:
  explicit Stopwatch(Clock& clock);
  Stopwatch(const Stopwatch&) = delete;
  ~Stopwatch();
  // Since it was made, or restarted.
  Duration elapsed() const;
  // By how much more than that the wall clock has moved on: it was set.
  Duration set_by() const;
  void restart();
  // elapsed(), of which the caller has observed nothing until it says go_on_from(). Empty: here every time
  // counts for itself, so ask elapsed().
  std::optional<Duration> look() const;
  // It goes on as if so much had passed; `has_read`: and has observed that.
  void go_on_from(Duration passed, bool has_read);

 private:
  Clock& clock_;
  SteadyTime since_;
};

class Clock {
 public:
  virtual ~Clock() = default;
  // Differs between machines and may be set while a program runs. Use it only where the protocol does.
  virtual WallTime wall() = 0;
  // For deadlines and timeouts. Never goes back; comparable only with itself.
  virtual SteadyTime steady() = 0;
  // Zero or less still lets others go first.
  Sleep sleep(Duration duration) { return Sleep(*this, duration); }

 private:
  friend class Sleep;
  friend class Stopwatch;
  virtual void arm(Sleep& sleep) = 0;
  virtual void disarm(Sleep& sleep) noexcept = 0;
  virtual SteadyTime start(const Stopwatch&) { return steady(); }
  virtual Duration elapsed(const Stopwatch&, SteadyTime since) { return steady() - since; }
  virtual Duration set_by(const Stopwatch&) { return Duration::zero(); }
  virtual void stop(const Stopwatch&) noexcept {}
  virtual std::optional<Duration> look(const Stopwatch&) { return std::nullopt; }
  virtual void go_on_from(const Stopwatch&, Duration, bool) {}
};

inline Stopwatch::Stopwatch(Clock& clock) : clock_(clock), since_(clock.start(*this)) {}
inline Stopwatch::~Stopwatch() { clock_.stop(*this); }
inline Duration Stopwatch::elapsed() const { return clock_.elapsed(*this, since_); }
inline Duration Stopwatch::set_by() const { return clock_.set_by(*this); }
inline std::optional<Duration> Stopwatch::look() const { return clock_.look(*this); }
inline void Stopwatch::go_on_from(Duration passed, bool has_read) {
  clock_.go_on_from(*this, passed, has_read);
}
inline void Stopwatch::restart() { since_ = clock_.start(*this); }

class Random {
 public:
  virtual ~Random() = default;
  // A text that no other call, by any client, ever returns.
  virtual std::string token() = 0;
  // A text that is the same at each call of a process, and no other's: after a crash it is another.
  virtual std::string identity() = 0;
  // Between zero and `most`, both included.
  virtual Duration jitter(Duration most) = 0;
};

inline Sleep::~Sleep() {
  if (waiter_) clock_.disarm(*this);
}
inline void Sleep::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  clock_.arm(*this);
}

}  // namespace holdfast
