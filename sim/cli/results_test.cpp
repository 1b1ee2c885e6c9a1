// What was found is not lost: not by another command, not by signals, not by a disk that is full.
#include <gmock/gmock-more-matchers.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <vector>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Results : public Program {
 protected:
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
  std::vector<std::uintmax_t> sizes_of_traces(const std::string& directory) const {
    std::vector<std::uintmax_t> sizes;
    for (const auto& entry : std::filesystem::directory_iterator(path(directory)))
      if (entry.path().string().ends_with(".trace.json")) sizes.push_back(entry.file_size());
    std::sort(sizes.begin(), sizes.end());
    return sizes;
  }
};

// Endless enough to be interrupted, and something is known of it at once.
const std::string long_one = "compare --only set-nx-px-as-printed,token --clients 3 --attempts 3 -j2 ";
const std::string when_begun = "until grep -q \"[1-9]/[0-9]* cells\" err.txt; do sleep 0.05; done; ";

TEST_F(Results, OfAnotherCommandLineLieBesideThoseThatAreThere) {
  const Outcome first = run(compare_one_cell + "-o ov");
  EXPECT_THAT(first.err, IsEmpty());
  const std::string matrix = read("ov/matrix.json");
  const std::string page = read("ov/index.html");
  const std::string check = "check token --faults none --attempts 1 -o ov ";
  const std::string beside = "ov/check-token-faults-none-attempts-1";
  for (const char* again : {"", "-j 1", "--format json", "--width 60"}) {
    const Outcome other = run(check + again);
    EXPECT_EQ(other.code, 0);
    EXPECT_EQ(other.err,
              "holdfast: ov has the results of \"holdfast compare --only=set-nx-px-as-printed --faults=none "
              "--attempts=1\"; those of this command line are saved in " +
                  beside + "\n");
  }
  EXPECT_EQ(read("ov/matrix.json"), matrix);
  EXPECT_EQ(read("ov/index.html"), page);
  EXPECT_THAT(read(beside + "/matrix.json"), HasSubstr("\"token\""));
  EXPECT_TRUE(exists(beside + "/index.html"));
  EXPECT_FALSE(exists(beside + "-2"));
  EXPECT_THAT(run("compare --attempts 1 --faults none --only set-nx-px-as-printed -o ov").err, IsEmpty());
}

TEST_F(Results, OfShardsLieTogetherAndThoseOfOtherShardsBeside) {
  const std::string one = compare_one_cell + "-o ov --shard ";
  const std::string other = "compare --only token --faults none --attempts 1 -o ov --shard 1/2";
  EXPECT_THAT(run(one + "1/2").err, IsEmpty());
  EXPECT_THAT(run(one + "2/2").err, IsEmpty());
  const std::string matrix = read("ov/matrix.1-of-2.json");
  EXPECT_THAT(run(other).err, HasSubstr("ov/compare-only-token-faults-none-attempts-1\n"));
  EXPECT_EQ(read("ov/matrix.1-of-2.json"), matrix);
}

// They name their traces alike.
TEST_F(Results, OfEveryCommandThatSavesTracesAreItsOwn) {
  ASSERT_EQ(run("check token --faults pause --attempts 1").code, 1);
  const std::string trace = "holdfast-out/token+pause+mutual-exclusion.trace.json";
  const std::string before = read(trace);
  for (const char* command : {"assumptions token --faults pause --properties mutual-exclusion --attempts 2",
                              "check token --faults pause --attempts 1 --param ttl=6s",
                              "baseline save x --only token --faults pause --attempts 1 --param ttl=5s"}) {
    const bool is_quiet = std::string_view(command).starts_with("baseline");
    EXPECT_EQ(run(command).err.find("are saved in holdfast-out/") == std::string::npos, is_quiet) << command;
    EXPECT_EQ(read(trace), before) << command;
  }
}

TEST_F(Results, DoNotReplaceAPageThatIsNoneOfOurs) {
  std::filesystem::create_directory(path("site"));
  write("site/index.html", "mine");
  EXPECT_THAT(run(compare_one_cell + "-o site").err, HasSubstr("site has the results of something else; "));
  EXPECT_EQ(read("site/index.html"), "mine");
}

