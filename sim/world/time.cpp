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
  ++scheduled_;
  if (later_ == nullptr || pending.earliest <= now_) {
    pending_.push_back(pending);
    pending_.back().number = scheduled_;
    return;
  }
  // A timeout that comes before an older one is not dropped when it is cancelled: time passes until it comes.
  const bool is_timeout = pending.kind == Pending::Kind::timeout && !pending.ends_pause;
  if (is_timeout && timeouts_.add(pending.slot, pending.earliest, scheduled_)) return;
  Due due(pending);
  due.number = scheduled_;
  later_->add(pending.earliest, due);
}

// Its message was answered, or its caller died, while it was not due yet.
bool World::is_cancelled(const Due& due) const {
  if (due.kind != Pending::Kind::timeout && due.kind != Pending::Kind::reply) return false;
  const Message& sent = messages_[due.slot];
  return sent.id != due.message || !sent.has(due.kind);
}

// In a timed run nothing is due any more: time passes until something is. True: there is but one such thing,
// and nothing holds it up; that is ready_ then.
bool World::skip_ahead() {
  if (!pending_.empty() || unfinished_ == 0) return false;
  do {
    const Instant next = std::min(later_->next(), timeouts_.next());
    if (next > calm_until_ || !is_quiet_until(next)) return false;
    touched_ = all_touched;
    now_ = next;
    take_due();
  } while (pending_.empty());
  if (pending_.size() > 1 || paused_ > 0) return false;
  ready_.clear();
  ready_.push_back(0);
  return true;
}

// The same in general.
void World::collect_due() {
  if (due_until_ < now_) take_due();
  // All of it, mostly: then what was all of it before needs few changes.
  const auto count = static_cast<std::uint32_t>(pending_.size());
  const bool holds_all = ready_.empty() || ready_.back() + 1 == ready_.size();
  if (lines_.empty() && paused_ == 0 && holds_all) {
    while (ready_.size() < count) ready_.push_back(static_cast<std::uint32_t>(ready_.size()));
    ready_.resize(count);
  } else {
    ready_.clear();
    for (std::uint32_t i = 0; i < count; ++i)
      if (!is_held_up(pending_[i])) ready_.push_back(i);
  }
  next_ = ready_.empty() ? std::min(later_->next(), timeouts_.next()) : never;
  if (!lines_.empty()) next_ = std::min(next_, next_wait_end());
}

// What is due now moves to pending_, in the order in which it was scheduled.
void World::take_due() {
  due_until_ = now_;
  const std::size_t before = pending_.size();
  later_->come_to(now_, [this](const Due& due) {
    due.stays_at(Later::nowhere);
    if (!is_cancelled(due)) pending_.push_back(due.at(now_));
  });
  if (timeouts_.next() <= now_) [[unlikely]]
    take_timeouts(before);
}

// Puts the timeouts that are due now among what has come since pending_ had `before` elements.
void World::take_timeouts(std::size_t before) {
  while (timeouts_.next() <= now_) {
    const std::uint32_t slot = timeouts_.next_slot();
    const Message& message = messages_[slot];
    pending_.push_back({.kind = Pending::Kind::timeout,
                        .client = message.client,
                        .earliest = now_,
                        .latest = now_,
                        .message = message.id,
                        .slot = slot,
                        .number = timeouts_.next_number()});
    timeouts_.drop(slot);
  }
  std::sort(pending_.begin() + static_cast<std::ptrdiff_t>(before), pending_.end(),
            [](const Pending& one, const Pending& other) { return one.number < other.number; });
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
