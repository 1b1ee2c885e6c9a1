// 128-bit fingerprints of anything that can be written as 64-bit words (XXH3, stable across machines and
// compilers).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/reply.hpp"

namespace holdfast {

struct Digest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  constexpr auto operator<=>(const Digest&) const = default;
  std::string hex() const;
};

Digest digest_of(std::string_view bytes);
// A history in one digest: equal exactly for equal sequences of words.
Digest mix(Digest history, std::uint64_t word);
Digest mix(Digest history, const Reply& reply);
inline Digest mix(Digest history, const Digest& part) { return mix(mix(history, part.high), part.low); }

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
