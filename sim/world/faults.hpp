// Fault rules turned into choices: what may strike here and now, within its budget. The calm answer is always
// 0.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "sim/choose/choices.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/trace/digest.hpp"

namespace holdfast {

struct Strike {
  Fault kind;
  Duration magnitude;
  DataLoss loses = DataLoss::everything;  // restart only
};

class Faults {
 public:
  // `magnitude` stands in where a rule gives none.
  Faults(const std::vector<FaultRule>& rules, Duration magnitude);

  // Asks whether one of `kinds` strikes `client`, which is at `place`; takes it off the budget if so.
  std::optional<Strike> offer(Choices& choices, Site site, std::initializer_list<Fault> kinds,
                              ClientId client, Place place) {
    if (!may_strike()) return std::nullopt;
    return offer_some(choices, site, kinds, client, place);
  }
  // Whether any rule has a budget left.
  bool may_strike() const { return !able_.empty(); }
  // Whether a rule of this kind has a budget left.
  bool can(Fault kind) const { return able_.contains(kind); }
  // The longest time of which a restart may lose the writes.
  Duration loses_latest() const;
  // From now on nothing strikes.
  void stop() { able_ = {}; }
  Digest mix_state(Digest history) const;

 private:
  std::optional<Strike> offer_some(Choices& choices, Site site, std::initializer_list<Fault> kinds,
                                   ClientId client, Place place);
  void note_able();
  std::vector<FaultRule> rules_;  // budgets count down
  FaultSet able_;                 // of rules with a budget
};

}  // namespace holdfast
