// What steps that are about one client alone have led to: whoever comes to such a step again knows the state
// behind it without taking it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/trace/digest.hpp"

namespace holdfast {

// The parts of a state that a step has changed, as they are afterwards.
struct Effect {
  Digest part;  // the client's that has moved
  Digest rest;  // what is nobody's
  bool operator==(const Effect&) const = default;
};

// All that one step leads to: one effect for each combination of answers to what it asks.
// The first lies in the first line of a cache.
class alignas(64) Effects {
 public:
  static constexpr std::size_t most = 3;

  Effects() = default;
  // `step` is the digest of everything that it depends on.
  explicit Effects(Digest step) : step_(step) {}
  Digest step() const { return step_; }
  // Whether all of them fit in here and concern one client alone.
  bool are_local() const { return are_local_; }
  // nullopt: it concerns others, too.
  void add(const std::optional<Effect>& effect) {
    are_local_ &= effect.has_value() && count_ < most;
    if (are_local_) effects_[count_++] = *effect;
  }
  std::span<const Effect> all() const { return {effects_.data(), count_}; }
  bool operator==(const Effects& other) const {
    if (!are_local_ || !other.are_local_) return are_local_ == other.are_local_;
    return count_ == other.count_ && std::equal(all().begin(), all().end(), other.all().begin());
  }

 private:
  Digest step_;
  std::uint8_t count_ = 0;
  bool are_local_ = true;
  std::array<Effect, most> effects_{};
};

// Grows up to a limit; then a new step takes the place of an old one. One for each thread.
class StepMemo {
 public:
  StepMemo() : entries_(std::size_t{1} << 8) {}

  void prefetch(Digest step) const { __builtin_prefetch(&place_of(step)); }
  bool is_known(Digest step) const { return place_of(step).step() == step; }
  // Empty when it is not known, or not local.
  std::span<const Effect> effects_of(Digest step) const {
    const Effects& entry = place_of(step);
    return entry.step() == step && entry.are_local() ? entry.all() : std::span<const Effect>();
  }
  // False when something else was known of it.
  bool learn(const Effects& effects) {
    Effects& entry = place_of(effects.step());
    if (entry.step() == effects.step()) return entry == effects;
    if (entry.step() != Digest{} && entries_.size() < capacity_max) {
      grow();
      return learn(effects);
    }
    entry = effects;
    return true;
  }

 private:
  static constexpr std::size_t capacity_max = std::size_t{1} << 16;
  const Effects& place_of(Digest step) const { return entries_[step.low & (entries_.size() - 1)]; }
  Effects& place_of(Digest step) { return entries_[step.low & (entries_.size() - 1)]; }
  void grow() {
    std::vector<Effects> before(4 * entries_.size());
    before.swap(entries_);
    for (const Effects& entry : before) place_of(entry.step()) = entry;
  }

  std::vector<Effects> entries_;
};

}  // namespace holdfast
