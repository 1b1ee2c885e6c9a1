// The options of commands that use a real Redis server.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/cli/options.hpp"

namespace holdfast::cli {

// `live`, with all of its own options but those of output.
CLI::App* add_live_command(CLI::App& app, Options& options);
// `hunt`, with the options that no other command has.
CLI::App* add_hunt_command(CLI::App& app, Options& options);
// --redis: the server to use.
void add_redis(CLI::App* command, Options& options);
// --live and --redis, for a command that can confirm on a real server what it says.
void add_live_flags(CLI::App* command, Options& options, const char* help);

// --listen, which it returns, and --rule.
CLI::Option* add_serving(CLI::App* command, Options& options);

}  // namespace holdfast::cli
