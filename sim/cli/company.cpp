#include "sim/cli/company.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "sim/cli/checkpoint_files.hpp"
#include "sim/cli/known.hpp"
#include "sim/cli/parser.hpp"
#include "sim/cli/program.hpp"
#include "sim/cli/told.hpp"
#include "sim/explore/exchange.hpp"
#include "sim/process/program.hpp"

namespace holdfast::cli {
namespace {

constexpr std::array sharing{"check", "compare", "run"};

// Open MPI's mpirun, MPICH's, and srun --mpi=pmix say so.
bool is_started_with_others() {
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* const size = std::getenv(name)) return std::atoi(size) > 1;
  return std::getenv("PMIX_RANK") != nullptr;
}

// Beside the program where it was built, or where it was installed.
std::unique_ptr<Ranks> load() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* const place : {"holdfast_mpi.so", "../lib/holdfast/holdfast_mpi.so"}) {
    const std::filesystem::path file = program / place;
    if (!std::filesystem::exists(file, error)) continue;
    // Open MPI loads parts of its own, which look for its names.
    void* const part = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (part == nullptr) throw UserError(exit_no_redis, fmt::format("MPI cannot be used: {}", dlerror()));
    using Begin = Ranks*();
    return std::unique_ptr<Ranks>(reinterpret_cast<Begin*>(dlsym(part, "holdfast_begin_ranks"))());
  }
  throw UserError(exit_no_redis,
                  "this is one of several processes (mpirun), and this build has no part for MPI: install "
                  "libopenmpi-dev and build again, or the package holdfast-mpi; or start one process");
}

std::unique_ptr<Ranks>& loaded() {
  static std::unique_ptr<Ranks> ranks = is_started_with_others() ? load() : nullptr;
  return ranks;
}

// mpirun gives the others a second when it has found that one has ended; so the watcher waits for nothing.
std::jthread watcher;

Job job_of(const std::string& json) {
  Parsed parsed = parse_scenario(json, "", known());
  if (!parsed.scenario)
    throw std::runtime_error("rank 0 explores what this rank cannot read:" + text_of(parsed.problems));
  const Card* const card = algorithms::find(parsed.scenario->algorithm);
  return Job{std::move(*parsed.scenario), card};
}

}  // namespace

Ranks* company() {
  Ranks* const ranks = loaded().get();
  return ranks != nullptr && ranks->count() > 1 ? ranks : nullptr;
}

// Rank 0 alone speaks and writes results, and decides what a signal ends. What goes wrong here it is told as
// soon as it shares a search.
int accompany(Ranks& ranks, const std::vector<std::string>& words) {
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  close(nowhere);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) std::signal(signal, SIG_IGN);
  watch_company({});
  std::exception_ptr problem;
  std::unique_ptr<Checkpoints> checkpoints;
  try {
    Parser parser;
    add_commands(parser);
    const std::string saved = parser.parse(words) ? parser.prepare() : std::string();
    if (!saved.empty()) checkpoints = std::make_unique<CheckpointFiles>(saved);
  } catch (...) {
    problem = std::current_exception();
  }
  const auto read = [&](const std::string& json) {
    if (problem) std::rethrow_exception(problem);
    return job_of(json);
  };
  follow(ranks, Following{read, complaint_of}, checkpoints.get());
  return exit_as_expected;
}

void require_shared(const std::string& command) {
  if (company() == nullptr || std::find(sharing.begin(), sharing.end(), command) != sharing.end()) return;
  throw UserError(exit_usage, fmt::format("mpirun: \"{}\" is done by one process; check, compare and run "
                                          "share their searches",
                                          command));
}

void require_shareable(const Card& card) {
  if (company() == nullptr || process::programs::of(card) == nullptr) return;
  throw UserError(
      exit_usage,
      "mpirun: a real program is asked by one process · learn what it does (check PROGRAM --learn "
      "X.histories.json), and share the search of that file");
}

void watch_company(const std::string& saved) {
  const Ranks* const ranks = company();
  if (ranks == nullptr) return;
  watcher = std::jthread([ranks, saved](const std::stop_token& has_finished) {
    std::optional<std::string> who;
    while (!(who = ranks->lost()) && !has_finished.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (!who) return;
    std::error_code error;
    const std::string rest =
        saved.empty() ? "nothing was saved (--resume DIR saves every minute)"
        : std::filesystem::is_empty(saved, error)
            ? fmt::format("nothing was saved yet in {}", saved)
            : fmt::format("the same command goes on from what was saved last in {}", saved);
    if (ranks->rank() == 0) tell("holdfast: {} has ended, so all end; {}\n", *who, rest);
    std::_Exit(exit_no_redis);
  });
}

void leave_company() {
  Ranks* const ranks = company();
  if (ranks == nullptr) return;
  if (ranks->rank() == 0) {
    dismiss(*ranks);
    if (ranks->sent_states > 0)
      tell("holdfast: {} ranks sent each other {} states, of {} bytes each\n", ranks->count(),
           ranks->sent_states, ranks->sent_bytes / ranks->sent_states);
  }
  watcher = std::jthread();
  ranks->finish();
}

}  // namespace holdfast::cli
