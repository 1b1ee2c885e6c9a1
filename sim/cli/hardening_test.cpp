// Files that are too large, too new or half done, and places where nothing can be written: one clear line
// each.
#include <gmock/gmock-more-matchers.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class Hardening : public Program {
 protected:
  void expect_line(const std::string& command, int code, const std::string& part) {
    const Outcome outcome = shell(command);
    EXPECT_EQ(outcome.code, code) << command;
    EXPECT_THAT(outcome.out, IsEmpty()) << command;
    EXPECT_THAT(outcome.err, HasSubstr(part)) << command;
  }
};

TEST_F(Hardening, AFileWithoutEndIsRefusedAfterAQuarterOfAGibibyte) {
  for (const char* command : {"merge", "validate", "show", "replay", "compare --expect"})
    expect_line("$H " + std::string(command) + " /dev/zero", 65, "/dev/zero: larger than 256 MiB\n");
}

TEST_F(Hardening, AFileOfANewerVersionSaysSo) {
  write("new.json", R"({"schema": "holdfast/matrix/2"})");
  for (const char* command : {"merge", "compare --expect"})
    expect_line("$H " + std::string(command) + " new.json", 65,
                "is holdfast/matrix/2, but this holdfast reads holdfast/matrix/1: a newer one wrote it");
  write("new.json", R"({"schema": "holdfast/run/2"})");
  expect_line("$H merge new.json", 65, "is holdfast/run/2, but this holdfast reads holdfast/run/1");
  write("new.json", R"({"schema": "holdfast/trace/2"})");
  expect_line("$H show new.json", 65, "a newer holdfast wrote this file");
}

TEST_F(Hardening, AnInterruptedShardIsMergedIfThatIsAskedFor) {
  const std::string shard =
      "$H compare --only set-nx-px-as-printed,token --clients 3 --attempts 3 -j2 --progress "
      "bar --format json --shard 1/2 > 1.json";
  const Outcome interrupted = shell(
      shard + " & until grep -q \"[1-9]/[0-9]* cells\" err.txt; do sleep 0.05; done; kill -INT $!; wait $!");
  ASSERT_EQ(interrupted.code, 130);
  expect_line("$H merge 1.json", 2, "missing: shard 2 of 2");
  const Outcome merged = run("merge 1.json --allow-missing");
  EXPECT_EQ(merged.code, 2);
  const auto json = nlohmann::ordered_json::parse(merged.out);
  EXPECT_EQ(json["interrupted"], true);
  EXPECT_GE(json["cells"].size(), 10u);
}

TEST_F(Hardening, NothingIsSavedWhereNothingCanBeWritten) {
  const std::string cell = "--only" + one_cell;
  expect_line("$H baseline save x --store /proc/x " + cell, 66,
              "\"/proc/x\": no directory that can be written to");
  expect_line("$H baseline save x -o /proc/x " + cell, 66,
              "\"/proc/x\": no directory that can be written to");
  const Outcome full = shell("$H baseline save x " + cell + "&& $H baseline compare x >/dev/full");
  EXPECT_EQ(full.code, 66);
  EXPECT_THAT(full.err, HasSubstr("stdout: cannot be written: No space left on device\n"));
  // A limit on the size of files is the nearest thing to a full disk that every machine has.
  write("small.sh", "trap \"\" XFSZ; ulimit -f 1; exec $H baseline save y --only" + one_cell);
  const Outcome small = shell("sh small.sh");
  EXPECT_EQ(small.code, 66);
  EXPECT_THAT(small.err, HasSubstr("cannot be written: File too large"));
  EXPECT_FALSE(std::filesystem::exists(path("holdfast-baselines/y.json")));
}

}  // namespace
}  // namespace holdfast::cli
