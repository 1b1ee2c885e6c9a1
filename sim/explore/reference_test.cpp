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


std::string names(PropertySet properties) {
  std::string text;
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    if (properties.contains(static_cast<Property>(i))) text += fmt::format(" {}", property_ids[i]);
  return text.empty() ? " -" : text;
}

// Where the two disagree; empty: nowhere.
std::string difference(const Scenario& scenario, const Card& card, std::size_t states_max, Found* out = nullptr) {
  const Found found = search(scenario, card, states_max);
  if (out != nullptr) *out = found;
  const Exploration engine = explore(scenario, card, {});
  std::string text;
  for (const PropertyResult& result : engine.properties) {
    if (!definitions::all.contains(result.property)) continue;
    const bool is_broken = found.broken.contains(result.property);
    const bool is_open = result.verdict == Verdict::unknown || (!is_broken && !found.is_closed);
    if (is_open || result.verdict == Verdict::not_applicable || is_broken == (result.verdict == Verdict::violated)) continue;
    text += fmt::format(" {}:{}", id_of(result.property), is_broken ? "reference" : "ENGINE");
  }
  return text;
}

TEST(Reference, Tries) {
  const char* lock = getenv("LOCK");
  const char* fault = getenv("FAULT");
  for (const Card& card : algorithms::all()) {
    if (lock != nullptr && card.id != lock) continue;
    for (std::size_t i = 0; i < fault_ids.size(); ++i) {
      if (fault != nullptr && fault_ids[i] != fault) continue;
      Comparison comparison{.attempts = static_cast<std::uint32_t>(atoi(getenv("ATTEMPTS")))};
      comparison.timing.retry_late = comparison.timing.retry;
      comparison.timing.restart_late = comparison.timing.restart;
      Scenario scenario = scenario_of(comparison, card, static_cast<Fault>(i));
      const auto begin = std::chrono::steady_clock::now();
      try {
        Found found;
        const std::string text = difference(scenario, card, 2'000'000, &found);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        fmt::print("{:22} {:18} {} {:8} {:9} {:6.1f}s {} {}\n", card.id, fault_ids[i], found.is_closed ? "closed" : "OPEN  ", found.states,
                   found.transitions, seconds, text.empty() ? "same" : "DIFFERS", text);
      } catch (const Unsupported& problem) {
        fmt::print("{:22} {:18} left out: {}\n", card.id, fault_ids[i], problem.what());
      }
      fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace holdfast::reference
