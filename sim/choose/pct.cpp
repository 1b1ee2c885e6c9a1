// Priorities with a few marks: see PctChoices.
#include <algorithm>

#include "sim/choose/sampling.hpp"

namespace holdfast {
namespace {

// At least this until a mark lowers it.
constexpr std::uint64_t never_lowered = std::uint64_t{1} << 63;

}  // namespace

bool RunSize::grow(const RunSize& seen) {
  const RunSize before = *this;
  strands = std::max(strands, seen.strands);
  questions = std::max(questions, seen.questions);
  alternatives = std::max(alternatives, seen.alternatives);
  return strands != before.strands || questions != before.questions || alternatives != before.alternatives;
}

PctChoices::PctChoices(std::uint64_t seed, const RunSize& size, std::uint32_t depth, Values unmarked)
    : order_(split_mix(seed)), values_(split_mix(seed)), foreseen_(size), unmarked_(unmarked) {
  INVARIANT(depth >= 1, "a bug is at least one event deep");
  Rng places(split_mix(seed));
  for (std::uint32_t level = 1; level < depth; ++level)
    marks_.push_back(Mark{static_cast<std::uint32_t>(places.below(size.questions)), level});
}

RunSize PctChoices::seen() const {
  return {std::max(static_cast<std::uint32_t>(strands_.size()), 1u), std::max(asked_, 1u), alternatives_};
}

std::uint32_t PctChoices::decide(Site site, Actor, std::uint32_t options) {
  const std::uint32_t question = asked_++;
  alternatives_ = std::max(alternatives_, options - 1);
  const bool is_marked =
      std::any_of(marks_.begin(), marks_.end(), [&](const Mark& mark) { return mark.question == question; });
  if (is_marked) return 1 + static_cast<std::uint32_t>(values_.below(options - 1));
  if (unmarked_ == Values::calm || is_fault(site)) return 0;
  return static_cast<std::uint32_t>(values_.below(options));
}

std::uint32_t PctChoices::decide_step(std::uint32_t options, Movers& who) {
  const std::uint32_t question = asked_++;
  const std::span<const Mover> movers = who.movers();
  for (const Mover& mover : movers) strand_of(mover);
  if (question >= foreseen_.questions) return static_cast<std::uint32_t>(order_.below(options));
  for (const Mark& mark : marks_)
    if (mark.question == question) strand_of(movers[highest(movers)]).priority = mark.priority;
  return highest(movers);
}

std::uint32_t PctChoices::highest(std::span<const Mover> movers) {
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < movers.size(); ++i)
    if (strand_of(movers[i]).priority > strand_of(movers[best]).priority) best = i;
  return best;
}

PctChoices::Strand& PctChoices::strand_of(const Mover& mover) {
  const auto known = std::find_if(strands_.begin(), strands_.end(),
                                  [&](const Strand& strand) { return strand.who == mover; });
  if (known != strands_.end()) return *known;
  return strands_.emplace_back(Strand{mover, order_.next() | never_lowered});
}

}  // namespace holdfast
