#include "sim/explore/sampler.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace holdfast {
namespace {

// The walk learns from this many runs, then keeps its estimates: from there on its runs are independent.
constexpr std::uint64_t walks_to_learn = 100;
// A longer corpus forgets a tape for each new one.
constexpr std::size_t corpus_max = 4096;
// Beyond depth_max no affordable number of runs guarantees anything; but the more marks, the more is met.
constexpr std::array<std::uint32_t, 4> depths_beyond{4, 8, 16, 32};
// The streams of a seed: its runs draw from it directly, everything else from a seed that differs.
constexpr std::uint64_t chance_stream = 0x6368616e6365ull;

}  // namespace

Sampler::Sampler(const Scenario& scenario)
    : strategy_(scenario.explore.strategy), chance_(scenario.explore.seed ^ chance_stream) {
  INVARIANT(is_sampling(strategy_), "only samples are sampled");
  for (const FaultRule& rule : scenario.faults) faults_ += rule.budget;
}

Sampler::Way Sampler::next_way() const {
  switch (strategy_) {
    case StrategyKind::pct: return Way::pct;
    case StrategyKind::walk: return Way::walk;
    case StrategyKind::swarm: return Way::swarm;
    case StrategyKind::random:
    case StrategyKind::exhaustive: return Way::random;
    case StrategyKind::portfolio: break;
  }
  const Way way = std::array{Way::pct, Way::walk, Way::swarm, Way::random, Way::mutation}[runs_ % 5];
  return way == Way::mutation && corpus_.empty() ? Way::pct : way;
}

Choices& Sampler::begin(std::uint64_t seed) {
  way_ = next_way();
  ++runs_;
  switch (way_) {
    case Way::pct: return begin_pct(seed);
    case Way::walk: return current_.emplace<WalkChoices>(seed, estimates_, faults_);
    case Way::swarm: return current_.emplace<SwarmChoices>(seed);
    case Way::mutation: {
      // The greater of two draws: young tapes are nearer to what is not known yet.
      const std::uint64_t one = chance_.below(corpus_.size());
      const std::uint64_t two = chance_.below(corpus_.size());
      return current_.emplace<MutatedChoices>(seed, corpus_[std::max(one, two)]);
    }
    case Way::random: break;
  }
  return current_.emplace<RandomChoices>(seed);
}

Choices& Sampler::begin_pct(std::uint64_t seed) {
  using enum PctChoices::Values;
  const std::uint64_t turn = pct_runs_++;
  values_ = turn % 2 == 0 ? calm : drawn;
  depth_ = values_ == calm ? 1 + static_cast<std::uint32_t>(turn / 2 % depth_max)
                           : depths_beyond[turn / 2 % depths_beyond.size()];
  return current_.emplace<PctChoices>(seed, size_, depth_, values_);
}

void Sampler::end(Tape tape) {
  if (const auto* pct = std::get_if<PctChoices>(&current_)) end_pct(*pct);
  const auto* walk = std::get_if<WalkChoices>(&current_);
  const bool learns = walk != nullptr && estimates_.runs() < walks_to_learn;
  if (learns) walk->teach(estimates_);
  // In a portfolio, the plain random runs all have one distribution.
  const Way independent = strategy_ == StrategyKind::portfolio ? Way::random : next_way();
  if (way_ == independent && way_ != Way::pct && !learns) ++independent_runs_;
  if (tape.empty()) return;
  if (corpus_.size() == corpus_max)
    corpus_.erase(corpus_.begin() + static_cast<std::ptrdiff_t>(chance_.below(corpus_max)));
  corpus_.push_back(std::move(tape));
}

void Sampler::end_pct(const PctChoices& pct) {
  if (size_.grow(pct.seen())) {
    // An eighth to spare, so that slightly larger runs to come do not undo what was counted.
    size_.questions += size_.questions / 8;
    std::fill(runs_of_depth_.begin(), runs_of_depth_.end(), 0);
  } else if (values_ == PctChoices::Values::calm) {
    ++runs_of_depth_[depth_ - 1];
  }
}

SampleClaim Sampler::claim() const {
  SampleClaim claim{.strands = size_.strands,
                    .questions = size_.questions,
                    .alternatives = size_.alternatives,
                    .depths = {},
                    .independent_runs = independent_runs_};
  const double marks = static_cast<double>(size_.questions) * static_cast<double>(size_.alternatives);
  for (std::uint32_t depth = 1; depth <= depth_max; ++depth) {
    const std::uint64_t runs = runs_of_depth_[depth - 1];
    if (runs == 0) continue;
    const double hit = 1 / (static_cast<double>(size_.strands) * std::pow(marks, depth - 1.0));
    claim.depths.push_back(
        {depth, runs, std::exp(static_cast<double>(runs) * std::log1p(-std::min(hit, 1.0)))});
  }
  return claim;
}

}  // namespace holdfast
