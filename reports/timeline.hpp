// The situation after every event of a run: the clients that believe that they hold the lock, and the owner
// in the store. Belief against truth, for pictures. It judges nothing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/check/ledger.hpp"
#include "sim/check/result.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/trace/event.hpp"

namespace holdfast::reports {

// Follows a run event by event.
class Standing {
 public:
  void apply(const Event& event);

  bool believes(ClientId client) const;
  // The value at a lock's key was last written by a command of this client.
  // Of several nodes, at more than half.
  bool is_named(ClientId client, std::size_t nodes) const;
  bool is_stopped(ClientId client) const { return flag(stopped_, client); }
  // Its process runs: started, not crashed, not finished.
  bool is_alive(ClientId client) const { return flag(alive_, client); }
  // Two clients hold beliefs that exclude each other.
  bool is_clashing() const;
  // The owner in the store, by node, "–" for none: "A", or "A A –" for three nodes.
  std::string named(std::size_t nodes) const;

 private:
  static bool flag(const std::map<ClientId, bool>& flags, ClientId client);
  Ledger ledger_;
  std::map<std::pair<NodeId, std::string>, Acquisition> keys_;
  std::map<ClientId, bool> stopped_;
  std::map<ClientId, bool> alive_;
};

// All events of one step of the world; a command's effects on keys come after it.
struct StepView {
  Step step;
  Instant at;
  std::vector<const Event*> events;
};
// `events` must outlive the views.
std::vector<StepView> steps_of(const std::vector<Event>& events);

// Clients and nodes that occur, in order.
struct Cast {
  std::vector<ClientId> clients;
  std::vector<NodeId> nodes;
  StoreKind store;  // of the nodes
};
// `servers`: how many there are, of which some may do nothing in the run; 0: those that occur.
Cast cast_of(const Counterexample& example, std::size_t servers = 0);
// How many the lock of the scenario has; 0: it does not say.
std::size_t servers_of(const Scenario& scenario);

// Something went wrong, other than with a message.
bool is_fault(const Event& event);
// The server that a fault strikes; nullopt if it strikes none.
std::optional<NodeId> struck_server(const Event& event);

// The client whose event this is, if it is one client's.
std::optional<ClientId> client_of(const Event& event);

}  // namespace holdfast::reports
