// What a server remembers of its connections: transactions, watched keys, subscriptions, and blocked
// commands. Other connections leave no trace here.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/command.hpp"
#include "sim/core/reply.hpp"
#include "sim/core/session.hpp"
#include "sim/core/units.hpp"
#include "sim/stores/redis/keyspace.hpp"
#include "sim/stores/redis/values.hpp"

namespace holdfast::redis {

struct Session {
  ConnectionId connection{};
  bool is_queueing = false;  // between MULTI and EXEC
  bool is_refused = false;   // a command could not be queued: EXEC will refuse them all
  bool is_stale = false;     // a watched key has changed: EXEC will do nothing
  std::vector<Command> queued{};
  Set watched{};
  Set channels{};
  Set patterns{};

  bool is_listening() const { return !channels.members().empty() || !patterns.members().empty(); }
  std::int64_t subscriptions() const {
    return static_cast<std::int64_t>(channels.members().size() + patterns.members().size());
  }
  bool is_idle() const { return !is_queueing && !is_stale && watched.members().empty() && !is_listening(); }
  // As EXEC, DISCARD and UNWATCH do.
  void unwatch() {
    watched = Set();
    is_stale = false;
  }
  void end_transaction() {
    is_queueing = is_refused = false;
    queued.clear();
    unwatch();
  }
};

// Of a list: left and right. Of a sorted set: lowest and highest.
enum class End : std::uint8_t { first, last };

// A connection whose last command has no answer yet.
struct Waiter {
  enum class Kind : std::uint8_t { list, sorted_set, replicas };
  static constexpr MilliTicks for_ever = std::numeric_limits<std::int64_t>::max();

  ConnectionId connection{};
  Kind kind = Kind::list;
  End from = End::first;
  std::vector<std::string> keys{};
  // The last millisecond of the wait.
  MilliTicks until_ms = for_ever;
  bool moves = false;  // to the end `to` of the list `destination`
  End to = End::first;
  std::string destination{};
};

// The earlier one first; waits without end come last.
inline bool ends_before(const Waiter& one, const Waiter& other) { return one.until_ms < other.until_ms; }

struct Connections {
  std::vector<Session> sessions;   // by connection, in rising order
  std::vector<Waiter> waiters;     // the longest waiting first
  std::vector<std::string> ready;  // keys that waiters wait for and that have come into being, in that order

  bool is_unused() const { return sessions.empty() && waiters.empty(); }
  // nullptr when there is nothing to remember of it.
  Session* find(ConnectionId connection);
  Session& open(ConnectionId connection);
  // Forgets what is not worth remembering.
  void tidy(ConnectionId connection);
  bool is_waiting(ConnectionId connection) const;
  // Everything about a connection that has ended.
  void forget(ConnectionId connection);
  // The changes from the one with this number on make transactions stale that watch these keys.
  void note_changes(const Changes& changes, std::size_t first);
};

// Equal exactly for equal sessions, or for equal waiters but for their time.
std::string canonical_text(const Session& session);
std::string canonical_text(const Waiter& waiter);

}  // namespace holdfast::redis
