// The command line, parsed and checked: one value that every command reads what it needs from.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/core/vocabulary.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/workload.hpp"

namespace holdfast::cli {

// What a command ends with; documented in README.md.
enum ExitCode : int {
  exit_as_expected = 0,
  exit_violated = 1,
  exit_inconclusive = 2,
  exit_regression = 3,
  exit_usage = 64,
  exit_bad_file = 65,
  exit_missing_file = 66,  // or one that cannot be read or written
  exit_no_redis = 69,
  exit_bug = 70,
  exit_interrupted = 130,
};

// The user asked for something that cannot be. what() is for users, one line or, for files, several.
class UserError : public std::runtime_error {
 public:
  UserError(ExitCode code, const std::string& what) : std::runtime_error(what), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// One of several equal parts of a job, counted from one: what is at every count-th position.
struct Part {
  std::uint32_t index = 1;
  std::uint32_t count = 1;
  bool has(std::size_t position) const { return position % count + 1 == index; }
};

// Of commands that use a real server.
struct LiveOptions {
  bool is_asked_for = false;       // --live
  std::vector<std::string> redis;  // addresses of existing servers; empty: private ones
  std::optional<Duration> length;
  std::optional<std::uint64_t> pairs;
  bool in_processes = false;  // each client is a process of its own
  std::uint32_t clients = 8;
  std::uint32_t locks = 1;
  std::optional<std::uint32_t> connections;
  Duration work = 5ms;
  Duration retry = 10ms;
  Duration timeout = 500ms;
  std::uint32_t one_in = 100;
};

// Of the simulated Redis as a server.
struct ServeOptions {
  std::string listen;  // its address; empty: a shell instead
  std::string clock = "real";
  std::vector<std::string> rules;
};

// The situation that choose is told of; empty: not told yet.
struct ChoiceOptions {
  std::string store;
  std::string double_work;
  std::string ordered;
  std::string resource;
  std::string language;
};

struct Options {
  std::string command;
  std::vector<std::string> names;  // the positional arguments: algorithms, files, or what to list or explain
  std::vector<std::string> guests;  // commands of programs that are locks
  std::string upstream;             // a checkout of it
  std::string learn;                // a file for what is learnt of one; empty: none
  std::string format = "text";
  std::string view = "sequence";
  std::string language = "en";
  std::uint32_t fault_budget = 1;  // how many faults a player may cause
  bool answers = false;            // of a lesson's questions
  std::string color = "auto";
  std::string progress = "auto";
  std::optional<std::uint32_t> width;
  bool ascii = false;
  std::uint64_t seed = 1;
  std::optional<Duration> budget;  // real time for the whole command
  std::uint32_t jobs = 0;          // threads; 0: as many as there are cores
  std::vector<std::string> only;
  std::vector<std::string> except;
  std::vector<std::string> faults;
  std::vector<std::string> properties;
  std::vector<std::pair<std::string, std::string>> params;
  std::optional<Duration> step;  // between two sizes of a fault
  std::optional<Duration> most;  // the largest size of a fault
  std::optional<Duration> work;   // under the lock, at most
  std::optional<Duration> delay;  // of a message, one way, at most
  std::optional<Duration> pause;  // the longest
  std::optional<Duration> rtt;    // of a message and its reply together, at most
  std::int64_t drift_ppm = 0;     // of any clock, at most
  std::optional<Belief> belief;
  std::optional<std::uint32_t> driver_retries;
  Fencing fencing = Fencing::none;
  Workload workload = Workload::contend;
  std::uint32_t clients = 2;
  std::uint32_t rounds = 1;
  std::uint32_t attempts = 2;
  std::optional<StrategyKind> strategy;
  std::optional<std::uint64_t> runs;  // of a sample
  std::optional<ReductionSet> reductions;
  std::optional<std::uint64_t> memory;  // bytes for states
  std::string lessons_out;              // a directory for the pages of all lessons; empty: none
  std::string out = "holdfast-out";
  std::string expect;
  std::string resume;              // a directory of searches that were saved; empty: none are
  std::optional<Duration> deepen;  // how long to go on with larger bounds
  bool traits = false;
  bool hunt_violated = false;  // what is known to be violated, to see whether it is found
  std::optional<Part> shard;   // do only this part
  bool allow_missing = false;  // merge what there is
  bool rewrite = false;
  LiveOptions live;
  ChoiceOptions choice;
  ServeOptions serve;
  std::string store;                    // where baselines are
  std::string against;                  // another holdfast, whose speed is measured beside this one's
  std::string measured;                 // a file of Google Benchmark, instead of measuring
  bool force = false;                   // replace a baseline that is about something else
  std::vector<std::string> benchmarks;  // globs
  std::uint32_t repetitions = 10;
  std::vector<std::string> chosen_words;  // those that choose what is explored, as "--name=value"
};

// Throws UserError. Answers --help and --version itself, on stdout; then the command is empty.
Options parse_command_line(int argc, char** argv);
// The words after the program's name.
Options parse_words(const std::vector<std::string>& words);

}  // namespace holdfast::cli
