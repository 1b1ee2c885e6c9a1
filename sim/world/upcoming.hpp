// What is going to happen in a world, and time that passes until it does.
#pragma once

#include <cstdint>

#include "sim/core/units.hpp"
#include "sim/trace/digest.hpp"

namespace holdfast {

// Time that has passed before something may happen.
struct Passage {
  Duration length{};
  bool is_plain = true;           // nothing else has happened: no key expired, no belief ended
  bool is_something_due = false;  // now
};

struct Upcoming {
  ClientId client;
  std::uint64_t number;  // its own for as long as it is to come; what comes later has a greater one
  Digest digest;         // in its client's part, as that was last made
  Duration earliest;     // from now
  Duration latest;
  bool is_held_up;
  bool is_request;  // a server's turn, not its client's
};

}  // namespace holdfast
