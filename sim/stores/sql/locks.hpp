// The locks of a database that sessions hold and wait for: advisory ones, and those of rows.
//
// PostgreSQL documentation, 13.3 Explicit Locking. Of an advisory lock a session holds so many of its own,
// until it unlocks them or ends, and so many of its transaction's, until that ends; it never waits for
// itself. Who waits is served in the order of coming, and nobody goes before (lmgr/README, "The Lock Manager
// Algorithms"). Of a row the order is not promised: waiters queue up at one version of it, and each is tried
// anew at the next one (access/heap/README.tuplock). There any of them may be the next.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/change.hpp"
#include "sim/core/session.hpp"

namespace holdfast::sql {

// As an item of the database that has an owner.
std::string advisory_item(std::string_view key);  // "lock:KEY"
std::string row_item(std::string_view row);       // "row-lock:ROW"

struct Hold {
  ConnectionId who;
  bool is_shared = false;
  std::uint32_t of_session = 0;
  std::uint32_t of_transaction = 0;
};

struct Ask {
  ConnectionId who;
  bool is_shared = false;
  bool is_of_transaction = true;
};

struct Lock {
  std::string item;
  std::vector<Hold> holds = {};
  std::vector<Ask> queue = {};
  bool is_of_row() const { return item.starts_with("row-lock:"); }
  bool is_held_by_others(ConnectionId who) const;
  Hold* hold_of(ConnectionId who, bool is_shared);
};

class Locks {
 public:
  // In the order of items. One that nobody holds or waits for is not here.
  const std::vector<Lock>& all() const { return all_; }
  const Lock* find(std::string_view item) const;

  enum class Taken : std::uint8_t { granted, waits, in_a_circle };
  // Whether it is granted without a wait. Never where somebody waits and excludes it.
  bool try_to_take(const std::string& item, const Ask& ask, Changes& changes);
  // Who holds the lock in another way goes before the first who waits for that, and may be granted it there;
  // if both wait for each other, it is a deadlock at once (lmgr/proc.c, ProcSleep). Who waits is in the
  // queue.
  Taken take(const std::string& item, const Ask& ask, Changes& changes);
  void stop_waiting(ConnectionId who);
  // False: the session holds none of its own there.
  bool unlock(const std::string& item, ConnectionId who, bool is_shared, Changes& changes);
  void unlock_all(ConnectionId who, Changes& changes);
  void end_transaction(ConnectionId who, Changes& changes);
  void end_session(ConnectionId who, Changes& changes);
  // Who of those that wait is next at an advisory lock that they may have now; it has it then.
  // 0: nobody.
  ConnectionId grant_next(Changes& changes);
  // Those who wait for a row that nobody holds: any may be the next.
  std::vector<ConnectionId> rivals() const;

  // For whom it waits, directly: those who hold what it wants, and those before it who want it, too.
  std::vector<ConnectionId> in_the_way_of(ConnectionId who) const;
  bool holds_any(ConnectionId who) const;
  void clear() { all_.clear(); }

 private:
  Lock& at(const std::string& item);
  static void give(Lock& lock, const Ask& ask, Changes& changes);
  void release(ConnectionId who, bool of_session, bool of_transaction, Change::Kind how, Changes& changes);
  // Forgets holds of nothing, and locks of nobody.
  void tidy(Change::Kind how, Changes& changes);

  std::vector<Lock> all_;
};

}  // namespace holdfast::sql
