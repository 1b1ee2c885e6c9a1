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
    collect_ready();
    is_collected_ = true;
    if (only_background_is_left()) return {now_ - before, only_time_passed_, false};
    if (!ready_.empty()) return {now_ - before, only_time_passed_, true};
    if (next_ == never || next_ > calm_until_) return {now_ - before, only_time_passed_, false};
    advance_to(next_);
  }
}

Upcoming World::upcoming(std::size_t index) const {
  const Pending& each = pending_[index];
  return {each.client,
          each.number,
          each.digest,
          std::max(Duration::zero(), each.earliest - now_),
          std::max(Duration::zero(), each.latest - now_),
          is_held_up(each),
          each.kind == Pending::Kind::request};
}

void World::schedule(const Pending& pending) {
  using Kind = Pending::Kind;
  ++scheduled_;
  if (later_ == nullptr || pending.earliest <= now_) {
    pending_.push_back(pending);
    pending_.back().number = scheduled_;
    return;
  }
  const Later::Place place = later_->add(pending.earliest, pending);
  if (pending.sleep != nullptr) pending.sleep->place = place;
  // A timeout that comes before an older one is not dropped when it is cancelled: time passes until it comes.
  if (pending.kind != Kind::timeout || pending.earliest < latest_timeout_) return;
  latest_timeout_ = pending.earliest;
  ++timeouts_;
  messages_[pending.slot].timeout = place;
}

// Its message was answered, or its caller died, while it was not due yet.
bool World::is_cancelled(const Pending& pending) const {
  if (pending.kind != Pending::Kind::timeout && pending.kind != Pending::Kind::reply) return false;
  const Message& sent = messages_[pending.slot];
  return sent.id != pending.message || !sent.has(pending.kind);
}

// In a timed run, what is due now moves to pending_, in the order in which it was scheduled.
void World::collect_due() {
  ready_.clear();
  if (due_until_ < now_) {
    due_until_ = now_;
    later_->come_to(now_, [this](Later::Place place, const Pending& pending) { take_due(place, pending); });
    // What comes in a moment is fetched while this goes on.
    if (const Pending* const soon = later_->soon()) client_of(soon->client).fetch(soon->sleep);
    if (pending_.size() > 1)
      for (const Pending& each : pending_) client_of(each.client).fetch(each.sleep);
  }
  for (std::uint32_t i = 0; i < pending_.size(); ++i)
    if (!is_held_up(pending_[i])) ready_.push_back(i);
  next_ = ready_.empty() ? later_->next() : never;
  if (!lines_.empty()) next_ = std::min(next_, next_wait_end());
}

void World::take_due(Later::Place place, const Pending& pending) {
  if (pending.sleep != nullptr) pending.sleep->place = Later::nowhere;
  if (pending.kind == Pending::Kind::timeout && messages_[pending.slot].timeout == place) {
    messages_[pending.slot].timeout = Later::nowhere;
    end_timeout();
  }
  if (!is_cancelled(pending)) pending_.push_back(pending);
}

// Time passes; on the way keys expire and beliefs end, each at its own instant.
void World::advance_to(Instant time) {
  INVARIANT(time >= now_ && time != never, "time passes forward, towards something");
  touched_ = all_touched;
  const auto may_kill = [&](const Server& each) {
    return each.shelf.data.may_expire_by(epoch + time.time_since_epoch() + each.clock_offset);
  };
  if (time < beliefs_end_ && lines_.empty() && std::none_of(servers_.begin(), servers_.end(), may_kill)) {
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
