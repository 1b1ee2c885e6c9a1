// `holdfast redis --listen`: the simulated Redis as a server, until it is told to end.
#pragma once

#include "sim/cli/options.hpp"

namespace holdfast::cli {

// Returns an exit code. Throws UserError.
int serve_redis(const RedisOptions& options);

}  // namespace holdfast::cli
