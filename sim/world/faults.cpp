#include "sim/world/faults.hpp"

#include <algorithm>
#include <array>

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

std::optional<Strike> Faults::offer_some(Choices& choices, Site site, std::initializer_list<Fault> kinds,
                                         ClientId client, Place place) {
  std::array<FaultRule*, 8> able{};
  std::uint32_t count = 0;
  for (const Fault kind : kinds) {
    if (!able_.contains(kind)) continue;
    for (FaultRule& rule : rules_) {
      if (rule.kind != kind || rule.budget == 0) continue;
      if (rule.target && *rule.target != client) continue;
      if (rule.place != Place::anywhere && rule.place != place) continue;
      INVARIANT(count < able.size(), "few rules can strike at one place");
      able[count++] = &rule;
    }
  }
  const std::uint32_t picked = choices.pick(site, actor_of(client), count + 1);
  if (picked == 0) return std::nullopt;
  FaultRule& rule = *able[picked - 1];
  if (--rule.budget == 0) note_able();
  return Strike{rule.kind, rule.magnitude, rule.loses};
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
