// The workloads that measure the engine's speed: one table for `holdfast bench engine` and Google Benchmark.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/explore/explore.hpp"
#include "sim/scenario/scenario.hpp"

namespace holdfast::bench {

// A space to close, or many clients to simulate in time.
struct EngineCase {
  std::string name;
  const Card* card = nullptr;
  Scenario scenario;          // a space to close; else:
  std::uint32_t clients = 0;  // of a simulation in time; 0: none
  std::uint32_t locks = 0;
  bool is_timed() const { return clients != 0; }
};

// The case of this name; nullopt when it is none. Any numbers are accepted where a name has numbers:
//   yardstick/CLIENTS-ROUNDS-ATTEMPTS-PAUSES/LOCK   the protocol of one SET NX PX lock, without delays
//   getset/CLIENTS-ROUNDS-PAUSES                    the same with GETSET, at most two attempts
//   exclusion/CLIENTS-ROUNDS-ATTEMPTS-PAUSES-DELAY/LOCK   the same with delays, and one property
//   quorum/FAULT/LOCK                               two clients and three servers, as compared by default
//   random/CLIENTSxLOCKS/LOCK                       a simulation in time
// LOCK may be token-lua: scripts are executed each time, not remembered. Spaces are closed without
// reductions, or with the usual ones when the name ends in +reduced, but for X when it ends in +reduced-X.
std::optional<EngineCase> engine_case(std::string_view name);

// The default workloads.
const std::vector<std::string>& usual_engine_cases();

// What one execution of a case did.
struct Measurement {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t events = 0;  // of a simulation
  std::uint64_t table_bytes = 0;
  std::uint64_t snapshot_bytes = 0;
  bool complete = false;
};
Measurement execute(const EngineCase& engine_case, unsigned threads, const Budget& budget);

}  // namespace holdfast::bench
