// Tapes that are followed with changes: see MutatedChoices.
#include <algorithm>

#include "sim/choose/sampling.hpp"

namespace holdfast {
namespace {

// Answers that are drawn anew at most, when the whole tape is followed.
constexpr std::uint64_t changes_max = 3;

Tape shortened(Rng& rng, Tape tape) {
  if (!tape.empty() && rng.below(2) == 0) tape.resize(rng.below(tape.size()) + 1);
  return tape;
}

// None, where the tape was shortened.
std::vector<std::size_t> places(Rng& rng, std::size_t size, bool is_whole) {
  std::vector<std::size_t> places;
  if (size == 0 || !is_whole) return places;
  for (std::uint64_t changes = 1 + rng.below(changes_max); changes > 0; --changes)
    places.push_back(rng.below(size));
  return places;
}

}  // namespace

MutatedChoices::MutatedChoices(std::uint64_t seed, Tape tape) : replay_(tape_), rest_(split_mix(seed)) {
  Rng rng(split_mix(seed));
  const std::size_t size = tape.size();
  tape_ = shortened(rng, std::move(tape));
  changes_ = places(rng, size, tape_.size() == size);
}

bool MutatedChoices::is_followed() {
  if (replay_.position() >= tape_.size()) return false;
  const auto change = std::find(changes_.begin(), changes_.end(), replay_.position());
  if (change == changes_.end()) return true;
  replay_.skip();
  return false;
}

std::uint32_t MutatedChoices::decide(Site site, Actor actor, std::uint32_t options) {
  if (is_followed()) return replay_.pick(site, actor, options);
  return rest_.pick(site, actor, options);
}

std::uint32_t MutatedChoices::decide_step(std::uint32_t options, Enabled& enabled) {
  if (is_followed()) return replay_.pick_step(options, enabled);
  return rest_.pick_step(options, enabled);
}

}  // namespace holdfast
