// The parts of a world that are plain data: what servers keep, connections of clients' own, cuts, and faults
// that may strike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/redis/connections.hpp"
#include "sim/trace/digest.hpp"
#include "sim/trace/event.hpp"
#include "sim/world/client.hpp"
#include "sim/world/contents.hpp"

namespace holdfast::parts {

// One for each key that a client locks, by key, in rising order.
struct LockedKey {
  std::string key;
  Acquisition owner;  // whose command last wrote the value there
};
using LockedKeys = std::vector<LockedKey>;

// A key of the server, as far as states differ in it.
struct Key {
  Digest content;         // its name and its value, unless that is a token
  std::uint64_t expires;  // microseconds since the epoch, if it is mortal
  Token token;            // number 0: none
  bool is_mortal = false;
};

// What one server keeps, and what the world knows of it.
struct Shelf {
  Contents data;
  LockedKeys locked;
  std::vector<Key> keys;
  std::uint32_t tokens = 0;  // keys whose value is one
};
struct Server {
  Shelf shelf;
  Duration clock_offset{};  // its clock shows true time plus this
  // What replicas or files may still hold: how things stood before the last write, before the one before, …
  struct Past {
    Shelf shelf;
    Instant written;  // then came the write
    ClientId writer;
    bool is_replicated = false;  // the replica has the write
  };
  std::vector<Past> past;
};
// A connection that a client has for itself, until both ends have forgotten it.
struct Line {
  redis::ConnectionId id;
  ClientId client;
  NodeId node;
  bool is_open = true;    // to the client
  bool is_lost = false;   // the client knows, or is about to be told
  bool is_reset = false;  // the server does not know it any more: what still arrives is dropped
  std::uint32_t last_call = ~std::uint32_t{0};  // the slot of its message
  struct Letter {
    MessageId id;
    Reply text;
    Digest content;
  };
  std::vector<Letter> inbox = {};  // messages that nobody has asked for yet
  Instant last_arrival{};          // in timed runs, of what the server sent
};
// What travels between the two is lost, until it is healed.
struct Cut {
  std::uint32_t number;
  ClientId client;
  NodeId node;
  bool loses_requests;
  bool loses_replies;
};
// A fault that may strike now.
struct Strike {
  Fault fault;
  std::uint32_t rule;  // of faults_
  Actor actor;         // the client or the server
  std::uint32_t variant = 0;
  std::uint32_t at = 0;  // the slot of the message, or the index of the work in pending_
};

}  // namespace holdfast::parts
