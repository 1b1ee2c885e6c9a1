// The uniform walk: see WalkChoices.
#include <algorithm>

#include "sim/choose/sampling.hpp"

namespace holdfast {
namespace {

// Estimates are counted in these parts of a move.
constexpr std::uint64_t parts = 16;

template <class Counts>
auto find(Counts& counts, Actor actor, bool is_racing) {
  return std::find_if(counts.begin(), counts.end(), [&](const WalkEstimates::Count& count) {
    return count.actor == actor && count.is_racing == is_racing;
  });
}

}  // namespace

void WalkEstimates::learn(std::span<const Count> counts, std::uint64_t fault_chances) {
  ++runs_;
  fault_chances_ += fault_chances;
  for (const Count& count : counts) {
    const auto known = find(sums_, count.actor, count.is_racing);
    if (known == sums_.end()) sums_.push_back(count);
    else known->moves += count.moves;
  }
}

std::uint64_t WalkEstimates::moves_of(Actor actor, bool is_racing) const {
  const auto known = find(sums_, actor, is_racing);
  return known == sums_.end() ? parts : known->moves * parts / runs_;
}

WalkChoices::WalkChoices(std::uint64_t seed, const WalkEstimates& estimates, std::uint32_t faults)
    : order_(split_mix(seed)), faults_(split_mix(seed)), values_(split_mix(seed)), estimates_(estimates) {
  faults_left_ = faults_.below(std::uint64_t{faults} + 1);
}

std::uint32_t WalkChoices::decide(Site, Actor, std::uint32_t options) {
  return static_cast<std::uint32_t>(values_.below(options));
}

bool WalkChoices::is_struck() {
  const std::uint64_t expected = estimates_.fault_chances();
  const std::uint64_t left = expected > chances_ ? expected - chances_ : 1;
  ++chances_;
  if (faults_.below(left) >= faults_left_) return false;
  --faults_left_;
  return true;
}

std::uint32_t WalkChoices::decide_step(std::uint32_t options, Enabled& enabled) {
  const std::uint32_t faults = enabled.faults();
  const std::uint32_t calm = options - faults;
  if (faults > 0 && is_struck()) return calm + static_cast<std::uint32_t>(values_.below(faults));
  const std::span<const Enabled::Option> all = enabled.all().first(calm);
  weights_.clear();
  for (const Enabled::Option& option : all) {
    const std::uint64_t expected = estimates_.moves_of(option.action.actor, option.strand != 0);
    const std::uint64_t made = count_of(option).moves * parts;
    weights_.push_back(expected > made ? expected - made : 1);
  }
  const std::uint32_t picked = weighted(order_, weights_);
  ++count_of(all[picked]).moves;
  return picked;
}

WalkEstimates::Count& WalkChoices::count_of(const Enabled::Option& option) {
  const bool is_racing = option.strand != 0;
  const auto known = find(counts_, option.action.actor, is_racing);
  if (known != counts_.end()) return *known;
  return counts_.emplace_back(WalkEstimates::Count{option.action.actor, is_racing, 0});
}

}  // namespace holdfast
