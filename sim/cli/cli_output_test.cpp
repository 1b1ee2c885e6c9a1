// What the program prints when all is well.
#include <gmock/gmock-more-matchers.h>

#include <algorithm>
#include <regex>
#include <vector>

#include "reports/terminal.hpp"
#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

const std::vector<std::string> commands = {"compare",  "check",   "run",   "replay",  "show",  "list",
                                           "validate", "explain", "redis", "version", "report"};

class CliOutput : public Program {};

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char letter) { return letter > 0; });
}

TEST_F(CliOutput, EveryCommandIsListedAndHelpsWithExamplesIn80Columns) {
  const Outcome overview = run("--help");
  EXPECT_EQ(overview.code, 0);
  EXPECT_THAT(overview.err, IsEmpty());
  for (const std::string& command : commands) {
    EXPECT_THAT(overview.out, HasSubstr("\n  " + command + " ")) << command;
    const Outcome help = run(command + " --help");
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_THAT(help.err, IsEmpty()) << command;
    EXPECT_THAT(help.out, HasSubstr("\nUsage: holdfast " + command)) << command;
    EXPECT_THAT(help.out, HasSubstr("\nExamples:\n  ")) << command;
    EXPECT_EQ(run(command + " -h").out, help.out) << command;
    for (const std::string& line : lines_of(overview.out + help.out))
      EXPECT_LE(reports::columns(line), 80u) << line;
    EXPECT_TRUE(is_ascii(help.out)) << help.out;
  }
}

// A copy of a DEL deletes the key of the next holder with two clients; it takes another round to enter.
TEST_F(CliOutput, WhatDeepensSaysWithWhatEachPropertyBreaks) {
  const Outcome check = run("check set-nx-px --faults duplicate --width 200");
  EXPECT_THAT(check.out, ContainsRegex("owner-only-release  violated: [0-9]+ steps, with 2 clients once"));
  EXPECT_THAT(check.out, ContainsRegex("mutual-exclusion    violated: [0-9]+ steps, with any number of"));
  EXPECT_THAT(check.out,
              HasSubstr("closed: 2 clients once in steps of 1s · 2 clients once at every instant"));
  const Outcome compare = run("compare --only set-nx-px --faults duplicate");
  EXPECT_EQ(compare.code, 0);
  EXPECT_THAT(compare.out, HasSubstr("rounds and attempts in steps of 1s: 1 of 1 cell closed, 3 properties"));
  const std::string trace = "holdfast-out/set-nx-px+duplicate+mutual-exclusion.trace.json";
  EXPECT_EQ(run("replay " + trace).code, 0);
}

TEST_F(CliOutput, GoesOnDeepeningForAsLongAsItIsAsked) {
  const Outcome usual = run("check set-nx-px --faults none --width 1000");
  EXPECT_THAT(usual.out, Not(HasSubstr("3 clients in steps of 500ms")));
  const Outcome longer = run("check set-nx-px --faults none --width 1000 --deepen 20s");
  EXPECT_THAT(longer.out, HasSubstr("3 clients in steps of 500ms"));
  const Outcome chosen = run("check set-nx-px --faults none --width 1000 --clients 3 --attempts 1");
  EXPECT_THAT(chosen.out, HasSubstr("bounds: 3 clients · 1 round · 1 attempt"));
  EXPECT_THAT(chosen.out, Not(HasSubstr("closed:")));
}

// Nobody asks for replicas unless the parameter `wait` says so, and then the script that looks once more is
// for another value of it.
TEST_F(CliOutput, AwaitsOfALockThatNeverRanAreListed) {
  const std::string waits = "const Reply replicas = co_await Redis(env.store()).wait(1, wait_timeout_);";
  const std::string looks = "const Reply left = co_await Redis(env.store()).eval(time_left";
  const Outcome check = run("check token --faults none --attempts 1 --width 200");
  EXPECT_THAT(check.out, ContainsRegex("Awaits that never ran.*\n  algorithms/token.cpp:[0-9]+  Attempt"));
  EXPECT_THAT(check.out, HasSubstr(waits));
  EXPECT_THAT(check.out, HasSubstr(looks));
  EXPECT_THAT(check.out, Not(HasSubstr("const Reply reply = co_await Redis(env.store()).set(")));
  const Outcome waiting = run("check token --faults none --attempts 1 --width 200 --param wait=once");
  EXPECT_THAT(waiting.out, Not(HasSubstr(waits)));
  EXPECT_THAT(waiting.out, HasSubstr(looks));
  const Json never = Json::parse(
      run("compare --only token,set-nx-px --faults none --attempts 1 --format json").out)["never_ran"];
  for (const Json& each : never) EXPECT_THAT(keys_of(each), ElementsAre("algorithm", "file", "line", "text"));
  EXPECT_EQ(never.size(), 4u);
  EXPECT_EQ(never[1]["text"], waits);
}

