// What exhaustive exploration finds of the planted bugs, and what is wrong with that.
#include <algorithm>
#include <limits>
#include <optional>

#include "bench/zoo/zoo.hpp"
#include "sim/explore/comparison.hpp"

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

// Of one set of faults: whether the property is broken with the bug, and without. Nothing where it is neither
// broken nor closed.
struct Both {
  std::optional<bool> with;
  std::optional<bool> without;
};

std::optional<bool> is_broken(const Planted& planted, Scenario scenario, const Budget& budget,
                              std::uint64_t states_max) {
  scenario.check = {planted.breaks};
  scenario.explore.states_max = std::min(scenario.explore.states_max, states_max);
  const Exploration found = explore(scenario, *planted.host, budget);
  if (broken(found).contains(planted.breaks)) return true;
  return found.complete ? std::optional(false) : std::nullopt;
}

Both both(const Planted& planted, const std::vector<FaultRule>& faults, const Budget& budget,
          std::uint64_t states_max) {
  Both found{.with = is_broken(planted, scenario_of(planted, faults), budget, states_max)};
  // Where the bug breaks nothing it does not matter what the host does.
  if (found.with != std::optional(false))
    found.without = is_broken(planted, host_scenario_of(planted, faults), budget, states_max);
  return found;
}

bool is_listed(const Planted& planted, const std::vector<FaultRule>& faults) {
  return std::find(planted.suffices.begin(), planted.suffices.end(), faults) != planted.suffices.end();
}

}  // namespace

Outcome outcome_of(const Planted& planted, const Budget& budget) {
  Outcome outcome;
  const std::vector<FaultRule>& faults = planted.suffices.front();
  const Exploration found = explore(scenario_of(planted, faults), *planted.host, budget);
  const Exploration of_host = explore(host_scenario_of(planted, faults), *planted.host, budget);
  outcome.is_complete = found.complete && of_host.complete;
  outcome.broken = broken(found);
  outcome.broken_host = broken(of_host);
  outcome.states = found.states;
  const PropertyResult* const result = result_of(found, planted.breaks);
  if (result != nullptr && result->counterexample) outcome.steps = result->counterexample->steps;
  return outcome;
}

std::string in_words(const std::vector<FaultRule>& faults) {
  std::string text;
  for (const FaultRule& rule : faults) {
    if (!text.empty()) text += " + ";
    if (rule.budget > 1) text += std::to_string(rule.budget) + " ";
    text += id_of(rule.kind);
    if (rule.kind == Fault::restart && rule.loses == DataLoss::nothing) text += " without loss";
  }
  return text.empty() ? "no fault" : text;
}

std::vector<std::string> disagreements(const Planted& planted, const Budget& budget,
                                       std::uint64_t states_max) {
  constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::string> list;
  const auto judge = [&](const std::vector<FaultRule>& faults) {
    const bool is_in_list = is_listed(planted, faults);
    const Both found = both(planted, faults, budget, is_in_list ? unlimited : states_max);
    const bool is_proof = found.with == std::optional(true) && found.without == std::optional(false);
    const bool is_open = !found.with || (*found.with && !found.without);
    if (is_in_list && is_open) list.push_back(in_words(faults) + " is listed, and not closed");
    else if (is_in_list && found.with == std::optional(false))
      list.push_back(in_words(faults) + " is listed, and is not enough");
    else if (is_in_list && !is_proof)
      list.push_back(in_words(faults) + " is listed, and breaks the host as well");
    else if (!is_in_list && is_proof) list.push_back(in_words(faults) + " is enough, and not listed");
    else if (!is_in_list && is_open && states_max == unlimited)
      list.push_back(in_words(faults) + " is not listed, and not closed");
  };
  judge({});
  if (is_listed(planted, {})) return list;
  for (const std::vector<FaultRule>& faults : planted.suffices) judge(faults);
  for (std::size_t i = 1; i < fault_ids.size(); ++i) {
    const FaultRule alone{.kind = static_cast<Fault>(i)};
    if (simulated_faults.contains(alone.kind) && !is_listed(planted, {alone})) judge({alone});
  }
  return list;
}

bool is_found(const Planted& planted, const Outcome& outcome) {
  return outcome.broken.contains(planted.breaks);
}

PropertySet false_alarms(const Planted& planted, const Outcome& outcome) {
  PropertySet said = planted.besides;
  said.insert(planted.breaks);
  // What is broken without the bug as well is no proof of it.
  PropertySet alarms = minus(minus(outcome.broken, said), outcome.broken_host);
  alarms.insert(minus(said, minus(said, outcome.broken_host)));
  return alarms;
}

PropertySet unfounded(const Planted& planted, const Outcome& outcome) {
  return minus(planted.besides, minus(outcome.broken, outcome.broken_host));
}

}  // namespace holdfast::zoo
