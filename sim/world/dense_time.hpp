// What may be next where time is dense, and the bounds of when (dense.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/world/times.hpp"

namespace holdfast {

struct Coming {
  // death: of a key, or the end of a wait at a server. rest: nothing is left to happen. end: of the calm
  // phase.
  enum class Kind : std::uint8_t { event, death, belief, strike, rest, end };
  Kind kind;
  std::uint32_t index = 0;  // of what is pending, a server, a client, or a strike
  Instant at = never;       // of what happens by itself
  bool is_now = false;      // of a strike: before time passes
};

struct DenseTime {
  explicit DenseTime(Choices& choices) : times(choices) {}
  Times times;
  std::vector<Coming> possible = {};
  std::vector<Coming> by_itself = {};       // keys that die, beliefs that end
  std::vector<std::uint32_t> waiting = {};  // what is pending and not held up
  Instant probe = {};                       // when what is tried happens
  std::vector<Limit> limits = {};           // of when that is
};

}  // namespace holdfast
