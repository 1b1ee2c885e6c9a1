// All states of a small space and the steps between them, found in the plainest way. For tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/explore/futures_test.hpp"

namespace holdfast {

class PlainGraph {
 public:
  // REQUIRES: Arena::is_available(), and the space is small.
  PlainGraph(const Scenario& scenario, const Card& card) : subject_(scenario, card) {
    subject_.learns = true;
    while (!build()) states_.clear();
  }
  // Without the first one, which no step leads to.
  std::uint64_t size() const { return states_.size() - 1; }
  // In so many steps, at least. nullopt: nowhere.
  std::optional<std::uint32_t> steps_to(Property violation) const {
    std::optional<std::uint32_t> least;
    for (const auto& [digest, state] : states_)
      if (state.violated.contains(violation) && state.steps < least.value_or(~0u)) least = state.steps;
    return least;
  }
  // The first step of the run after which every way on leads to the violation.
  std::uint32_t no_return(const Tape& tape, Property violation) {
    const std::set<Digest> avoiding = states_that_avoid(violation);
    ReplayChoices choices(tape);
    Run run(subject_, choices, false);
    std::uint32_t step = 0;
    for (Digest here = first; avoiding.contains(here); here = run.digest(), ++step) run.world.step();
    return step;
  }

 private:
  struct State {
    std::uint32_t steps;
    bool is_over;
    PropertySet violated;
    std::vector<Digest> next{};
  };
  static constexpr Digest first{};

  // False when somebody was told what the states did not say.
  bool build() {
    const Knowledge known = subject_.known;
    Futures futures(subject_);
    std::deque<std::pair<Child, std::uint32_t>> waiting{{Child{}, 0}};
    states_.emplace(first, State{0, false, {}});
    for (; !waiting.empty(); waiting.pop_front()) {
      const auto& [state, steps] = waiting.front();
      for (Child& child : futures.children_of(state.picks, steps)) {
        states_.at(state.digest).next.push_back(child.digest);
        if (!states_.emplace(child.digest, State{steps + 1, child.is_over, child.violated}).second) continue;
        if (!child.is_over) waiting.emplace_back(std::move(child), steps + 1);
      }
    }
    return known.covers(subject_.known);
  }
  // From where some way ends without the violation, or goes on for ever.
  std::set<Digest> states_that_avoid(Property violation) const {
    std::set<Digest> avoiding;
    for (const auto& [digest, state] : states_)
      if (!state.violated.contains(violation)) avoiding.insert(digest);
    const auto leads_on = [&](Digest digest) {
      const State& state = states_.at(digest);
      return state.is_over || std::any_of(state.next.begin(), state.next.end(),
                                          [&](Digest next) { return avoiding.contains(next); });
    };
    while (std::erase_if(avoiding, [&](Digest each) { return !leads_on(each); }) > 0) continue;
    return avoiding;
  }

  Subject subject_;
  std::map<Digest, State> states_;
};

}  // namespace holdfast
