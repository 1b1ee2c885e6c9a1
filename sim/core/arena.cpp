#include "sim/core/arena.hpp"

#include <sys/mman.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "sim/core/invariant.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HOLDFAST_ARENA 0
#else
#define HOLDFAST_ARENA 1
#endif

namespace holdfast {
namespace {

thread_local Arena* entered = nullptr;  // where operator new allocates
thread_local Arena* of_thread = nullptr;

// Blocks are multiples of 16 bytes up to 1 KiB, of 256 bytes up to 8 KiB, then powers of two: each size has a
// list of free blocks.
constexpr std::size_t grain = 16;
constexpr std::size_t small_max = 1024;
constexpr std::size_t small_classes = small_max / grain;
constexpr std::size_t middle_grain = 256;
constexpr std::size_t middle_max = 8192;
constexpr std::size_t middle_classes = (middle_max - small_max) / middle_grain;
constexpr std::size_t classes = small_classes + middle_classes + 13;

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
  std::array<std::uint32_t, classes> free;  // offsets of first blocks; 0: none
};

Arena::Header& Arena::header() const { return *reinterpret_cast<Header*>(begin_); }

bool Arena::is_available() { return HOLDFAST_ARENA != 0; }

Arena::Arena() {
  INVARIANT(is_available(), "sanitizer builds have no arena");
  INVARIANT(of_thread == nullptr, "one arena per thread");
  void* const block =
      mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  INVARIANT(block != MAP_FAILED, "there is address space for an arena");
  begin_ = static_cast<std::byte*>(block);
  of_thread = this;
  clear();
}

Arena::~Arena() {
  INVARIANT(entered != this, "an arena is left before it ends");
  of_thread = nullptr;
  munmap(begin_, capacity);
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
  INVARIANT(size.index < classes && head.used + size.bytes <= capacity, "a world is small");
  std::uint32_t& first = head.free[size.index];
  if (first != 0) {
    std::byte* const block = begin_ + first;
    std::memcpy(&first, block, sizeof first);
    return block;
  }
  return begin_ + std::exchange(head.used, head.used + size.bytes);
}

void Arena::deallocate(void* block, std::size_t bytes) {
  std::uint32_t& first = header().free[class_of(bytes).index];
  std::memcpy(block, &first, sizeof first);
  first = static_cast<std::uint32_t>(static_cast<std::byte*>(block) - begin_);
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
