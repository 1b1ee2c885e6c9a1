// Chance of live faults: which of them strike when, and how often each did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "sim/core/vocabulary.hpp"
#include "sim/live/live_clock.hpp"

namespace holdfast::live {

// How often each fault struck.
using Strikes = std::map<Fault, std::uint64_t>;

class FaultChance {
 public:
  // Each of `faults` strikes one in so many opportunities.
  FaultChance(FaultSet faults, std::uint32_t one_in, std::uint64_t seed)
      : faults_(faults), one_in_(one_in), random_(std::string(), seed) {}

  bool strikes(Fault fault) {
    const bool does = comes_up(fault);
    if (does) note(fault);
    return does;
  }
  // For a fault that may find nothing to strike: whether this is an opportunity that it takes. It counts when
  // it is noted.
  bool comes_up(Fault fault) { return faults_.contains(fault) && any_of(one_in_) == 0; }
  void note(Fault fault) { ++struck_[fault]; }
  // A number below `count`.
  std::size_t any_of(std::size_t count) {
    return static_cast<std::size_t>(random_.jitter(Duration(count - 1)).count());
  }

  FaultSet faults() const { return faults_; }
  const Strikes& struck() const { return struck_; }

 private:
  FaultSet faults_;
  std::uint32_t one_in_;
  LiveRandom random_;
  Strikes struck_;
};

}  // namespace holdfast::live
