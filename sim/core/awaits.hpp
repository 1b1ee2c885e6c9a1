// Which awaits of tasks are executed: what of a lock's code a run comes to.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/invariant.hpp"

namespace holdfast {

using Where = std::source_location;

// An await in the code of a lock: its first and last line, and what stands there.
struct AwaitLine {
  std::string_view file;
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
  std::string_view text;
};

// The places of awaits that were executed at least once. Any threads may note at once. It never allocates,
// because its size is fixed: notes come from inside of arenas.
class Awaits {
 public:
  // While it lives, what tasks await on this thread is noted; by the innermost. Null: nowhere.
  class Noting {
   public:
    explicit Noting(Awaits* awaits) : before_(std::exchange(noted_, awaits)) {}
    Noting(const Noting&) = delete;
    ~Noting() { noted_ = before_; }

   private:
    Awaits* before_;
  };
  // Where this thread notes.
  static Awaits* noted() { return noted_; }

  void note(const Where& where) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      std::atomic<Where>& place = places_[(where.line() + i) % places_.size()];
      Where known = place.load(std::memory_order_relaxed);
      if (known.line() == 0 && place.compare_exchange_strong(known, where, std::memory_order_relaxed)) return;
      if (known.line() == where.line() && known.file_name() == where.file_name()) return;
    }
    INVARIANT(false, "a lock has fewer awaits than there are places for them");
  }
  std::vector<Where> list() const {
    std::vector<Where> list;
    for (const std::atomic<Where>& place : places_)
      if (const Where known = place.load(); known.line() != 0) list.push_back(known);
    return list;
  }

 private:
  inline static thread_local constinit Awaits* noted_ = nullptr;
  std::array<std::atomic<Where>, 1024> places_{};
};

// What a promise gives instead of what is awaited; it does the same.
template <class Awaited>
struct Noted {
  Awaited& awaited;
  bool await_ready() const noexcept { return awaited.await_ready(); }
  template <class Handle>
  void await_suspend(Handle waiter) {
    awaited.await_suspend(waiter);
  }
  decltype(auto) await_resume() { return awaited.await_resume(); }
};

}  // namespace holdfast
