#include "sim/choose/strategies.hpp"

namespace holdfast {
namespace {

// In one of this many steps in which faults are enabled, a random run lets one strike.
constexpr std::uint32_t fault_odds = 24;

// How far ahead a tape is searched for an answer after its run has gone another way.
constexpr std::size_t look_ahead = 8;

}  // namespace

std::uint32_t Recorder::decide(Site site, Actor actor, std::uint32_t options) {
  const std::uint32_t picked = inner_.pick(site, actor, options);
  tape_.push_back(Choice{site, actor, options, picked});
  return picked;
}

std::uint32_t Recorder::decide_step(std::uint32_t options, Enabled& enabled) {
  const std::uint32_t picked = inner_.pick_step(options, enabled);
  tape_.push_back(Choice{Site::step, Actor{}, options, picked, enabled.all()[picked].action});
  return picked;
}

void Recorder::note_step(std::uint32_t picked, std::uint32_t options, Enabled& enabled) {
  if (options >= 2)
    tape_.push_back(Choice{Site::step, Actor{}, options, picked, enabled.all()[picked].action});
}

std::uint32_t RandomChoices::decide(Site, Actor, std::uint32_t options) {
  return static_cast<std::uint32_t>(rng_.below(options));
}

std::uint32_t RandomChoices::decide_step(std::uint32_t options, Enabled& enabled) {
  const std::uint32_t faults = enabled.faults();
  const std::uint32_t calm = options - faults;
  if (faults > 0 && rng_.below(fault_odds) == 0) return calm + static_cast<std::uint32_t>(rng_.below(faults));
  return static_cast<std::uint32_t>(rng_.below(calm));
}

// `fits` tells the option that a recorded choice stands for here, if there is one.
template <class Fits>
std::uint32_t ReplayChoices::answer(const Choice& asked, const Fits& fits) {
  if (position_ < tape_.size() && tape_[position_].options == asked.options)
    if (const std::optional<std::uint32_t> picked = fits(tape_[position_])) {
      ++position_;
      return *picked;
    }
  if (!divergence_) {
    const bool ended = position_ >= tape_.size();
    divergence_ = Divergence{position_, ended ? std::nullopt : std::optional(tape_[position_]), asked};
  }
  for (std::size_t ahead = position_; ahead < tape_.size() && ahead < position_ + look_ahead; ++ahead) {
    const std::optional<std::uint32_t> picked = fits(tape_[ahead]);
    if (!picked) continue;
    position_ = ahead + 1;
    return *picked;
  }
  return 0;
}

std::uint32_t ReplayChoices::decide(Site site, Actor actor, std::uint32_t options) {
  return answer({site, actor, options, 0}, [&](const Choice& choice) -> std::optional<std::uint32_t> {
    if (choice.site != site || choice.actor != actor) return std::nullopt;
    return choice.picked < options ? choice.picked : 0;
  });
}

std::uint32_t ReplayChoices::decide_step(std::uint32_t options, Enabled& enabled) {
  const std::span<const Enabled::Option> all = enabled.all();
  return answer({Site::step, Actor{}, options, 0}, [&](const Choice& choice) -> std::optional<std::uint32_t> {
    if (choice.site != Site::step) return std::nullopt;
    if (choice.action == by_number && choice.picked < options) return choice.picked;
    for (std::uint32_t i = 0; i < options; ++i)
      if (all[i].action == choice.action) return i;
    return std::nullopt;
  });
}

void BranchChoices::follow(std::span<const std::uint8_t> prefix) {
  prefix_ = prefix;
  position_ = 0;
  count_ = 0;
  has_diverged_ = false;
}

std::uint32_t BranchChoices::decide(Site, Actor, std::uint32_t options) {
  INVARIANT(options <= 255, "one step has few options");
  const std::size_t at = position_++;
  if (at < prefix_.size()) {
    has_diverged_ |= prefix_[at] >= options;
    return prefix_[at] < options ? prefix_[at] : 0;
  }
  const std::size_t beyond = at - prefix_.size();
  INVARIANT(beyond < suffix_.size(), "one step asks few questions");
  if (beyond == count_) {
    suffix_[count_] = 0;
    options_[count_] = static_cast<std::uint8_t>(options);
    ++count_;
  }
  has_diverged_ |= options_[beyond] != options;
  return suffix_[beyond] < options ? suffix_[beyond] : 0;
}

bool BranchChoices::advance() {
  INVARIANT(!has_diverged(), "a run answers exactly the questions of its branch");
  while (count_ > 0) {
    if (++suffix_[count_ - 1] < options_[count_ - 1]) return true;
    --count_;
  }
  return false;
}

}  // namespace holdfast
