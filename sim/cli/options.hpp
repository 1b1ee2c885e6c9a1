// The command line, parsed and checked: a value for each command, of its own options.
#pragma once

#include <concepts>
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

// Options that several commands offer alike are groups. The struct of a command is made of the groups that it
// offers and of its own options, so it can read no other. parser.hpp fills them.

// The positional arguments.
struct Names {
  std::vector<std::string> names;
};
// They are locks: ids, globs, or files.
struct Locks : Names {};
// Commands of programs that are locks.
struct Guests {
  std::vector<std::string> guests;
};
// Globs of locks.
struct Selection {
  std::vector<std::string> only;
  std::vector<std::string> except;
};
struct LockParams {
  std::vector<std::pair<std::string, std::string>> params;
};
struct Output {
  std::string format = "text";
  std::string color = "auto";
  std::optional<std::uint32_t> width;
  bool ascii = false;
};
struct Telling {
  std::string language = "en";
};
struct Threads {
  std::uint32_t jobs = 0;  // 0: as many as there are cores
};
struct Seed {
  std::uint64_t seed = 1;
};
struct Running {
  std::optional<Duration> budget;  // real time for the whole command
  std::string out = "holdfast-out";
  std::string question;  // question_of() the command line
  std::string resume;  // a directory of searches that were saved; empty: none are
  std::string progress = "auto";
};
struct ServerConfig {
  std::vector<std::pair<std::string, std::string>> redis_config;  // lines of redis.conf
};
struct Experiment : ServerConfig {
  std::vector<std::string> faults;
  std::vector<std::string> properties;
  std::optional<Belief> belief;
  std::optional<std::uint32_t> driver_retries;
  Fencing fencing = Fencing::none;
  Workload workload = Workload::contend;
  std::optional<std::uint32_t> clients;
  std::optional<std::uint32_t> rounds;
  std::optional<std::uint32_t> attempts;
  std::optional<Duration> work;   // under the lock, at most
  std::optional<Duration> delay;  // of a message, one way, at most
};
struct Pauses {
  std::optional<Duration> pause;  // the longest
};
struct Sampling {
  std::optional<StrategyKind> strategy;
  std::optional<std::uint64_t> runs;
};
struct Space {
  std::optional<ReductionSet> reductions;
  std::optional<std::uint64_t> memory;  // bytes for states
};
struct Exploring : Experiment, Sampling, Seed, Threads, Running {};
struct Extent {
  std::optional<Duration> deepen;  // how long to go on with larger bounds
  std::optional<Part> shard;       // do only this part
};
struct Stepping {
  std::optional<Duration> step;  // of time, between two sizes that are tried
};
struct RealServers {
  std::vector<std::string> redis;  // addresses of existing servers; empty: private ones
};
struct Confirming : RealServers {
  bool is_live = false;  // --live
};
// The times that a lease must be enough for.
struct Conditions {
  std::optional<Duration> pause;
  std::optional<Duration> work;
  std::optional<Duration> rtt;  // of a message and its reply together
  std::int64_t drift_ppm = 0;   // of any clock
  std::uint32_t pauses = 1;
};
// What choose is told of; empty: not told yet.
struct Answers {
  std::string store;
  std::string double_work;
  std::string ordered;
  std::string resource;
  std::string language;
};

// Some groups, for any command. Options that a command does not offer have their defaults.
template <class... Groups>
struct GroupsOf : Groups... {
  GroupsOf() = default;
  template <class Options>
    requires(std::derived_from<Options, Groups> || ...)
  GroupsOf(const Options& options) {  // implicit: any command's options stand for them
    (take<Groups>(options), ...);
  }

 private:
  template <class Group, class Options>
  void take(const Options& options) {
    if constexpr (std::derived_from<Options, Group>) static_cast<Group&>(*this) = options;
  }
};

