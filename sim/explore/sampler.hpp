// Decides how each run of a sample is answered, and learns from the runs.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "sim/check/sample.hpp"
#include "sim/choose/sampling.hpp"
#include "sim/choose/strategies.hpp"
#include "sim/scenario/scenario.hpp"

namespace holdfast {

class Sampler {
 public:
  explicit Sampler(const Scenario& scenario);

  // How the next run is answered; valid until end().
  Choices& begin(std::uint64_t seed);
  // The run is over. `tape`: up to the last new circumstance that it came to; empty if to none.
  void end(Tape tape);

  // Whether it wants to know of new circumstances.
  bool is_steered() const { return strategy_ == StrategyKind::portfolio; }
  // Without `circumstances`.
  SampleClaim claim() const;

 private:
  enum class Way : std::uint8_t { pct, walk, swarm, random, mutation };
  Way next_way() const;
  Choices& begin_pct(std::uint64_t seed);
  void end_pct(const PctChoices& pct);

  // Every other PCT run has calm values and looks for these depths in turn: 1 to this. The others draw
  // values, and have more marks than any guarantee can use.
  static constexpr std::uint32_t depth_max = 6;

  StrategyKind strategy_;
  std::uint32_t faults_ = 0;  // how many may strike one run
  std::uint64_t runs_ = 0;
  std::uint64_t independent_runs_ = 0;
  Way way_ = Way::random;
  std::variant<std::monostate, RandomChoices, PctChoices, WalkChoices, SwarmChoices, MutatedChoices> current_;

  RunSize size_;
  std::uint64_t pct_runs_ = 0;
  std::uint32_t depth_ = 1;
  PctChoices::Values values_ = PctChoices::Values::calm;
  // By depth, from 1: the runs since the size last grew, for which alone its guarantee holds.
  std::vector<std::uint64_t> runs_of_depth_ = std::vector<std::uint64_t>(depth_max);

  WalkEstimates estimates_;

  Rng chance_;                // which tape is mutated
  std::vector<Tape> corpus_;  // each led to a new circumstance; the youngest ones last
};

}  // namespace holdfast
