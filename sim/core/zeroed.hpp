// Large blocks of memory, zeroed by the system: what is not used yet takes no memory.
#pragma once

#include <cstddef>

namespace holdfast {

// Pages of their own. Throws std::bad_alloc.
void* take_zeroed(std::size_t bytes);
// Makes it larger; it may lie elsewhere then. What is new is zero. Throws std::bad_alloc, and leaves it as it
// is.
void* grow_zeroed(void* block, std::size_t before, std::size_t after);
// All of this part of a block is going to be written: cheaper at once than page by page.
void touch_zeroed(void* begin, std::size_t bytes);
// `bytes`: as it was taken, or grown to.
void give_back_zeroed(void* block, std::size_t bytes) noexcept;

}  // namespace holdfast
