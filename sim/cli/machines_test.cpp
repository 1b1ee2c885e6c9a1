// Many machines: shards that GNU parallel or Slurm start merge into the bytes of one run.
#include <gmock/gmock-matchers.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;

const std::string job_of_machines =
    "compare --only \"set-nx-px*\" --faults none,crash --attempts 1 --format json";

class Machines : public Program {
 protected:
  bool can(const std::string& command) { return shell(command).code == 0; }
  // Real time differs from run to run; nothing else does.
  void expect_whole(const Outcome& merged) {
    EXPECT_EQ(merged.code, 0) << merged.err;
    write("merged.json", merged.out);
    write("whole.json", run(job_of_machines).out);
    const std::string differ =
        "for f in merged whole; do grep -v \"\\\"seconds\\\": \" $f.json >$f.txt; done; cmp merged.txt "
        "whole.txt";
    EXPECT_EQ(shell(differ).code, 0) << read("out.txt");
    EXPECT_GT(std::filesystem::file_size(path("whole.txt")), 1000u);
  }
};

TEST_F(Machines, ShardsOfGnuParallelMergeIntoTheWhole) {
  if (!can("parallel --version | grep -q GNU")) GTEST_SKIP() << "GNU parallel is not installed";
  const Outcome outcome = shell(
      "parallel --will-cite -j 2 \"$H compare --only set-nx-px\\\\* --faults none,crash --attempts 1 "
      "--format json --shard {}/3 > {}.json\" ::: 1 2 3 && $H merge 1.json 2.json 3.json");
  expect_whole(outcome);
}

TEST_F(Machines, ShardsOfASlurmJobArrayMergeIntoTheWhole) {
  if (!can("command -v sbatch && sinfo -h | grep -q idle"))
    GTEST_SKIP() << "no Slurm with an idle node (Debian: slurm-wlm)";
  write("shards.sh",
        "#!/bin/sh\nexec \"$H\" " + job_of_machines +
            " --shard \"$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT\" >$SLURM_ARRAY_TASK_ID.json\n");
  const Outcome outcome = shell(
      "sbatch --wait --array 1-3 --export ALL --output /dev/null shards.sh >&2 && $H merge 1.json 2.json "
      "3.json");
  expect_whole(outcome);
}

}  // namespace
}  // namespace holdfast::cli
