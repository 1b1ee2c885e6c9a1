// One experiment, as plain data. Files are read by parse.cpp; the verdict matrix makes its own.
// The defaults written here are those of scenario files and of their schema: there are no others.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast {

// Names and values as text, in the order of a file.
using Texts = std::vector<std::pair<std::string, std::string>>;

// One line of a client's program.
struct ProgramStep {
  enum class Op : std::uint8_t {
    acquire,  // up to `attempts` calls of acquire() (0: endlessly); if all fail, the rest of this round is
              // skipped
    work,     // guarded work of length `length` (the slow-section fault strikes here)
    write,    // one guarded write to the resource
    release,
    sleep,          // unguarded waiting of length `length`
    acquire_again,  // one more call of acquire() by the holder; if it is granted, one more release gives it
                    // back
    look_up,        // in the cache: a client that finds its value releases, and skips the rest of this round
    fetch,          // guarded: asks the backend for what the cache lacks, for `length` (slow-section strikes)
    store,          // guarded: puts what was fetched into the cache
    read,           // one guarded read of the resource: a write after it rests on what was read
    period,         // waits until the next period begins: one every `length` since the client's start
    job,            // guarded: what is to be done once in each period, for `length` (slow-section strikes)
  };
  Op op = Op::acquire;
  Duration length{};
  std::optional<Duration> at_least = std::nullopt;  // work, fetch, job: it may be this short; empty: `length`
  std::uint32_t attempts = 1;
  Mode mode = Mode::exclusive;
  bool operator==(const ProgramStep&) const = default;
};
inline constexpr std::array<std::string_view, 12> op_ids{
    "acquire", "work",  "write", "release", "sleep",  "acquire-again",
    "look-up", "fetch", "store", "read",    "period", "job"};
constexpr std::string_view id_of(ProgramStep::Op op) { return op_ids[static_cast<std::size_t>(op)]; }

// Of a client whose rounds are endless.
enum class Ending : std::uint8_t {
  never,
  at_will,  // after any round, and whenever it is refused: so it comes any number of times
};
inline constexpr std::array<std::string_view, 2> ending_ids{"never", "at-will"};
constexpr std::string_view id_of(Ending ending) { return ending_ids[static_cast<std::size_t>(ending)]; }

enum class Role : std::uint8_t {
  user,    // asks because it wants the lock
  helper,  // its acquire() does something else, as that of a reaper: it never means to have the lock
};
inline constexpr std::array<std::string_view, 2> role_ids{"user", "helper"};
constexpr std::string_view id_of(Role role) { return role_ids[static_cast<std::size_t>(role)]; }

// What a client locks.
enum class Keying : std::uint8_t {
  lock,    // the lock's name
  period,  // a name for each period: that with the number of the period
};
inline constexpr std::array<std::string_view, 2> keying_ids{"lock", "period"};
constexpr std::string_view id_of(Keying keying) { return keying_ids[static_cast<std::size_t>(keying)]; }
inline constexpr std::uint32_t named_periods_max = 100;

struct ClientPlan {
  std::string id;  // a letter: A is ClientId 0
  Duration wall_offset{};
  std::int32_t drift_ppm = 0;  // the steady and the wall clock run this much fast (or slow)
  Duration start{};            // when the program begins: at any tick from then …
  Duration start_late{};       // … until then; less than `start`: exactly then
  std::uint32_t rounds = 1;    // how often the program runs (0: endlessly, or any number of times)
  Ending ending = Ending::never;
  Role role = Role::user;
  std::string key;  // of the lock that it uses; empty: the scenario's
  Keying keying = Keying::lock;
  Texts params;     // of its lock object, where they differ from the scenario's
  // The two are tasks of one process: they use one lock object, and a crash ends both.
  std::optional<ClientId> shares_lock_of = std::nullopt;
  std::vector<ProgramStep> program;  // files that say nothing get default_program()
  bool operator==(const ClientPlan&) const = default;
};
inline bool is_endless(const ClientPlan& plan) { return plan.rounds == 0 && plan.ending == Ending::never; }
inline bool share_locks(const std::vector<ClientPlan>& plans) {
  return std::any_of(plans.begin(), plans.end(), [](const ClientPlan& plan) { return plan.shares_lock_of; });
}
inline bool has_step(const ClientPlan& plan, ProgramStep::Op op) {
  return std::any_of(plan.program.begin(), plan.program.end(),
                     [op](const ProgramStep& step) { return step.op == op; });
}
inline bool has_step(const std::vector<ClientPlan>& plans, ProgramStep::Op op) {
  return std::any_of(plans.begin(), plans.end(), [op](const ClientPlan& plan) { return has_step(plan, op); });
}

