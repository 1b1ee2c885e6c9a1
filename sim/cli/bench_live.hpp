// bench live: what real locks cost beside plain hiredis.
#pragma once

#include "sim/cli/options.hpp"

namespace holdfast::cli {

int bench_live(const BenchOptions& options);

}  // namespace holdfast::cli
