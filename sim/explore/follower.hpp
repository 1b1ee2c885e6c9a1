// How a second lock follows the tape of a first one; sim/check/separation.hpp has the rules.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/choose/strategies.hpp"
#include "sim/core/invariant.hpp"

namespace holdfast {

// The client that moves, or the fault that strikes, by a name that means the same for every lock.
struct Move {
  Actor actor;
  bool races = false;  // a message that its client does not, or no longer, wait for
  Fault fault = Fault::none;
  std::uint32_t variant = 0;  // of the fault
  bool operator==(const Move&) const = default;
  bool is_time() const { return actor.kind == Actor::Kind::time; }
  bool is_strike() const { return fault != Fault::none; }
};
inline Move move_of(const Enabled::Option& option) {
  const bool is_strike = option.action.kind == Action::Kind::strike;
  return Move{option.action.actor, option.strand != 0, option.action.fault,
              is_strike ? number_of_how(option.action) : 0};
}

// What the second lock still has to meet: answers that are not calm, and faults that have not struck.
struct UncalmAnswer {
  Site site;
  Actor actor;
  std::uint32_t picked;
};
struct Owed {
  std::vector<UncalmAnswer> answers;
  std::vector<Move> strikes;
};

// The first lock: goes along a branch, and tells what its last step was.
class Leader final : public Choices {
 public:
  explicit Leader(BranchChoices& branch) : branch_(branch) {}
  void begin_step() {
    move_.reset();
    answers_.clear();
  }
  // Empty where nothing can be chosen: in the first step, and in the calm phase.
  const std::optional<Move>& move() const { return move_; }
  const std::vector<UncalmAnswer>& answers() const { return answers_; }
  // How many questions were asked since the beginning.
  std::size_t asked() const { return asked_; }

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override {
    const std::uint32_t picked = branch_.pick(site, actor, options);
    ++asked_;
    if (picked != 0) answers_.push_back({site, actor, picked});
    return picked;
  }
  std::uint32_t decide_step(std::uint32_t options, Enabled& enabled) override {
    const std::uint32_t picked = branch_.pick_step(options, enabled);
    ++asked_;
    move_ = move_of(enabled.all()[picked]);
    return picked;
  }
  void pass_step(Enabled& enabled) override { move_ = move_of(enabled.all()[0]); }

  BranchChoices& branch_;
  std::optional<Move> move_;
  std::vector<UncalmAnswer> answers_;
  std::size_t asked_ = 0;
};

// The second lock: repeats what it did, then does as it is told.
class Follower final : public Choices {
 public:
  Follower(BranchChoices::Picks picks, Owed owed) : picks_(std::move(picks)), owed_(std::move(owed)) {}
  // In the next step. Empty: a fault that is owed, or else the first of those that can move, in the order of
  // their names, time last. Not the first in line: two runs that led to the same state may have lined up
  // differently.
  void prefer(std::optional<Move> move) { preferred_ = move; }
  const Owed& owed() const { return owed_; }
  const BranchChoices::Picks& picks() const { return picks_; }
  void begin_step() { moves_.clear(); }
  // The clients that can move in this step; empty where there is no choice.
  const std::vector<Move>& moves() const { return moves_; }

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override {
    if (position_ < picks_.size()) return picks_[position_++];
    const auto named = [&](const UncalmAnswer& it) { return it.site == site && it.actor == actor; };
    const auto answer = std::find_if(owed_.answers.begin(), owed_.answers.end(), named);
    if (answer == owed_.answers.end()) return note(0);
    const std::uint32_t picked = answer->picked < options ? answer->picked : 0;
    owed_.answers.erase(answer);
    return note(picked);
  }
  std::uint32_t decide_step(std::uint32_t options, Enabled& enabled) override {
    pass_step(enabled);
    if (position_ < picks_.size()) return picks_[position_++];
    INVARIANT(moves_.size() == options, "every option is somebody's move");
    const auto owed =
        std::find_first_of(moves_.begin(), moves_.end(), owed_.strikes.begin(), owed_.strikes.end());
    const std::span<const Enabled::Option> all = enabled.all();
    const auto rank = [&](std::uint32_t option) {
      const Move& move = moves_[option];
      const bool is_owed = owed != moves_.end() && move == *owed;
      return std::tuple(preferred_ ? move != *preferred_ : !is_owed, move.is_strike(), move.is_time(),
                        move.actor.index, all[option].strand);
    };
    std::uint32_t first = 0;
    for (std::uint32_t option = 1; option < options; ++option)
      if (rank(option) < rank(first)) first = option;
    const auto given = std::find(owed_.strikes.begin(), owed_.strikes.end(), moves_[first]);
    if (given != owed_.strikes.end()) owed_.strikes.erase(given);
    return note(first);
  }
  void pass_step(Enabled& enabled) override {
    moves_.clear();
    for (const Enabled::Option& option : enabled.all()) moves_.push_back(move_of(option));
  }
  std::uint32_t note(std::uint32_t picked) {
    INVARIANT(picked <= 255, "one question has few options");
    picks_.push_back(static_cast<std::uint8_t>(picked));
    position_ = picks_.size();
    return picked;
  }

  BranchChoices::Picks picks_;
  std::size_t position_ = 0;
  Owed owed_;
  std::optional<Move> preferred_;
  std::vector<Move> moves_;
};

}  // namespace holdfast
