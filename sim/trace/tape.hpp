// The tape of one run: every nondeterministic decision, named. It replays bit for bit on any machine and
// compiler.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/trace/event.hpp"

namespace holdfast {

// What is decided. Option 0 is always the calm one.
enum class Site : std::uint8_t {
  step,     // which enabled event happens next; the last option may be to let time pass
  delay,    // how long a message travels (timed runs only)
  wait,     // how long a refused client waits before it tries again: 0 soon, 1 late
  jitter,   // what Random::jitter() returns
  request,  // 0 in time, then the enabled ones of: lost, late
  reply,    // 0 in time, then the enabled ones of: lost, late
  pause,    // 1: the client stops here
  crash,    // 1: the client dies here
  section,  // 1: the work under the lock is slow
  clock,    // 1: it is wrong, or set, here; then 0 ahead, 1 behind
  server,  // before it carries out a request, the enabled ones of: restarts, fails over, drops a key, has its
           // clock set
  cancel,  // 1: the caller gives up here
  variant,  // of a fault that strikes: which message, which key, how many writes
};
inline constexpr std::array<std::string_view, 13> site_ids{"step",   "delay",  "wait",   "jitter",  "request",
                                                           "reply",  "pause",  "crash",  "section", "clock",
                                                           "server", "cancel", "variant"};
constexpr std::string_view id_of(Site site) { return site_ids[static_cast<std::size_t>(site)]; }

struct Choice {
  Site site;
  Actor actor;            // whose step or message it is
  std::uint32_t options;  // at least 2: where there is nothing to decide, nothing is recorded
  std::uint32_t picked;
  constexpr bool operator==(const Choice&) const = default;
};
using Tape = std::vector<Choice>;

}  // namespace holdfast
