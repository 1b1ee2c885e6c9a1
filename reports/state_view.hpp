// One state of a run, as far as its events tell: what each client believes and what is so, what the servers
// hold, and what is on its way.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/scene.hpp"

namespace holdfast::reports {

struct StateView {
  struct Client {
    ClientId id;
    bool believes = false;
    bool is_named = false;  // the store names it as the holder; of several servers, most of them
    bool is_stopped = false;
    bool is_running = false;
    Duration clock{};  // what its clock shows
  };
  struct Key {
    std::string server;
    std::string key;
    std::string value;
    std::optional<ClientId> owner;
    std::optional<Duration> left;  // of its lease; empty: it has none
    Duration whole{};              // of the lease
  };
  struct Message {
    std::string from;
    std::string to;
    std::string text;
  };
  Instant at{};
  std::size_t servers = 1;
  std::vector<Client> clients;
  std::vector<Key> keys;
  std::vector<Message> messages;  // of the end of a run alone
};

// Follows a run event by event.
class StateFollower {
 public:
  // Of the whole run; it must outlive this.
  explicit StateFollower(const Scene& scene) : scene_(scene) {}
  void follow(const Event& event);
  // `clients`: how many there are, of which some may have done nothing yet.
  StateView state_at(Instant now, std::size_t clients = 0) const;

 private:
  struct Written {
    Acquisition owner;
    std::string value;
    Instant at;
    Instant expires_at = never;
  };
  const Scene& scene_;
  Standing standing_;
  std::map<std::pair<NodeId, std::string>, Written> keys_;
  std::map<ClientId, Duration> offsets_;  // of clocks
};

// After all of the run's events, at `now`.
StateView state_after(const Counterexample& run, const Scene& scene, std::size_t clients, Instant now);

// For the templates beliefs and store.
nlohmann::ordered_json panel_of(const StateView& state);

}  // namespace holdfast::reports
