#include "sim/explore/comparison.hpp"

namespace holdfast {

Scenario scenario_of(const Comparison& comparison, const Card& card, Fault fault) {
  using Op = ProgramStep::Op;
  Scenario scenario;
  scenario.name = std::string(card.id) + "-under-" + std::string(id_of(fault));
  scenario.algorithm = card.id;
  if (Params(card.parameters).has("ttl")) scenario.params.emplace_back("ttl", to_text(comparison.ttl));
  scenario.belief =
      comparison.belief.value_or(card.belief);  // a trace replays alone, whatever cards say later
  scenario.timing = comparison.timing;
  scenario.explore = comparison.explore;
  scenario.check = comparison.check;
  for (std::uint32_t i = 0; i < comparison.clients; ++i)
    scenario.clients.push_back({.id = name_of(ClientId{i}),
                                .rounds = comparison.rounds,
                                .program = {{.op = Op::acquire, .attempts = comparison.attempts},
                                            {.op = Op::work, .length = comparison.section},
                                            {.op = Op::write},
                                            {.op = Op::release}}});
  if (fault != Fault::none) scenario.faults.push_back({.kind = fault, .budget = comparison.faults});
  return scenario;
}

}  // namespace holdfast
