// Task<T>: a lazy, single-threaded coroutine that owns its frame. Destroying a Task is how a crash happens.
//
// Control moves through a trampoline: an awaiter resumes no task: it writes the next one into a slot and
// returns. g++ 12 turns symmetric transfer into real calls in debug and sanitizer builds, which overflows the
// stack in long loops; the trampoline is flat everywhere (sim/README.md, "Compiler traps").
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "sim/core/awaits.hpp"
#include "sim/core/invariant.hpp"

namespace holdfast {

// A type may stand in one expression with co_await only if g++ 12 destroys its temporaries once
// (sim/README.md).
template <class T>
inline constexpr bool SafeInAwait = !std::is_aggregate_v<T> || std::is_trivially_destructible_v<T>;

inline thread_local std::coroutine_handle<> next_to_run;

// Resumes `first`, then the coroutine that the slot names, until it names none. The only caller of resume().
inline void run(std::coroutine_handle<> first) {
  for (std::coroutine_handle<> now = first; now; now = std::exchange(next_to_run, nullptr)) now.resume();
}

namespace detail {

struct PromiseBase {
  std::coroutine_handle<> waiter;
  std::exception_ptr error;

  // Frames come and go with their size, which g++ 12 forgets by default: an arena needs it.
  static void* operator new(std::size_t bytes) { return ::operator new(bytes); }
  static void operator delete(void* frame, std::size_t bytes) { ::operator delete(frame, bytes); }

  struct Final {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> finished) const noexcept {
      next_to_run = finished.promise().waiter;
    }
    void await_resume() const noexcept {}
  };
  std::suspend_always initial_suspend() const noexcept { return {}; }
  Final final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }

  // Every await of a task comes by here.
  template <class Awaited>
  auto await_transform(Awaited&& awaited, Where where = Where::current()) {
    if (Awaits* const awaits = Awaits::noted()) awaits->note(where);
    if constexpr (requires { std::forward<Awaited>(awaited).operator co_await(); })
      return std::forward<Awaited>(awaited).operator co_await();
    else return Noted<std::remove_reference_t<Awaited>>{awaited};
  }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> value;
  std::coroutine_handle<Promise> get_return_object() {
    return std::coroutine_handle<Promise>::from_promise(*this);
  }
  void return_value(T result) { value.emplace(std::move(result)); }
  T take() {
    if (error) std::rethrow_exception(error);
    INVARIANT(value.has_value(), "a task is asked for its result only after it has finished");
    return std::move(*value);
  }
};

template <>
struct Promise<void> : PromiseBase {
  std::coroutine_handle<Promise> get_return_object() {
    return std::coroutine_handle<Promise>::from_promise(*this);
  }
  void return_void() const noexcept {}
  void take() {
    if (error) std::rethrow_exception(error);
  }
};

}  // namespace detail

template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = detail::Promise<T>;

  Task() = default;
  Task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      destroy();
      frame_ = std::exchange(other.frame_, nullptr);
    }
    return *this;
  }
  ~Task() { destroy(); }

  // Runs until the first suspension that is not ended at once in this thread. A coroutine that does this goes
  // on afterwards.
  void start() {
    INVARIANT(frame_ && !frame_.done(), "a task is started once");
    INVARIANT(!next_to_run, "a coroutine begins another before it waits itself");
    run(frame_);
  }
  bool is_done() const { return frame_ && frame_.done(); }
  explicit operator bool() const { return static_cast<bool>(frame_); }
  std::coroutine_handle<> frame() const { return frame_; }
  // The result; rethrows what the coroutine threw. REQUIRES: is_done().
  T take() { return frame_.promise().take(); }
  // The coroutine that goes on when it ends; null: none. REQUIRES: it was started, and none awaits it.
  void wake_at_end(std::coroutine_handle<> waiter) { frame_.promise().waiter = waiter; }

  class Awaiter {
   public:
    explicit Awaiter(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiter) noexcept {
      INVARIANT(frame_, "a task is awaited once");
      frame_.promise().waiter = waiter;
      next_to_run = frame_;
    }
    T await_resume() { return frame_.promise().take(); }

   private:
    std::coroutine_handle<promise_type> frame_;
  };
  Awaiter operator co_await() && noexcept { return Awaiter(frame_); }

 private:
  void destroy() noexcept {
    if (frame_) std::exchange(frame_, nullptr).destroy();
  }
  std::coroutine_handle<promise_type> frame_;
};

static_assert(SafeInAwait<Task<int>> && SafeInAwait<Task<>>);

}  // namespace holdfast