// Whether it writes after a release, before it acquires again: too late.
inline bool writes_late(std::span<const ProgramStep> program) {
  bool has_released = false;
  for (const ProgramStep& step : program) {
    if (has_released && step.op == ProgramStep::Op::write) return true;
    if (step.op == ProgramStep::Op::acquire) has_released = false;
    if (step.op == ProgramStep::Op::release) has_released = true;
  }
  return false;
}

// Where a fault may strike.
enum class Place : std::uint8_t { anywhere, acquiring, in_section, releasing };
inline constexpr std::array<std::string_view, 4> place_ids{"anywhere", "acquiring", "in-section",
                                                           "releasing"};
constexpr std::string_view id_of(Place place) { return place_ids[static_cast<std::size_t>(place)]; }

// What a restart of a server leaves of its data. Scripts are gone in any case.
enum class DataLoss : std::uint8_t {
  everything,
  latest,  // some of the writes of the last second, or of the fault's magnitude: the file was not written yet
  nothing,  // of the data
};
inline constexpr std::array<std::string_view, 3> loss_ids{"everything", "latest", "nothing"};
constexpr std::string_view id_of(DataLoss loss) { return loss_ids[static_cast<std::size_t>(loss)]; }

// What the resource does with the numbers that grants bring along (Grant::fence). An access without one is
// accepted.
enum class Fencing : std::uint8_t {
  none,         // it does not look at them
  first_write,  // it refuses what is older than the newest that wrote
  first_read,   // it refuses what is older than the newest that read or wrote
  as_text,      // as first_write, but it compares digits as texts are compared: 10 is older than 9
};
inline constexpr std::array<std::string_view, 4> fencing_ids{"none", "first-write", "first-read", "as-text"};
constexpr std::string_view id_of(Fencing fencing) { return fencing_ids[static_cast<std::size_t>(fencing)]; }

struct FaultRule {
  Fault kind = Fault::none;
  std::optional<ClientId> target = std::nullopt;  // empty: any client
  Place place = Place::anywhere;
  std::uint32_t budget = 1;  // how many may strike one run
  // At most: how long a pause, a late message or a slow section lasts, or how wrong a clock is.
  // 0: twice the lease.
  Duration magnitude{};
  DataLoss loses = DataLoss::everything;  // restart only
  bool operator==(const FaultRule&) const = default;
};

// Whether each message takes the time that it likes.
enum class Delays : std::uint8_t {
  free,
  fixed,  // all between one client and one server take the same
};
inline constexpr std::array<std::string_view, 2> delays_ids{"free", "fixed"};
constexpr std::string_view id_of(Delays delays) { return delays_ids[static_cast<std::size_t>(delays)]; }

// How messages travel and when time passes.
struct Timing {
  // Exhaustive runs explore time in these steps. Every other time of the scenario should be an even multiple:
  // some bounds include their instant (a key lives through its last millisecond) and some do not (a lease
  // that ends now is over), and what happens strictly between two instants happens at half a step.
  Duration tick = 500ms;
  Duration delay_min = 0s;  // one way
  Duration delay_max = 1s;
  Delays delays = Delays::free;
  Duration timeout = 3s;              // a client stops waiting for a reply
  Duration retry = 1s;                // a refused client tries again after this …
  Duration retry_late = 3s;           // … or any tick later, up to this; less than `retry`: exactly then
  Duration restart = 1s;              // a crashed client's process is started again after this …
  Duration restart_late = 2s;         // … or any tick later, up to this; less than `restart`: exactly then
  Duration recovery = 5s;             // the calm phase: in how many of these …
  std::uint32_t recovery_rounds = 3;  // … must a new client get the lock
  bool operator==(const Timing&) const = default;
};

// How schedules are chosen. `random` draws how long messages travel, so times may be as small and as many as
// in life; with all others time passes in ticks, and when it does is one of the choices.
enum class StrategyKind : std::uint8_t {
  exhaustive,  // every schedule
  random,      // every choice drawn
  pct,         // priorities with a few marks (PctChoices)
  walk,        // every order of events about equally likely (WalkChoices)
  swarm,       // odds of its own for every run (SwarmChoices)
  portfolio,   // these in turn, and changed tapes of runs that came to new circumstances
};
inline constexpr std::array<std::string_view, 6> strategy_ids{"exhaustive", "random", "pct",
                                                              "walk",       "swarm",  "portfolio"};
