#include "sim/world/faults.hpp"

#include <algorithm>

#include "sim/core/invariant.hpp"

namespace holdfast {

Faults::Faults(const std::vector<FaultRule>& rules, Duration magnitude, Touched& touched,
               const FaultTable& table)
    : table_(&table), touched_(touched), rules_(rules) {
  for (FaultRule& rule : rules_)
    if (rule.magnitude == Duration::zero()) rule.magnitude = rule.kind == Fault::restart ? 1s : magnitude;
  note_able();
  have_struck_ = able_.empty();
}

void Faults::note_able() {
  able_ = {};
  for (const FaultRule& rule : rules_)
    if (rule.budget > 0) able_.insert(rule.kind);
}

void Faults::spend(std::size_t rule) {
  touched_.note_all();
  INVARIANT(rules_[rule].budget > 0, "a fault strikes within its budget");
  if (--rules_[rule].budget == 0) note_able();
  have_struck_ = true;
}

Duration Faults::loses_latest() const {
  Duration longest{};
  for (const FaultRule& rule : rules_)
    if (rule.kind == Fault::restart && rule.loses == DataLoss::latest)
      longest = std::max(longest, rule.magnitude);
  return longest;
}

// table: the scenario's. touched: another's. able, have_struck: budgets tell it, and that the world is calm.
// Of a rule all but its budget is the scenario's.
Digest Faults::mix_state(Digest history) const {
  const auto& [table, touched, rules, able, have_struck] = *this;
  const auto budget_of = [](const FaultRule& rule) {
    const auto& [kind, target, place, budget, magnitude, loses] = rule;
    return std::uint64_t{budget};
  };
  for (std::size_t i = 0; i < rules.size(); i += 2) {
    const std::uint64_t second = i + 1 < rules.size() ? budget_of(rules[i + 1]) : 0;
    history = mix(history, budget_of(rules[i]) | second << 32);
  }
  return history;
}

}  // namespace holdfast
