#include "sim/core/zeroed.hpp"

#include <sys/mman.h>

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
  void* const grown = checked(mremap(block, before, after, MREMAP_MAYMOVE));
  // All of it at once is cheaper than page by page when they are touched. Where the system cannot: so be it.
  madvise(static_cast<char*>(grown) + before / page * page, after - before / page * page, MADV_POPULATE_WRITE);
  return grown;
}

void give_back_zeroed(void* block, std::size_t bytes) noexcept { munmap(block, bytes); }

}  // namespace holdfast
