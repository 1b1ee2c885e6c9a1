#include "sim/core/arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "sim/core/addresses.hpp"
#include "sim/core/invariant.hpp"

// AddressSanitizer needs operator new for itself. g++ defines macros, clang has features.
#if defined(__SANITIZE_ADDRESS__)
#define HOLDFAST_ARENA 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HOLDFAST_ARENA 0
#endif
#endif
#ifndef HOLDFAST_ARENA
#define HOLDFAST_ARENA 1
#endif

namespace holdfast {
namespace {

thread_local Arena* entered = nullptr;  // where operator new allocates
thread_local Arena* of_thread = nullptr;

// Blocks are multiples of 32 bytes up to 1 KiB, of 512 bytes up to 8 KiB, then powers of two: each size has a
// list of free blocks.
constexpr std::size_t grain = 32;
constexpr std::size_t line = 64;
constexpr std::size_t small_max = 1024;
constexpr std::size_t small_classes = small_max / grain;
constexpr std::size_t middle_grain = 512;
constexpr std::size_t middle_max = 8192;
constexpr std::size_t middle_classes = (middle_max - small_max) / middle_grain;
constexpr std::size_t classes = small_classes + middle_classes + 18;
static_assert(classes == 64);

struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};
constexpr SizeClass class_of(std::size_t bytes) {
  if (bytes <= small_max) {
    const std::size_t grains = bytes == 0 ? 1 : (bytes + grain - 1) / grain;
    return {grains - 1, grains * grain};
  }
  if (bytes <= middle_max) {
    const std::size_t grains = (bytes - small_max + middle_grain - 1) / middle_grain;
    return {small_classes + grains - 1, small_max + grains * middle_grain};
  }
  const std::size_t power = std::bit_ceil(bytes);
  const auto doublings = static_cast<std::size_t>(std::countr_zero(power / middle_max));
  return {small_classes + middle_classes + doublings - 1, power};
}

}  // namespace

struct Arena::Header {
  std::size_t used;
  std::uint64_t has_free;                   // bit i: there is a free block of class i
  std::array<std::uint32_t, classes> free;  // offsets of first blocks; 0: none
};

Arena::Header& Arena::header() const { return *reinterpret_cast<Header*>(begin_); }

bool Arena::is_available() { return HOLDFAST_ARENA != 0; }

Arena::Arena(Pages pages) : capacity_(addresses_for_one_block()) {
  INVARIANT(is_available(), "an arena needs operator new");
  INVARIANT(of_thread == nullptr, "one arena per thread");
  begin_ = reserve_addresses(capacity_);
  // Where the system has none, the usual ones do.
  if (pages == Pages::huge) madvise(begin_, capacity_, MADV_HUGEPAGE);
  of_thread = this;
  clear();
}

Arena::~Arena() {
  INVARIANT(entered != this, "an arena is left before it ends");
  of_thread = nullptr;
  munmap(begin_, capacity_);
}

std::span<const std::byte> Arena::used() const { return {begin_, header().used}; }

void Arena::restore(std::span<const std::byte> saved) { std::memcpy(begin_, saved.data(), saved.size()); }

void Arena::clear() {
  header() = Header{};
  header().used = (sizeof(Header) + grain - 1) / grain * grain;
}

void* Arena::allocate(std::size_t bytes) {
  const SizeClass size = class_of(bytes);
  Header& head = header();
  INVARIANT(size.index < classes && head.used + size.bytes <= capacity_, "a world is small");
  // A block that is a little too large does as well: copies of the arena stay small.
  const std::uint64_t twice = (std::uint64_t{2} << std::min<std::size_t>(size.index / 2, 62)) - 1;
  const std::uint64_t fitting = head.has_free >> size.index & twice;
  if (fitting == 0) {
    // Tables begin where a line of the processor's cache does.
    if (size.bytes > small_max) head.used = (head.used + line - 1) / line * line;
    return begin_ + std::exchange(head.used, head.used + size.bytes);
  }
  const std::size_t index = size.index + static_cast<std::size_t>(std::countr_zero(fitting));
  std::uint32_t& first = head.free[index];
  std::byte* const block = begin_ + first;
  std::memcpy(&first, block, sizeof first);
  if (first == 0) head.has_free &= ~(std::uint64_t{1} << index);
  return block;
}

void Arena::deallocate(void* block, std::size_t bytes) {
  const std::size_t index = class_of(bytes).index;
  Header& head = header();
  std::memcpy(block, &head.free[index], sizeof(std::uint32_t));
  head.free[index] = static_cast<std::uint32_t>(static_cast<std::byte*>(block) - begin_);
  head.has_free |= std::uint64_t{1} << index;
}

Arena::Inside::Inside(Arena* arena) : before_(std::exchange(entered, arena != nullptr ? arena : entered)) {}
Arena::Inside::~Inside() { entered = before_; }
Arena::Outside::Outside() : before_(std::exchange(entered, nullptr)) {}
Arena::Outside::~Outside() { entered = before_; }

}  // namespace holdfast

#if HOLDFAST_ARENA

void* operator new(std::size_t bytes) {
  if (holdfast::entered != nullptr) return holdfast::entered->allocate(bytes);
  if (void* const block = std::malloc(bytes == 0 ? 1 : bytes)) return block;
  throw std::bad_alloc();
}

// Without its size a block of the arena cannot be used again; it is left alone.
void operator delete(void* block) noexcept {
  if (holdfast::of_thread != nullptr && holdfast::of_thread->contains(block)) return;
  std::free(block);
}

void operator delete(void* block, std::size_t bytes) noexcept {
  if (holdfast::of_thread != nullptr && holdfast::of_thread->contains(block))
    holdfast::of_thread->deallocate(block, bytes);
  else std::free(block);
}

#endif
