// Which steps of a program look at a clock. What it does in the others does not depend on when they happen,
// nor does what comes after them.
#include <algorithm>
#include <mutex>
#include <utility>

#include "sim/guest/histories.hpp"

namespace holdfast::guest {
namespace {

// When the sleep would be over that `event` says is, if what was told on the way to `node` happened when it
// says so; -1: it is another event.
std::int64_t end_of_sleep(Node node, const Told& event) {
  if (event.kind != Told::Kind::woke) return -1;
  for (Node at = node; at->before != nullptr; at = at->before)
    for (const Effect& effect : at->action.effects)
      if (effect.kind == Effect::Kind::sleep && effect.id == event.id)
        return at->event.elapsed + effect.duration.count();
  return -1;
}

}  // namespace

std::int64_t earliest(Node node, const Told& event) {
  return std::max({std::int64_t{0}, node->event.elapsed, end_of_sleep(node, event)});
}

// A run is told it at a time of our own. If no clock was read, no other time would have made a difference.
TimeToTell Histories::needs(Node node, const Told& event) {
  if (runs_.time == TimeToTell::nothing) return TimeToTell::nothing;
  std::string key = text_of(event);
  const auto known = [&]() -> std::optional<TimeToTell> {
    if (node->next.contains(key)) return TimeToTell::nothing;
    const auto found = node->needs.find(key);
    return found == node->needs.end() ? std::nullopt : std::optional(found->second);
  };
  {
    const std::shared_lock reading(mutex_);
    if (const std::optional<TimeToTell> needs = known()) return *needs;
  }
  const std::unique_lock writing(mutex_);
  if (const std::optional<TimeToTell> needs = known()) return *needs;
  Told dated = event;
  const std::int64_t last = std::max<std::int64_t>(node->event.elapsed, 0);
  dated.elapsed = earliest(node, event);
  dated.set_by = node->event.set_by;
  if (node->event.wall >= 0) dated.wall = node->event.wall + dated.elapsed - last;
  const History& made = learn(node, dated);
  const TimeToTell reads = made.action.reads;
  if (reads == TimeToTell::nothing) node->next.emplace(std::move(key), &made);
  else node->needs.emplace(std::move(key), reads);
  if (reads != TimeToTell::nothing) node->next.emplace(text_of(dated), &made);
  return reads;
}

}  // namespace holdfast::guest
