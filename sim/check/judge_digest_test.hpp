// The state of a judge with all names told. For tests.
#pragma once

#include "sim/check/checker.hpp"

namespace holdfast {

inline Digest digest_of(const Judge& judge, Instant now, std::uint32_t clients = 26) {
  Digest digest = judge.mix_rest(Digest{}, now);
  for (std::uint32_t i = 0; i < clients; ++i) digest = judge.mix_client(mix(digest, i), ClientId{i}, 0, now);
  return digest;
}

}  // namespace holdfast
