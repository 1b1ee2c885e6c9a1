// What the program answers when something is wrong, and what it exits with.
#include <gmock/gmock-more-matchers.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Cli : public Program {
 protected:
  // Fails with `code`, in one line on stderr that contains `part`, with nothing on stdout.
  void expect_complaint(const std::string& arguments, int code, const std::string& part) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << arguments;
    EXPECT_THAT(outcome.out, IsEmpty()) << arguments;
    EXPECT_THAT(outcome.err, StartsWith("holdfast: ")) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(part)) << arguments;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << arguments << "\n" << outcome.err;
  }
  // A bad file has code 65, and says where; nothing is run.
  void expect_bad_file(const std::string& command, const std::string& text, const std::string& part) {
    write("bad.json", text);
    const Outcome outcome = run(command + " bad.json");
    EXPECT_EQ(outcome.code, 65) << part;
    EXPECT_THAT(outcome.out, IsEmpty()) << part;
    EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_LT(outcome.err.size(), 1500u) << part;
  }
};

TEST_F(Cli, CompareEndsWith0EvenThoughLocksAreViolated) {
  const Outcome outcome = run(compare_one_cell);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("set-nx-px-as-printed"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(Cli, CheckEndsWith1WhenAPropertyIsViolatedAndWith0WhenNoneIs) {
  EXPECT_EQ(run("check" + one_cell).code, 1);
  EXPECT_EQ(run("check token --fault none --attempts 1").code, 0);
}

TEST_F(Cli, EveryBeliefCanBeAskedFor) {
  for (const char* belief : {"until-release", "deadline-from-request", "deadline-from-reply", "notified"}) {
    const Outcome outcome = run("check token-watchdog --faults none --belief " + std::string(belief));
    EXPECT_EQ(outcome.code, 0) << belief << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(belief));
  }
}

TEST_F(Cli, ABudgetThatEndsFirstIsInconclusiveAndEndsWith2) {
  for (const char* command : {"check getset", "compare --only getset"}) {
    const Outcome outcome = run(std::string(command) + " --faults crash --clients 3 --budget 1ms");
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_THAT(outcome.out, HasSubstr("unknown")) << command;
  }
}

TEST_F(Cli, AnUnknownWordIsAUsageErrorWithTheNearestOne) {
  expect_complaint("comapre", 64, "unknown command \"comapre\" — did you mean \"compare\"?");
  expect_complaint("compare --onyl token", 64, "unknown option \"--onyl\" — did you mean \"--only\"?");
  expect_complaint("check token --fautls pause", 64,
                   "unknown option \"--fautls\" — did you mean \"--faults\"?");
  expect_complaint("check tokn", 64, "did you mean \"token\"?");
  expect_complaint("compare --only tokn", 64, "did you mean \"token\"?");
  expect_complaint("compare --except tokn", 64, "did you mean \"token\"?");
  expect_complaint("compare --faults pauze", 64, "did you mean \"pause\"?");
  expect_complaint("compare --properties recovry", 64, "did you mean \"recovery\"?");
  expect_complaint("compare --belief until-relase", 64, "did you mean \"until-release\"?");
  expect_complaint("compare --format jsn", 64, "did you mean \"json\"?");
  expect_complaint("show x --as stroy", 64, "did you mean \"story\"?");
  expect_complaint("list algoritms", 64, "did you mean \"algorithms\"?");
  expect_complaint("explain tokn", 64, "did you mean \"token\"?");
  expect_complaint("--verson", 64, "did you mean \"--version\"?");
}

TEST_F(Cli, AFilterThatMatchesNothingIsAUsageErrorThatNamesWhatThereIs) {
  expect_complaint("compare --only zoo*", 64, "\"zoo*\" matches nothing · there are: aioredlock, ");
  expect_complaint("compare --only token,nothing", 64, "\"nothing\" matches nothing");
  expect_complaint("compare --faults \"\"", 64, "matches nothing");
  expect_complaint("compare --except \"*\"", 64, "leaves nothing");
}

TEST_F(Cli, MissingAndSurplusArgumentsAreUsageErrors) {
  const Outcome bare = run("");
  EXPECT_EQ(bare.code, 64);
  EXPECT_THAT(bare.err, StartsWith("holdfast: a command is missing\n\nFind out how"));
  expect_complaint("--color never compare", 64, "a command comes first");
  expect_complaint("check", 64, "LOCK is missing");
  expect_complaint("check token setnx", 64, "one LOCK is expected, but here is also \"setnx\"");
  expect_complaint("compare token", 64, "did you mean --only token, or: holdfast check token?");
  expect_complaint("diff a b c", 64, "two LOCKs are expected, but here is also \"c\"");
  expect_complaint("diff token", 64, "two LOCKs are expected, but here is only \"token\"");
  expect_complaint("check token --faults , -o x", 64, "\",\" is a list of nothing");
  expect_complaint("check token --faults=,", 64, "\"--faults=,\" is a list of nothing");
  expect_complaint("compare --seed", 64, "--seed: a value is missing");
  expect_complaint("compare --seed 1 --seed 2", 64, "--seed: given more than once");
  expect_complaint("check token --param ttl", 64, "\"ttl\" is not NAME=VALUE");
  expect_complaint("check token --param ttl=soon", 64, "\"soon\"");
  expect_complaint("check token --param colour=red", 64, "\"colour\"");
}

TEST_F(Cli, NumbersAreReadWholeOrNotAtAll) {
  for (const char* bad :
       {"-1", "0x", "0xg", "1e3", "7 ", "18446744073709551616", "99999999999999999999999", ""})
    expect_complaint("compare --seed \"" + std::string(bad) + "\"", 64,
                     "--seed: \"" + std::string(bad) + "\" is not");
  for (const char* bad : {"0", "9", "two", "-2", "4294967297"})
    expect_complaint("compare --clients " + std::string(bad), 64, "is not a whole number from 1 to 8");
  for (const char* bad : {"10", "-5s", "s"})
    expect_complaint("compare --budget " + std::string(bad), 64, "is not a duration with a unit");
  for (const char* command : {"compare --budget ", "check token --param ttl=", "live token --work "})
    expect_complaint(command + std::string("99999999999999999999h"), 64,
                     "\"99999999999999999999h\" is longer than 640000000h");
  EXPECT_THAT(run(compare_one_cell + "--seed 010").out, HasSubstr("seed 0xa\n"));
  EXPECT_THAT(run(compare_one_cell + "--seed 0XfF").out, HasSubstr("seed 0xff\n"));
}

TEST_F(Cli, HelpIsACommandToo) {
  EXPECT_EQ(run("help").out, run("--help").out);
  const Outcome check = run("help check");
  EXPECT_EQ(check.code, 0);
  EXPECT_EQ(check.out, run("check --help").out);
  EXPECT_THAT(check.out, HasSubstr("also --fault"));
  EXPECT_EQ(run("list locks").out, run("list algorithms").out);
  expect_complaint("help chekc", 64, "unknown command \"chekc\"");
  EXPECT_THAT(run("help play").out, Not(HasSubstr("--runs")));
}

TEST_F(Cli, AFileOfAnotherKindIsNamedWithTheCommandThatTakesIt) {
  ASSERT_EQ(run(compare_one_cell).code, 0);
  expect_complaint("show holdfast-out/matrix.json", 65, "is a matrix, not a trace; holdfast compare --exp");
  expect_complaint("run " + its_trace, 65, "is a trace, not a scenario; holdfast show takes it");
  write("s.json", R"({"version": 1, "algorithm": {"name": "token"}})");
  expect_complaint("replay s.json", 65, "is a scenario, not a trace; holdfast run takes it");
}

TEST_F(Cli, EachLocaleVariableThatDecidesCanAskForAscii) {
  const std::string command =
      "env -u LC_ALL -u LC_CTYPE -u LANG LOCALE $H check token --fault none --attempts 1";
  const auto is_ascii = [&](const std::string& locale) {
    std::string line = command;
    const std::string out = shell(line.replace(line.find("LOCALE"), 6, locale)).out;
    EXPECT_THAT(out, HasSubstr("token"));
    const auto is_plain = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };
    return std::all_of(out.begin(), out.end(), is_plain);
  };
  EXPECT_TRUE(is_ascii("LANG=C"));
  EXPECT_TRUE(is_ascii("LC_CTYPE=POSIX LANG=en_US.UTF-8"));
  EXPECT_TRUE(is_ascii("LC_ALL=C LANG=en_US.UTF-8"));
  EXPECT_FALSE(is_ascii("LC_ALL=C.UTF-8 LANG=C"));
  EXPECT_FALSE(is_ascii("LANG="));
}

