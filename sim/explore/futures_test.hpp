// Compares the futures of states that the cache takes for one, along every way to every state. For tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "sim/choose/path.hpp"
#include "sim/choose/strategies.hpp"
#include "sim/explore/run.hpp"
#include "sim/explore/stage.hpp"

namespace holdfast {

struct Child {
  BranchChoices::Picks picks;
  Digest digest;
  bool is_over = false;
  PropertySet violated{};
};

// Steps beyond states that are reached by their answers. REQUIRES: Arena::is_available().
class Futures {
 public:
  explicit Futures(Subject& subject) : subject_(subject), stage_(subject_, choices_, Engine::snapshots) {}

  // One step beyond the state that `picks` lead to in so many steps.
  std::vector<Child> children_of(const BranchChoices::Picks& picks, std::uint32_t steps) {
    stage_.reset();
    choices_.follow(picks);
    for (std::uint32_t step = 0; step < steps; ++step) stage_.step();
    const std::uint32_t begin = choices_.position();
    here_.assign(stage_.used().begin(), stage_.used().end());
    std::vector<Child> children;
    do {
      stage_.restore(here_);
      choices_.rewind(begin);
      stage_.step();
      const Digest digest = stage_.run().digest();
      const World& world = stage_.run().world;
      children.push_back({{choices_.picks().begin(), choices_.picks().end()},
                          digest,
                          world.is_over(),
                          stage_.run().judge.violated()});
      subject_.known.insert(world.told());
    } while (choices_.advance(begin));
    return children;
  }
  Digest future_of(const Child& state, std::uint32_t steps) {
    Digest future;
    for (const Child& child : children_of(state.picks, steps))
      future = sum(future, mix(Digest{}, child.digest));
    return future;
  }

 private:
  Subject& subject_;
  PathChoices choices_;
  Stage stage_;
  std::vector<std::byte> here_;
};

struct StatesFound {
  std::uint64_t states = 0;
  std::uint64_t with_two_futures = 0;  // ways to a state from which others go on than from it
};

// Every way to every state, or to so many, not a sample.
inline StatesFound compare_futures(const Scenario& scenario, const Card& card, std::uint64_t states_max,
                                   Knowledge known = {}) {
  Subject subject(scenario, card);
  subject.known = known;
  subject.learns = true;
  {
    Futures futures(subject);
    std::map<Digest, Digest> seen;
    std::deque<std::pair<Child, std::uint32_t>> waiting{{Child{}, 0}};
    std::uint64_t differ = 0;
    for (; !waiting.empty() && seen.size() < states_max; waiting.pop_front()) {
      const auto& [state, steps] = waiting.front();
      for (Child& child : futures.children_of(state.picks, steps)) {
        if (child.is_over) continue;
        const Digest future = futures.future_of(child, steps + 1);
        const auto [same, is_new] = seen.try_emplace(child.digest, future);
        differ += same->second == future ? 0 : 1;
        if (is_new) waiting.emplace_back(std::move(child), steps + 1);
      }
    }
    if (known.covers(subject.known)) return {seen.size(), differ};
  }  // one arena at a time
  return compare_futures(scenario, card, states_max, subject.known);
}

// Ways that the cache takes for one lead to the same.
inline std::uint64_t count_states_with_one_future(const Scenario& scenario, const Card& card,
                                                  std::uint64_t states_max = 1'000'000) {
  const StatesFound found = compare_futures(scenario, card, states_max);
  EXPECT_EQ(found.with_two_futures, 0u) << card.id;
  return found.states;
}

}  // namespace holdfast
