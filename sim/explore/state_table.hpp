// The states that were seen, by their digests, shared by all threads of one exploration.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "sim/core/zeroed.hpp"
#include "sim/trace/digest.hpp"

namespace holdfast {

// Open addressing in stripes that grow one at a time, so that growing needs no second table: 16 bytes a slot,
// from 54 % to 75 % of them in use.
class StateTable {
 public:
  // `is_shared`: by several threads. A lock costs as much as finding a digest.
  explicit StateTable(bool is_shared) : is_shared_(is_shared) {}

  // False when it was there already. Any thread.
  bool insert(Digest digest) {
    if (digest == Digest{}) digest.low = 1;  // all zero marks a free slot
    Stripe& stripe = stripes_[digest.high >> 56];
    const Hold hold(stripe.busy, is_shared_);  // also when there is no memory to grow
    return insert_into(stripe, digest);
  }
  // Any thread.
  bool contains(Digest digest) {
    if (digest == Digest{}) digest.low = 1;
    Stripe& stripe = stripes_[digest.high >> 56];
    const Hold hold(stripe.busy, is_shared_);
    const std::uint64_t capacity = stripe.capacity.load(std::memory_order_relaxed);
    return capacity > 0 && place_of(digest, stripe.begin(), capacity) == digest;
  }
  // Whoever asks for it a little later need not wait for memory.
  void prefetch(const Digest& digest) const {
    const Stripe& stripe = stripes_[digest.high >> 56];
    __builtin_prefetch(stripe.begin() + slot_of(digest, stripe.capacity.load(std::memory_order_relaxed)));
  }
  // While other threads insert, a little behind.
  std::uint64_t size() const { return sum(&Stripe::size); }
  std::uint64_t bytes() const { return sum(&Stripe::capacity) * sizeof(Digest); }

 private:
  struct alignas(64) Stripe {
    std::atomic_flag busy;
    std::atomic<std::uint64_t> size = 0;
    std::atomic<std::uint64_t> capacity = 0;
    std::atomic<Digest*> slots = nullptr;
    ~Stripe() { give_back_zeroed(begin(), capacity.load(std::memory_order_relaxed) * sizeof(Digest)); }
    Digest* begin() const { return slots.load(std::memory_order_relaxed); }
  };

  class Hold {
   public:
    Hold(std::atomic_flag& busy, bool is_shared) : busy_(is_shared ? &busy : nullptr) {
      while (is_shared && busy.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    }
    ~Hold() {
      if (busy_ != nullptr) busy_->clear(std::memory_order_release);
    }
    Hold(const Hold&) = delete;

   private:
    std::atomic_flag* busy_;
  };

  static std::uint64_t slot_of(const Digest& digest, std::uint64_t capacity) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(digest.low) * capacity >> 64);
  }
  // Where the digest is, or would go.
  static Digest& place_of(const Digest& digest, Digest* slots, std::uint64_t capacity) {
    std::uint64_t slot = slot_of(digest, capacity);
    while (slots[slot] != Digest{} && slots[slot] != digest) slot = slot + 1 == capacity ? 0 : slot + 1;
    return slots[slot];
  }
  static bool insert_into(Stripe& stripe, const Digest& digest) {
    const std::uint64_t capacity = stripe.capacity.load(std::memory_order_relaxed);
    const std::uint64_t size = stripe.size.load(std::memory_order_relaxed);
    if (4 * (size + 1) > 3 * capacity) {
      // Only a new one makes it grow: how large it gets does not depend on who comes again.
      if (capacity > 0 && place_of(digest, stripe.begin(), capacity) == digest) return false;
      grow(stripe, capacity < 8 ? 8 : capacity + 2 * capacity / 5);
      return insert_into(stripe, digest);
    }
    Digest& place = place_of(digest, stripe.begin(), capacity);
    if (place == digest) return false;
    place = digest;
    stripe.size.store(size + 1, std::memory_order_relaxed);
    return true;
  }
  static void grow(Stripe& stripe, std::uint64_t capacity) {
    auto* const slots = static_cast<Digest*>(take_zeroed(capacity * sizeof(Digest)));
    const std::uint64_t before = stripe.capacity.load(std::memory_order_relaxed);
    for (std::uint64_t i = 0; i < before; ++i)
      if (const Digest& digest = stripe.begin()[i]; digest != Digest{})
        place_of(digest, slots, capacity) = digest;
    give_back_zeroed(stripe.slots.exchange(slots, std::memory_order_relaxed), before * sizeof(Digest));
    stripe.capacity.store(capacity, std::memory_order_relaxed);
  }
  std::uint64_t sum(std::atomic<std::uint64_t> Stripe::* member) const {
    std::uint64_t total = 0;
    for (const Stripe& stripe : stripes_) total += (stripe.*member).load(std::memory_order_relaxed);
    return total;
  }

  bool is_shared_;
  std::array<Stripe, 256> stripes_;
};

}  // namespace holdfast
