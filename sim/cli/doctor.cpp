// doctor: tests what holdfast needs of a machine, and the source of a lock.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "reports/terminal.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/known.hpp"
#include "sim/cli/programs.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/upstream.hpp"
#include "sim/cli/version.hpp"
#include "sim/core/arena.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/guest/examine.hpp"
#include "sim/guest/names.hpp"
#include "sim/live/redis_process.hpp"
#include "sim/process/calls.hpp"
#include "sim/process/program.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/tidy/tidy.hpp"

namespace holdfast::cli {
namespace {

// `fails`: without it, commands end with errors. Otherwise something is missing or slow.
struct Diagnosis {
  enum { fine, lacks, fails } is = fine;
  std::string what;
};

Diagnosis is_fine(std::string what) { return {Diagnosis::fine, std::move(what)}; }

// The same space, by copying states and by executing again: what the determinism of everything else rests on.
Diagnosis engines() {
  const Card& card = *algorithms::find("token");
  const Scenario scenario = scenario_of(Comparison{.attempts = 1}, card, Fault::crash);
  const Exploration again = explore(scenario, card, Budget(), Engine::replay);
  if (!Arena::is_available())
    return {Diagnosis::lacks,
            "explores by executing runs again, which is slow: this is a build with "
            "sanitizers"};
  const Exploration copied = explore(scenario, card, Budget(), Engine::snapshots);
  if (copied.states != again.states || copied.transitions != again.transitions)
    return {Diagnosis::fails, fmt::format("two engines disagree about one space: {} and {} states",
                                          copied.states, again.states)};
  return is_fine(fmt::format("explores: both engines find the same {} states", copied.states));
}

Diagnosis lessons() {
  try {
    const std::vector<std::string> files = lesson_files();
    for (const std::string& file : files) read_scenario(file);
    return is_fine(fmt::format("{} lessons in {}", files.size(), lessons_directory().string()));
  } catch (const UserError& error) {
    return {Diagnosis::fails, error.what()};
  }
}

Diagnosis room() {
  const auto pages = static_cast<std::uint64_t>(std::max(0l, sysconf(_SC_AVPHYS_PAGES)));
  const std::uint64_t free_mib = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) >> 20;
  const std::uint64_t wanted_mib = Explore().memory_max >> 20;
  const std::string what =
      fmt::format("{} cores, {} MiB of memory free", std::thread::hardware_concurrency(), free_mib);
  if (free_mib >= wanted_mib) return is_fine(what);
  return {Diagnosis::lacks,
          fmt::format("{}; the states of a cell may take {} MiB (--memory takes less)", what, wanted_mib)};
}

Diagnosis results() {
  const std::string out = Running().out;
  std::error_code error;
  const std::filesystem::path place = std::filesystem::exists(out, error) ? out : ".";
  if (access(place.c_str(), W_OK | X_OK) == 0) return is_fine("results can be saved here, in " + out);
  return {Diagnosis::lacks, fmt::format("{} cannot be saved here (-o DIR)", out)};
}

Diagnosis server() {
  try {
    if (live::RedisProcess::start()) return is_fine("a private redis-server starts and answers");
    return {Diagnosis::lacks,
            "no redis-server for commands that compare with a real one (Debian: "
            "redis-server)"};
  } catch (const std::exception& error) {
    return {Diagnosis::lacks, fmt::format("redis-server does not start: {}", error.what())};
  }
}

int examine_machine() {
  fmt::print("holdfast {}\n", version);
  int code = exit_as_expected;
  for (const auto& look : {engines, lessons, room, results, server}) {
    const Diagnosis finding = look();
    constexpr std::string_view marks[] = {"ok     ", "lacks  ", "FAILS  "};
    fmt::print("{}{}\n", marks[finding.is], finding.what);
    if (finding.is == Diagnosis::fails) code = exit_bug;
  }
  return code;
}

// Returns how many mistakes there are.
std::size_t examine_script(const std::string& file) {
  std::size_t mistakes = 0;
  const std::string directory = std::filesystem::path(file).parent_path().string();
  for (const guest::Finding& each :
       guest::examine({file, read_file(file)}, directory.empty() ? "." : directory)) {
    fmt::print("{}{}{}\n", each.line == 0 ? "" : fmt::format("{}:{}: ", file, each.line), each.what,
               each.is_mistake ? "" : " (no mistake)");
    mistakes += each.is_mistake ? 1 : 0;
  }
  return mistakes;
}

int examine_sources(const std::vector<std::string>& files) {
  constexpr std::string_view endings[] = {".lua", ".cpp", ".cc", ".cxx", ".hpp", ".h"};
  for (const std::string& file : files)
    if (std::none_of(std::begin(endings), std::end(endings), [&](auto end) { return file.ends_with(end); }))
      throw UserError(exit_usage, fmt::format("{}: the source of a lock is a .cpp, .hpp or .lua file (of a "
                                              "scenario: holdfast validate)",
                                              file));
  std::size_t count = 0;
  for (const std::string& file : files)
    if (file.ends_with(".lua")) count += examine_script(file);
  for (const std::string& file : files)
    if (!file.ends_with(".lua"))
      for (const tidy::Violation& each : tidy::inspect_lock(file, read_file(file))) {
        fmt::print("{}\n", tidy::to_text(each));
        ++count;
      }
  if (count == 0) {
    fmt::print("ok     {}: no mistakes\n", fmt::join(files, ", "));
    return exit_as_expected;
  }
  throw UserError(exit_bad_file, fmt::format("{} in the source of a lock; explored, it would break or run "
                                             "differently each time",
                                             reports::counted(count, "mistake")));
}

// What it gave as the reason when it did not know what a server had done.
std::set<std::string> reasons_of(const process::Program& program) {
  std::set<std::string> reasons;
  program.histories().visit([&](guest::Node node, std::string_view) {
    for (const guest::Effect& effect : node->action.effects)
      if (effect.kind == guest::Effect::Kind::failed || effect.kind == guest::Effect::Kind::unknown)
        reasons.insert(reports::printable({}, guest::without_marks(effect.text)));
  });
  return reasons;
}

void tell_of_libraries(const process::Program& program) {
  for (const std::string& reason : reasons_of(program))
    fmt::print("note   says failed or unknown: {}\n", reason.empty() ? "without a reason" : reason);
  if (program.observed().has_ioredis)
    fmt::print(
        "note   loads ioredis, which sets timers for each connection and reads clocks for them; it takes "
        "fewer histories with new Redis({{enableReadyCheck: false, connectTimeout: 0, "
        "retryStrategy: null}})\n");
}

// A program of any language: explored a little, so that it shows what it does.
int examine_program(std::string_view id) {
  const Card& card = *algorithms::find(id);
  process::Program& program = *process::programs::of(card);
  const auto begin = std::chrono::steady_clock::now();
  constexpr double seconds_max = 20;
  const auto passed = [begin] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  Budget budget;
  budget.is_exhausted = [&] { return passed() > seconds_max; };
  for (const Fault fault : {Fault::none, Fault::lost_reply}) {
    Comparison comparison{.attempts = 1};
    constexpr std::uint64_t states_max = 20'000;
    comparison.explore.states_max = states_max;
    explore(scenario_of(comparison, card, fault), card, budget);
  }
  const double seconds = passed();
  const guest::Histories::Statistics learnt = program.statistics();
  program.end_runs();
  const process::Observed& seen = program.observed();
  constexpr std::string_view times[] = {"does not depend on a clock", "is told how much time has passed",
                                        "is told the time of day"};
  fmt::print("{}\n", id);
  fmt::print(
      "ok     can be explored: the same history gives the same actions, {} histories in {:.1f} s, {:.0f} "
      "runs a second\n",
      learnt.histories, seconds, static_cast<double>(learnt.sessions) / seconds);
  fmt::print("{} {}\n", program.is_zygote() ? "ok    " : "slow  ",
             program.is_zygote() ? "each run is a fork of it"
                                 : "each run is executed anew: see algorithms/README.md, zygote");
  fmt::print("{} {}\n", program.time_to_tell() == guest::TimeToTell::nothing ? "ok    " : "slow  ",
             times[static_cast<std::size_t>(program.time_to_tell())]);
  if (seconds > seconds_max)
    fmt::print("slow   what it does took longer to look at than {} s\n", seconds_max);
  if (seen.has_threads) fmt::print("note   has threads of its own: their interleavings are not explored\n");
  tell_of_libraries(program);
  for (const std::string& path : seen.written) fmt::print("note   wanted to write {}\n", path);
  std::vector<std::pair<std::uint64_t, std::string>> calls;
  for (const auto& [call, count] : seen.calls) calls.emplace_back(count, process::name_of(call));
  std::sort(calls.rbegin(), calls.rend());
  std::string list;
  for (const auto& [count, call] : calls)
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", call, count);
  fmt::print("calls  {}\n", list);
  return exit_as_expected;
}

}  // namespace

int doctor(const DoctorOptions& options) {
  if (!options.upstream.empty())
    return examine_upstreams(options.upstream, options.names) == 0 ? exit_as_expected : exit_violated;
  if (!options.guests.empty()) return examine_program(options.guests.front());
  if (options.names.size() == 1 && is_program_file(options.names.front()))
    return examine_program(program_in(options.names.front()).id);
  return options.names.empty() ? examine_machine() : examine_sources(options.names);
}

}  // namespace holdfast::cli
