// What exhaustive exploration finds of the planted bugs, and what is wrong with that.
#include <algorithm>

#include "bench/zoo/zoo.hpp"

namespace holdfast::zoo {
namespace {

const PropertyResult* result_of(const Exploration& found, Property property) {
  for (const PropertyResult& each : found.properties)
    if (each.property == property) return &each;
  return nullptr;
}

PropertySet broken(const Exploration& found) {
  PropertySet properties;
  for (const PropertyResult& each : found.properties)
    if (each.verdict == Verdict::violated) properties.insert(each.property);
  return properties;
}

PropertySet minus(PropertySet from, PropertySet others) {
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    if (others.contains(static_cast<Property>(i))) from.erase(static_cast<Property>(i));
  return from;
}

}  // namespace

Outcome outcome_of(const Planted& planted, const Budget& budget) {
  Outcome outcome;
  const auto explored = [&](const Scenario& scenario) {
    Exploration found = explore(scenario, *planted.host, budget);
    outcome.is_complete &= found.complete;
    return found;
  };
  const Scenario scenario = scenario_of(planted);
  const Exploration found = explored(scenario);
  outcome.broken = broken(found);
  outcome.states = found.states;
  const PropertyResult* const result = result_of(found, planted.breaks);
  if (result != nullptr && result->counterexample) outcome.steps = result->counterexample->steps;
  outcome.broken_host = broken(explored(host_scenario_of(planted)));
  for (std::size_t without = 0; without < scenario.faults.size(); ++without) {
    Scenario less = scenario;
    if (less.faults[without].budget > 1) --less.faults[without].budget;
    else less.faults.erase(less.faults.begin() + static_cast<std::ptrdiff_t>(without));
    outcome.broken_earlier.insert(broken(explored(less)));
  }
  return outcome;
}

bool is_found(const Planted& planted, const Outcome& outcome) {
  return outcome.broken.contains(planted.breaks);
}

PropertySet false_alarms(const Planted& planted, const Outcome& outcome) {
  PropertySet said = planted.besides;
  said.insert(planted.breaks);
  // What is broken without the bug as well, or with fewer faults, is no proof of it.
  PropertySet early = outcome.broken_host;
  early.insert(outcome.broken_earlier);
  PropertySet alarms = minus(minus(outcome.broken, said), outcome.broken_host);
  alarms.insert(minus(said, minus(said, early)));
  return alarms;
}

PropertySet unfounded(const Planted& planted, const Outcome& outcome) {
  return minus(planted.besides, minus(outcome.broken, outcome.broken_host));
}

}  // namespace holdfast::zoo