TEST_F(Cli, AFilterTakesOneWordSoThatAnArgumentMayFollow) {
  EXPECT_EQ(run("check --fault none token --attempts 1").code, 0);
  EXPECT_EQ(run("check --faults none --faults=slow-section setnx --attempts 1").code, 0);
}

TEST_F(Cli, ABadScenarioEndsWith65AndSaysWhereAndWhatIsMeant) {
  const std::string bad =
      "{ \"version\": 1,\n  \"algorithm\": { \"name\": \"tokn\" },\n  \"faults\": [{ \"kind\": \"pause\" }] "
      "}";
  for (const char* command : {"run", "validate"}) {
    expect_bad_file(command, bad, "bad.json:2:26: error: ");
    expect_bad_file(command, bad, "did you mean \"token\"?");
    expect_bad_file(command, bad, "at /algorithm/name");
  }
}

TEST_F(Cli, AFileThatIsNoScenarioAtAllEndsWith65InOneClearLine) {
  for (const char* command : {"run", "validate", "show", "replay"}) {
    expect_bad_file(command, "", "bad.json:1:1: error: the file is empty");
    expect_bad_file(command, "{ \"version\": 1,\n  \"algor", "bad.json:2:");
    expect_bad_file(command, std::string(500'000, '['), "nested deeper than 64 levels");
    expect_bad_file(command, "{\"version\": 1, \"a\xff\": 2}", "not UTF-8");
    expect_bad_file(command, std::string(100, '\0'), "bad.json:1:1: error: ");
  }
  std::filesystem::create_directory(path("folder"));
  expect_complaint("show folder", 65, "folder: is a directory");
}

TEST_F(Cli, ATraceThatWasEditedEndsWith65) {
  ASSERT_EQ(run(compare_one_cell).code, 0);
  const nlohmann::ordered_json trace = read_json(its_trace);
  nlohmann::ordered_json edited = trace;
  edited["fingerprint"] = std::string(32, '0');
  expect_bad_file("replay", edited.dump(), "at /fingerprint");
  edited = trace;
  edited["version"] = 7;
  expect_bad_file("show", edited.dump(), "at /version");
  edited = trace;
  edited["tape"].erase(edited["tape"].size() - 1);
  expect_bad_file("replay", edited.dump(), "the replay differs: ");
}

// The fingerprint covers what happened, not what is said of it.
TEST_F(Cli, ATraceWithAForgedVerdictEndsWith65) {
  ASSERT_EQ(run(compare_one_cell).code, 0);
  const nlohmann::ordered_json trace = read_json(its_trace);
  for (const char* command : {"replay", "show", "show --format html"}) {
    nlohmann::ordered_json forged = trace;
    forged["findings"][0]["property"] = "owner-only-release";
    expect_bad_file(command, forged.dump(), "the replay differs: the file says of owner-only-release: ");
    forged = trace;
    forged["findings"][0]["because"] = "All is well.";
    expect_bad_file(command, forged.dump(), "the file says of mutual-exclusion: \"All is well.\"");
    forged = trace;
    forged["findings"].clear();
    expect_bad_file(command, forged.dump(), "the replay says of mutual-exclusion: ");
  }
}

TEST_F(Cli, TheSmallestScenarioOfTheReadmeIsAsExpected) {
  std::ifstream readme(HOLDFAST_SOURCE_DIR "/scenarios/README.md");
  std::string line;
  while (std::getline(readme, line) && !line.starts_with("    { \"version\": 1")) continue;
  write("smallest.json", line);
  const Outcome smallest = run("run smallest.json");
  EXPECT_EQ(smallest.code, 0) << smallest.out << smallest.err;
}

// Four clients have more than a hundred states.
TEST_F(Cli, AFileOfWhichNothingIsKnownIsNotAsExpected) {
  write("open.json", R"({"version": 1, "algorithm": {"name": "token", "params": {"ttl": "9s"}},
    "clients": [{"id": "A"}, {"id": "B"}, {"id": "C"}, {"id": "D"}], "check": ["recovery"],
    "explore": {"states": 100}})");
  const Outcome one = run("run open.json");
  EXPECT_EQ(one.code, 2);
  EXPECT_THAT(one.out, HasSubstr("recovery: unknown, and the file does not expect it"));
  EXPECT_THAT(one.out, HasSubstr("0 of 1 scenario as expected"));
  EXPECT_EQ(run("run open.json open.json").code, 2);
}

TEST_F(Cli, AMissingFileEndsWith66) {
  for (const char* command : {"run", "validate", "show", "replay", "compare --expect"})
    expect_complaint(command + std::string(" nowhere.json"), 66, "nowhere.json: no such file");
  expect_complaint("run two-waiters-both-delete-an-expired-lok", 66,
                   "did you mean \"two-waiters-both-delete-an-expired-lock\"?");
}

TEST_F(Cli, ADirectoryThatCannotBeWrittenToEndsWith66BeforeAnythingIsRun) {
  write("file", "");
  for (const char* out : {"file", "file/below", "/proc/nowhere", "\"\""}) {
    expect_complaint("compare -o " + std::string(out), 66, "no directory that can be written to");
    expect_complaint("run two-waiters-both-delete-an-expired-lock -o " + std::string(out), 66, "(-o DIR)");
  }
}

TEST_F(Cli, AnOutputThatTakesNothingIsNoSuccess) {
  for (const char* command : {"version", "--help", "list algorithms"}) {
    const Outcome full = shell("$H " + std::string(command) + " >/dev/full");
    EXPECT_EQ(full.code, 66) << command;
    EXPECT_THAT(full.err, HasSubstr("stdout: cannot be written: No space left on device\n")) << command;
    EXPECT_EQ(shell("$H " + std::string(command) + " >&-").code, 66) << command;
    const Outcome broken =
        shell("trap \"\" PIPE; { sleep 0.2; $H " + std::string(command) + "; echo $? >&2; } | true");
    EXPECT_EQ(broken.err, "141\n") << command;
  }
}

TEST_F(Cli, AClosedOutputIsNotTheTraceThatIsWrittenNext) {
  EXPECT_EQ(shell("$H " + compare_one_cell + " >&-").code, 66);
  EXPECT_EQ(read_json(its_trace)["schema"], "holdfast/trace/1");
}

TEST_F(Cli, AnInterruptEndsWith130AndSavesWhatIsKnown) {
  const Outcome outcome = shell(
      "$H compare --only \"set-nx-px-as-printed,token\" --clients 3 --attempts 3 -j2 --progress bar --format "
      "json & "
      "until grep -q \"[1-9]/[0-9]* cells\" err.txt; do sleep 0.05; done; kill -INT $!; wait $!");
  EXPECT_EQ(outcome.code, 130);
  const nlohmann::ordered_json saved = read_json("holdfast-out/matrix.json");
  EXPECT_EQ(saved, nlohmann::ordered_json::parse(outcome.out));
  int decided = 0;
  int open = 0;
  for (const auto& cell : saved["cells"]) {
    const bool is_violated = cell["verdict"] == "violated";
    EXPECT_EQ(is_violated, !cell["trace"].is_null());
    EXPECT_TRUE(!is_violated || std::filesystem::exists(path(cell["trace"])));
    decided += is_violated;
    open += cell["verdict"] == "unknown";
  }
  EXPECT_GT(decided, 0);
  EXPECT_GT(open, 0);
}

TEST_F(Cli, AMatrixThatDiffersFromTheExpectedOneEndsWith1) {
  ASSERT_EQ(run(compare_one_cell).code, 0);
  nlohmann::ordered_json matrix = read_json("holdfast-out/matrix.json");
  write("saved.json", matrix.dump());
  EXPECT_EQ(run(compare_one_cell + "--expect saved.json").code, 0);
  ASSERT_EQ(matrix["cells"][0]["verdict"], "violated");
  matrix["cells"][0]["verdict"] = "holds";
  write("saved.json", matrix.dump());
  const Outcome differing = run(compare_one_cell + "--expect saved.json");
  EXPECT_EQ(differing.code, 1);
  EXPECT_EQ(differing.err,
            "set-nx-px-as-printed under none, mutual-exclusion: expected holds, found violated\n"
            "holdfast: 1 verdict differs from saved.json\n");
}

// A lock or a fault that is left out by mistake must not leave the build green.
TEST_F(Cli, AnExpectedCellThatWasNotExploredEndsWith1) {
  const std::string both = "compare --only set-nx-px-as-printed --faults none,crash --attempts 1 ";
  ASSERT_EQ(run(both + "--properties mutual-exclusion --format json > saved.json").code, 0);
  const std::string one = "--properties mutual-exclusion --expect saved.json";
  const Outcome fewer = run(compare_one_cell + "-o fewer " + one);
  EXPECT_EQ(fewer.code, 1);
  EXPECT_EQ(fewer.err,
            "set-nx-px-as-printed under crash, mutual-exclusion: expected violated, not explored\n"
            "holdfast: 1 verdict differs from saved.json\n");
  EXPECT_EQ(run(both + one + " --shard 1/2").code, 0);
}

TEST_F(Cli, AnExpectationThatIsNoMatrixEndsWith65BeforeAnythingIsRun) {
  expect_bad_file("compare --expect", "{\n  [", "bad.json:2:3: error: not JSON");
  expect_bad_file("compare --expect", "{\"cells\": [", "bad.json:1:12: error: not JSON");
  expect_bad_file("compare --expect", "{}", "not a matrix");
  const std::string begin = R"({"schema": "holdfast/matrix/1", "cells": [)";
  expect_bad_file("compare --expect", begin + "3]}", "at /cells/0/verdict");
  expect_bad_file("compare --expect", begin + R"({"verdict": "hold"}]})", "did you mean \"holds\"?");
  expect_bad_file(compare_one_cell + "--expect", begin + "]}", "none of the cells");
}

}  // namespace
}  // namespace holdfast::cli
