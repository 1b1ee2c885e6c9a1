// Time in the world: what is going to happen, in which order, and what happens by itself while time passes.
#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

Passage World::come_to_choice() {
  if (over_ || step_.value == 0) return {};
  const Instant before = now_;
  only_time_passed_ = true;
  for (;;) {
    collect();
    is_collected_ = true;
    const bool is_something_due = is_anything_enabled();
    const bool may_pass = !is_something_due && !is_at_rest_ && next_ <= calm_until_;
    if (!may_pass) return {now_ - before, only_time_passed_, is_something_due};
    advance_to(next_);
  }
}

// In timed runs, and in the calm phase, it happens at one instant.
void World::settle_instant(Scheduled& what) {
  // Timed runs draw it as one of this many equal parts of the interval.
  constexpr std::uint32_t parts = 16;
  if (calm_) what.latest = what.earliest;
  if (!is_timed() || what.earliest == what.latest) return;
  const std::uint32_t part = pick(Site::delay, actor_of(what.client), parts + 1);
  what.earliest = what.latest = what.earliest + (what.latest - what.earliest) * part / parts;
}

void World::schedule(Scheduled what) {
  settle_instant(what);
  what.number = ++scheduled_;
  if (!is_timed() || what.earliest <= now_) {
    pending_.push_back(what);
    return;
  }
  const Agenda::Handle handle = agenda_.add(what);
  if (what.is_of_message()) messages_[what.slot].handle_of(what.kind) = handle;
  if (what.sleep != nullptr) what.sleep->place = handle;
  if (what.kind == Scheduled::Kind::resume) client(what.client).resume_handle() = handle;
}

// What is due now moves to pending_, in the order in which it was scheduled.
void World::take_due() {
  while (agenda_.next() <= now_) {
    const Scheduled due = agenda_.take().second;
    if (due.is_of_message()) messages_[due.slot].handle_of(due.kind) = Agenda::none;
    if (due.sleep != nullptr) due.sleep->place = Agenda::none;
    if (due.kind == Scheduled::Kind::resume) client(due.client).resume_handle() = Agenda::none;
    pending_.push_back(due);
  }
}

// Until then nothing happens by itself. REQUIRES: nothing is scheduled before.
bool World::is_quiet_until(Instant time) const {
  if (time >= beliefs_end_ || !lines_.empty()) return false;
  for (const Server& each : servers_)
    if (each.shelf.data.may_expire_by(epoch + time.time_since_epoch() + each.clock_offset)) return false;
  return true;
}

// Time passes; on the way keys expire and beliefs end, each at its own instant.
void World::advance_to(Instant time) {
  INVARIANT(time >= now_ && time != never, "time passes forward, towards something");
  touched_ = all_touched;
  if (is_quiet_until(time)) {
    now_ = time;
    return;
  }
  for (;;) {
    Instant due = never;
    NodeId node;
    for (std::uint32_t i = 0; i < servers_.size(); ++i) {
      const Instant death = std::min(next_death(servers_[i]), next_wait_end(servers_[i]));
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
    only_time_passed_ = false;
    now_ = std::max(now_, due);
    if (believer != nullptr) {
      believer->end_belief();
    } else {
      expire_due(node);
      if (!lines_.empty()) end_waits(node);
    }
  }
  now_ = time;
}

}  // namespace holdfast
