// Claims about several processes that mpirun starts. These tests exist where MPI was found.
#include <gmock/gmock-matchers.h>
#include <unistd.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

class Company : public Program {
 protected:
  // As root, and on fewer cores than processes, too.
  static std::string start_by(const std::string& with) {
    return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 exec " + with +
           "mpirun --oversubscribe -n ";
  }
  static inline const std::string start = start_by("");

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
  for (const auto& [count, what] : {std::pair("4", "check set-nx-px --faults pause,crash"),
                                    std::pair("3", "check redlock --faults none --attempts 1"),
                                    std::pair("4", "check getset --faults pause --attempts 1")}) {
    SCOPED_TRACE(what);
    const std::string words = std::string(" ") + what + " --format json --progress none --budget 300s";
    const Outcome alone = run(words);
    const Json found = cells(alone);
    ASSERT_TRUE(found.is_array()) << found;
    const Outcome together = shell(start + count + " $H" + words);
    EXPECT_EQ(together.code, alone.code) << together.err;
    EXPECT_EQ(cells(together), found);
  }
}

TEST_F(Company, OneThatIsKilledEndsAllWithAMessage) {
  const std::string search = "exec $H check redlock --faults pause --attempts 1 --progress none";
  for (const auto& [resume, told] : {std::pair(" --resume saved", "nothing was saved yet in saved"),
                                     std::pair("", "nothing was saved (--resume DIR saves every minute)")}) {
    write("kill.sh", "test $OMPI_COMM_WORLD_RANK = 1 && (sleep 2; kill -9 $$) & " + search + resume + "\n");
    const Outcome outcome = shell(start + "3 sh kill.sh");
    EXPECT_EQ(outcome.code, 137) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("rank 1 (process "));
    EXPECT_THAT(outcome.err, HasSubstr(std::string(" has ended, so all end; ") + told));
  }
}

// SIGUSR1 is passed on by mpirun, which does not end the ranks after it.
TEST_F(Company, ThatIsStoppedGoesOnWithAsManyAndNoOthers) {
  const std::string words = " $H check redsync --faults restart --attempts 1 --format json --progress none";
  const std::string resumed = words + " --resume saved";
  const Outcome stopped = shell(start_by("timeout --foreground -s USR1 5 ") + "2" + resumed);
  EXPECT_EQ(stopped.code, 124) << stopped.err;
  EXPECT_EQ(Json::parse(stopped.out)["interrupted"], true) << stopped.err;
  const Outcome three = shell(start + "3" + resumed);
  EXPECT_EQ(three.code, 65);
  EXPECT_THAT(three.err, HasSubstr("2 ranks have saved it: go on with mpirun -n 2"));
  EXPECT_EQ(shell("exec" + resumed).code, 65);
  const std::string damage = "cp -r saved damaged; truncate -s 1000 damaged/*rank-1-of-2*; ";
  const Outcome damaged = shell(damage + start + "2" + words + " --resume damaged");
  EXPECT_EQ(damaged.code, 65) << damaged.err;
  EXPECT_THAT(damaged.err, HasSubstr("rank 1: the search that --resume names cannot be read"));
  const Outcome two = shell(start + "2" + resumed);
  EXPECT_EQ(cells(two), cells(shell("exec" + words))) << two.err;
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
