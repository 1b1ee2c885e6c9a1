// The options of pages, lessons and games.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/cli/options.hpp"

namespace holdfast::cli {

// Each with all of its own options; those of output, exploration, language and threads are not among them.
CLI::App* add_report_command(CLI::App& app, Options& options);
CLI::App* add_lesson_command(CLI::App& app, Options& options);
CLI::App* add_exercise_command(CLI::App& app, Options& options);
CLI::App* add_play_command(CLI::App& app, Options& options);

}  // namespace holdfast::cli