TEST_F(Results, OfAnInterruptedCommandDoNotReplaceWholeOnes) {
  const std::string command = "$H " + long_one + "--progress bar & " + when_begun + "kill -INT $!; wait $!";
  ASSERT_EQ(shell(command).code, 130);
  const std::string whole =
      std::regex_replace(read("holdfast-out/matrix.json"), std::regex("\n \"interrupted\": true,?"), "");
  write("holdfast-out/matrix.json", whole);
  const Outcome again = shell(command);
  EXPECT_EQ(again.code, 130);
  EXPECT_THAT(again.err, HasSubstr("holdfast: holdfast-out keeps the whole results; "));
  EXPECT_EQ(read("holdfast-out/matrix.json"), whole);
  EXPECT_EQ(read_json("holdfast-out/interrupted/matrix.json")["interrupted"], true);
}

// Supervisors send a second signal, and people press Ctrl-C twice.
TEST_F(Results, AreSavedWhenTwoSignalsComeOneAfterTheOther) {
  for (const char* pair : {"INT INT", "TERM TERM", "HUP TERM", "TERM INT"}) {
    const std::string both(pair);
    const std::size_t blank = both.find(' ');
    const Outcome ended =
        shell("$H " + long_one + "--progress bar & " + when_begun + "kill -" + both.substr(0, blank) +
              " $!; sleep 0.05; kill -" + both.substr(blank + 1) + " $!; wait $!");
    EXPECT_EQ(ended.code, 130) << pair;
    ASSERT_TRUE(exists("holdfast-out/matrix.json")) << pair;
    EXPECT_EQ(read_json("holdfast-out/matrix.json")["interrupted"], true) << pair;
    EXPECT_TRUE(exists("holdfast-out/index.html")) << pair;
    std::filesystem::remove_all(path("holdfast-out"));
  }
}

TEST_F(Results, AreSavedWhenTheirTerminalIsClosed) {
  if (shell("script -qec true /dev/null").code != 0) GTEST_SKIP() << "there are no pseudo-terminals here";
  write("inside.sh", "echo $$ > pid; exec $H " + long_one);
  write("closed.sh",
        "script -qfc \"env TERM=xterm H=$H sh inside.sh\" seen.txt >/dev/null & terminal=$!\n"
        "until grep -q \"[1-9]/[0-9]* cells\" seen.txt; do sleep 0.05; done\n"
        "kill -KILL $terminal; sleep 0.05; kill -TERM $(cat pid)\n"
        "while kill -0 $(cat pid); do sleep 0.05; done\n");
  shell("sh closed.sh");
  ASSERT_TRUE(exists("holdfast-out/matrix.json"));
  EXPECT_EQ(read_json("holdfast-out/matrix.json")["interrupted"], true);
  EXPECT_TRUE(exists("holdfast-out/index.html"));
}

TEST_F(Results, ThatFindNoRoomAreNotSaidToBeSaved) {
  const std::string compare = "compare --only set-nx-px-as-printed,token --faults none,pause --attempts 1 ";
  ASSERT_EQ(run(compare + "-o roomy").code, 0);
  const std::vector<std::uintmax_t> sizes = sizes_of_traces("roomy");
  ASSERT_LT(sizes.front() / 512, sizes.back() / 512);
  const std::string blocks = std::to_string(sizes[sizes.size() / 2] / 512);
  const std::string check = "check token --faults pause --attempts 1 --format json ";
  for (const std::string& command : {compare, check}) {
    write("small.sh", "trap \"\" XFSZ; ulimit -f " + blocks + "; exec $H " + command + "-o full");
    const Outcome full = shell("sh small.sh | cat");
    const std::size_t saved = sizes_of_traces("full").size();
    EXPECT_LT(saved, sizes.size());
    EXPECT_THAT(full.err, AllOf(HasSubstr("cannot be written: File too large; "), HasSubstr(" saved\n")));
    if (command == compare) {
      EXPECT_THAT(full.out, HasSubstr("\n" + std::to_string(saved) + " trace"));
    } else {
      for (const auto& cell : nlohmann::ordered_json::parse(full.out)["cells"])
        EXPECT_TRUE(cell["trace"].is_null() || exists(cell["trace"]));
    }
    std::filesystem::remove_all(path("full"));
  }
}

