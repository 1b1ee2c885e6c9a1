// Tapes that are followed, but not to the letter: see MutatedChoices.
#include "sim/choose/sampling.hpp"

namespace holdfast {
namespace {

// Answers that are drawn anew at most, when the whole tape is followed.
constexpr std::uint64_t changes_max = 3;

Tape mutated(Rng rng, Tape tape) {
  if (tape.empty()) return tape;
  if (rng.below(2) == 0) {
    tape.resize(rng.below(tape.size()) + 1);
    return tape;
  }
  for (std::uint64_t changes = 1 + rng.below(changes_max); changes > 0; --changes) {
    Choice& choice = tape[rng.below(tape.size())];
    choice.picked = static_cast<std::uint32_t>(rng.below(choice.options));
  }
  return tape;
}

}  // namespace

MutatedChoices::MutatedChoices(std::uint64_t seed, Tape tape)
    : tape_(mutated(Rng(split_mix(seed)), std::move(tape))), replay_(tape_), rest_(split_mix(seed)) {}

std::uint32_t MutatedChoices::decide(Site site, Actor actor, std::uint32_t options) {
  if (replay_.position() < tape_.size()) return replay_.pick(site, actor, options);
  return rest_.pick(site, actor, options);
}

std::uint32_t MutatedChoices::decide_step(std::uint32_t options, Movers& who) {
  if (replay_.position() < tape_.size()) return replay_.pick_step(options, who);
  return rest_.pick_step(options, who);
}

}  // namespace holdfast