constexpr std::string_view id_of(StrategyKind kind) { return strategy_ids[static_cast<std::size_t>(kind)]; }
constexpr bool is_sampling(StrategyKind kind) { return kind != StrategyKind::exhaustive; }

// What exhaustive exploration leaves out because it has seen something equivalent.
enum class Reduction : std::uint8_t {
  symmetry,       // clients with the same plan may change places
  loop_heads,     // what a client has declared forgotten does not distinguish states
  dead_values,    // what will be overwritten before it is read, and timeouts that cannot come, do not, either
  joint_replies,  // of replies that a client waits for together, only the last one's time is tried
};
inline constexpr std::array<std::string_view, 4> reduction_ids{"symmetry", "loop-heads", "dead-values",
                                                               "joint-replies"};
constexpr std::string_view id_of(Reduction reduction) {
  return reduction_ids[static_cast<std::size_t>(reduction)];
}
using ReductionSet = SetOf<Reduction>;

struct Explore {
  StrategyKind strategy = StrategyKind::exhaustive;
  std::uint64_t seed = 1;
  std::uint64_t runs_max = 10'000;                    // sampling: how many runs
  std::uint64_t states_max = 60'000'000;              // exhaustive: then the verdict is unknown
  std::uint64_t memory_max = std::uint64_t{3} << 30;  // bytes of the table of states: likewise
  Duration time_max = 300s;          // real time: then the verdict is unknown (sampled, if sampling)
  std::uint32_t steps_max = 10'000;  // sampling: of one run; more is an endless run, verdict unknown
  // Exhaustive.
  ReductionSet reductions = {Reduction::symmetry, Reduction::loop_heads, Reduction::dead_values,
                             Reduction::joint_replies};
  // Joint replies: the last one, too, comes as soon as it can, which is wrong. Not said in files: for tests.
  bool joins_too_much = false;
  const FaultTable* faults = &fault_table;  // what reductions know of them; not said in files: for tests
  bool gives_up = false;          // where growth says that it ends beyond states_max; not said in files
  bool remembers_scripts = true;  // else each run of a script is executed in Lua; not said in files
  bool operator==(const Explore&) const = default;
};

struct Expect {
  Verdict verdict = Verdict::holds;
  std::optional<Property> property;        // empty: every checked property
  std::optional<std::uint32_t> steps_max;  // violated: the shortest trace is at most this long
  std::string reason;
  bool operator==(const Expect&) const = default;
};

struct Scenario {
  std::string name;
  std::string description;
  std::vector<std::string> tags;
  std::string algorithm;
  StoreKind runs_on = StoreKind::redis;  // the store of its card
  Texts params;                          // for Params::set
  std::optional<Belief> belief;          // empty: the algorithm's own
  // How often the driver sends a request that was lost again; empty: as upstream's does.
  std::optional<std::uint32_t> driver_retries;
  std::string key = "job";  // the lock's name
  Texts store;              // what every server holds when a run begins: keys, without an expiry
  Texts redis_config;       // lines of redis.conf, of every server: redis_settings
  std::vector<ClientPlan> clients;
  std::vector<FaultRule> faults;
  std::uint32_t away = 0;  // so many servers never answer; 1: which, is a choice
  Fencing fencing = Fencing::none;
  Duration overlap_max{};  // mutual-exclusion: claims that clash for no longer are tolerated
  Timing timing;
  Explore explore;
  PropertySet check;  // empty: every property that the algorithm can be asked about
  std::optional<Expect> expect;
  bool operator==(const Scenario&) const = default;
};

// What a client does unless a file says otherwise: acquire (refused once, it comes back once), work, write,
// release.
inline std::vector<ProgramStep> default_program() {
  return {{.op = ProgramStep::Op::acquire, .attempts = 2},
          {.op = ProgramStep::Op::work, .length = 1s},
          {.op = ProgramStep::Op::write},
          {.op = ProgramStep::Op::release}};
}

// The names that the client locks: one, or one for each of its periods.
inline std::vector<std::string> names_locked_by(const Scenario& scenario, const ClientPlan& plan) {
  const std::string& name = plan.key.empty() ? scenario.key : plan.key;
  if (plan.keying == Keying::lock) return {name};
  std::vector<std::string> names;
  for (std::uint32_t i = 1; i <= plan.rounds; ++i) names.push_back(name + ":" + std::to_string(i));
  return names;
}

// The default clients: A and B, each with the default program.
inline std::vector<ClientPlan> default_clients() {
  return {{.id = "A", .program = default_program()}, {.id = "B", .program = default_program()}};
}

}  // namespace holdfast
