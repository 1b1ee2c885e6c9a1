// README.md and the reference: every command in them is one that works.
#include <gmock/gmock-matchers.h>

#include <regex>
#include <set>

#include "sim/cli/program_test.hpp"
#include "sim/live/nginx_process.hpp"
#include "sim/live/redis_process.hpp"

namespace holdfast::cli {
namespace {

class Readme : public Program {
 protected:
  // What stands in code as "./holdfast …" or "holdfast …", without the comments behind it.
  static std::vector<std::string> commands(const std::string& file) {
    std::ifstream in(HOLDFAST_SOURCE_DIR "/" + file);
    const std::regex inside("`(?:\\./)?holdfast ([^`]+)`");
    const std::regex alone("^(?:(?:\\s*- run: )?(?:\\./)?holdfast|\\s*command:) ([^#]+?)\\s*(#.*)?$");
    std::vector<std::string> found;
    bool is_block = false;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("```")) is_block = !is_block;
      std::smatch match;
      if (is_block && std::regex_match(line, match, alone)) found.push_back(match[1]);
      if (is_block) continue;
      for (std::sregex_iterator each(line.begin(), line.end(), inside), end; each != end; ++each)
        found.push_back((*each)[1]);
    }
    return found;
  }
  // The block of a file that begins with this line.
  static std::vector<std::string> block_of(const std::string& file, std::string_view begin) {
    std::ifstream in(HOLDFAST_SOURCE_DIR "/" + file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
      if (lines.empty() ? line.starts_with(begin) : !line.starts_with("```")) lines.push_back(line);
      else if (!lines.empty()) break;
    }
    return lines;
  }
  static bool begins_with(const std::string& command, const std::vector<std::string>& words) {
    for (const std::string& word : words)
      if (command == word || command.starts_with(word + " ")) return true;
    return false;
  }
};

TEST_F(Readme, EveryCommandInItAndInTheReferenceWorks) {
  // What earlier commands of a reader have left: results, a baseline, shards of a comparison, a copy of the
  // lessons.
  ASSERT_EQ(run("check token --faults pause,late-request").code, 1);
  ASSERT_EQ(run("baseline save main --only" + one_cell).code, 0);
  ASSERT_EQ(shell("for i in 1 2 3; do $H compare --only" + one_cell +
                  "--shard $i/3 --format json >$i.json; done; "
                  "cp 1.json matrix.json; ln -s " HOLDFAST_SOURCE_DIR "/scenarios " HOLDFAST_SOURCE_DIR
                  "/algorithms .")
                .code,
            0);
  const bool has_redis = live::RedisProcess::start() != nullptr;
  // The script that it shows.
  std::string script;
  for (const std::string& line : block_of("README.md", "local redis = ")) script += line + "\n";
  write("my_lock.lua", script);
  // A reader's program: in Perl, which every Debian has, whatever language the text speaks of.
  write("my_lock.py", "while (sysread STDIN, my $line, 99) { syswrite STDOUT, qq(refused\n) }\n");
  const bool has_nginx = live::NginxProcess::missing().empty();
  std::vector<std::string> all = commands("README.md");
  EXPECT_GT(all.size(), 8u);
  for (const std::string& command : commands("sim/cli/README.md")) all.push_back(command);
  EXPECT_GT(all.size(), 25u);
  std::set<std::string> done;
  for (const std::string& command : all) {
    if (!done.insert(command).second) continue;
    // The launcher's own: ctest is what runs this. A word in capitals stands for words of the reader.
    const bool is_template = std::regex_search(command, std::regex("\\b[A-Z]{2,}\\b"));
    if (begins_with(command, {"test", "package"}) || is_template) continue;
    const bool needs_redis =
        begins_with(command, {"live", "bench live", "hunt"}) || command.find("--live") != std::string::npos;
    if (needs_redis && !has_redis) continue;
    // This lock lives in nginx, with its module for Lua.
    if (needs_redis && !has_nginx && command.find("resty-lock") != std::string::npos) continue;
    // Enough to know that every word is understood, also where real time passes.
    const bool takes_time = begins_with(command, {"compare", "check", "diff", "baseline save", "run", "show",
                                                  "bench", "choose", "ttl", "envelope", "assumptions"});
    const std::size_t redirection = command.find_first_of(">|");
    std::string words = command.substr(0, redirection) + (takes_time ? " --budget 1s" : "");
    // One comparison of every lock, the shortest to write, is enough: before all budgets, each is rehearsed.
    if (begins_with(command, {"compare"}) && command != "compare" &&
        command.find("--only") == std::string::npos)
      words += " --only token";
    words = std::regex_replace(words, std::regex("--seconds [0-9]+"), "--seconds 1");
    if (begins_with(command, {"live"}) && words.find("--seconds") == std::string::npos)
      words += " --seconds 1";
    words = std::regex_replace(words, std::regex("python3 my_lock"), "perl my_lock");
    if (command == "hunt") words += " token --faults crash --seconds 1";
    words += " </dev/null";
    if (redirection != std::string::npos) words += " " + command.substr(redirection);
    // A server: it listens at any port that is free, until it is told to end, once: a
    // second signal means that it must end at once.
    const bool serves = begins_with(command, {"redis --listen", "serve"});
    words = std::regex_replace(words, std::regex("127\\.0\\.0\\.1:6390"), "127.0.0.1:0");
    const std::string begin = serves ? "exec timeout --foreground --preserve-status 1 $H " : "exec $H ";
    write("command.sh", begin + words + "\n");
    const Outcome outcome = shell("sh command.sh");
    EXPECT_THAT(outcome.code, testing::AnyOf(0, 1, 2, 3)) << command << "\n" << outcome.err;
  }
}

