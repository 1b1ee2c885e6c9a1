// INVARIANT(condition, "why it must hold"): our own bugs stop the program at once, in release builds too.
// It prints the seed and the step of the run in progress on this thread, and exits with 70.
#pragma once

#include <cstdint>

namespace holdfast {

// Where the run in progress on this thread stands; kept by the world, printed by a failed INVARIANT.
struct RunPosition {
  std::uint64_t seed = 0;
  std::uint32_t step = 0;
};
inline thread_local RunPosition run_position;

[[noreturn]] void invariant_failed(const char* condition, const char* reason, const char* file, int line);

}  // namespace holdfast

#define INVARIANT(condition, reason)                                        \
  do {                                                                      \
    if (!(condition)) [[unlikely]]                                          \
      ::holdfast::invariant_failed(#condition, reason, __FILE__, __LINE__); \
  } while (false)