TEST_F(CliOutput, TheMatrixAsJsonHasTheKeysOfItsSchemaInTheirOrder) {
  const Outcome outcome = run(compare_one_cell + "--format json --seed 0x1f");
  ASSERT_EQ(outcome.code, 0);
  const Json matrix = Json::parse(outcome.out);
  EXPECT_THAT(keys_of(matrix), ElementsAre("schema", "version", "seed", "bounds", "cells", "costs"));
  EXPECT_EQ(matrix["schema"], "holdfast/matrix/1");
  EXPECT_EQ(matrix["seed"], "0x1f");
  EXPECT_EQ(matrix["bounds"]["attempts"], 1);
  ASSERT_EQ(matrix["cells"].size(), 9u);
  for (const Json& cell : matrix["cells"]) {
    std::vector<std::string> keys = keys_of(cell);
    const bool is_violated = cell["verdict"] == "violated";
    if (is_violated || cell["verdict"] == "not-applicable") {
      EXPECT_EQ(keys.back(), is_violated ? "explanation" : "note");
      keys.pop_back();
    }
    EXPECT_THAT(keys,
                ElementsAre("algorithm", "fault", "property", "belief", "verdict", "strategy", "states",
                            "transitions", "table_bytes", "missed_state_probability", "runs", "trace_length",
                            "trace", "bound", "seconds", "met", "within", "decided_by"));
  }
  ASSERT_EQ(matrix["costs"].size(), 1u);
  EXPECT_THAT(
      keys_of(matrix["costs"][0]),
      ElementsAre("algorithm", "workload", "clients", "commands_per_acquire", "wait_ms_p50", "wait_ms_p99",
                  "bypass_max", "jain_fairness", "round_trips_per_acquire", "commands_alone",
                  "round_trips_alone", "wasted_polls", "wake_up_ms_p50", "wake_up_ms_p99"));
  EXPECT_EQ(outcome.out, read("holdfast-out/matrix.json"));
}

TEST_F(CliOutput, TheSameSeedGivesTheSameBytesForAnyNumberOfThreads) {
  const std::string few =
      "compare --only token,setnx-expire --faults none,slow-section --format json --seed 7 ";
  const std::string first = without_seconds(run(few + "-j1").out);
  EXPECT_EQ(Json::parse(first)["cells"].size(), 38u);
  EXPECT_EQ(without_seconds(run(few + "-j1").out), first);
  EXPECT_EQ(without_seconds(run(few + "-j2").out), first);
}

TEST_F(CliOutput, JunitIsWellFormedAndHasOneCaseForEachCellAndProperty) {
  for (const std::string& command : {compare_one_cell, "check" + one_cell}) {
    const std::string xml = run(command + "--format junit").out;
    EXPECT_THAT(xml, StartsWith("<?xml "));
    std::vector<std::string> open;
    int cases = 0;
    const std::regex tag("<(/?)([a-z]+)[^<>]*?(/?)>");
    for (std::sregex_iterator at(xml.begin(), xml.end(), tag), end; at != end; ++at) {
      cases += (*at)[1].length() == 0 && (*at)[2] == "testcase";
      if ((*at)[3].length() != 0) continue;
      if ((*at)[1].length() == 0) {
        open.push_back((*at)[2]);
        continue;
      }
      ASSERT_THAT(open, Not(IsEmpty()));
      EXPECT_EQ(open.back(), (*at)[2]);
      open.pop_back();
    }
    EXPECT_THAT(open, IsEmpty());
    EXPECT_EQ(cases, 9);
  }
}

TEST_F(CliOutput, MarkdownIsATableWithEqualRows) {
  const std::string markdown = run(compare_one_cell + "--format markdown").out;
  std::ptrdiff_t bars = 0;
  int rows = 0;
  for (const std::string& line : lines_of(markdown)) {
    if (!line.starts_with("|")) {
      bars = 0;
      continue;
    }
    const std::ptrdiff_t here = std::count(line.begin(), line.end(), '|');
    EXPECT_TRUE(bars == 0 || here == bars) << line;
    bars = here;
    ++rows;
  }
  EXPECT_GE(rows, 3);
  EXPECT_THAT(markdown, HasSubstr("set-nx-px-as-printed"));
}

