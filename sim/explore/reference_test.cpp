// The reference explorer closes spaces by itself, and is what the engine is compared with.
#include "sim/explore/reference_test.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <unordered_map>

#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast::reference {
namespace {

struct Found {
  bool is_closed = false;
  std::size_t states = 0;
  std::size_t transitions = 0;
  PropertySet broken;
  std::map<Property, std::vector<Action>> runs;  // a shortest one that breaks it
};

// Every state, breadth first.
Found search(const Setup& setup, std::size_t states_max) {
  struct Node {
    std::uint32_t parent;
    Action action;
  };
  Found found;
  std::vector<Node> nodes{{0, {}}};
  std::unordered_map<std::string, std::uint32_t> known;
  std::deque<std::pair<std::uint32_t, World>> open;
  open.emplace_back(0, World(setup));
  known.emplace(open.back().second.text(), 0);
  while (!open.empty() && nodes.size() < states_max) {
    const auto [from, world] = std::move(open.front());
    open.pop_front();
    for (const Action& action : world.enabled()) {
      World next = world;
      next.apply(action);
      ++found.transitions;
      if (next.has_told_time && !setup.is_timed) return found;
      const PropertySet broken = next.broken();
      const auto number = static_cast<std::uint32_t>(nodes.size());
      const bool is_new = known.emplace(next.text(), number).second;
      if (is_new || !found.broken.contains_all(broken)) nodes.push_back({from, action});
      for (std::size_t i = 0; i < property_ids.size(); ++i) {
        const auto property = static_cast<Property>(i);
        if (!broken.contains(property) || found.broken.contains(property)) continue;
        found.broken.insert(property);
        for (std::uint32_t at = number; at != 0; at = nodes[at].parent)
          found.runs[property].insert(found.runs[property].begin(), nodes[at].action);
      }
      if (is_new) open.emplace_back(number, std::move(next));
    }
  }
  found.is_closed = open.empty();
  found.states = known.size();
  return found;
}

Found search(const Scenario& scenario, const Card& card, std::size_t states_max) {
  Setup setup = setup_of(scenario, card);
  Found found = search(setup, states_max);
  if (found.is_closed || found.states != 0) return found;
  setup.is_timed = true;
  return search(setup, states_max);
}

TEST(Reference, Tries) {
  const char* lock = getenv("LOCK");
  for (const Card& card : algorithms::all()) {
    if (lock != nullptr && card.id != lock) continue;
    for (std::size_t i = 0; i < fault_ids.size(); ++i) {
      Comparison comparison{.attempts = 1};
      Scenario scenario = scenario_of(comparison, card, static_cast<Fault>(i));
      const auto begin = std::chrono::steady_clock::now();
      try {
        const Found found = search(scenario, card, 2'000'000);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        std::string broken;
        for (std::size_t p = 0; p < property_ids.size(); ++p)
          if (found.broken.contains(static_cast<Property>(p))) broken += std::string(property_ids[p]) + " ";
        fmt::print("{:22} {:18} {} {:8} {:9} {:6.1f}s {}\n", card.id, fault_ids[i], found.is_closed ? "closed" : "OPEN  ", found.states,
                   found.transitions, seconds, broken);
      } catch (const Unsupported& problem) {
        fmt::print("{:22} {:18} left out: {}\n", card.id, fault_ids[i], problem.what());
      }
      fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace holdfast::reference
