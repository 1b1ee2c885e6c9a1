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

// Who moves, by a name that means the same to every lock.
struct Move {
  Actor actor;
  bool races = false;  // a message that its client does not, or no longer, wait for
  bool operator==(const Move&) const = default;
  bool is_time() const { return actor.kind == Actor::Kind::time; }
};
inline Move move_of(const Mover& mover) { return Move{mover.actor, mover.strand != 0}; }

// An answer that is not calm.
struct UncalmAnswer {
  Site site;
  Actor actor;
  std::uint32_t picked;
};
using Answers = std::vector<UncalmAnswer>;

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
  const Answers& answers() const { return answers_; }
  // How many questions were asked since the beginning.
  std::size_t asked() const { return asked_; }

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override {
    const std::uint32_t picked = branch_.pick(site, actor, options);
    ++asked_;
    if (picked != 0) answers_.push_back({site, actor, picked});
    return picked;
  }
  std::uint32_t decide_step(std::uint32_t options, Movers& who) override {
    const std::uint32_t picked = branch_.pick_step(options, who);
    ++asked_;
    move_ = move_of(who.movers()[picked]);
    return picked;
  }
  void pass_step(Movers& who) override { move_ = move_of(who.movers()[0]); }

  BranchChoices& branch_;
  std::optional<Move> move_;
  Answers answers_;
  std::size_t asked_ = 0;
};

// The second lock: repeats what it did, then does as it is told.
class Follower final : public Choices {
 public:
  Follower(BranchChoices::Picks picks, Answers kept) : picks_(std::move(picks)), kept_(std::move(kept)) {}
  // In the next step. Empty: the first of those that can move, in the order of their names, time last. Not
  // the first in line: two runs that led to the same state may have lined up differently.
  void prefer(std::optional<Move> move) { preferred_ = move; }
  // Not given yet.
  const Answers& kept() const { return kept_; }
  const BranchChoices::Picks& picks() const { return picks_; }
  void begin_step() { moves_.clear(); }
  // Who could move in this step; empty where nothing can be chosen.
  const std::vector<Move>& moves() const { return moves_; }

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override {
    if (position_ < picks_.size()) return picks_[position_++];
    const auto named = [&](const UncalmAnswer& it) { return it.site == site && it.actor == actor; };
    const auto answer = std::find_if(kept_.begin(), kept_.end(), named);
    if (answer == kept_.end()) return note(0);
    const std::uint32_t picked = answer->picked < options ? answer->picked : 0;
    kept_.erase(answer);
    return note(picked);
  }
  std::uint32_t decide_step(std::uint32_t options, Movers& who) override {
    pass_step(who);
    if (position_ < picks_.size()) return picks_[position_++];
    const std::span<const Mover> movers = who.movers();
    INVARIANT(movers.size() == options, "every option is somebody's move");
    const auto rank = [&](const Mover& mover) {
      const Move move = move_of(mover);
      return std::tuple(preferred_ && move != *preferred_, move.is_time(), mover.actor.index, mover.strand);
    };
    const auto first = std::min_element(movers.begin(), movers.end(),
                                        [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return note(static_cast<std::uint32_t>(first - movers.begin()));
  }
  void pass_step(Movers& who) override {
    moves_.clear();
    for (const Mover& mover : who.movers()) moves_.push_back(move_of(mover));
  }
  std::uint32_t note(std::uint32_t picked) {
    INVARIANT(picked <= 255, "one question has few options");
    picks_.push_back(static_cast<std::uint8_t>(picked));
    position_ = picks_.size();
    return picked;
  }

  BranchChoices::Picks picks_;
  std::size_t position_ = 0;
  Answers kept_;
  std::optional<Move> preferred_;
  std::vector<Move> moves_;
};

}  // namespace holdfast
