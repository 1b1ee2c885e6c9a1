// Very many random runs over every lock, every fault and every strategy, checked for what must never happen:
// a crash, a leak, two executions that differ, a violation that exhaustive exploration of the same space
// denies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast::bench {

struct Marathon {
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
  std::uint64_t cells = 0;      // locks under faults
  std::uint64_t repeated = 0;   // samples that were drawn twice and compared
  std::uint64_t replayed = 0;   // counterexamples that were executed again, alone
  std::uint64_t confirmed = 0;  // samples whose findings exhaustive exploration has, too
  std::vector<std::string> complaints;
};

// At least so many runs, evenly over all cells; equal arguments give equal results. `states_max`: spaces up
// to this size are closed, too, to compare. Throws Nondeterminism.
Marathon run_marathon(std::uint64_t runs, std::uint64_t seed, std::uint64_t states_max);

}  // namespace holdfast::bench
