#include "sim/core/zeroed.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <new>

namespace holdfast {
namespace {

constexpr std::size_t page = 4096;

void* checked(void* block) {
  if (block == MAP_FAILED) throw std::bad_alloc();
  return block;
}

}  // namespace

void* take_zeroed(std::size_t bytes) {
  return checked(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

void* grow_zeroed(void* block, std::size_t before, std::size_t after) {
#ifdef __SANITIZE_THREAD__
  // ThreadSanitizer does not see mremap(2): it would blame threads for what others had done at the new place.
  void* const grown = take_zeroed(after);
  std::memcpy(grown, block, before);
  give_back_zeroed(block, before);
  return grown;
#else
  return checked(mremap(block, before, after, MREMAP_MAYMOVE));
#endif
}

void touch_zeroed(void* begin, std::size_t bytes) {
  const std::size_t skipped = reinterpret_cast<std::uintptr_t>(begin) % page;
  // Where the system cannot, pages are touched as they are written.
  madvise(static_cast<char*>(begin) - skipped, bytes + skipped, MADV_POPULATE_WRITE);
}

void give_back_zeroed(void* block, std::size_t bytes) noexcept { munmap(block, bytes); }

}  // namespace holdfast