TEST_F(CliOutput, ColourIsForTerminalsThatWantIt) {
  const std::string escape = "\x1b[";
  EXPECT_THAT(run(compare_one_cell).out, Not(HasSubstr(escape)));
  EXPECT_THAT(run(compare_one_cell + "--color always").out, HasSubstr(escape));
  if (shell("script -qec true /dev/null").code != 0) GTEST_SKIP() << "there are no pseudo-terminals here";
  const auto on_terminal = [&](const std::string& environment, const std::string& option) {
    return shell("script -qec \"env TERM=xterm " + environment + " $H " + compare_one_cell +
                 "--progress none " + option + "\" /dev/null")
        .out;
  };
  EXPECT_THAT(on_terminal("", ""), HasSubstr(escape));
  EXPECT_THAT(on_terminal("NO_COLOR=1", ""), Not(HasSubstr(escape)));
  EXPECT_THAT(on_terminal("TERM=dumb", ""), Not(HasSubstr(escape)));
  EXPECT_THAT(on_terminal("", "--color never"), Not(HasSubstr(escape)));
  EXPECT_THAT(on_terminal("NO_COLOR=1", "--color always"), HasSubstr(escape));
}

TEST_F(CliOutput, AsciiMeansAsciiOnly) {
  ASSERT_EQ(run(compare_one_cell).code, 0);
  for (const std::string& command :
       {compare_one_cell, "check" + one_cell, "show " + its_trace, "show --as story " + its_trace,
        "show --as table " + its_trace, "replay " + its_trace, std::string("list algorithms"),
        std::string("list faults"), std::string("list properties"), std::string("list scenarios"),
        std::string("explain getset"), std::string("explain recovery"), std::string("explain pause"),
        std::string("run two-waiters-both-delete-an-expired-lock")}) {
    const std::string out = run(command + " --ascii").out;
    EXPECT_THAT(out, Not(IsEmpty())) << command;
    EXPECT_TRUE(is_ascii(out)) << command << "\n" << out;
    EXPECT_TRUE(is_ascii(shell("LC_ALL=C $H " + command).out)) << command;
  }
}

TEST_F(CliOutput, ASavedTraceReplaysAndShowsInEveryView) {
  ASSERT_EQ(run("check" + one_cell).code, 1);
  const Outcome replayed = run("replay " + its_trace);
  EXPECT_EQ(replayed.code, 0);
  EXPECT_THAT(replayed.out,
              HasSubstr("fingerprint " + std::string(read_json(its_trace)["fingerprint"]) + " as recorded"));
  const Outcome sequence = run("show " + its_trace);
  EXPECT_EQ(sequence.code, 0);
  EXPECT_THAT(sequence.out, HasSubstr("redis-1"));
  EXPECT_EQ(run("show --as sequence " + its_trace).out, sequence.out);
  EXPECT_THAT(run("show --as story " + its_trace).out, HasSubstr("A "));
  const std::vector<std::string> rows = lines_of(run("show --as table " + its_trace).out);
  ASSERT_GE(rows.size(), 2u);
  for (const std::string& row : rows)
    EXPECT_EQ(std::count(row.begin(), row.end(), '\t'), std::count(rows[0].begin(), rows[0].end(), '\t'))
        << row;
}

TEST_F(CliOutput, ResultsHavePagesThatCanBeWrittenAnew) {
  ASSERT_EQ(run(compare_one_cell).code, 0);
  const std::string page = "holdfast-out/set-nx-px-as-printed+none+mutual-exclusion.html";
  const std::string index = read("holdfast-out/index.html");
  EXPECT_THAT(index, HasSubstr("href=\"set-nx-px-as-printed+none+mutual-exclusion.html\""));
  const std::string first = read(page);
  EXPECT_THAT(first, HasSubstr("algorithms/set_nx_px_as_printed.cpp"));
  shell("rm holdfast-out/*.html");
  const Outcome outcome = run("report holdfast-out");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "holdfast-out/index.html\n");
  EXPECT_EQ(read(page), first);
  EXPECT_EQ(run("report nowhere").code, 66);
  write("holdfast-out/matrix.json", "{}");
  EXPECT_EQ(run("report").code, 65);
}

