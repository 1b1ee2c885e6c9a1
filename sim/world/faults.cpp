#include "sim/world/faults.hpp"

#include <algorithm>

#include "sim/core/invariant.hpp"

namespace holdfast {

Faults::Faults(const std::vector<FaultRule>& rules, Duration magnitude) : rules_(rules) {
  for (FaultRule& rule : rules_)
    if (rule.magnitude == Duration::zero()) rule.magnitude = rule.kind == Fault::restart ? 1s : magnitude;
  note_able();
}

void Faults::note_able() {
  able_ = {};
  for (const FaultRule& rule : rules_)
    if (rule.budget > 0) able_.insert(rule.kind);
}

void Faults::spend(std::size_t rule) {
  INVARIANT(rules_[rule].budget > 0, "a fault strikes within its budget");
  if (--rules_[rule].budget == 0) note_able();
}

Duration Faults::loses_latest() const {
  Duration longest{};
  for (const FaultRule& rule : rules_)
    if (rule.kind == Fault::restart && rule.loses == DataLoss::latest)
      longest = std::max(longest, rule.magnitude);
  return longest;
}

Digest Faults::mix_state(Digest history) const {
  for (std::size_t i = 0; i < rules_.size(); i += 2) {
    const std::uint64_t second = i + 1 < rules_.size() ? rules_[i + 1].budget : 0;
    history = mix(history, rules_[i].budget | second << 32);
  }
  return history;
}

}  // namespace holdfast
