// Odds that are drawn anew for each run: see SwarmChoices.
#include "sim/choose/sampling.hpp"

namespace holdfast {
namespace {

// Drawn uniformly for each site.
constexpr std::array<std::uint32_t, 6> odds_drawn{0, 2, 4, 8, 24, 72};
// Drawn uniformly for each fault.
constexpr std::array<std::uint32_t, 6> fault_odds_drawn{0, 4, 8, 16, 48, 144};
// Drawn uniformly for each actor.
constexpr std::array<std::uint32_t, 6> speeds_drawn{1, 2, 4, 8, 16, 32};

}  // namespace

SwarmChoices::SwarmChoices(std::uint64_t seed) : order_(split_mix(seed)), values_(split_mix(seed)) {
  Rng plan(split_mix(seed));
  for (std::uint32_t& odds : odds_) odds = odds_drawn[plan.below(odds_drawn.size())];
  for (std::uint32_t& odds : fault_odds_) odds = fault_odds_drawn[plan.below(fault_odds_drawn.size())];
  for (std::uint32_t& excluded : excluded_)
    if (plan.below(2) == 0) excluded = static_cast<std::uint32_t>(plan.below(3));  // never both of the first
  for (std::uint32_t& speed : speeds_) speed = speeds_drawn[plan.below(speeds_drawn.size())];
}

std::uint32_t SwarmChoices::decide(Site site, Actor, std::uint32_t options) {
  const std::uint32_t odds = odds_[static_cast<std::size_t>(site)];
  if (odds == 0 || values_.below(odds) != 0) return 0;
  return 1 + static_cast<std::uint32_t>(values_.below(options - 1));
}

std::uint32_t SwarmChoices::decide_step(std::uint32_t options, Enabled& enabled) {
  const std::uint32_t faults = enabled.faults();
  const std::uint32_t calm = options - faults;
  if (faults > 0) {
    const std::uint32_t picked = calm + static_cast<std::uint32_t>(values_.below(faults));
    const Action& strike = enabled.all()[picked].action;
    const auto fault = static_cast<std::size_t>(strike.fault);
    const bool is_excluded = (excluded_[fault] >> (number_of_how(strike) & 31) & 1) != 0;
    if (!is_excluded && fault_odds_[fault] != 0 && values_.below(fault_odds_[fault]) == 0) return picked;
  }
  weights_.clear();
  for (const Enabled::Option& option : enabled.all().first(calm)) {
    const Actor actor = option.action.actor;
    const std::size_t place = actor.kind == Actor::Kind::time ? 0 : 1 + actor.index;
    weights_.push_back(speeds_[place % actors_max]);
  }
  return weighted(order_, weights_);
}

}  // namespace holdfast
