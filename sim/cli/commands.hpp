// One function per command. Each takes its own options, and returns an exit code or throws UserError.
#pragma once

#include "sim/cli/options.hpp"

namespace holdfast::cli {

int compare(const CompareOptions& options);
int check(const CheckOptions& options);
int run_files(const RunOptions& options);
int diff(const DiffOptions& options);
int envelope(const EnvelopeOptions& options);
int assumptions(const AssumptionsOptions& options);
int choose(const ChooseOptions& options);
int ttl(const TtlOptions& options);
int merge(const MergeOptions& options);
int report(const ReportOptions& options);
int lesson(const LessonOptions& options);
int exercise(const ExerciseOptions& options);
int play(const PlayOptions& options);
int serve(const ServeOptions& options);
int bench(const BenchOptions& options);
int baseline(const BaselineOptions& options);
int doctor(const DoctorOptions& options);
int completions(const CompletionsOptions& options);
int manual(const NoOptions&);
int validate(const ValidateOptions& options);
int replay_trace(const ReplayOptions& options);
int show_trace(const ShowOptions& options);
int list(const ListOptions& options);
int explain(const ExplainOptions& options);
int redis(const RedisOptions& options);
int live(const LiveOptions& options);
int hunt(const HuntOptions& options);
int print_version(const NoOptions&);

}  // namespace holdfast::cli
