// Awaits of locks that no run of a matrix came to.
#pragma once

#include <vector>

#include "reports/report.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::cli {

// Of the locks of which something was explored; in a shard, of all.
std::vector<reports::NeverRan> never_ran(const reports::Matrix& matrix,
                                         const std::vector<const Card*>& cards);

}  // namespace holdfast::cli
