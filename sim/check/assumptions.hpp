// What a lock assumes of its world: which faults break it together, and which do not. Values only, made by
// sim/explore, reported by reports.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/check/result.hpp"

namespace holdfast {

// Faults that may all strike one run, each once.
struct BreakingSet {
  FaultSet faults;
  Counterexample run;  // the shortest
};

// Of one property. Sets have at most as many faults as the search was asked for.
struct Assumption {
  Property property{};
  std::vector<BreakingSet> breaks;  // the weakest: without any one of its faults, it holds
  std::vector<FaultSet> holds;      // the strongest: of any larger set of that size, some part breaks it
  std::vector<FaultSet> open;       // the budget ended first
  std::vector<FaultSet> hollow;     // explored, but no run came to where they could hurt
};

struct Assumptions {
  std::uint32_t together = 1;          // at most so many faults in one set
  FaultSet tried;                      // the faults that sets were made of
  FaultSet idle;                       // alone, these never struck, so they are in no larger set
  std::vector<Assumption> properties;  // in the order of the vocabulary
  std::uint32_t sets = 0;              // explored to the end
  std::uint64_t states = 0;
};

}  // namespace holdfast
