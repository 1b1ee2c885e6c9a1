// The real servers of a performance: connections to them, what is done to them, what they hold.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/live/blocking_client.hpp"
#include "sim/live/replica.hpp"
#include "sim/live/usable_server.hpp"
#include "sim/trace/event.hpp"

namespace holdfast::live {

// The run is over where reality left it.
struct Departed {
  std::string what;
};

std::string shown(const Reply& reply);
std::string shown(const std::vector<std::string>& argv);

class PlayedServers {
 public:
  // A connection that a client has for itself; 0: the one that all its requests share.
  using Line = std::uint32_t;

  // `followed`: servers from which a replica takes over. REQUIRES: those are private.
  PlayedServers(std::span<ServerForRun> servers, const std::vector<NodeId>& followed);

  std::uint32_t count() const { return static_cast<std::uint32_t>(servers_.size()); }
  // All of them hold this from the beginning.
  void fill(const std::string& key, const std::string& value);
  // A request was sent: its line stays open until it is carried out.
  void expect(ClientId client, Line line);
  Reply execute(ClientId client, NodeId node, Line line, const std::vector<std::string>& argv);
  // The same, of a command that has to wait; the reply of the one that waits on the line.
  void begin_wait(ClientId client, NodeId node, Line line, const std::vector<std::string>& argv);
  Reply end_wait(ClientId client, Line line);
  void hang_up(ClientId client, Line line);

  void restart(NodeId node);
  void lose_sight(NodeId node) { replicas_.at(node)->lose_sight(); }
  void fail_over(NodeId node);
  // The server needs room, and drops this key.
  void evict(NodeId node, const std::string& key);

  // Throws Departed if the key is not what the event says.
  void require_key(const KeyChanged& what);

 private:
  struct OwnLine {
    std::unique_ptr<BlockingClient> client;
    NodeId node;
    std::uint32_t coming = 0;  // requests on their way
    bool is_hung_up = false;
  };
  BlockingClient& shared(ClientId client, NodeId node);
  BlockingClient& control(NodeId node) { return shared(ClientId{~std::uint32_t{0}}, node); }
  BlockingClient& own(ClientId client, NodeId node, Line line);
  void note_arrival(ClientId client, Line line);
  void forget_connections(NodeId node);

  const std::span<ServerForRun> servers_;
  std::map<NodeId, std::unique_ptr<Replica>> replicas_;
  std::map<std::pair<ClientId, NodeId>, std::unique_ptr<BlockingClient>> shared_;
  std::map<std::pair<ClientId, Line>, OwnLine> own_;
};

}  // namespace holdfast::live
