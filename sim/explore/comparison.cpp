#include "sim/explore/comparison.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace holdfast {
namespace {

// What tells a lock that waits inside acquire() to try once: the client's own attempts do the waiting, so
// that every lock is asked as often, at the same times.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> tries_once{
    {{"timeout", "0s"}, {"blocking", "no"}}};
// Locks on one server that are large all the same: half a million states and more for some faults.
constexpr std::array<std::string_view, 2> large{"redisson-fair", "redisson-rw"};
// The fewest nodes of which a majority survives one.
constexpr std::string_view nodes = "3";

}  // namespace

namespace {

// What a client does: the workload that the property is about.
std::vector<ProgramStep> program_for(const Comparison& comparison, Duration work) {
  using Op = ProgramStep::Op;
  const ProgramStep acquire{.op = Op::acquire, .attempts = comparison.attempts};
  if (comparison.check == PropertySet{Property::reentrancy})
    return {acquire,
            {.op = Op::acquire_again},
            {.op = Op::work, .length = work},
            {.op = Op::release},
            {.op = Op::release}};
  if (comparison.check == PropertySet{Property::single_fill})
    return {{.op = Op::look_up}, acquire,
            {.op = Op::look_up}, {.op = Op::fetch, .length = work},
            {.op = Op::store},   {.op = Op::release}};
  if (comparison.check.contains(Property::no_lost_update))
    return {
        acquire, {.op = Op::read}, {.op = Op::work, .length = work}, {.op = Op::write}, {.op = Op::release}};
  return {acquire, {.op = Op::work, .length = work}, {.op = Op::write}, {.op = Op::release}};
}

}  // namespace

bool is_large(const Card& card) {
  return card.needs_several_servers() || std::find(large.begin(), large.end(), card.id) != large.end();
}

Scenario scenario_of(const Comparison& comparison, const Card& card, Fault fault) {
  Scenario scenario;
  scenario.name = std::string(card.id) + "-under-" + std::string(id_of(fault));
  scenario.algorithm = card.id;
  const Params declared(card.parameters);
  const Duration ttl = card.renews ? renewed_ttl(comparison) : comparison.ttl;
  if (declared.has("ttl")) scenario.params.emplace_back("ttl", to_text(ttl));
  for (const auto& [name, value] : tries_once)
    if (declared.has(name)) scenario.params.emplace_back(name, value);
  if (declared.has("nodes")) scenario.params.emplace_back("nodes", nodes);
  const Duration work = card.renews ? ttl + comparison.section : comparison.section;
  scenario.belief =
      comparison.belief.value_or(card.belief);  // a trace replays alone, whatever cards say later
  scenario.timing = comparison.timing;
  scenario.explore = comparison.explore;
  scenario.check = comparison.check;
  scenario.fencing = comparison.fencing;
  for (std::uint32_t i = 0; i < comparison.clients; ++i)
    scenario.clients.push_back(
        {.id = name_of(ClientId{i}), .rounds = comparison.rounds, .program = program_for(comparison, work)});
  if (fault != Fault::none) scenario.faults.push_back({.kind = fault, .budget = comparison.faults});
  return scenario;
}

}  // namespace holdfast
