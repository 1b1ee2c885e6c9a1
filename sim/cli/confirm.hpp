// Confirms on a real server what a run of the simulator shows.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/check/result.hpp"
#include "sim/cli/live_server.hpp"
#include "sim/cli/options.hpp"
#include "sim/core/lock.hpp"
#include "sim/live/performance.hpp"
#include "sim/scenario/scenario.hpp"

namespace holdfast::cli {

struct Confirmation {
  enum class Kind : std::uint8_t {
    confirmed,   // every request, reply and outcome is the simulated one
    differs,     // a bug in the model
    impossible,  // it cannot be made real
    unsure,      // this machine was too busy, or the command was stopped
  };
  Kind kind = Kind::unsure;
  std::string why;      // one sentence; empty if confirmed
  std::string version;  // of the server
  live::Performance performance;
  Duration tick{};  // that one tick of the scenario took in real time
};

// "redis-server 7.0.15", "nginx/1.22.1", "etcd 3.4.23"
inline std::string server_named(const std::string& version) {
  const bool has_name = version.find_first_of("0123456789") != 0;
  return has_name ? version : "redis-server " + version;
}

class Confirmer {
 public:
  // On these servers, or on private ones.
  explicit Confirmer(const std::vector<std::string>& redis)
      : servers_(redis), dictionaries_({}, StoreKind::shared_dict), databases_({}, StoreKind::postgres) {}
  Confirmer(const Confirmer&) = delete;

  // Throws UserError when there is no server that can be used.
  Confirmation confirm(const Scenario& scenario, const Card& card, const Counterexample& example,
                       const std::function<bool()>& should_stop);

 private:
  std::span<live::ServerForRun> unused_servers(StoreKind kind, std::size_t count);
  Servers servers_;
  Servers dictionaries_;
  Servers databases_;
  std::size_t used_ = 0;  // so many servers were used before
  std::uint64_t performances_ = 0;
};

}  // namespace holdfast::cli
