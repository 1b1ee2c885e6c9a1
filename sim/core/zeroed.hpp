// Large blocks of memory, zeroed by the system: what is not used yet takes no memory.
#pragma once

#include <cstddef>

namespace holdfast {

// Blocks of half a MiB and more are pages of their own, which the system has back as soon as they are given
// back. Throws std::bad_alloc.
void* take_zeroed(std::size_t bytes);
// `bytes`: as it was taken.
void give_back_zeroed(void* block, std::size_t bytes) noexcept;

}  // namespace holdfast
