#include "sim/core/zeroed.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace holdfast {
namespace {
constexpr std::size_t large = std::size_t{1} << 19;
}

void* take_zeroed(std::size_t bytes) {
  if (bytes < large) {
    if (void* const block = std::calloc(bytes, 1)) return block;
    throw std::bad_alloc();
  }
  void* const block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  return block;
}

void give_back_zeroed(void* block, std::size_t bytes) noexcept {
  if (bytes < large) std::free(block);
  else munmap(block, bytes);
}

}  // namespace holdfast