TEST_F(CliOutput, ATraceIsExportedInEveryFormat) {
  ASSERT_EQ(run("check" + one_cell).code, 1);
  for (const auto& [format, begin] :
       {std::pair("html", "<!doctype html>"), std::pair("svg", "<svg "),
        std::pair("mermaid", "sequenceDiagram"), std::pair("plantuml", "@startuml"),
        std::pair("markdown", "## "), std::pair("perfetto", "{"), std::pair("itf", "{"),
        std::pair("json", "{")}) {
    const Outcome outcome = run("show " + its_trace + " --format " + format);
    EXPECT_EQ(outcome.code, 0) << format;
    EXPECT_TRUE(outcome.out.starts_with(begin)) << format;
  }
}

TEST_F(CliOutput, ATraceIsToldInChinese) {
  ASSERT_EQ(run("check" + one_cell).code, 1);
  const Outcome page = run("show " + its_trace + " --format html --language zh");
  EXPECT_THAT(page.out, HasSubstr("<html lang=\"zh-Hans\">"));
  EXPECT_THAT(page.out, HasSubstr("亲手破坏它"));
  EXPECT_THAT(run("show " + its_trace + " --as story --language zh").out, HasSubstr("认为自己持有锁"));
  EXPECT_EQ(run("report --language zh").code, 0);
  EXPECT_THAT(read("holdfast-out/set-nx-px-as-printed+none+mutual-exclusion.html"), HasSubstr("信念与真相"));
}

// Every choice that the run was asked for, with what each answer leads to.
TEST_F(CliOutput, APageAsksWhatItsRunWasAsked) {
  ASSERT_EQ(run("check" + one_cell).code, 1);
  const std::string page = run("show " + its_trace + " --format html").out;
  const std::size_t begin = page.find("id=\"run\">") + 9;
  const Json data = Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  const Json tape = Json::parse(read(its_trace))["tape"];
  ASSERT_EQ(data["game"]["moves"].size(), tape.size());
  for (const Json& move : data["game"]["moves"]) {
    EXPECT_GE(move["options"].size(), 2u);
    EXPECT_LT(move["picked"], move["options"].size());
    EXPECT_LT(move["steps"], data["steps"].back());
    for (const Json& option : move["options"]) EXPECT_NE(option, "");
  }
  EXPECT_EQ(data["game"]["moves"][0]["question"], "What happens next?");
  EXPECT_THAT(page, HasSubstr("<figcaption>algorithms/set_nx_px_as_printed.cpp:"));
  EXPECT_THAT(page, HasSubstr("<mark>"));  // the line itself, as the sources are there
}

TEST_F(CliOutput, PagesTellWhatHasChangedSinceABaseline) {
  ASSERT_EQ(run("baseline save main --only" + one_cell).code, 0);
  ASSERT_EQ(run("baseline compare main").code, 0);
  ASSERT_EQ(run(compare_one_cell).code, 0);
  EXPECT_THAT(read("holdfast-out/index.html"),
              HasSubstr("<h2>Since the baseline main</h2>\n<p>Nothing has changed.</p>"));
  shell("sed -i 's/violated/holds/' holdfast-baselines/main.json");
  ASSERT_EQ(run("baseline compare main").code, 3);
  EXPECT_EQ(run("report").code, 0);
  EXPECT_THAT(read("holdfast-out/index.html"), HasSubstr("<th scope=\"row\">regression</th>"));
}

TEST_F(CliOutput, PagesTellTheEnvelopesOfTheirDirectory) {
  ASSERT_EQ(run(compare_one_cell).code, 0);
  ASSERT_EQ(run("envelope token --fault pause --property mutual-exclusion").code, 0);
  EXPECT_EQ(run("report").code, 0);
  EXPECT_THAT(read("holdfast-out/index.html"), HasSubstr("<h2>How much of a fault token takes</h2>"));
  EXPECT_THAT(read("holdfast-out/index.html"),
              HasSubstr("<th scope=\"row\">pause</th><td>mutual-exclusion</td>"));
  write("holdfast-out/token.envelope.json", R"({"schema": "holdfast/envelope/1", "algorithm": "x"})");
  EXPECT_EQ(run("report").code, 65);
}

TEST_F(CliOutput, AParameterReplacesItsDefaultAndTheTraceReplays) {
  const Outcome outcome =
      run("check token --fault none --attempts 1 --param ttl=1s --param ttl=0s --format json");
  const Json matrix = Json::parse(outcome.out);
  EXPECT_EQ(matrix["bounds"]["ttl"], "0ms");
  for (const Json& cell : matrix["cells"])
    EXPECT_TRUE(cell["trace"].is_null() || run("replay " + std::string(cell["trace"])).code == 0) << cell;
}

