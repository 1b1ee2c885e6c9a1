#include "sim/live/server_faults.hpp"

#include "sim/core/invariant.hpp"
#include "sim/live/blocking_client.hpp"

namespace holdfast::live {

ServerFaults::ServerFaults(const std::vector<Node>& nodes, std::string keys, FaultChance& chance)
    : nodes_(nodes), keys_(std::move(keys)), chance_(chance) {
  if (!chance.faults().contains_any(server_faults)) return;
  for (const Node& node : nodes_) {
    INVARIANT(node.process != nullptr || node.store != nullptr, "only servers of our own are disturbed");
    if (chance.faults().contains(Fault::failover))
      standbys_.push_back({std::make_unique<Replica>(*node.process)});
  }
}

void ServerFaults::disturb() {
  // One that is still beginning is left alone.
  if (chance_.comes_up(Fault::restart))
    if (const std::size_t node = chance_.any_of(nodes_.size()); is_up(node)) {
      restart(node);
      chance_.note(Fault::restart);
    }
  if (chance_.comes_up(Fault::eviction) && evict(chance_.any_of(nodes_.size())))
    chance_.note(Fault::eviction);
  if (chance_.comes_up(Fault::session_lost) && end_session(chance_.any_of(nodes_.size())))
    chance_.note(Fault::session_lost);
  if (chance_.comes_up(Fault::failover)) {
    Standby& standby = standbys_[chance_.any_of(standbys_.size())];
    if (standby.stage == Standby::Stage::follows) standby.enter(Standby::Stage::shall_lose_sight);
  }
  for (std::size_t node = 0; node < standbys_.size(); ++node) go_on_failing_over(node);
}

bool ServerFaults::is_up(std::size_t node) const {
  return nodes_[node].store == nullptr || nodes_[node].store->is_ready();
}

void ServerFaults::restart(std::size_t node) {
  if (nodes_[node].store != nullptr) return nodes_[node].store->begin_restart();
  nodes_[node].process->restart();
  if (standbys_.empty()) return;
  standbys_[node].replica->follow_anew();
  standbys_[node].stage = Standby::Stage::follows;
}

// False: no client has one.
bool ServerFaults::end_session(std::size_t node) {
  constexpr std::size_t many = 1000;
  BlockingClient server(nodes_[node].address);
  return server.send({"END-SESSION", std::to_string(chance_.any_of(many))}).is(1);
}

// False: there was nothing to drop.
bool ServerFaults::evict(std::size_t node) {
  const std::vector<Reply> keys = keys_of(node);
  if (keys.empty()) return false;
  BlockingClient server(nodes_[node].process->socket_path());
  return server.send({"DEL", keys[chance_.any_of(keys.size())].text()}).is(1);
}

// What a failover loses matters most when it is a lock that is held: so the replica loses sight while no lock
// is taken and takes over when one is, unless that takes long to come.
void ServerFaults::go_on_failing_over(std::size_t node) {
  using Stage = Standby::Stage;
  Standby& standby = standbys_[node];
  if (standby.stage == Stage::follows) return;
  if (standby.stage == Stage::has_taken_over) {
    standby.replica->follow_anew();
    standby.stage = Stage::follows;
    return;
  }
  const bool is_taken = !keys_of(node).empty();
  if (is_taken == (standby.stage == Stage::shall_lose_sight) && standby.patience-- > 0) return;
  if (standby.stage == Stage::shall_lose_sight) {
    standby.replica->lose_sight();
    standby.enter(Stage::lacks_writes);
  } else {
    standby.replica->take_over();
    standby.stage = Stage::has_taken_over;
    chance_.note(Fault::failover);
  }
}

std::vector<Reply> ServerFaults::keys_of(std::size_t node) const {
  BlockingClient server(nodes_[node].process->socket_path());
  return server.send({"KEYS", "*" + keys_ + "*"}).elements();
}

}  // namespace holdfast::live
