// The real server of a command, as its options ask for it.
#pragma once

#include "sim/cli/options.hpp"
#include "sim/live/usable_server.hpp"

namespace holdfast::cli {

// Throws UserError with exit code 69.
live::ServerForRun server_for(const Options& options);
// Deletes what the command left on an existing server; tells on stderr if that fails.
void clean_up(live::ServerForRun& server);

}  // namespace holdfast::cli
