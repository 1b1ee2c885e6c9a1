// Finds the shortest tape that tells two locks apart.
#pragma once

#include <vector>

#include "sim/check/separation.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast {

// For every property, the shortest tape on which the first lock breaks it and the second does not, as
// sim/check/separation.hpp says; then the other way round. Breadth first over pairs of states; no search
// looks at more than `pairs_max` of them. REQUIRES: the scenarios differ in the lock only, and are
// exhaustive.
std::vector<Separation> separations(const Job& first, const Job& second, std::uint64_t pairs_max,
                                    unsigned threads, const Budget& budget);

}  // namespace holdfast