struct NoOptions {};
struct CompareOptions : Selection, Guests, LockParams, Output, Exploring, Pauses, Space, Extent, Confirming {
  std::string expect;
  bool traits = false;
  bool stores = false;
};
struct CheckOptions : Locks, Guests, LockParams, Output, Exploring, Pauses, Space, Extent {
  std::string learn;  // a file for what is learnt of a program; empty: none
};
struct DiffOptions : Locks, Guests, LockParams, Output, Exploring, Pauses {};
struct EnvelopeOptions : Locks, Guests, LockParams, Output, Exploring, Stepping {
  std::optional<Duration> most;  // the largest size of a fault
};
struct AssumptionsOptions : Locks, Guests, LockParams, Output, Exploring {
  std::uint32_t fault_budget = 2;  // how many faults may strike one run
};
struct TtlOptions : Locks,
                    Guests,
                    LockParams,
                    ServerConfig,
                    Output,
                    Conditions,
                    Stepping,
                    Threads,
                    Running {};
struct ChooseOptions : Answers, Output, Conditions, Seed, Threads, Running {};
struct RunOptions : Names, Output, Threads, Running {
  bool rewrite = false;
  std::optional<Part> shard;
};
struct ValidateOptions : Names {};
struct TraceOptions : Names, Output, Telling {
  std::string view = "sequence";
};
struct ReplayOptions : TraceOptions, Guests, Confirming {};
struct ShowOptions : TraceOptions {
  std::optional<Duration> budget;
};
struct MergeOptions : Names {
  bool allow_missing = false;
};
struct ReportOptions : Names, Telling, Threads {
  std::string site;  // the address of the pages; empty: unknown
};
struct LessonOptions : Names, Output, Telling, Threads {
  std::string lessons_out;  // a directory for the pages of all lessons; empty: none
  bool answers = false;     // to its questions
};
struct ExerciseOptions : Names, Output, Telling, Threads {
  std::size_t hints = 1;  // how many of three are given after a failure
};
struct PlayOptions : Locks, Guests, Output, Experiment, Pauses, Running, Threads {
  std::uint32_t fault_budget = 1;  // how many faults a player may cause
};
struct ServeOptions : Telling, Threads {
  std::string listen;                   // ADDRESS:PORT; empty: this machine alone
  std::uint16_t port = 7007;            // 0: any that is free
  std::optional<std::uint64_t> memory;  // bytes for the states of all explorations
  std::optional<Duration> budget;       // real time for each
};
struct LiveOptions : Locks, Guests, LockParams, Output, RealServers {
  std::vector<std::string> faults;
  std::optional<std::uint32_t> seconds;
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
struct HuntOptions : Locks, LockParams, Output, Seed, Threads {
  std::vector<std::string> faults;
  std::vector<std::string> properties;
  std::string progress = "auto";
  std::uint32_t seconds = 30;
  bool violated = false;  // what is known to be violated, to see whether it is found
};
struct BenchOptions : Names, RealServers, Threads {
  std::vector<std::string> only;
  std::optional<std::uint64_t> runs;
  std::optional<std::uint64_t> memory;  // bytes for the states of one space
  std::string format = "text";
  std::optional<Duration> budget;
};
struct BaselineOptions : Names, Selection, LockParams, Output, Exploring, Pauses, Space {
  std::vector<std::string> chosen_words;  // those that choose what is explored, as "--name=value"
  std::string store;                      // where baselines are
  std::string against;                    // another holdfast, whose speed is measured beside this one's
  std::string measured;                   // a file of Google Benchmark, instead of measuring
  bool force = false;                     // replace a baseline that is about something else
  bool counts = false;                    // compare what the explorer counted, too
  std::vector<std::string> benchmarks;    // globs
  std::uint32_t repetitions = 10;
};
struct DoctorOptions : Names, Guests {
  std::string upstream;  // a checkout of the library of these locks
};
struct CompletionsOptions : Names {};
struct ListOptions : Names, Output {};
struct ExplainOptions : Locks, Output {};
struct RedisOptions : Output, Seed {
  std::string listen;  // an address for a server; empty: a shell instead
  std::string clock = "real";
  std::vector<std::string> rules;
};

}  // namespace holdfast::cli
