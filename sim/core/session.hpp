// A connection of a client to a server, and what a server sends over one that is no answer to the last
// request. Every simulated server reports it alike.
#pragma once

#include <vector>

#include "sim/core/reply.hpp"
#include "sim/core/units.hpp"

namespace holdfast {

// One connection to one server; the caller gives them out. 0: that which all requests of a client share.
using ConnectionId = Id<struct ConnectionTag>;

// A message of a channel, or the answer to a request that had to wait.
struct Push {
  ConnectionId connection;
  Reply message;
  bool operator==(const Push&) const = default;
};
using Pushes = std::vector<Push>;

}  // namespace holdfast
