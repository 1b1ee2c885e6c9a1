// A simulated run, performed on real servers: the same coroutines of the same lock send their requests in the
// order in which the simulated servers carried them out, waits are real waits, restarts are real; and every
// request, reply and outcome is compared with the simulated one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/live/pace.hpp"
#include "sim/live/usable_server.hpp"
#include "sim/trace/tape.hpp"
#include "sim/trace/trace.hpp"

namespace holdfast::live {

// It asks what the replicas of its server have.
inline bool is_wait(const Sent& sent) { return !sent.argv.empty() && sent.argv.front() == "WAIT"; }

// What is performed. Everything that it refers to must outlive the performance.
struct Script {
  const std::vector<Event>& events;  // of a recorded run
  const Tape& tape;                  // of the same run: what Random::jitter() returned
  const Card& card;
  const Params& params;
  // What clients' wall clocks show when a run begins. Clients read the times of the run, which real time
  // follows at the given pace; the servers' clocks are their own.
  WallTime epoch;
  std::map<ClientId, std::int32_t> drift_ppm;  // of clients whose clocks run fast or slow
  Pace pace;
  std::map<ClientId, Params> own_params = {};                   // of clients whose locks have others
  std::vector<std::pair<std::string, std::string>> store = {};  // what every server holds from the beginning
  // Of servers from which a replica takes over: the first message that this replica sees nothing of.
  std::map<NodeId, MessageId> unseen = {};
  std::uint32_t driver_retries = 0;
  // What its servers hold is known by key, as of Redis and a dictionary.
  bool has_keys = true;
};

// Where reality left the run.
struct Departure {
  Step step;
  std::string what;  // one sentence for users
};

struct Performance {
  std::optional<Departure> departure;
  std::uint64_t commands = 0;
  std::uint32_t restarts = 0;
  Duration length{};  // real time
  // By how much the latest step came late, beyond what the pace allows: then the machine was too busy, and a
  // departure says nothing.
  bool was_late = false;
};

// `servers`: one for each node of the run. REQUIRES: private ones, if anything is done to a server.
Performance perform_run(const Script& script, std::span<ServerForRun> servers,
                        const std::function<bool()>& should_stop);

}  // namespace holdfast::live
