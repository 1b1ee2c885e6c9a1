// Odds that are drawn anew for each run: see SwarmChoices.
#include "sim/choose/sampling.hpp"

namespace holdfast {
namespace {

// Drawn uniformly for each site.
constexpr std::array<std::uint32_t, 6> odds_drawn{0, 2, 4, 8, 24, 72};
// Drawn uniformly for each actor.
constexpr std::array<std::uint32_t, 6> speeds_drawn{1, 2, 4, 8, 16, 32};

}  // namespace

SwarmChoices::SwarmChoices(std::uint64_t seed) : order_(split_mix(seed)), values_(split_mix(seed)) {
  Rng plan(split_mix(seed));
  for (std::uint32_t& odds : odds_) odds = odds_drawn[plan.below(odds_drawn.size())];
  for (std::uint32_t& excluded : excluded_)
    if (plan.below(2) == 0) excluded = static_cast<std::uint32_t>(plan.below(4)) << 1;  // of the first two
  for (std::uint32_t& speed : speeds_) speed = speeds_drawn[plan.below(speeds_drawn.size())];
}

std::uint32_t SwarmChoices::decide(Site site, Actor, std::uint32_t options) {
  const std::uint32_t odds = odds_[static_cast<std::size_t>(site)];
  if (odds == 0 || values_.below(odds) != 0) return 0;
  const std::uint32_t picked = 1 + static_cast<std::uint32_t>(values_.below(options - 1));
  const bool is_excluded = (excluded_[static_cast<std::size_t>(site)] >> (picked & 31) & 1) != 0;
  return is_excluded && is_fault(site) ? 0 : picked;
}

std::uint32_t SwarmChoices::decide_step(std::uint32_t, Movers& who) {
  weights_.clear();
  for (const Mover& mover : who.movers()) {
    const std::size_t place = mover.actor.kind == Actor::Kind::time ? 0 : 1 + mover.actor.index;
    weights_.push_back(speeds_[place % actors_max]);
  }
  return weighted(order_, weights_);
}

}  // namespace holdfast
