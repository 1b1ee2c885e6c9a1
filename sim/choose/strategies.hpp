// Ways of answering pick(): at random, from a tape, along a branch of the tree of all runs. Recorder keeps
// the tape.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/choose/choices.hpp"
#include "sim/choose/rng.hpp"

namespace holdfast {

// Writes down what another strategy answers.
class Recorder final : public Choices {
 public:
  explicit Recorder(Choices& inner) : inner_(inner) {}
  const Tape& tape() const { return tape_; }
  void note_step(std::uint32_t picked, std::uint32_t options, Enabled& enabled) override;

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override;
  std::uint32_t decide_step(std::uint32_t options, Enabled& enabled) override;
  void pass_step(Enabled& enabled) override { inner_.pick_step(1, enabled); }
  Choices& inner_;
  Tape tape_;
};

// Draws every answer. Faults are rarer than their absence, so that a budget is spent anywhere in the run and
// not at its first chance; everything else is uniform.
class RandomChoices final : public Choices {
 public:
  explicit RandomChoices(std::uint64_t seed) : rng_(seed) {}

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override;
  std::uint32_t decide_step(std::uint32_t options, Enabled& enabled) override;
  Rng rng_;
};

// Follows a tape: of a step, it takes the action of the same name. Where the run asks something else than the
// tape answers, it remembers the first such place and goes on with the next answer close ahead that fits, or
// else calmly, with option 0; so it does after the tape's end.
class ReplayChoices final : public Choices {
 public:
  struct Divergence {
    std::size_t position;            // index into the tape
    std::optional<Choice> recorded;  // empty: the tape had ended
    Choice asked;                    // `picked` means nothing here
  };
  explicit ReplayChoices(const Tape& tape) : tape_(tape) {}
  const std::optional<Divergence>& divergence() const { return divergence_; }
  // How many choices of the tape were used up.
  std::size_t position() const { return position_; }
  // Leaves out the next choice of the tape.
  void skip() { ++position_; }

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override;
  std::uint32_t decide_step(std::uint32_t options, Enabled& enabled) override;
  template <class Fits>
  std::uint32_t answer(const Choice& asked, const Fits& fits);
  const Tape& tape_;
  std::size_t position_ = 0;
  std::optional<Divergence> divergence_;
};

// One node of the tree of all runs, and its children one after the other: first the answers that lead to the
// node, then those of one more step, counted up like an odometer.
class BranchChoices final : public Choices {
 public:
  using Picks = std::vector<std::uint8_t>;
  // The answers that lead to the node; they must stay where they are. Begins with its first child.
  explicit BranchChoices(std::span<const std::uint8_t> prefix) { follow(prefix); }
  void follow(std::span<const std::uint8_t> prefix);

  // Before each run.
  void restart() { position_ = 0; }
  // After a run: it asked other questions than the run before it that gave the same answers.
  bool has_diverged() const { return has_diverged_ || position_ != prefix_.size() + count_; }
  // Moves on to the next child. False when all have been seen. REQUIRES: not has_diverged().
  bool advance();
  // The answers beyond the prefix that the last run gave.
  std::span<const std::uint8_t> suffix() const { return {suffix_.data(), count_}; }

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override;
  std::span<const std::uint8_t> prefix_;
  std::size_t position_ = 0;
  // Arrays: a run in an arena must not make this object allocate there.
  std::array<std::uint8_t, 64> suffix_{};
  std::array<std::uint8_t, 64> options_{};
  std::size_t count_ = 0;
  bool has_diverged_ = false;
};

}  // namespace holdfast
