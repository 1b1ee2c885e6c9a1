// One function per command. Each returns an exit code or throws UserError.
#pragma once

#include "sim/cli/options.hpp"

namespace holdfast::cli {

int compare(const Options& options);
int check(const Options& options);
int run_files(const Options& options);
int diff(const Options& options);
int envelope(const Options& options);
int assumptions(const Options& options);
int choose(const Options& options);
int ttl(const Options& options);
int merge(const Options& options);
int report(const Options& options);
int lesson(const Options& options);
int exercise(const Options& options);
int play(const Options& options);
int bench(const Options& options);
int baseline(const Options& options);
int doctor(const Options& options);
int completions(const Options& options);
int manual(const Options& options);
int validate(const Options& options);
int replay_trace(const Options& options);
int show_trace(const Options& options);
int list(const Options& options);
int explain(const Options& options);
int redis(const Options& options);
int live(const Options& options);
int hunt(const Options& options);
int print_version(const Options& options);

}  // namespace holdfast::cli
