// What a depth-first search hands to other threads, or leaves to be gone on with: branches that were not
// begun.
#include <algorithm>
#include <utility>

#include "sim/explore/depth_first.hpp"

namespace holdfast {

// The first branch at or beyond the answer `begin` that was not begun: it is not this thread's any more.
std::optional<DepthFirst::Split> DepthFirst::split(std::uint32_t begin) {
  for (std::optional<PathChoices::Split> found; (found = choices_.split(begin)); begin = found->at) {
    const std::uint32_t at = found->at;
    const auto after = std::partition_point(levels_.begin(), levels_.end(),
                                            [&](const Level& each) { return each.step_begin <= at; });
    Level& level = *(after - 1);
    if (at == level.picks_begin && level.options > 1 && level.is_settled(found->pick)) {
      result_.transitions += foreseen_[level.foreseen + found->pick].children;
      continue;
    }
    // Some of its children are another thread's now.
    level.is_audited = false;
    const auto number = static_cast<std::uint32_t>(after - levels_.begin()) - 1;
    if (level.is_learning)
      std::lower_bound(learnt_.begin(), learnt_.end(), number, [](const Learnt& each, std::uint32_t level) {
        return each.level < level;
      })->is_partial = true;
    return Split{at, found->pick, base_depth_ + number};
  }
  return std::nullopt;
}

void DepthFirst::give_branch() {
  const std::optional<Split> given = split(levels_.front().picks_begin);
  if (!given) return;
  Branch branch{{choices_.picks().begin(), choices_.picks().begin() + given->at}, given->steps};
  branch.picks.push_back(given->pick);
  shared_.give(std::move(branch));
}

// Gives all that is left of its branch to the others, between two steps. Those that come next to what is
// taken here come last, so they are taken first.
void DepthFirst::give_up() {
  if (levels_.empty()) return;
  BranchStack open;
  std::uint32_t shared = 0;  // answers of the way, by the last one that was pushed
  std::vector<std::uint8_t> rest;
  const auto push = [&](std::uint32_t at, std::span<const std::uint8_t> more, std::uint32_t steps) {
    shared = std::min(shared, at);
    const auto way = choices_.picks().subspan(shared, at - shared);
    rest.assign(way.begin(), way.end());
    rest.insert(rest.end(), more.begin(), more.end());
    open.push(shared, rest, steps);
    shared = at;
  };
  for (auto next = split(levels_.front().picks_begin); next; next = split(next->at))
    push(next->at, {&next->pick, 1}, next->steps);
  std::size_t forks = 0;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const Level& level = levels_[i];
    const std::uint32_t steps = base_depth_ + static_cast<std::uint32_t>(i);
    const bool is_last = i + 1 == levels_.size();
    if (level.is_forked) {
      const Fork& fork = forks_[forks++];
      const std::uint32_t at = level.picks_begin + (level.options > 1 ? 1 : 0);
      for (std::size_t child = fork.next; child < fork.count; ++child) {
        const Sequel& sequel = fork.sequels[child];
        push(at, std::span(sequel.picks).first(sequel.pick_count), steps);
      }
    } else if (is_last && level.options > 0 && level.is_settled(option_of(level))) {
      result_.transitions += foreseen_[level.foreseen + option_of(level)].children;
    } else if (is_last) {
      push(choices_.size(), {}, steps);
    }
  }
  shared_.give(std::move(open));
  levels_.clear();
  learnt_.clear();
  forks_.clear();
}

}  // namespace holdfast
