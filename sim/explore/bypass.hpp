// How often a waiting client can be overtaken, and whether all can wait for ever, on a graph that was
// explored.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/explore/liveness_graph.hpp"

namespace holdfast {

// A way into a cycle, and once round it.
struct Lasso {
  ClientId waiter;
  std::vector<std::uint32_t> stem;  // states after the beginning; the last is where the cycle begins
  std::vector<std::uint32_t> loop;  // the states after that; the last is the same
  std::uint32_t grants = 0;         // to others, once round
};

struct Bypass {
  // The most grants to others while one client waited; counts what lies on no cycle.
  std::uint32_t most = 0;
  // The starvation that can begin first.
  std::optional<Lasso> lasso;
  // There are cycles with grants to others, but time does not pass in them or the waiter does not ask.
  bool is_timeless = false;
  // There are cycles in which a client keeps asking, time passes, and no client is granted the lock.
  bool is_stuck = false;
};

// For at most 32 clients. On a graph that is not complete a lasso is still one.
Bypass bypass_on(const StateGraph& graph, std::uint32_t clients);

// A cycle in which a client keeps asking and time passes, and from which no grant can be reached by any
// choice. None, on a graph that is not complete.
std::optional<Lasso> livelock_on(const StateGraph& graph, std::uint32_t clients);

}  // namespace holdfast
