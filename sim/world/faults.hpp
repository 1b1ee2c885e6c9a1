// Fault rules and what is left of their budgets.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/trace/digest.hpp"

namespace holdfast {

class Faults {
 public:
  // `magnitude` stands in where a rule gives none.
  Faults(const std::vector<FaultRule>& rules, Duration magnitude);

  // Their budgets are what is left.
  std::span<const FaultRule> rules() const { return rules_; }
  // Whether any rule has a budget left.
  bool may_strike() const { return !able_.empty(); }
  // Whether a rule of this kind has a budget left.
  bool can(Fault kind) const { return able_.contains(kind); }
  bool can_any(FaultSet kinds) const { return (able_.bits() & kinds.bits()) != 0; }
  // Whether one has struck, of those that may; true where none may from the beginning.
  bool have_struck() const { return have_struck_; }
  // Takes one strike off the budget. REQUIRES: there is one.
  void spend(std::size_t rule);
  // The longest time of which a restart may lose the writes.
  Duration loses_latest() const;
  // From now on nothing strikes.
  void stop() { able_ = {}; }
  Digest mix_state(Digest history) const;

 private:
  void note_able();
  std::vector<FaultRule> rules_;
  FaultSet able_;  // of rules with a budget
  bool have_struck_;
};

}  // namespace holdfast
