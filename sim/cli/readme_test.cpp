// README.md and the reference: every command in them is one that works.
#include <gmock/gmock-matchers.h>

#include <regex>

#include "sim/cli/program_test.hpp"
#include "sim/live/redis_process.hpp"

namespace holdfast::cli {
namespace {

class Readme : public Program {
 protected:
  // What stands in code as "./holdfast …" or "holdfast …", without the comments behind it.
  static std::vector<std::string> commands(const std::string& file) {
    std::ifstream in(HOLDFAST_SOURCE_DIR "/" + file);
    const std::regex inside("`(?:\\./)?holdfast ([^`]+)`");
    const std::regex alone("^(?:\\s*- run: )?(?:\\./)?holdfast ([^#]+?)\\s*(#.*)?$");
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
                  "cp 1.json matrix.json; ln -s " HOLDFAST_SOURCE_DIR "/scenarios scenarios")
                .code,
            0);
  const bool has_redis = live::RedisProcess::start() != nullptr;
  std::vector<std::string> all = commands("README.md");
  EXPECT_GT(all.size(), 8u);
  for (const std::string& command : commands("sim/cli/README.md")) all.push_back(command);
  EXPECT_GT(all.size(), 25u);
  for (const std::string& command : all) {
    // The launcher's own: ctest is what runs this. A word in capitals stands for words of the reader.
    if (begins_with(command, {"test"}) || std::regex_search(command, std::regex("\\b[A-Z]{2,}\\b"))) continue;
    const bool needs_redis =
        begins_with(command, {"live", "bench live"}) || command.find("--live") != std::string::npos;
    if (needs_redis && !has_redis) continue;
    // Enough to know that every word is understood.
    const bool explores = begins_with(command, {"compare", "check", "diff", "baseline save"});
    const bool takes_time = explores || begins_with(command, {"run", "show", "bench"});
    const std::size_t redirection = command.find_first_of(">|");
    std::string words = command.substr(0, redirection) + (takes_time ? " --budget 1s" : "") + " </dev/null";
    if (redirection != std::string::npos) words += " " + command.substr(redirection);
    write("command.sh", "exec $H " + words + "\n");
    const Outcome outcome = shell("sh command.sh");
    EXPECT_THAT(outcome.code, testing::AnyOf(0, 1, 2, 3)) << command << "\n" << outcome.err;
  }
}

}  // namespace
}  // namespace holdfast::cli
