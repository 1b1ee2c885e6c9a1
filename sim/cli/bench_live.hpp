// bench live: what real locks cost beside plain hiredis.
#pragma once

#include "sim/cli/options.hpp"

namespace holdfast::cli {

int bench_live(const Options& options);

}  // namespace holdfast::cli
