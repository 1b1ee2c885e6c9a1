#include "sim/choose/strategies.hpp"

namespace holdfast {
namespace {

// One in this many chances for a fault is taken by a random run.
constexpr std::uint32_t fault_odds = 12;

// How far ahead a tape is searched for an answer after its run has gone another way.
constexpr std::size_t look_ahead = 8;

}  // namespace

bool is_fault(Site site) {
  switch (site) {
    case Site::step:
    case Site::delay:
    case Site::wait:
    case Site::variant:
    case Site::jitter: return false;
    case Site::request:
    case Site::reply:
    case Site::pause:
    case Site::crash:
    case Site::section:
    case Site::clock:
    case Site::cancel:
    case Site::server: return true;
  }
  return true;
}

std::uint32_t Recorder::decide(Site site, Actor actor, std::uint32_t options) {
  const std::uint32_t picked = inner_.pick(site, actor, options);
  tape_.push_back(Choice{site, actor, options, picked});
  return picked;
}

std::uint32_t Recorder::decide_step(std::uint32_t options, Movers& who) {
  const std::uint32_t picked = inner_.pick_step(options, who);
  tape_.push_back(Choice{Site::step, Actor{}, options, picked});
  return picked;
}

std::uint32_t RandomChoices::decide(Site site, Actor, std::uint32_t options) {
  if (!is_fault(site)) return static_cast<std::uint32_t>(rng_.below(options));
  if (rng_.below(fault_odds) != 0) return 0;
  return 1 + static_cast<std::uint32_t>(rng_.below(options - 1));
}

std::uint32_t ReplayChoices::decide(Site site, Actor actor, std::uint32_t options) {
  const auto answers = [&](const Choice& choice) { return choice.site == site && choice.actor == actor; };
  if (position_ < tape_.size() && answers(tape_[position_]) && tape_[position_].options == options)
    return tape_[position_++].picked;
  if (!divergence_) {
    const bool ended = position_ >= tape_.size();
    divergence_ = Divergence{
        position_, ended ? std::nullopt : std::optional(tape_[position_]), {site, actor, options, 0}};
  }
  for (std::size_t ahead = position_; ahead < tape_.size() && ahead < position_ + look_ahead; ++ahead) {
    if (!answers(tape_[ahead])) continue;
    position_ = ahead + 1;
    return tape_[ahead].picked < options ? tape_[ahead].picked : 0;
  }
  return 0;
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
