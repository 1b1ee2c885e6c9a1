// How much may happen in a run: the bounds that deepen, where nobody has chosen them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace holdfast {

struct Scope {
  std::uint32_t clients = 2;
  std::uint32_t rounds = 1;
  std::uint32_t attempts = 2;
  std::uint32_t faults = 1;  // how many may strike
  Duration tick = 500ms;
  bool operator==(const Scope&) const = default;
};

// What a lock under a fault was explored within.
struct Within {
  Scope scope;
  Scenario scenario;  // empty where it was read from a file
  std::uint64_t states_max = 0;
  bool is_closed = false;  // every schedule was explored
};

}  // namespace holdfast
