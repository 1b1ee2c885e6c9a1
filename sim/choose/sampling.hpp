// Ways of answering the runs of a sample: by priorities (PCT), by a uniform walk, by a swarm of odds, by
// changing a tape that led somewhere new. Each run has a seed of its own; what a strategy knows of the runs
// before is handed to it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/choose/choices.hpp"
#include "sim/choose/rng.hpp"
#include "sim/choose/strategies.hpp"

namespace holdfast {

// How large runs of a scenario get. The guarantee of PCT is a function of it.
struct RunSize {
  std::uint32_t strands = 1;       // most that were asked about in one run; time is one of them
  std::uint32_t questions = 1;     // most that one run asked: which action, whether a fault strikes, …
  std::uint32_t alternatives = 1;  // most answers beside the calm one, except to which action
  // Takes the greater of each; false when nothing grew.
  bool grow(const RunSize& seen);
};

// Priorities with d - 1 marks: Burckhardt, Kothari, Musuvathi and Nagarakatte, "A randomized scheduler with
// probabilistic guarantees of finding bugs", ASPLOS 2010, where the marks are change points of threads.
// Here strands stand for threads, time is a strand, and faults are marked like change points.
//
// Every strand draws a priority when it is first seen, and the highest one moves. Of all questions of the run
// d - 1 are marked, each drawn uniformly. At a marked question about the mover, the strand that would move
// falls below all that never fell, to the place of that mark; any other marked question is answered with a
// drawn answer that is not calm, and every unmarked one calmly. So a violation of depth d, one that follows
// from d conditions of the form "this event before that one" or "this fault at this place", is met with a
// probability of at least 1 / (strands · (questions · alternatives)^(d-1)). After the questions that were
// foreseen the run goes on with fair draws, so that none is endless because of its priorities.
class PctChoices final : public Choices {
 public:
  // What is not marked and no fault: whether a client waits longer, and the like.
  enum class Values : std::uint8_t { calm, drawn };  // the guarantee is that of `calm`
  // REQUIRES: depth ≥ 1.
  PctChoices(std::uint64_t seed, const RunSize& size, std::uint32_t depth, Values unmarked);
  RunSize seen() const;

 private:
  struct Mark {
    std::uint32_t question;
    std::uint64_t priority;
  };
  struct Strand {
    Actor actor;
    std::uint32_t strand;
    std::uint64_t priority;
  };
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override;
  std::uint32_t decide_step(std::uint32_t options, Enabled& enabled) override;
  bool is_marked(std::uint32_t question) const;
  Strand& strand_of(const Enabled::Option& option);
  std::uint32_t highest(std::span<const Enabled::Option> options);

  Rng order_;   // the mover
  Rng values_;  // what a mark answers
  RunSize foreseen_;
  Values unmarked_;
  std::vector<Mark> marks_;
  std::vector<Strand> strands_;
  std::uint32_t asked_ = 0;
  std::uint32_t alternatives_ = 1;
};

// How often each strand moved, and how often a fault could strike, in the mean of the runs seen.
class WalkEstimates {
 public:
  struct Count {
    Actor actor;
    bool is_racing;  // the client's timeouts and abandoned requests count together
    std::uint64_t moves;
  };
  void learn(std::span<const Count> counts, std::uint64_t fault_chances);
  // In 16ths.
  std::uint64_t moves_of(Actor actor, bool is_racing) const;
  std::uint64_t fault_chances() const { return runs_ == 0 ? 16 : fault_chances_ / runs_; }
  std::uint64_t runs() const { return runs_; }

 private:
  std::vector<Count> sums_;
  std::uint64_t fault_chances_ = 0;
  std::uint64_t runs_ = 0;
};

// A walk that makes every order of the strands' events about equally likely: a strand moves with a
// probability proportional to the moves that it still has to make. A choice among enabled events alone
// favours orders in which the strand with few events is early. Faults are spread evenly over their chances.
class WalkChoices final : public Choices {
 public:
  // At most `faults` strike. `estimates` must outlive the run.
  WalkChoices(std::uint64_t seed, const WalkEstimates& estimates, std::uint32_t faults);
  void teach(WalkEstimates& estimates) const { estimates.learn(counts_, chances_); }

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override;
  std::uint32_t decide_step(std::uint32_t options, Enabled& enabled) override;
  void pass_step(Enabled& enabled) override { ++count_of(enabled.all().front()).moves; }
  WalkEstimates::Count& count_of(const Enabled::Option& option);
  bool is_struck();

  Rng order_;
  Rng faults_;
  Rng values_;
  const WalkEstimates& estimates_;
  std::uint64_t faults_left_ = 0;
  std::uint64_t chances_ = 0;
  std::vector<WalkEstimates::Count> counts_;
  std::vector<std::uint64_t> weights_;
};

// Every run has odds of its own, drawn before it begins: which faults can strike at all, how likely they
// are, and how fast each actor moves, time included. Groce, Zhang, Eide, Chen and Regehr, "Swarm testing",
// ISSTA 2012: what is left out lets the rest go further.
class SwarmChoices final : public Choices {
 public:
  explicit SwarmChoices(std::uint64_t seed);

 private:
  static constexpr std::size_t actors_max = 16;  // further clients share the speeds of these
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override;
  std::uint32_t decide_step(std::uint32_t options, Enabled& enabled) override;

  Rng order_;
  Rng values_;
  std::array<std::uint32_t, site_ids.size()> odds_{};         // one in this many is not calm; 0: all are
  std::array<std::uint32_t, fault_ids.size()> fault_odds_{};  // the same, in each step; 0: never
  std::array<std::uint32_t, fault_ids.size()> excluded_{};    // bit i: the fault's variant i does not strike
  std::array<std::uint32_t, actors_max> speeds_{};
  std::vector<std::uint64_t> weights_;
};

// Follows a tape that met a new circumstance, with changes: either only a part of it, or with a few answers
// drawn anew. Where it ends, the run goes on as one of a swarm.
class MutatedChoices final : public Choices {
 public:
  MutatedChoices(std::uint64_t seed, Tape tape);
  MutatedChoices(const MutatedChoices&) = delete;  // replay_ refers to tape_

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override;
  std::uint32_t decide_step(std::uint32_t options, Enabled& enabled) override;
  // Whether the tape answers what is asked now.
  bool is_followed();
  Tape tape_;
  std::vector<std::size_t> changes_;  // places of the tape that are drawn anew
  ReplayChoices replay_;
  SwarmChoices rest_;
};

}  // namespace holdfast
