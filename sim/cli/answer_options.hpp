// The options of commands that answer a question: which lease, which lock.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/cli/options.hpp"

namespace holdfast::cli {

// With all of its own options; those of output, parameters, threads and running are not among them.
CLI::App* add_ttl_command(CLI::App& app, Options& options);

}  // namespace holdfast::cli
