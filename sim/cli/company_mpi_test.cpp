// Claims about several processes that mpirun starts. These tests exist where MPI was found.
#include <gmock/gmock-matchers.h>
#include <unistd.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::AnyOf;
using testing::Eq;
using testing::HasSubstr;
using Json = nlohmann::ordered_json;

class Company : public Program {
 protected:
  // As root, and on fewer cores than processes, too.
  static inline const std::string start =
      "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 exec mpirun --oversubscribe -n ";

  // What does not depend on how it was found.
  static Json cells(const Outcome& outcome) {
    Json matrix = Json::parse(outcome.out, nullptr, false);
    if (!matrix.is_object()) return outcome.out + outcome.err;
    for (Json& cell : matrix["cells"])
      for (const char* const name : {"seconds", "snapshot_bytes", "table_bytes", "traces"}) cell.erase(name);
    return matrix["cells"];
  }
};

TEST_F(Company, FindsWhatOneProcessFinds) {
  for (const std::string what :
       {"check redlock --faults none --attempts 1 --delay 500ms", "check set-nx-px --faults pause,crash",
        "check redsync --faults restart", "check getset --faults pause --attempts 1"}) {
    SCOPED_TRACE(what);
    const std::string words = " " + what + " --format json --progress none --budget 300s";
    const Outcome alone = run(words);
    const Json found = cells(alone);
    ASSERT_TRUE(found.is_array()) << found;
    for (const char* const count : {"2", "4"}) {
      const Outcome together = shell(start + count + " $H" + words);
      EXPECT_EQ(together.code, alone.code) << together.err;
      EXPECT_EQ(cells(together), found);
    }
  }
}

TEST_F(Company, OneThatIsKilledEndsAllWithAMessage) {
  write("kill.sh",
        "test $OMPI_COMM_WORLD_RANK = 1 && (sleep 4; kill -9 $$) & exec $H check redlock --faults pause "
        "--attempts 1 --resume saved --progress none\n");
  const Outcome outcome = shell(start + "3 sh kill.sh");
  EXPECT_EQ(outcome.code, 137) << outcome.err;
  // mpirun may end rank 0 before it has noticed; then mpirun alone says which process it was.
  const auto told_by_rank_0 =
      AllOf(HasSubstr("rank 1 (process "),
            HasSubstr("has ended, so the search of redlock under pause has, too; "));
  EXPECT_THAT(outcome.err, AnyOf(told_by_rank_0, HasSubstr("process rank 1 with PID")));
}

TEST_F(Company, ThatIsStoppedGoesOnWithAsManyAndNoOthers) {
  const std::string words =
      " $H check redlock --faults none --attempts 1 --resume saved --format json "
      "--progress none";
  EXPECT_EQ(shell(start + "2" + words + " --budget 3s").code, 2);
  const Outcome three = shell(start + "3" + words);
  EXPECT_EQ(three.code, 65);
  EXPECT_THAT(three.err, HasSubstr("2 ranks have saved it: go on with mpirun -n 2"));
  EXPECT_EQ(shell("exec" + words).code, 65);
  const Outcome two = shell(start + "2" + words);
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_EQ(cells(two)[0]["states"], 4'393'082);
}

TEST_F(Company, SharesSearchesAndNothingElse) {
  EXPECT_EQ(shell(start + "2 $H list faults").code, 64);
  const Outcome wrong = shell(start + "2 $H check tokn");
  EXPECT_EQ(wrong.code, 64) << wrong.err;
  EXPECT_THAT(wrong.err, HasSubstr("tokn"));
  EXPECT_EQ(run("check token --faults none --attempts 1").code, 0) << "alone, MPI is not asked";
}

}  // namespace
}  // namespace holdfast::cli
