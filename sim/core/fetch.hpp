// Bringing near to the processor what will be needed soon. Changes nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace holdfast {

// Whatever lies between `begin` and so many bytes behind it; null: nothing does. It need not be there any
// more.
inline void fetch(const void* begin, std::size_t bytes) {
  constexpr std::uintptr_t line = 64;
  if (begin == nullptr) return;
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  for (std::uintptr_t at = first & ~(line - 1); at < first + bytes; at += line)
    __builtin_prefetch(reinterpret_cast<const void*>(at));
  // Without this g++ 12 takes out loops that only fetch.
  std::atomic_signal_fence(std::memory_order_acq_rel);
}

}  // namespace holdfast