// The composite action that the reference's workflow uses is there, and takes what it is given.
TEST_F(Readme, TheWorkflowNamesAnActionThatTakesItsInputs) {
  const std::vector<std::string> workflow = block_of("sim/cli/README.md", "# .github/workflows/locks.yml");
  const std::regex uses("\\s*- uses: \\./holdfast/(\\S+)");
  const std::regex input("\\s{10}([a-z]+): .*");
  std::string action;
  std::size_t inputs = 0;
  for (const std::string& line : workflow) {
    std::smatch match;
    if (std::regex_match(line, match, uses)) {
      std::ifstream in(HOLDFAST_SOURCE_DIR "/" + match[1].str() + "/action.yml");
      std::ostringstream text;
      text << in.rdbuf();
      action = text.str();
      EXPECT_THAT(action, testing::HasSubstr("using: composite"));
    } else if (!action.empty() && std::regex_match(line, match, input)) {
      EXPECT_THAT(action, testing::HasSubstr("\n  " + match[1].str() + ":\n    description: "));
      ++inputs;
    }
  }
  EXPECT_EQ(inputs, 2u);
}

// Its last step, as a runner executes it: the words of the command with their quotes, the output, the code.
TEST_F(Readme, TheActionEndsWithTheCodeOfItsCommand) {
  std::ifstream in(HOLDFAST_SOURCE_DIR "/.github/actions/holdfast/action.yml");
  std::string script;
  bool is_last = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "        # The words of the command, with their quotes.") is_last = true;
    else if (is_last && !line.starts_with("        ")) break;
    if (is_last) script += line + "\n";
  }
  write("step.sh", script);
  std::filesystem::create_directory(path("source"));
  std::filesystem::create_symlink(HOLDFAST_BINARY_DIR "/holdfast", path("source/holdfast"));
  const auto step = [&](const std::string& command) {
    write("command", command);
    return shell("ROOT=source OUTPUT=out.md COMMAND=$(cat command) sh -e step.sh");
  };
  const Outcome violated = step("check set-nx-px-as-printed --faults 'non*' --format markdown");
  EXPECT_EQ(violated.code, 1) << violated.err;
  EXPECT_THAT(violated.out, testing::HasSubstr("mutual-exclusion"));
  EXPECT_EQ(read("out.md"), violated.out);
  EXPECT_EQ(step("version").code, 0);
  EXPECT_EQ(step("check no-such-lock").code, 64);
}

TEST_F(Readme, CountsTheLocksThatAreListed) {
  const auto listed = nlohmann::ordered_json::parse(run("list algorithms --format json").out);
  const std::string says = "the code of " + std::to_string(listed.at("algorithms").size()) + " locks";
  std::ifstream in(HOLDFAST_SOURCE_DIR "/README.md");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  EXPECT_NE(text.find(says), std::string::npos) << "README.md does not say: " << says;
}

TEST_F(Readme, WhatItShowsIsWhatTheProgramPrints) {
  struct Shown {
    std::string file;
    std::string_view begin;
    std::string command;
  };
  const std::vector<Shown> all{
      {"README.md", "     7    4s", "check resty-lock --fault pause --property owner-only-release"},
      {"sim/cli/README.md", "lock       mutual exclusion",
       "compare --traits --only set-nx-px,token,reentrant"},
      {"sim/cli/README.md", "fault  property", "envelope token --fault pause"},
      {"sim/cli/README.md", "  ttl       2.52s", "ttl token --pause 2s --work 500ms --rtt 20ms"}};
  for (const auto& [file, begin, command] : all) {
    const std::string out = run(command).out;
    const std::vector<std::string> block = block_of(file, begin);
    EXPECT_GT(block.size(), 3u) << file << ", " << begin;
    std::size_t place = 0;
    for (const std::string& line : block) {
      place = out.find(line + "\n", place);
      ASSERT_NE(place, std::string::npos) << file << " shows what " << command << " does not print here:\n"
                                          << line;
    }
  }
}

}  // namespace
}  // namespace holdfast::cli
