// Files that are too large, too new or half done, and places where nothing can be written: one clear line
// each.
#include <gmock/gmock-more-matchers.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>

#include "sim/cli/program_test.hpp"
#include "sim/core/arena.hpp"

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

// What CI, timeout(1), docker, Slurm and Kubernetes send, and a terminal that is closed.
TEST_F(Hardening, SigtermAndSighupSaveWhatSigintSaves) {
  for (const char* signal : {"TERM", "HUP"}) {
    const Outcome ended = shell(
        "$H compare --only set-nx-px-as-printed,token --clients 3 --attempts 3 -j2 --progress bar & "
        "until grep -q \"[1-9]/[0-9]* cells\" err.txt; do sleep 0.05; done; kill -" +
        std::string(signal) + " $!; wait $!");
    EXPECT_EQ(ended.code, 130) << signal;
    EXPECT_THAT(ended.out, HasSubstr("interrupted: ")) << signal;
    EXPECT_EQ(read_json("holdfast-out/matrix.json")["interrupted"], true) << signal;
    std::filesystem::remove_all(path("holdfast-out"));
  }
}

// A limit on the size of files is the nearest thing to a full disk that every machine has.
TEST_F(Hardening, AFullDiskLeavesTheMatrixOnStdoutAndNoHalfFiles) {
  for (const std::string& command : {"compare --only" + one_cell, "check" + one_cell}) {
    write("small.sh", "trap \"\" XFSZ; ulimit -f 1; exec $H " + command);
    const Outcome small = shell("sh small.sh | cat; exec $H redis </dev/null");
    EXPECT_THAT(small.out, HasSubstr("mutual-exclusion")) << command;
    EXPECT_THAT(small.err, HasSubstr("cannot be written: File too large")) << command;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path("holdfast-out")))
      EXPECT_TRUE(entry.is_directory() || (entry.path().extension() != ".part" && entry.file_size() > 0))
          << entry.path();
  }
}

TEST_F(Hardening, AReportLeavesABadFileOutAndWritesTheOthers) {
  ASSERT_EQ(run(compare_one_cell).code, 0);
  nlohmann::ordered_json forged = read_json(its_trace);
  forged["findings"][0]["because"] = "All is well.";
  std::filesystem::remove(path("holdfast-out/index.html"));
  write("holdfast-out/empty.trace.json", "");
  write("holdfast-out/forged.trace.json", forged.dump());
  const Outcome outcome = run("report");
  EXPECT_EQ(outcome.code, 65);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("empty.trace.json:1:1: error: the file is empty"),
                                 HasSubstr("forged.trace.json: the replay differs: "),
                                 HasSubstr("2 pages left out, as above")));
  EXPECT_TRUE(std::filesystem::exists(path("holdfast-out/index.html")));
  EXPECT_FALSE(std::filesystem::exists(path("holdfast-out/forged.html")));
}

// Only deeper bounds break these locks under these faults: the runs replay in their scenarios alone. So the
// game of a page has all moves of its run.
TEST_F(Hardening, PagesOfAComparisonAreThoseOfItsReport) {
  for (const std::string cell : {"setnx-del-recovery --faults none", "redis-objects --faults duplicate"}) {
    std::filesystem::remove_all(path("holdfast-out"));
    ASSERT_EQ(run("compare --only " + cell).code, 0);
    const auto pages = [&] {
      std::map<std::string, std::string> texts;
      for (const auto& entry : std::filesystem::directory_iterator(path("holdfast-out")))
        // The index of a comparison says how long it took.
        if (entry.path().extension() == ".html" && entry.path().stem() != "index")
          texts[entry.path().stem()] = read(entry.path());
      return texts;
    };
    const auto compared = pages();
    EXPECT_THAT(compared, testing::Not(IsEmpty())) << cell;
    for (const auto& [name, page] : compared) {
      const std::size_t begin = page.find("id=\"run\">") + 9;
      const auto shown = nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
      const auto tape = read_json("holdfast-out/" + name + ".trace.json")["tape"];
      EXPECT_EQ(shown["game"]["moves"].size(), tape.size()) << name;
    }
    ASSERT_EQ(run("report").code, 0);
    for (const auto& [name, page] : pages()) EXPECT_TRUE(compared.at(name) == page) << name;
  }
}

TEST_F(Hardening, APageThatStandsSomewhereNamesItsCard) {
  ASSERT_EQ(run(compare_one_cell).code, 0);
  const std::string name = "holdfast-out/set-nx-px-as-printed+none+mutual-exclusion";
  EXPECT_THAT(read(name + ".html"), testing::Not(HasSubstr("og:image")));
  ASSERT_EQ(run("report --site https://example.org/locks").code, 0);
  const std::string address =
      "https://example.org/locks/set-nx-px-as-printed%2Bnone%2Bmutual-exclusion.card.";
  EXPECT_THAT(read(name + ".html"), HasSubstr("<meta property=\"og:image\" content=\"" + address + "svg\">"));
  EXPECT_THAT(read(name + ".card.svg"), HasSubstr("viewBox=\"0 0 1200 630\""));
  write(name + ".card.png", "as somebody made it");
  ASSERT_EQ(run("report --site https://example.org/locks/").code, 0);
  EXPECT_THAT(read(name + ".html"), HasSubstr("content=\"" + address + "png\""));
  const Outcome outcome = run("report --site example.org");
  EXPECT_EQ(outcome.code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("--site: an address begins with https:// or http://"));
}

