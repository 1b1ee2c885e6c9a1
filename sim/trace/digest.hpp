// 128-bit digests of anything that can be written as 64-bit words, stable across machines and compilers: of
// texts by XXH3, of histories by folded multiplication.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

// The visited set keeps so many bits of a state's digest (hash compaction).
inline constexpr int digest_bits_kept = 72;

struct Digest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  constexpr auto operator<=>(const Digest&) const = default;
  std::string hex() const;
};

Digest digest_of(std::string_view bytes);

namespace detail {
// Both halves of the product, folded: every bit of the result depends on every bit of both factors.
constexpr std::uint64_t fold(std::uint64_t one, std::uint64_t other) {
  const auto product = static_cast<unsigned __int128>(one) * other;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}
}  // namespace detail

// A history in one digest: equal for equal sequences of words, and else only by a collision. In the hot path
// of exploration.
constexpr Digest mix(Digest history, std::uint64_t word) {
  // The first digits of pi's fraction, as everywhere where a number must come from nowhere.
  return {detail::fold(history.high ^ 0x243f6a8885a308d3, history.low ^ word ^ 0x13198a2e03707344),
          detail::fold(history.low ^ 0xa4093822299f31d0, history.high ^ word ^ 0x082efa98ec4e6c89)};
}
constexpr Digest mix(Digest history, const Digest& part) { return mix(mix(history, part.high), part.low); }
// A set in one digest: parts in any order.
constexpr Digest sum(Digest one, Digest other) { return {one.high + other.high, one.low + other.low}; }
// What sum() has made bigger by `part`, before that.
constexpr Digest difference(Digest all, Digest part) { return {all.high - part.high, all.low - part.low}; }

// Collects words, then makes one digest of them. Reusable: clear() keeps the memory.
class Digester {
 public:
  void add(std::uint64_t word) { words_.push_back(word); }
  void add(std::string_view text) { add(digest_of(text)); }
  void add(const Digest& digest) {
    add(digest.high);
    add(digest.low);
  }
  void clear() { words_.clear(); }
  Digest finish() const;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace holdfast
