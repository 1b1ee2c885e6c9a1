#include "sim/cli/checkpoint_files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "sim/cli/session.hpp"
#include "sim/cli/tables.hpp"
#include "sim/cli/told.hpp"
#include "sim/guest/script.hpp"
#include "sim/process/program.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast::cli {
namespace {

std::string digest_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return digest_of(text).hex();
}

const guest::Script* script_of(const Scenario& scenario) {
  return guest::scripts::of(*algorithms::find(scenario.algorithm));
}

// Those that a first line names.
std::vector<std::string> modules_in(const std::string& line) {
  std::vector<std::string> names;
  std::istringstream words(line);
  for (std::string word; words >> word;)
    if (const std::size_t end = word.find('='); end != std::string::npos)
      names.push_back(word.substr(0, end));
  return names;
}

}  // namespace

CheckpointFiles::CheckpointFiles(std::string directory)
    : directory_(std::move(directory)), program_(digest_of_file("/proc/self/exe")) {
  prepare_directory(directory_, "--resume");
}

std::string CheckpointFiles::path_of(const Scenario& scenario, const std::string& part) const {
  Scenario named = scenario;
  named.explore.time_max = Duration::zero();  // how long it may take does not change what it finds
  std::string faults;
  for (const FaultRule& rule : scenario.faults) faults.append("-").append(id_of(rule.kind));
  const std::string name =
      fmt::format("{}{}-{}{}{}.checkpoint", in_file_name(scenario.algorithm), faults.substr(0, 100),
                  digest_of(scenario_json(named)).hex().substr(0, 16), part.empty() ? "" : "-", part);
  return (std::filesystem::path(directory_) / name).string();
}

std::string CheckpointFiles::first_line(const Scenario& scenario,
                                        const std::vector<std::string>& modules) const {
  std::string line = fmt::format("holdfast checkpoint {}", program_);
  if (const guest::Script* const script = script_of(scenario)) {
    line += " " + digest_of(script->source().main().text).hex();
    for (const std::string& name : modules) {
      const guest::LuaFile* const file = script->source().module(name);
      line += fmt::format(" {}={}", name, file != nullptr ? digest_of(file->text).hex() : "none");
    }
  } else if (is_table_file(scenario.algorithm)) {
    line += " " + digest_of_file(scenario.algorithm);
  }
  return line;
}

void CheckpointFiles::save(const Scenario& scenario, const std::string& part_of_it,
                           const std::function<void(std::ostream&)>& write) {
  const std::string path = path_of(scenario, part_of_it);
  const std::string part = path + ".part";
  errno = 0;
  std::ofstream out(part, std::ios::binary);
  const guest::Script* const script = script_of(scenario);
  out << first_line(scenario, script != nullptr ? script->source().modules() : std::vector<std::string>())
      << '\n';
  write(out);
  out.close();
  if (out && std::rename(part.c_str(), path.c_str()) == 0) return;
  tell("holdfast: {}: cannot be written: {}; the search goes on\n", path,
       errno != 0 ? std::strerror(errno) : "the disk may be full");
  std::remove(part.c_str());
}

std::unique_ptr<std::istream> CheckpointFiles::load(const Scenario& scenario, const std::string& part) {
  if (process::programs::of(*algorithms::find(scenario.algorithm)) != nullptr)
    throw UserError(exit_usage,
                    "--resume: the search of a real program cannot be resumed, because the program may have "
                    "changed · learn what it does (check PROGRAM --learn X.histories.json), and resume the "
                    "search of that file");
  const std::string path = path_of(scenario, part);
  auto in = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*in) return nullptr;
  std::string line;
  std::getline(*in, line);
  if (line == first_line(scenario, modules_in(line))) return in;
  throw UserError(exit_bad_file,
                  fmt::format("{}: another build of holdfast, or another text of the lock, saved this "
                              "search; use that one, or delete the file",
                              path));
}

}  // namespace holdfast::cli
