// Measuring in turns: each sample is a run of a program of its own, so that no sample inherits what an
// earlier one left in memory, and an older program can be measured beside this one.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "sim/cli/measured.hpp"
#include "sim/cli/options.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

// What `program` printed for these words. Throws UserError unless it ended with 0.
std::string output_of(const std::string& program, std::vector<std::string> words) {
  words.insert(words.begin(), program);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw UserError(exit_missing_file, "no pipe: " + std::generic_category().message(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t child = 0;
  const int failure = posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  if (failure == 0) {
    std::array<char, 4096> block{};
    for (ssize_t got = 1; got > 0 || (got < 0 && errno == EINTR);) {
      got = read(ends[0], block.data(), block.size());
      if (got > 0) text.append(block.data(), static_cast<std::size_t>(got));
    }
  }
  close(ends[0]);
  if (failure != 0)
    throw UserError(exit_missing_file,
                    fmt::format("{}: cannot be run: {}", program, std::generic_category().message(failure)));
  int status = 0;
  while (waitpid(child, &status, 0) == -1 && errno == EINTR) {
  }
  if (status == 0) return text;
  throw UserError(exit_bad_file,
                  fmt::format("{} cannot measure {}: it ended with {}", program, words.at(4),
                              WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)));
}

void take_sample(const std::string& program, const std::string& name, Measured& into) {
  const std::string text = output_of(program, {"bench", "engine", "--only", name, "--format", "google"});
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw UserError(exit_bad_file, program + " does not print Google Benchmark's JSON");
  const Measured sample = read_measured(program, json);
  if (sample.series.size() != 1 || sample.series.front().name != name)
    throw UserError(exit_bad_file, fmt::format("{} measured something other than {}", program, name));
  into.context = sample.context;
  const auto is_it = [&](const Series& each) { return each.name == name; };
  auto series = std::find_if(into.series.begin(), into.series.end(), is_it);
  if (series == into.series.end()) series = into.series.insert(series, Series{name, {}});
  series->times.push_back(sample.series.front().times.front());
}

}  // namespace

bool measure_in_turns(const std::vector<std::pair<std::string, Measured*>>& programs,
                      const std::vector<std::string>& names, std::size_t repetitions,
                      const std::function<bool()>& is_over) {
  for (std::size_t repetition = 0; repetition < repetitions; ++repetition)
    for (const std::string& name : names)
      for (std::size_t i = 0; i < programs.size(); ++i) {
        if (is_over()) return false;
        const auto& [program, measured] = programs[(i + repetition) % programs.size()];
        take_sample(program, name, *measured);
      }
  return true;
}

}  // namespace holdfast::cli
