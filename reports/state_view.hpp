// One state of a run, as far as its events tell: what each client believes and what is so, what the servers
// hold, and what is on its way. For those who choose what happens next.
#pragma once

#include <optional>
#include <string>
#include <string_view>
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
  std::vector<Client> clients;
  std::vector<Key> keys;
  std::vector<Message> messages;
};

// After all of the run's events, at `now`, with clients that have done nothing yet.
StateView state_after(const Counterexample& run, std::size_t clients, Instant now);

}  // namespace holdfast::reports
