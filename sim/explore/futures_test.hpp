// Compares the futures of states that the cache takes for one, along every way to every state. For tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "sim/choose/strategies.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {

struct Child {
  BranchChoices::Picks picks;
  Digest digest;
  bool is_over = false;
};

// One step beyond the state that `picks` lead to in so many steps.
inline std::vector<Child> children_of(Subject& subject, const BranchChoices::Picks& picks,
                                      std::uint32_t steps) {
  std::vector<Child> children;
  BranchChoices branch(picks);
  do {
    branch.restart();
    holdfast::Run run(subject, branch, false);
    for (std::uint32_t step = 0; step <= steps; ++step) run.world.step();
    Child child{picks, run.digest(), run.world.is_over()};
    subject.known.insert(run.world.told());
    child.picks.insert(child.picks.end(), branch.suffix().begin(), branch.suffix().end());
    children.push_back(std::move(child));
  } while (branch.advance());
  return children;
}

inline Digest future_of(Subject& subject, const Child& state, std::uint32_t steps) {
  Digest future;
  for (const Child& child : children_of(subject, state.picks, steps))
    future = sum(future, mix(Digest{}, child.digest));
  return future;
}

// Every way to every state, not a sample: ways that the cache takes for one lead to the same.
inline std::uint64_t count_states_with_one_future(const Scenario& scenario, const Card& card,
                                                  Knowledge known = {}) {
  Subject subject(scenario, card);
  subject.known = known;
  std::map<Digest, Digest> futures;
  std::deque<std::pair<Child, std::uint32_t>> waiting{{Child{}, 0}};
  for (; !waiting.empty(); waiting.pop_front()) {
    const auto& [state, steps] = waiting.front();
    for (Child& child : children_of(subject, state.picks, steps)) {
      if (child.is_over) continue;
      const Digest future = future_of(subject, child, steps + 1);
      const auto [same, is_new] = futures.try_emplace(child.digest, future);
      EXPECT_TRUE(same->second == future || !known.covers(subject.known))
          << card.id << ", " << steps + 1 << " steps";
      if (is_new) waiting.emplace_back(std::move(child), steps + 1);
    }
  }
  if (known.covers(subject.known)) return futures.size();
  return count_states_with_one_future(scenario, card, subject.known);
}

}  // namespace holdfast
