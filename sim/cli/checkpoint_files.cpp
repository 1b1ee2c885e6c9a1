#include "sim/cli/checkpoint_files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/cli/session.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast::cli {
namespace {

std::string digest_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return digest_of(text).hex();
}

}  // namespace

CheckpointFiles::CheckpointFiles(std::string directory)
    : directory_(std::move(directory)), program_(digest_of_file("/proc/self/exe")) {
  prepare_directory(directory_, "--resume");
}

std::string CheckpointFiles::path_of(const Scenario& scenario) const {
  Scenario named = scenario;
  named.explore.time_max = Duration::zero();  // how long it may take does not change what it finds
  std::string faults;
  for (const FaultRule& rule : scenario.faults) faults.append("-").append(id_of(rule.kind));
  const std::string name =
      fmt::format("{}{}-{}.checkpoint", in_file_name(scenario.algorithm), faults.substr(0, 100),
                  digest_of(scenario_json(named)).hex().substr(0, 16));
  return (std::filesystem::path(directory_) / name).string();
}

std::string CheckpointFiles::first_line(const Scenario& scenario) const {
  std::error_code error;
  const bool is_file = std::filesystem::is_regular_file(scenario.algorithm, error);
  return fmt::format("holdfast checkpoint {} {}\n", program_,
                     is_file ? digest_of_file(scenario.algorithm) : "compiled");
}

void CheckpointFiles::save(const Scenario& scenario, const std::function<void(std::ostream&)>& write) {
  const std::string path = path_of(scenario);
  const std::string part = path + ".part";
  errno = 0;
  std::ofstream out(part, std::ios::binary);
  out << first_line(scenario);
  write(out);
  out.close();
  if (out && std::rename(part.c_str(), path.c_str()) == 0) return;
  fmt::print(stderr, "holdfast: {}: cannot be written: {}; the search goes on\n", path,
             errno != 0 ? std::strerror(errno) : "the disk may be full");
  std::remove(part.c_str());
}

std::unique_ptr<std::istream> CheckpointFiles::load(const Scenario& scenario) {
  const std::string path = path_of(scenario);
  auto in = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*in) return nullptr;
  std::string line;
  std::getline(*in, line);
  if (line + "\n" == first_line(scenario)) return in;
  throw UserError(exit_bad_file,
                  fmt::format("{}: another build of holdfast, or another text of the lock, has "
                              "saved this search; use that, or delete the file",
                              path));
}

}  // namespace holdfast::cli
