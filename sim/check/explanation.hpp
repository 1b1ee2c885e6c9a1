// Why a counterexample violates: the faults and waits that it needs, and since when it was inevitable.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/core/vocabulary.hpp"
#include "sim/trace/event.hpp"

namespace holdfast {

// A fault that has struck in a run.
struct Circumstance {
  Fault fault = Fault::none;
  Actor actor;  // the client or node that it struck
  Step step;
};

// What became of the property without some circumstances.
struct Fate {
  Verdict verdict = Verdict::unknown;
  std::uint32_t steps = 0;   // violated: after how many steps
  std::uint64_t states = 0;  // how many were explored to know it
};

// One line of the but-for table.
struct ButFor {
  std::vector<Circumstance> without;  // of several, taking away fewer still ends in a violation
  Fate same_schedule;  // the recorded answers but for these, which are calm; after its end, calm
  Fate any_schedule;   // all schedules within bounds that leave no room for these; no less, no more
};

// After this step, every continuation within the bounds violates; before it, some do not.
struct NoReturn {
  Step step;              // 0: every run of the scenario violates
  bool is_exact = false;  // false: the search ended early, and it may be an earlier step
  std::uint64_t states = 0;
};

// How badly a fault must strike. Each magnitude was explored, in steps of one tick.
struct Threshold {
  Fault fault;
  Duration holds_up_to{};    // zero: the smallest that can be explored violates it already
  Duration violated_from{};  // the smallest magnitude with which the property is violated
};

struct Explanation {
  std::vector<ButFor> but_for;
  // In full explanations only, as these two take longest.
  std::optional<NoReturn> no_return;
  std::vector<Threshold> thresholds;
};

}  // namespace holdfast
