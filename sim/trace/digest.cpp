#include "sim/trace/digest.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace holdfast {

std::string Digest::hex() const {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(32, '0');
  for (std::size_t i = 0; i < 16; ++i) {
    text[15 - i] = digits[high >> (4 * i) & 15];
    text[31 - i] = digits[low >> (4 * i) & 15];
  }
  return text;
}

Digest digest_of(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

Digest Digester::finish() const {
  return digest_of({reinterpret_cast<const char*>(words_.data()), words_.size() * sizeof(std::uint64_t)});
}

}  // namespace holdfast
