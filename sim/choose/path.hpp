// One path through the tree of all runs, for a search that goes down and back up again.
//
// The answers of the whole path stand in one row; each level of the search owns the end of it that its step
// has asked for, and counts that end up like an odometer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/choose/choices.hpp"
#include "sim/core/arena.hpp"
#include "sim/core/invariant.hpp"

namespace holdfast {

class PathChoices final : public Choices {
 public:
  // The answers so far.
  std::span<const std::uint8_t> picks() const { return {picks_.data(), size_}; }
  std::uint32_t size() const { return size_; }
  // Replaces the path by this one, whose answers are fixed, and answers from its beginning.
  void follow(std::span<const std::uint8_t> picks) {
    reserve(picks.size());
    std::copy(picks.begin(), picks.end(), picks_.begin());
    std::fill_n(options_.begin(), picks.size(), std::uint8_t{0});
    std::fill_n(limits_.begin(), picks.size(), std::uint8_t{0});
    size_ = static_cast<std::uint32_t>(picks.size());
    position_ = 0;
    has_diverged_ = false;
  }
  // The next question has so many options: before it is asked, the first of them is the answer.
  void open(std::uint32_t options) {
    if (options >= 2) append(options);
  }
  // The next questions have these answers, and no others are tried.
  void fix(std::span<const std::uint8_t> picks) {
    if (size_ + picks.size() > picks_.size()) reserve(2 * std::size_t{size_} + 64);
    for (const std::uint8_t pick : picks) {
      picks_[size_] = pick;
      options_[size_] = limits_[size_] = 0;
      ++size_;
    }
  }
  // Forgets the answers from `begin` on.
  void cut(std::uint32_t begin) { size_ = begin; }
  // Answers again from `position` on.
  void rewind(std::uint32_t position) { position_ = position; }
  // The next combination of the answers from `begin` on. False when all were given: they are forgotten.
  bool advance(std::uint32_t begin) {
    for (; size_ > begin; --size_)
      if (++picks_[size_ - 1] < limits_[size_ - 1]) return true;
    return false;
  }
  // So many answers of the path, and another one.
  struct Split {
    std::uint32_t at;
    std::uint8_t pick;
  };
  // Gives away the first branch at or beyond `begin` that was not tried yet. Nothing when there is none.
  std::optional<Split> split(std::uint32_t begin) {
    for (std::uint32_t at = begin; at < size_; ++at)
      if (picks_[at] + 1 < limits_[at]) return Split{at, --limits_[at]};
    return std::nullopt;
  }
  // The run asked other questions than before, after the same answers.
  bool has_diverged() const { return has_diverged_ || position_ != size_; }
  // How many answers were used up.
  std::uint32_t position() const { return position_; }

 private:
  std::uint32_t decide(Site, Actor, std::uint32_t options) override {
    const std::uint32_t at = position_++;
    if (at < size_) {
      if (options_[at] == 0) options_[at] = static_cast<std::uint8_t>(options);  // the answer was given
      has_diverged_ |= options_[at] != options || picks_[at] >= options;
      return std::min<std::uint32_t>(picks_[at], options - 1);
    }
    append(options);
    return 0;
  }
  void append(std::uint32_t options) {
    INVARIANT(options < 255, "one step has few options");
    if (size_ == picks_.size()) reserve(2 * std::size_t{size_} + 64);
    picks_[size_] = 0;
    options_[size_] = limits_[size_] = static_cast<std::uint8_t>(options);
    ++size_;
  }
  void reserve(std::size_t size) {
    if (size <= picks_.size()) return;
    const Arena::Outside outside;  // of the run that asks
    picks_.resize(size);
    options_.resize(size);
    limits_.resize(size);
  }

  std::vector<std::uint8_t> picks_;
  std::vector<std::uint8_t> options_;  // how many there were to choose from
  std::vector<std::uint8_t> limits_;   // up to where they are tried here
  std::uint32_t size_ = 0;
  std::uint32_t position_ = 0;
  bool has_diverged_ = false;
};

}  // namespace holdfast
