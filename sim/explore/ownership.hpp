// Which rank a state belongs to: by what of it changes seldom, so that most steps lead to a state of the same
// rank. Equal states have the same owner: only what the digest of a state says is looked at, and clients are
// counted, not named, because they may change places. That it is so, every search shows whose ranks find as
// many states as one process does: a state with two owners is counted twice.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/explore/outline.hpp"
#include "sim/trace/digest.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

// What becomes of the keys of the lock, how many clients hold a grant, own a key, and have not come to the end.
inline Digest kind_of(std::uint64_t holders, std::uint64_t owners, std::uint64_t unfinished,
                      const Digest& keys, bool is_calm) {
  const auto count = [](std::uint64_t bits) { return static_cast<std::uint64_t>(std::popcount(bits)); };
  return mix(keys, count(holders) | count(owners) << 8 | count(unfinished) << 16 | std::uint64_t{is_calm} << 24);
}
inline Digest kind_of(const Outline& outline) {
  return kind_of(outline.holders, outline.owners, outline.unfinished, outline.keys, outline.is_calm);
}
inline Digest kind_of(const World& world) {
  return kind_of(world.holders(), world.owners(), world.unfinished(), world.digest_of_keys(),
                 world.is_calm());
}
template <class State>
unsigned owner_of(const State& state, unsigned ranks) {
  return static_cast<unsigned>(kind_of(state).high % ranks);
}

}  // namespace holdfast
