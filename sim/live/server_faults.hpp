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
#include "sim/live/store_process.hpp"

namespace holdfast::live {

// One of the servers of a run.
struct Node {
  Node(Address where, RedisProcess* its_process = nullptr, StoreProcess* its_store = nullptr)
      : address(std::move(where)), process(its_process), store(its_store) {}
  Address address;
  RedisProcess* process;  // nullptr: no Redis, or not one of ours
  StoreProcess* store;    // nullptr: no other store. Without either nothing may be done to it
};

inline constexpr FaultSet server_faults =
    fault_table.by(Enactor::live) & fault_table.striking({Struck::server});
// What happens to clients, and servers, from outside.
inline constexpr FaultSet faults_from_outside =
    server_faults | (fault_table.by(Enactor::live) & fault_table.doing(Harm::stops));

// What can be done to a private server of this kind.
constexpr FaultSet server_faults_on(StoreKind kind) {
  if (kind == StoreKind::shared_dict) return {};
  FaultSet faults = server_faults;
  if (kind == StoreKind::redis) faults.erase(Fault::session_lost);
  else faults = faults & FaultSet{Fault::restart, Fault::session_lost};
  return faults;
}

class ServerFaults {
 public:
  // Evictions strike keys that contain `keys`. REQUIRES: `chance` has, of server_faults, those alone that can
  // be done to each node; no letter of `keys` has a meaning in globs.
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
  bool is_up(std::size_t node) const;
  void restart(std::size_t node);
  bool evict(std::size_t node);
  bool end_session(std::size_t node);
  void go_on_failing_over(std::size_t node);
  std::vector<Reply> keys_of(std::size_t node) const;

  const std::vector<Node>& nodes_;
  const std::string keys_;
  FaultChance& chance_;
  std::vector<Standby> standbys_;  // of nodes_, or none
};

}  // namespace holdfast::live
