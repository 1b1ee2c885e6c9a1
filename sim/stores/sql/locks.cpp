#include "sim/stores/sql/locks.hpp"

#include <algorithm>

namespace holdfast::sql {
namespace {

bool do_exclude(bool is_shared, bool is_other_shared) { return !is_shared || !is_other_shared; }

bool is_excluded_by_holders(const Lock& lock, const Ask& ask) {
  return std::any_of(lock.holds.begin(), lock.holds.end(), [&](const Hold& each) {
    return each.who != ask.who && do_exclude(each.is_shared, ask.is_shared);
  });
}

bool is_excluded_by_waiters(const Lock& lock, const Ask& ask, std::vector<Ask>::const_iterator end) {
  return std::any_of(lock.queue.begin(), end,
                     [&](const Ask& each) { return do_exclude(each.is_shared, ask.is_shared); });
}

// Where a session waits: before the first who waits for what the session holds.
std::vector<Ask>::const_iterator place_of(const Lock& lock, const Ask& ask) {
  return std::find_if(lock.queue.begin(), lock.queue.end(), [&](const Ask& each) {
    return std::any_of(lock.holds.begin(), lock.holds.end(), [&](const Hold& own) {
      return own.who == ask.who && do_exclude(own.is_shared, each.is_shared);
    });
  });
}

}  // namespace

std::string advisory_item(std::string_view key) { return "lock:" + std::string(key); }
std::string row_item(std::string_view row) { return "row-lock:" + std::string(row); }

bool Lock::is_held_by_others(ConnectionId who) const {
  return std::any_of(holds.begin(), holds.end(), [&](const Hold& each) { return each.who != who; });
}

Hold* Lock::hold_of(ConnectionId who, bool is_shared) {
  const auto hold = std::find_if(holds.begin(), holds.end(), [&](const Hold& each) {
    return each.who == who && each.is_shared == is_shared;
  });
  return hold == holds.end() ? nullptr : &*hold;
}

const Lock* Locks::find(std::string_view item) const {
  const auto lock =
      std::find_if(all_.begin(), all_.end(), [&](const Lock& each) { return each.item == item; });
  return lock == all_.end() ? nullptr : &*lock;
}

Lock& Locks::at(const std::string& item) {
  const auto place = std::lower_bound(all_.begin(), all_.end(), item,
                                      [](const Lock& each, const std::string& to) { return each.item < to; });
  if (place != all_.end() && place->item == item) return *place;
  return *all_.insert(place, Lock{item});
}

void Locks::give(Lock& lock, const Ask& ask, Changes& changes) {
  Hold* hold = lock.hold_of(ask.who, ask.is_shared);
  if (hold == nullptr) {
    const bool is_first = lock.holds.empty();
    lock.holds.push_back({ask.who, ask.is_shared});
    hold = &lock.holds.back();
    changes.push_back({lock.item, is_first ? Change::Kind::created : Change::Kind::overwritten,
                       is_first ? Change::Way::replaced : Change::Way::in_place, ask.who});
  }
  ++(ask.is_of_transaction ? hold->of_transaction : hold->of_session);
}

bool Locks::try_to_take(const std::string& item, const Ask& ask, Changes& changes) {
  Lock& lock = at(item);
  const bool is_turn = lock.is_of_row() || !is_excluded_by_waiters(lock, ask, lock.queue.end());
  const bool is_free = is_turn && !is_excluded_by_holders(lock, ask);
  const bool is_granted = is_free || lock.hold_of(ask.who, ask.is_shared) != nullptr;
  if (is_granted) give(lock, ask, changes);
  return is_granted;
}

Locks::Taken Locks::take(const std::string& item, const Ask& ask, Changes& changes) {
  if (try_to_take(item, ask, changes)) return Taken::granted;
  Lock& lock = at(item);
  const auto place = place_of(lock, ask);
  const auto is_in_the_way = [&](const Hold& each) {
    return each.who == place->who && do_exclude(each.is_shared, ask.is_shared);
  };
  if (place != lock.queue.end()) {
    if (std::any_of(lock.holds.begin(), lock.holds.end(), is_in_the_way)) return Taken::in_a_circle;
    if (!is_excluded_by_waiters(lock, ask, place) && !is_excluded_by_holders(lock, ask)) {
      give(lock, ask, changes);
      return Taken::granted;
    }
  }
  lock.queue.insert(place, ask);
  return Taken::waits;
}

void Locks::stop_waiting(ConnectionId who) {
  Changes none;
  for (Lock& each : all_) std::erase_if(each.queue, [&](const Ask& ask) { return ask.who == who; });
  tidy(Change::Kind::removed, none);
}

bool Locks::unlock(const std::string& item, ConnectionId who, bool is_shared, Changes& changes) {
  Hold* const hold = find(item) == nullptr ? nullptr : at(item).hold_of(who, is_shared);
  if (hold == nullptr || hold->of_session == 0) return false;
  --hold->of_session;
  tidy(Change::Kind::removed, changes);
  return true;
}

void Locks::unlock_all(ConnectionId who, Changes& changes) {
  release(who, true, false, Change::Kind::removed, changes);
}
void Locks::end_transaction(ConnectionId who, Changes& changes) {
  release(who, false, true, Change::Kind::removed, changes);
}
void Locks::end_session(ConnectionId who, Changes& changes) {
  stop_waiting(who);
  release(who, true, true, Change::Kind::expired, changes);
}

void Locks::release(ConnectionId who, bool of_session, bool of_transaction, Change::Kind how,
                    Changes& changes) {
  for (Lock& lock : all_) {
    for (Hold& hold : lock.holds) {
      if (hold.who != who) continue;
      if (of_session && !lock.is_of_row()) hold.of_session = 0;
      if (of_transaction) hold.of_transaction = 0;
    }
  }
  tidy(how, changes);
}

void Locks::tidy(Change::Kind how, Changes& changes) {
  for (Lock& lock : all_) {
    for (auto hold = lock.holds.begin(); hold != lock.holds.end();) {
      if (hold->of_session > 0 || hold->of_transaction > 0) {
        ++hold;
        continue;
      }
      const ConnectionId who = hold->who;
      hold = lock.holds.erase(hold);
      if (lock.holds.empty()) changes.push_back({lock.item, how, Change::Way::replaced, who});
      else changes.push_back({lock.item, Change::Kind::overwritten, Change::Way::in_place, who});
    }
  }
  std::erase_if(all_, [](const Lock& each) { return each.holds.empty() && each.queue.empty(); });
}

ConnectionId Locks::grant_next(Changes& changes) {
  for (Lock& lock : all_) {
    if (lock.is_of_row()) continue;
    for (auto ask = lock.queue.begin(); ask != lock.queue.end(); ++ask) {
      if (is_excluded_by_holders(lock, *ask) || is_excluded_by_waiters(lock, *ask, ask)) continue;
      const Ask next = *ask;
      lock.queue.erase(ask);
      give(lock, next, changes);
      return next.who;
    }
  }
  return {};
}

std::vector<ConnectionId> Locks::rivals() const {
  std::vector<ConnectionId> rivals;
  for (const Lock& lock : all_) {
    if (!lock.is_of_row() || !lock.holds.empty()) continue;
    for (const Ask& each : lock.queue) rivals.push_back(each.who);
    break;
  }
  return rivals;
}

std::vector<ConnectionId> Locks::in_the_way_of(ConnectionId who) const {
  std::vector<ConnectionId> others;
  for (const Lock& lock : all_) {
    const auto own =
        std::find_if(lock.queue.begin(), lock.queue.end(), [&](const Ask& each) { return each.who == who; });
    if (own == lock.queue.end()) continue;
    for (const Hold& each : lock.holds)
      if (each.who != who && do_exclude(each.is_shared, own->is_shared)) others.push_back(each.who);
    // At a row nobody has a place.
    for (auto each = lock.queue.begin(); each != own && !lock.is_of_row(); ++each)
      if (do_exclude(each->is_shared, own->is_shared)) others.push_back(each->who);
  }
  return others;
}

bool Locks::holds_any(ConnectionId who) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Lock& lock) {
    return std::any_of(lock.holds.begin(), lock.holds.end(),
                       [&](const Hold& each) { return each.who == who; });
  });
}

}  // namespace holdfast::sql
