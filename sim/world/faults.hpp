// Fault rules and what is left of their budgets.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/trace/digest.hpp"
#include "sim/world/touched.hpp"

namespace holdfast {

class Faults {
 public:
  // `magnitude` stands in where a rule gives none. Whether faults may strike, the parts of all clients say.
  Faults(const std::vector<FaultRule>& rules, Duration magnitude, Touched& touched,
         const FaultTable& table = fault_table);

  // Their budgets are what is left.
  std::span<const FaultRule> rules() const { return rules_; }
  // Whether any rule has a budget left.
  bool may_strike() const { return !able_.empty(); }
  // Whether a rule of this kind has a budget left.
  bool can(Fault kind) const { return able_.contains(kind); }
  // Whether any that may do this has; of one kind.
  bool may(Harm harm) const { return able_.contains_any(table_->doing(harm)); }
  bool may(Harm harm, Fault kind) const { return table_->doing(harm).contains(kind); }
  bool may_take_replies() const { return able_.contains_any(table_->taking_replies()); }
  // Whether one has struck, of those that may; true where none may from the beginning.
  bool have_struck() const { return have_struck_; }
  // Takes one strike off the budget. REQUIRES: there is one.
  void spend(std::size_t rule);
  // The longest time of which a restart may lose the writes.
  Duration loses_latest() const;
  // From now on nothing strikes.
  void stop() {
    touched_.note_all();
    able_ = {};
  }
  Digest mix_state(Digest history) const;

 private:
  void note_able();
  const FaultTable* table_;
  Touched& touched_;
  std::vector<FaultRule> rules_;
  FaultSet able_;  // of rules with a budget
  bool have_struck_;
};

}  // namespace holdfast
