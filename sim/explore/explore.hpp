// Explores a scenario: runs it again and again, on tapes that a strategy writes, and judges every run.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "sim/check/result.hpp"
#include "sim/choose/strategies.hpp"
#include "sim/core/lock.hpp"
#include "sim/scenario/scenario.hpp"

namespace holdfast {

class Checkpoints;
class Ranks;

// The progress of explorations, for display: updated now and then, by any thread.
struct Progress {
  std::atomic<std::uint64_t> states = 0;
  std::atomic<std::uint64_t> transitions = 0;
};

// Real time comes from outside: nothing in here reads a clock.
struct Budget {
  std::function<bool()> is_exhausted;  // asked now and then; true ends the exploration early. Empty: never
  std::function<double()>
      seconds;  // a stopwatch, for Explore::time_max and Exploration::seconds. Empty: neither
  Checkpoints* checkpoints = nullptr;  // where exhaustive searches are saved; `seconds` says when
  Progress* progress = nullptr;        // of exhaustive searches
  // The processes that explore with this one, space by space; null: none. REQUIRES: one exploration at a
  // time.
  Ranks* ranks = nullptr;
};

// Two executions of one tape differed: a bug in holdfast, or a lock that reads something it should not.
class Nondeterminism : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// How an exhaustive exploration comes back to a state: by copying memory, or by executing its tape from the
// start. Both find the same. Where there is no arena (sanitizer builds), both are the second.
enum class Engine : std::uint8_t { snapshots, replay };

// Explores `scenario` with `card` (whose id is the scenario's algorithm). Throws BadParameter,
// Nondeterminism. The result depends only on the arguments but the last, except where the budget ends it
// early.
Exploration explore(const Scenario& scenario, const Card& card, const Budget& budget,
                    Engine engine = Engine::snapshots, unsigned threads = 1);

// Makes every property unknown, for the reason that `beyond_model` names.
void withdraw_verdicts(Exploration& exploration);

// One run along `tape`, recorded: `steps` steps of it (all, if zero).
struct Replay {
  std::vector<Event> events;
  std::vector<Finding> findings;
  Digest fingerprint;
  std::uint32_t steps = 0;
  Instant end{};
  std::optional<ReplayChoices::Divergence> divergence;
};
Replay replay(const Scenario& scenario, const Card& card, const Tape& tape, std::uint32_t steps);

// Explores all jobs on `threads` threads; results in the order of the jobs, and the same for any number of
// threads.
struct Job {
  Scenario scenario;
  const Card* card;
};
using OnDone = std::function<void(std::size_t job, const Exploration& exploration)>;  // called under a lock
std::vector<Exploration> explore_all(const std::vector<Job>& jobs, unsigned threads, const Budget& budget,
                                     const OnDone& on_done);

// Cost and fairness of each lock without faults: `clients` closed-loop clients, realistic delays. `params`
// are for those locks that have them.
std::vector<Cost> measure_costs(const std::vector<const Card*>& cards, std::uint32_t clients,
                                std::uint64_t seed, unsigned threads, const Texts& params = {});

// Simulates closed-loop clients in time, without faults and unobserved, for `simulated` of virtual time.
// Returns how many events there were: steps of the world. REQUIRES: 1 to timed_clients_max clients,
// 1 to timed_locks_max locks.
inline constexpr std::uint32_t timed_clients_max = 100'000;
inline constexpr std::uint32_t timed_locks_max = 100'000;
std::uint64_t measure_timed(const Card& card, std::uint32_t clients, std::uint32_t locks, std::uint64_t seed,
                            Duration simulated);

}  // namespace holdfast
