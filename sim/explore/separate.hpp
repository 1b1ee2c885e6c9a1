// Finds the shortest tape that tells two locks apart.
#pragma once

#include <optional>
#include <vector>

#include "sim/check/separation.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast {

// A search for more pairs takes longer than its answer is worth.
inline constexpr std::uint64_t pairs_worth_waiting_for = 100'000;

// For every property, the shortest tape on which the first lock breaks it and the second does not, as
// sim/check/separation.hpp says; then the other way round. Breadth first over pairs of states; no search
// looks at more than `pairs_max` of them. REQUIRES: the scenarios differ in the lock only, and are
// exhaustive.
std::vector<Separation> separations(const Job& first, const Job& second, std::uint64_t pairs_max,
                                    unsigned threads, const Budget& budget);

// One tape for both: the second job makes the moves of `run`, which violates a property of the first. Empty
// where the second violates it, too, or is not struck by every fault. REQUIRES: as for separations(), but the
// sizes of faults may differ, too.
std::optional<SeparatePair> same_moves(const Job& first, const Job& second, const Counterexample& run);

}  // namespace holdfast
