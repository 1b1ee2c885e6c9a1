// Explains a counterexample: what it would not have happened without, and since when it was inevitable.
#pragma once

#include <functional>
#include <vector>

#include "sim/check/result.hpp"
#include "sim/core/lock.hpp"
#include "sim/explore/explore.hpp"
#include "sim/scenario/scenario.hpp"

namespace holdfast {

// `example` violates its first finding's property, and replays. What the budget leaves no time for is
// unknown.
Explanation explanation_of(const Scenario& scenario, const Card& card, const Counterexample& example,
                           const Budget& budget);

// Brief: only what the run would not have been without. Full: also since when it was inevitable, and how
// badly faults must strike.
enum class Detail : std::uint8_t { brief, full };

struct Unexplained {
  const Scenario* scenario;
  const Card* card;
  Counterexample* example;
  Detail detail;
};
// Explains each of them but loops, which go on where single runs end, on `threads` threads. `note_done` is
// called after each, by any of the threads.
void explain_all(
    const std::vector<Unexplained>& list, unsigned threads, const Budget& budget,
    const std::function<void()>& note_done = [] {});

}  // namespace holdfast
