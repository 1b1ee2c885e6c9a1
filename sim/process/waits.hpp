// System calls that wait: when they are over, and what they are answered.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/process/process.hpp"
#include "sim/process/tree.hpp"

namespace holdfast::process {

// Nanoseconds.
using Ns = std::int64_t;
inline constexpr Ns microsecond = 1'000;
inline constexpr Ns second = 1'000'000'000;

// A call that has no answer yet.
struct Wait {
  std::uint32_t number = 0;  // from 1, in the order in which they began
  Asked asked = {};
  std::optional<Ns> span = {};  // after which it is over; empty: never
  Ns until = 0;                 // with a span, unless clocks are told: when, by GuestClock::time()
  bool is_over = false;
};

// How long a call waits: a span, or until a clock shows so much.
struct Limit {
  enum class Kind { never, span, wall, steady } kind = Kind::never;
  Ns time = 0;
};
// REQUIRES: its treatment is Treatment::waited.
Limit limit_of(const Asked& asked, const Process& process);

// Answers it if what it waits for is there, or if it is over.
bool try_to_end(const Wait& wait, const Process& process, const Tree& tree);

}  // namespace holdfast::process
