// Partial-order reduction for a depth-first search. Where all that a client is about to do is its own affair,
// nothing that others do before can change what comes of it, nor notice that it came later: it comes first,
// and no other order is taken. (An ample set of one client. Clarke, Grumberg, Peled: Model Checking,
// chapter 10.)
//
// The conditions, by their names there. C0: the client has something that must happen now. C1: time cannot
// pass before it has happened, no fault can strike any more, and the client neither has a grant nor owns a
// key, so that no command concerns it. C2: its step is not observed by a property of any other client, and
// does not change what belongs to no client. C3: it has less left to do now than before, so no cycle consists
// of such steps alone.
#include <algorithm>

#include "sim/explore/depth_first.hpp"

namespace holdfast {

// The events of the last level that need not be taken in this state, as bits.
std::uint64_t DepthFirst::find_needless() {
  const Level& level = levels_.back();
  const Outline& from = *outlines_[levels_.size() - 1];
  if (!reduces_order_ || !from.is_undisturbed || level.is_audited || level.events < 2 || level.events > 64)
    return 0;
  candidates_.clear();
  for (std::uint32_t option = 0; option < level.events; ++option) note_candidate(option);
  // In an order that does not depend on identities.
  std::sort(candidates_.begin(), candidates_.end(), [&](const Candidate& one, const Candidate& other) {
    return from.parts[one.client] < from.parts[other.client];
  });
  const std::uint64_t all = level.events == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << level.events) - 1;
  for (const Candidate& each : candidates_) {
    if (!each.is_urgent || each.is_excluded || each.options == all) continue;
    if (is_own_affair(each)) return all & ~each.options;
  }
  return 0;
}

void DepthFirst::note_candidate(std::uint32_t option) {
  const Outline& from = *outlines_[levels_.size() - 1];
  const Outline::Event& event = from.events[foreseen_[levels_.back().foreseen + option].event];
  auto known = std::find_if(candidates_.begin(), candidates_.end(),
                            [&](const Candidate& each) { return each.client == event.client; });
  if (known == candidates_.end()) {
    const bool is_noticed = ((from.holders | from.owners) & Outline::bit(event.client)) != 0;
    known = candidates_.insert(known, {.client = event.client, .is_excluded = is_noticed});
  }
  known->options |= std::uint64_t{1} << option;
  ++known->count;
  known->is_urgent |= event.latest == 0;
  known->is_excluded |= event.is_request;
}

bool DepthFirst::is_own_affair(const Candidate& candidate) {
  const Level& level = levels_.back();
  const Outline& from = *outlines_[levels_.size() - 1];
  for (const Outline::Event& each : from.events)
    if (each.client == candidate.client && each.is_held_up) return false;
  for (std::uint32_t option = 0; option < level.events; ++option) {
    if ((candidate.options >> option & 1) == 0) continue;
    const Digest step = foreseen_[level.foreseen + option].step;
    if (memo_.find(step) == nullptr) take_ahead(option);
    const Effects* const known = memo_.find(step);
    if (known == nullptr || known->all().empty()) return false;
    const std::span<const Sequel> sequels = memo_.sequels_of(*known);
    if (sequels.empty()) return false;
    const auto is_fine = [&](const Effect& effect, const Sequel& sequel) {
      return effect.rest == from.rest && sequel.keys == from.keys && sequel.is_private && !sequel.holds &&
             !sequel.owns && !sequel.is_finished && sequel.due_steps() < candidate.count;
    };
    if (!std::equal(known->all().begin(), known->all().end(), sequels.begin(), is_fine)) return false;
  }
  return true;
}

// Finds out what an event of the last level leads to, without going there.
void DepthFirst::take_ahead(std::uint32_t option) {
  stand_here();
  Level& level = levels_.back();
  if (level.copy_bytes == 0) save(level);
  const std::size_t passing_bytes = level.copy_bytes == 0 ? stage_.used().size() : 0;
  if (passing_bytes > 0) copies_.push(stage_.used());
  const Foreseen& event = foreseen_[level.foreseen + option];
  const ClientId mover{outlines_[levels_.size() - 1]->events[event.event].client};
  learnt_.push_back({mover, Effects(event.step)});
  note_numbers(stage_.run().world, mover);
  const std::uint8_t first = static_cast<std::uint8_t>(option);
  choices_.fix({&first, 1});
  do {
    stage_.restore(copies_.top(passing_bytes + level.copy_bytes));
    choices_.rewind(level.step_begin);
    stage_.step();
    if (choices_.has_diverged()) throw_divergence();
    stage_.run().digest();
    if (!subject_.known.covers(stage_.run().world.told())) shared_.learn(stage_.run().world.told());
    result_.reach.insert(stage_.run().world.reach());
    note_effect();
  } while (choices_.advance(level.picks_begin + 1));
  copies_.pop(passing_bytes);
  here_ = nowhere;
  choices_.cut(level.picks_begin);
  level.is_learning = true;
  learn();
}

}  // namespace holdfast
