// bench zoo: the score of planted bugs.
#pragma once

#include "sim/cli/options.hpp"

namespace holdfast::cli {

int bench_zoo(const BenchOptions& options);

}  // namespace holdfast::cli