TEST_F(Hardening, InChineseAllHeadingsAndColumnsOfTheIndexAre) {
  ASSERT_EQ(run(compare_one_cell).code, 0);
  ASSERT_EQ(run("envelope token --fault pause --property mutual-exclusion").code, 0);
  ASSERT_EQ(run("report --language zh").code, 0);
  const std::string page = read("holdfast-out/index.html");
  const std::string body = page.substr(page.find("<body>"), page.rfind("<script>") - page.find("<body>"));
  const std::regex heading("<(h1|h2|summary|button|label|dt|th scope=\"col\")[^>]*>([^<]*)");
  std::size_t count = 0;
  for (std::sregex_iterator it(body.begin(), body.end(), heading), end; it != end; ++it, ++count) {
    const std::string text = (*it)[2];
    const bool is_chinese =
        std::any_of(text.begin(), text.end(), [](char letter) { return (letter & 0x80) != 0; });
    EXPECT_TRUE(text.empty() || is_chinese || text == "holdfast") << text;
  }
  EXPECT_GT(count, 40u);
  for (const char* told : {"2 个客户端", "持锁工作最多", "结论的范围", "token 经得起多大的故障"})
    EXPECT_THAT(body, HasSubstr(told));
}

// Nobody looks at an empty screen until the last lock is known.
TEST_F(Hardening, ATerminalShowsEachLockAsSoonAsItsCellsAreKnown) {
  if (shell("script -qec true /dev/null").code != 0) GTEST_SKIP() << "there are no pseudo-terminals here";
  const std::string command = "compare --only setnx,token --faults none,pause --attempts 1 --progress none";
  const std::string out =
      shell("script -qec \"env TERM=xterm NO_COLOR=1 COLUMNS=100 $H " + command + "\" /dev/null").out;
  const std::size_t matrix = out.find("seed 0x1");
  const std::size_t row = out.find("token                   ✔ 1 ✘ pause 18 MW");
  EXPECT_LT(row, matrix) << out;
  EXPECT_LT(out.find("setnx                   ✔ 1 ✘ pause 25 R"), matrix) << out;
  EXPECT_THAT(run(command).out, testing::Not(HasSubstr("✔ 1 ✘ pause 18 MW")));
}

TEST_F(Hardening, ANarrowTerminalIsToldHowLongItWillTake) {
  const Outcome outcome =
      shell("COLUMNS=40 $H compare --only token,setnx --clients 3 --attempts 2 --budget 4s --progress bar");
  const std::string clear = "\x1b[K";
  std::size_t told = 0;
  for (std::size_t at = outcome.err.find(clear); at != std::string::npos;) {
    const std::size_t begin = at + clear.size();
    at = outcome.err.find(clear, begin);
    const std::string state = outcome.err.substr(begin, outcome.err.find('\r', begin) - begin);
    EXPECT_LT(state.size(), 40u) << state;
    if (state.find(" cells") == std::string::npos && state.find("left") == std::string::npos) continue;
    if (!state.starts_with("0/")) told += state.ends_with(" s left") ? 1 : 0;
    EXPECT_TRUE(state.starts_with("0/") || state.ends_with(" s left")) << state;
  }
  EXPECT_GT(told, 0u) << outcome.err;
}

// University labs and batch systems limit addresses.
TEST_F(Hardening, ALimitOnAddressesIsNamedAndIsNoBug) {
  if (!Arena::is_available()) GTEST_SKIP() << "sanitizers need more addresses than any such limit";
  const std::string command = "exec $H check token --fault crash -j2 --format json";
  const Outcome limited = shell("ulimit -v 2000000; " + command);
  EXPECT_EQ(limited.code, 0) << limited.err;
  EXPECT_EQ(without_seconds(limited.out), without_seconds(shell(command).out));
  EXPECT_EQ(shell("ulimit -v 2000000; exec $H lesson 6").code, 0);
  const Outcome tiny = shell("ulimit -v 80000; " + command);
  EXPECT_EQ(tiny.code, 66) << tiny.err;
  EXPECT_THAT(tiny.err, HasSubstr("ulimit -v"));
}

TEST_F(Hardening, ALockOnNoServerOrOnAMillionIsRefused) {
  for (const char* nodes : {"0", "33", "1000000"})
    for (const char* command : {"check redlock", "envelope redsync --fault pause", "live node-redlock"})
      expect_line("$H " + std::string(command) + " --param nodes=" + nodes, 64,
                  "but must be a whole number from 1 to 32");
}

}  // namespace
}  // namespace holdfast::cli