TEST_F(CliOutput, EveryLessonIsAsExpected) {
  const Outcome outcome =
      run("run --progress none --format json " HOLDFAST_SOURCE_DIR "/scenarios/lessons/*.json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_EQ(Json::parse(outcome.out)["schema"], "holdfast/run/1");
  EXPECT_EQ(run("validate " HOLDFAST_SOURCE_DIR "/scenarios/lessons/*.json").code, 0);
}

TEST_F(CliOutput, WhatIsListedCanBeExplainedOrRun) {
  for (const char* what : {"algorithms", "faults", "properties", "workloads"}) {
    const Outcome listed = run("list --format json " + std::string(what));
    EXPECT_EQ(listed.code, 0) << what;
    EXPECT_THAT(Json::parse(listed.out), Not(IsEmpty())) << what;
  }
  EXPECT_THAT(run("list algorithms").out, HasSubstr("token"));
  EXPECT_THAT(run("list scenarios").out, HasSubstr("two-waiters-both-delete-an-expired-lock"));
  EXPECT_EQ(run("run two-waiters-both-delete-an-expired-lock").code, 0);
  for (const char* name : {"token", "pause", "recovery", "until-release", "holds", "open-load"}) {
    const Outcome explained = run("explain " + std::string(name));
    EXPECT_EQ(explained.code, 0) << name;
    EXPECT_THAT(explained.out, HasSubstr(name)) << name;
  }
}

TEST_F(CliOutput, AWorkloadIsPartOfTheBoundsAndSaysWhereItSaysNothing) {
  const Outcome past = run("check token --workload long-section --fault none --format json");
  EXPECT_EQ(past.code, 1);
  const Json matrix = Json::parse(past.out);
  EXPECT_EQ(matrix["bounds"]["workload"], "long-section");
  EXPECT_EQ(matrix["bounds"]["section"], "8s");
  EXPECT_EQ(matrix["cells"][0]["verdict"], "violated");
  const Outcome none =
      run("compare --only token,fair-rw --workload reader-flood --attempts 1 --fault none "
          "--format json");
  EXPECT_EQ(none.code, 0);
  for (const Json& cell : Json::parse(none.out)["cells"]) {
    const bool has_readers = cell["algorithm"] == "fair-rw";
    EXPECT_EQ(cell["verdict"], has_readers ? "holds" : "not-applicable");
    EXPECT_EQ(cell.value("note", ""), has_readers ? "" : "the lock has no readers");
  }
  const Outcome unconcerned = run("envelope token --workload reader-flood --fault pause");
  EXPECT_EQ(unconcerned.code, 64);
  EXPECT_THAT(unconcerned.err, HasSubstr("--workload reader-flood: does not apply to token: the lock has"));
  const Outcome misspelt = run("check token --workload reader-floot");
  EXPECT_EQ(misspelt.code, 64);
  EXPECT_THAT(misspelt.err, HasSubstr("did you mean \"reader-flood\"?"));
  EXPECT_EQ(run("compare --traits --workload open-load").code, 64);
  const Outcome others = run("check token --workload cache-fill --properties reentrancy");
  EXPECT_EQ(others.code, 64);
  EXPECT_THAT(others.err, HasSubstr("those of --workload cache-fill do not: ask for nested"));
}

TEST_F(CliOutput, BothVersionsAgree) {
  const Outcome shown = run("version");
  EXPECT_EQ(shown.code, 0);
  EXPECT_THAT(shown.out, StartsWith(run("--version").out));
}

TEST_F(CliOutput, ProgressIsOneLineThatFitsAndIsGoneAtTheEnd) {
  const std::string slow =
      "compare --only getset --faults pause --clients 3 --attempts 2 --budget 3s --progress bar ";
  const std::string bar = shell("COLUMNS=50 $H " + slow).err;
  ASSERT_THAT(bar, HasSubstr("/1 cells, "));
  EXPECT_THAT(bar, Not(HasSubstr("\n")));
  EXPECT_TRUE(bar.ends_with("\r\x1b[K"));
  for (std::size_t at = bar.find("\r\x1b[K"); at != std::string::npos; at = bar.find("\r\x1b[K", at + 1)) {
    const std::string rest = bar.substr(at + 4);
    EXPECT_LT(rest.substr(0, rest.find('\r')).size(), 50u);
  }
}

}  // namespace
}  // namespace holdfast::cli
