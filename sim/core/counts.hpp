// Numbers that a store counts up for a lock, as a search for any number of rounds sees them: how far they are
// from the greatest one, which has no end, does not matter.
#pragma once

#include <cstdint>

namespace holdfast {

// What such a counter has counted before a run: no other number that a lock meets is as large and no time.
inline constexpr std::uint64_t first_count = 5'000'000'000;
inline constexpr std::uint64_t counts_max = 500'000'000;
// What is so far apart, or farther, is far.
inline constexpr std::uint32_t far_counts = 4;
constexpr bool is_count(std::uint64_t number) {
  return number >= first_count && number < first_count + counts_max;
}

// As a state says it: of a count, how far it is before the latest one.
constexpr std::uint64_t seen_from(std::uint64_t latest, std::uint64_t number) {
  return is_count(number) && is_count(latest) ? std::uint64_t{1} << 63 | (latest - number) : number;
}

}  // namespace holdfast
