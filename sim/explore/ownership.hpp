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

// What becomes of the keys of the lock; which clients hold a grant, own a key, have not come to the end.
struct Kind {
  Digest keys;
  std::uint64_t holders = 0;
  std::uint64_t owners = 0;
  std::uint64_t unfinished = 0;
  bool is_calm = false;
  bool operator==(const Kind&) const = default;
};
inline Kind kind_of(const Outline& outline) {
  return {outline.keys, outline.holders, outline.owners, outline.unfinished, outline.is_calm};
}
inline Kind kind_of(const World& world) {
  return {world.digest_of_keys(), world.holders(), world.owners(), world.unfinished(), world.is_calm()};
}
inline unsigned owner_of(const Kind& kind, unsigned ranks) {
  const auto count = [](std::uint64_t bits) { return static_cast<std::uint64_t>(std::popcount(bits)); };
  const std::uint64_t counts = count(kind.holders) | count(kind.owners) << 8 | count(kind.unfinished) << 16;
  return static_cast<unsigned>(mix(kind.keys, counts | std::uint64_t{kind.is_calm} << 24).high % ranks);
}

}  // namespace holdfast
