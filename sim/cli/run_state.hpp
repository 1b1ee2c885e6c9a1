// One state of a run, as the answers that lead there name it: how things stand, and what may happen next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/served_pages.hpp"
#include "sim/cli/asked.hpp"
#include "sim/cli/game.hpp"

namespace holdfast::cli {

struct RunState {
  Counterexample run;    // up to here, steps as they are shown
  reports::Scene scene;  // of the run
  reports::StateView state;
  std::uint32_t steps = 0;
  std::string question;  // in words; empty: the run is over
  std::vector<reports::Onward> actions;
  std::vector<reports::Onward> way;
};
// `link`: of the run before its first answer. Throws Refused for answers that the run does not ask for.
RunState state_of(const AskedRun& run, const std::string& link, reports::Language language);

// The answers of a run that is known by its tape, as state_of() wants them; and after how many of them each
// of its shown steps is over.
struct RunAnswers {
  std::vector<std::uint32_t> picks;
  std::vector<std::size_t> after_step;
};
RunAnswers answers_of(const Scenario& scenario, const Card& card, const Counterexample& example);

}  // namespace holdfast::cli
