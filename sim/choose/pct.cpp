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

bool PctChoices::is_marked(std::uint32_t question) const {
  return std::any_of(marks_.begin(), marks_.end(),
                     [&](const Mark& mark) { return mark.question == question; });
}

std::uint32_t PctChoices::decide(Site, Actor, std::uint32_t options) {
  alternatives_ = std::max(alternatives_, options - 1);
  if (is_marked(asked_++)) return 1 + static_cast<std::uint32_t>(values_.below(options - 1));
  return unmarked_ == Values::calm ? 0 : static_cast<std::uint32_t>(values_.below(options));
}

// First whether a fault strikes, then which of the calm actions comes next.
std::uint32_t PctChoices::decide_step(std::uint32_t options, Enabled& enabled) {
  const std::uint32_t faults = enabled.faults();
  const std::uint32_t calm = options - faults;
  if (faults > 0) {
    alternatives_ = std::max(alternatives_, faults);
    if (is_marked(asked_++)) return calm + static_cast<std::uint32_t>(values_.below(faults));
  }
  if (calm == 1) return 0;
  const std::uint32_t question = asked_++;
  const std::span<const Enabled::Option> all = enabled.all().first(calm);
  for (const Enabled::Option& option : all) strand_of(option);
  if (question >= foreseen_.questions) return static_cast<std::uint32_t>(order_.below(calm));
  for (const Mark& mark : marks_)
    if (mark.question == question) strand_of(all[highest(all)]).priority = mark.priority;
  return highest(all);
}

std::uint32_t PctChoices::highest(std::span<const Enabled::Option> options) {
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < options.size(); ++i)
    if (strand_of(options[i]).priority > strand_of(options[best]).priority) best = i;
  return best;
}

PctChoices::Strand& PctChoices::strand_of(const Enabled::Option& option) {
  const auto known = std::find_if(strands_.begin(), strands_.end(), [&](const Strand& each) {
    return each.actor == option.action.actor && each.strand == option.strand;
  });
  if (known != strands_.end()) return *known;
  return strands_.emplace_back(Strand{option.action.actor, option.strand, order_.next() | never_lowered});
}

}  // namespace holdfast