TEST_F(Results, OfTwoCommandsThatSaveOneBaselineAtOnceAreNotLost) {
  const Outcome both = shell(
      "$H baseline save m --only token,setnx --faults pause,crash --clients 3 --attempts 1 >slow.txt "
      "2>slow.err & until [ -d holdfast-baselines ]; do sleep 0.01; done; "
      "$H baseline save m --only" +
      one_cell + "-o quick || exit 9; wait $!");
  EXPECT_EQ(both.code, 66);
  EXPECT_THAT(both.out, HasSubstr("holdfast-baselines/m.json: saved\n"));
  EXPECT_THAT(read("slow.txt"), IsEmpty());
  EXPECT_EQ(read("slow.err"),
            "holdfast: holdfast-baselines/m.json: another command has saved it since this one began, and it "
            "stays as it is · holdfast baseline accept m puts what this one found in its place\n");
  EXPECT_THAT(read("holdfast-baselines/m.json"), HasSubstr("--only=set-nx-px-as-printed"));
}

TEST_F(Results, OfABaselineThatCannotBeReadDoNotHideTheOthers) {
  ASSERT_EQ(run("baseline save good --only" + one_cell).code, 0);
  write("holdfast-baselines/broken.json", "{");
  write("holdfast-baselines/other.json", "{}");
  const Outcome listed = run("baseline list");
  EXPECT_EQ(listed.code, 65);
  EXPECT_THAT(listed.out,
              AllOf(HasSubstr("\ngood "), HasSubstr("9 verdicts"),
                    HasSubstr("cannot be read: holdfast-baselines/broken.json:1:2: error: not JSON"),
                    HasSubstr("other.json:1:1: error: not a baseline")));
  EXPECT_EQ(listed.err, "holdfast: 2 of 3 baselines cannot be read, as above\n");
  const auto json = nlohmann::ordered_json::parse(run("baseline list --format json").out)["baselines"];
  EXPECT_TRUE(json[0].contains("problem"));
  EXPECT_EQ(json[1]["verdicts"], 9);
  EXPECT_EQ(run("baseline save broken --force --only" + one_cell).code, 0);
}

// What an envelope found is shown on the page; a file that is broken is left out of it.
TEST_F(Results, ThatAreBrokenDoNotHideThePageOfTheOthers) {
  std::filesystem::create_directory(path("out"));
  write("out/token.envelope.json", "{}");
  const Outcome outcome = run(compare_one_cell + "-o out");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("token.envelope.json:1:1: error: not what holdfast envelope found; the "
                                     "page leaves it out\n"));
  EXPECT_TRUE(exists("out/index.html"));
}

TEST_F(Results, AreATableOfValuesToo) {
  const auto rows_of = [](const std::string& text) {
    std::vector<std::string> rows;
    std::istringstream in(text);
    for (std::string row; std::getline(in, row);) rows.push_back(row);
    return rows;
  };
  const std::vector<std::string> rows = rows_of(run(compare_one_cell + "--format csv").out);
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_EQ(rows[0],
            "algorithm,fault,property,belief,verdict,strategy,states,transitions,runs,trace_length,trace,"
            "note");
  EXPECT_THAT(rows[1], HasSubstr("set-nx-px-as-printed,none,mutual-exclusion,until-release,violated,"));
  for (const std::string& row : rows) EXPECT_EQ(std::count(row.begin(), row.end(), ','), 11) << row;
  const Outcome check = run("check" + one_cell + "--format csv");
  EXPECT_EQ(check.code, 1);
  EXPECT_EQ(rows_of(check.out).size(), 10u);
}

// redis-py loads a script that the server does not know; another function of that header sends it whole.
TEST_F(Results, DoNotNameAwaitsOfAHelperThatTheLockNeverCalls) {
  const Outcome check = run("check redis-py --faults none --attempts 1 --width 200");
  EXPECT_THAT(check.out, HasSubstr("const Reply loaded = co_await"));
  EXPECT_THAT(check.out, Not(HasSubstr("of_whole")));
}

}  // namespace
}  // namespace holdfast::cli
