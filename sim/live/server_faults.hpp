// What is done to private servers while clients use them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/reply.hpp"
#include "sim/live/address.hpp"
#include "sim/live/fault_chance.hpp"
#include "sim/live/redis_process.hpp"
#include "sim/live/replica.hpp"

namespace holdfast::live {

// One of the servers of a run.
struct Node {
  Node(Address where, RedisProcess* its_process = nullptr)
      : address(std::move(where)), process(its_process) {}
  Address address;
  RedisProcess* process;  // nullptr: not one of ours, to which nothing may be done
};

inline constexpr FaultSet server_faults =
    fault_table.by(Enactor::live) & fault_table.striking({Struck::server});
// What happens to clients, and servers, from outside.
inline constexpr FaultSet faults_from_outside =
    server_faults | (fault_table.by(Enactor::live) & fault_table.doing(Harm::stops));

class ServerFaults {
 public:
  // Evictions strike keys that contain `keys`. REQUIRES: each node has a process if `chance` has one of
  // server_faults; no letter of `keys` has a meaning in globs.
  ServerFaults(const std::vector<Node>& nodes, std::string keys, FaultChance& chance);

  // To be called in turns. A server that is struck stands still meanwhile, and so does the caller.
  void disturb();

 private:
  // The replica of a server, when there are failovers.
  struct Standby {
    enum class Stage : std::uint8_t {
      follows,
      shall_lose_sight,
      lacks_writes,
      has_taken_over,  // and no replica follows it
    };
    std::unique_ptr<Replica> replica;
    Stage stage = Stage::follows;
    int patience = 0;  // in turns, for the right moment of the next stage

    void enter(Stage next) {
      constexpr int patience_most = 20;
      stage = next;
      patience = patience_most;
    }
  };
  void restart(std::size_t node);
  bool evict(std::size_t node);
  void go_on_failing_over(std::size_t node);
  std::vector<Reply> keys_of(std::size_t node) const;

  const std::vector<Node>& nodes_;
  const std::string keys_;
  FaultChance& chance_;
  std::vector<Standby> standbys_;  // of nodes_, or none
};

}  // namespace holdfast::live
