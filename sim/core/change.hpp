// What a command, or the passing of time, did to the keys of a server, and what a server cannot do. Every
// simulated server reports it alike.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/session.hpp"

namespace holdfast {

struct Change {
  enum class Kind : std::uint8_t { created, overwritten, removed, expired, ttl_changed };
  // How a value was overwritten.
  enum class Way : std::uint8_t {
    replaced,  // by another, as SET does
    in_place,  // something in it is new, or gone: HSET, LPOP, APPEND
    counted,   // a number in it was counted up or down: INCR, HINCRBY
  };
  std::string key;
  Kind kind;
  Way way = Way::replaced;
  // Whose it is, of those that have sessions: who is granted what another gave back. 0: of who asked.
  ConnectionId session = {};
  bool operator==(const Change&) const = default;
};
using Changes = std::vector<Change>;

// What a server was asked for that the real one has, and the simulated one has not. Both texts live for ever.
struct NotSimulated {
  std::string_view what;      // empty: nothing
  std::string_view how = {};  // goes on from there
};

}  // namespace holdfast
