// xoshiro256** 1.0 (Blackman and Vigna, public domain reference) with an exact bounded draw. The standard
// library's distributions differ between implementations; this gives the same numbers everywhere.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sim/core/invariant.hpp"

namespace holdfast {

// One round of SplitMix64: turns neighbouring seeds into unrelated ones.
constexpr std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

class Rng {
 public:
  explicit Rng(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = split_mix(seed);
  }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound). REQUIRES: bound ≥ 1.
  std::uint64_t below(std::uint64_t bound) {
    INVARIANT(bound >= 1, "there is no number below zero");
    std::uint64_t drawn = next();
    // The first 2^64 mod bound numbers would favour small results. There are fewer than `bound`, and dividing
    // takes its time.
    if (drawn < bound) [[unlikely]]
      while (drawn < -bound % bound) drawn = next();
    return drawn % bound;
  }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::array<std::uint64_t, 4> state_{};
};

// An index, each with a probability proportional to its weight. REQUIRES: the sum of the weights is ≥ 1.
inline std::uint32_t weighted(Rng& rng, std::span<const std::uint64_t> weights) {
  std::uint64_t sum = 0;
  for (const std::uint64_t weight : weights) sum += weight;
  std::uint64_t drawn = rng.below(sum);
  std::uint32_t index = 0;
  while (drawn >= weights[index]) drawn -= weights[index++];
  return index;
}

}  // namespace holdfast
