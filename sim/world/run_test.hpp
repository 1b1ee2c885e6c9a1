// Small runs for tests of the world, and what is found in their traces.
#pragma once

#include <string>
#include <vector>

#include "sim/choose/strategies.hpp"
#include "sim/stores/kinds.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

// One or two clients of the token lock with a lease of 4s, messages of up to 1s, timeout 3s.
inline Scenario small(std::uint32_t clients, std::vector<FaultRule> faults = {}) {
  Scenario scenario;
  scenario.algorithm = "token";
  scenario.faults = std::move(faults);
  for (std::uint32_t i = 0; i < clients; ++i)
    scenario.clients.push_back({.id = name_of(ClientId{i}),
                                .program = {{.op = ProgramStep::Op::acquire, .attempts = 2},
                                            {.op = ProgramStep::Op::work, .length = 1s},
                                            {.op = ProgramStep::Op::write},
                                            {.op = ProgramStep::Op::release}}});
  return scenario;
}

inline FaultRule rule(Fault kind, Place place = Place::anywhere) {
  FaultRule made;
  made.kind = kind;
  made.place = place;
  return made;
}

inline std::vector<Event> run_all(const Scenario& scenario, Choices& choices) {
  const Card& card = *algorithms::find(scenario.algorithm);
  Params params(card.parameters);
  params.set("ttl", "4s");
  for (const auto& [name, value] : scenario.params) params.set(name, value);
  stores::Kinds kinds;
  Trace trace(true);
  World world(scenario, card, params, kinds, choices, trace);
  while (world.step()) continue;
  return trace.events();
}

inline std::vector<Event> run_calm(const Scenario& scenario) {
  const Tape calm;
  ReplayChoices choices(calm);
  return run_all(scenario, choices);
}

template <class Kind>
std::vector<Event> all(const std::vector<Event>& events) {
  std::vector<Event> found;
  for (const Event& event : events)
    if (std::holds_alternative<Kind>(event.what)) found.push_back(event);
  return found;
}

}  // namespace holdfast
