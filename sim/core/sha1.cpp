#include "sim/core/sha1.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace holdfast {
namespace {

constexpr std::size_t block_size = 64;
using State = std::array<std::uint32_t, 5>;

void mix(State& state, const unsigned char* block) {
  std::array<std::uint32_t, 80> word;
  for (std::size_t i = 0; i < 16; ++i)
    word[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
              std::uint32_t{block[4 * i + 2]} << 8 | std::uint32_t{block[4 * i + 3]};
  for (std::size_t i = 16; i < 80; ++i)
    word[i] = std::rotl(word[i - 3] ^ word[i - 8] ^ word[i - 14] ^ word[i - 16], 1);
  auto [a, b, c, d, e] = state;
  for (std::size_t i = 0; i < 80; ++i) {
    std::uint32_t f = 0;
    if (i < 20) f = ((b & c) | (~b & d)) + 0x5A827999;
    else if (i < 40) f = (b ^ c ^ d) + 0x6ED9EBA1;
    else if (i < 60) f = ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC;
    else f = (b ^ c ^ d) + 0xCA62C1D6;
    const std::uint32_t next = std::rotl(a, 5) + f + e + word[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  const State mixed{a, b, c, d, e};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += mixed[i];
}

}  // namespace

std::string sha1_hex(std::string_view text) {
  State state{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t done = 0;
  for (; text.size() - done >= block_size; done += block_size) mix(state, bytes + done);
  // The rest, a one bit, zeros, and the length in bits: one block or two.
  std::array<unsigned char, 2 * block_size> tail{};
  const std::size_t rest = text.size() - done;
  for (std::size_t i = 0; i < rest; ++i) tail[i] = bytes[done + i];
  tail[rest] = 0x80;
  const std::size_t tail_size = rest + 9 <= block_size ? block_size : 2 * block_size;
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (std::size_t i = 0; i < 8; ++i) tail[tail_size - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  for (std::size_t i = 0; i < tail_size; i += block_size) mix(state, tail.data() + i);
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  hex.reserve(40);
  for (const std::uint32_t part : state)
    for (int shift = 28; shift >= 0; shift -= 4) hex.push_back(digits[part >> shift & 15]);
  return hex;
}

}  // namespace holdfast
