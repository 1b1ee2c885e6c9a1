#include "sim/cli/time_scale.hpp"

#include <algorithm>

namespace holdfast::cli {
namespace {

Texts with_defaults(const Card& card) {
  Texts params;
  for (const Parameter& parameter : card.parameters) params.emplace_back(parameter.name, parameter.fallback);
  return params;
}

}  // namespace

Scenario TimeScale::operator()(Scenario scenario, const Card& card, const std::string& key_prefix) const {
  scenario.key = key_prefix + scenario.key;
  for (ClientPlan& plan : scenario.clients) {
    if (!plan.key.empty()) plan.key = key_prefix + plan.key;
    for (Duration* time : {&plan.wall_offset, &plan.start, &plan.start_late}) *time = (*this)(*time);
    if (!plan.params.empty()) plan.params = scaled(plan.params, card);
    for (ProgramStep& step : plan.program) {
      step.length = (*this)(step.length);
      if (step.at_least) step.at_least = (*this)(*step.at_least);
    }
  }
  for (auto& [key, value] : scenario.store) key = key_prefix + key;
  for (FaultRule& rule : scenario.faults) rule.magnitude = (*this)(rule.magnitude);
  scenario.overlap_max = (*this)(scenario.overlap_max);
  Timing& timing = scenario.timing;
  for (Duration* time : {&timing.tick, &timing.delay_min, &timing.delay_max, &timing.timeout, &timing.retry,
                         &timing.retry_late, &timing.restart, &timing.restart_late, &timing.recovery})
    *time = (*this)(*time);
  const Texts given = scenario.params;
  scenario.params = scaled(with_defaults(card), card);
  for (const auto& [name, text] : scaled(given, card)) scenario.params.emplace_back(name, text);
  return scenario;
}

Texts TimeScale::scaled(Texts params, const Card& card) const {
  for (auto& [name, text] : params) {
    Params read(card.parameters);
    read.set(name, text);
    const auto parameter = std::find_if(card.parameters.begin(), card.parameters.end(),
                                        [&](const Parameter& each) { return each.name == name; });
    if (parameter->kind == Parameter::Kind::duration) text = to_text((*this)(read.duration(name)));
  }
  return params;
}

}  // namespace holdfast::cli
