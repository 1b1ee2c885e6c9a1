// 128-bit fingerprints of anything that can be written as 64-bit words (XXH3, stable across machines and compilers).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

struct Digest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  constexpr auto operator<=>(const Digest&) const = default;
  std::string hex() const;
};

Digest digest_of(std::string_view bytes);

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
