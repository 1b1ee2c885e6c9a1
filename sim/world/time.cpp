// Time in the world: scheduled events, their order, and what happens by itself while time passes.
#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

Passage World::come_to_choice() {
  if (course_.over || step_.value == 0) return {};
  const Instant before = now_;
  last_.only_time_passed = true;
  for (;;) {
    collect();
    outlook_.is_collected = true;
    const bool is_something_due = is_anything_enabled();
    const bool may_pass = !is_something_due && !outlook_.is_at_rest && outlook_.next <= course_.calm_until &&
                          (!servers_.traits().is_steady || servers_.is_quiet_until(outlook_.next));
    if (!may_pass) return {now_ - before, last_.only_time_passed, is_something_due};
    advance_to(outlook_.next);
  }
}

// Nothing is enabled: on to the next thing, whenever that is.
void World::pass() {
  if (outlook_.is_at_rest) come_to_rest();
  else if (outlook_.next > course_.calm_until) end();
  else advance_to(outlook_.next);
}

// In timed runs, and in the calm phase, it happens at one instant.
void World::settle_instant(Scheduled& what) {
  // Timed runs draw it as one of this many equal parts of the interval.
  constexpr std::uint32_t parts = 16;
  if (course_.calm) what.latest = what.earliest;
  if (!is_timed() || what.earliest == what.latest) return;
  const std::uint32_t part = pick(Site::delay, actor_of(what.client), parts + 1);
  what.earliest = what.latest = what.earliest + (what.latest - what.earliest) * part / parts;
}

void World::schedule(Scheduled what) {
  settle_instant(what);
  network_.schedule(what);
}

// Until then nothing happens by itself. REQUIRES: nothing is scheduled before.
bool World::is_quiet_until(Instant time) const {
  return time < beliefs_end_ && !network_.has_lines() && servers_.is_quiet_until(time);
}

// Time passes; on the way keys expire and beliefs end, each at its own instant.
void World::advance_to(Instant time) {
  INVARIANT(time >= now_ && time != never, "time passes forward, towards something");
  touched_.note_all();  // times are relative to now
  if (is_quiet_until(time)) {
    now_ = time;
    return;
  }
  for (;;) {
    Instant due = never;
    NodeId node;
    for (std::uint32_t i = 0; i < servers_.all().size(); ++i) {
      const Server& host = servers_.at(NodeId{i});
      const Instant death = std::min(servers_.next_death(host), servers_.next_wait_end(host));
      if (death >= due) continue;
      due = death;
      node = NodeId{i};
    }
    Client* believer = nullptr;
    if (time >= beliefs_end_) {
      beliefs_end_ = never;
      for (const auto& each : clients_) {
        beliefs_end_ = std::min(beliefs_end_, each->belief_until());
        if (each->belief_until() < due) {
          due = each->belief_until();
          believer = each.get();
        }
      }
    }
    if (due > time) break;
    last_.only_time_passed = false;
    now_ = std::max(now_, due);
    if (believer != nullptr) believer->end_belief();
    else let_pass(node);
  }
  now_ = time;
}

}  // namespace holdfast
