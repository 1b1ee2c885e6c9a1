// A Redis 7.0.15 server as a value: a command and a time go in, a reply comes out. It knows no clients and no
// network; connections are numbers that the caller gives out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/reply.hpp"
#include "sim/core/units.hpp"
#include "sim/stores/redis/command.hpp"
#include "sim/stores/redis/keyspace.hpp"

namespace holdfast::redis {

class Scripts;  // scripts.hpp: the Lua engine. Keeps nothing between calls that a script could see.

class Redis {
 public:
  // `scripts` must outlive this; several servers on one thread may share it.
  explicit Redis(Scripts& scripts);

  // Carries out one command at the server's own wall time `now` (never earlier than the last one given,
  // unless the server's clock was set back). Appends what it changed, in order, to `changes`. Keys that are
  // dead at `now` are first removed and reported as expired. The command has no connection: it answers at
  // once, and what belongs to a connection (transactions, subscriptions) is refused. REQUIRES: no connection
  // listens or waits for what it does.
  Reply execute(const Command& command, WallTime now, std::vector<Change>& changes);
  // The same where connections listen or wait: what is sent to them is appended to `pushes`.
  Reply execute(const Command& command, WallTime now, std::vector<Change>& changes,
                std::vector<Push>& pushes);
  // The same on a connection. What else the server sends, to this and to other connections, is appended to
  // `pushes`; what goes to this one precedes the answer. nullopt: the connection has to wait, and its answer
  // will be a push. Waits that are over at `now` are ended first.
  // REQUIRES: the connection does not wait.
  std::optional<Reply> execute(ConnectionId connection, const Command& command, WallTime now,
                               std::vector<Change>& changes, std::vector<Push>& pushes);

  // Answers the connections whose wait is over at `now`, in the order in which the waits ended.
  void end_waits_due(WallTime now, std::vector<Push>& pushes);
  // The last instant of the wait that ends first.
  std::optional<WallTime> next_wait_end() const;
  bool is_waiting(ConnectionId connection) const;
  // Forgets the connection: its transaction, its subscriptions, its wait.
  void disconnect(ConnectionId connection);
  void disconnect_all() { server_.connections = Connections(); }
  // How many replicas have every write as soon as it is done: what WAIT answers.
  void set_replicas(std::int64_t replicas) { server_.replicas = replicas; }

  // Removes the keys that are dead at `now`: those with expiry < now (Redis keeps a key while now <= set +
  // ttl).
  void expire_due(WallTime now, std::vector<Change>& changes, std::vector<Push>& pushes);
  // Drops a key for want of room.
  void evict(const std::string& key, WallTime now, std::vector<Change>& changes, std::vector<Push>& pushes);
  // False: no key is dead at `now`, nor was before. Cheap; true may be a false alarm.
  bool may_expire_by(WallTime now) const {
    return server_.keys.may_expire_by(to_milliseconds(now.time_since_epoch()));
  }
  // The last instant at which the key that dies first is alive.
  std::optional<WallTime> next_expiry() const;

  bool is_empty() const;
  // A line of its redis.conf: one of redis_settings (sim/core/redis_settings.hpp).
  void configure(std::string_view name, std::string_view value);
  // It tells of keys, to those who listen.
  bool tells() const { return server_.notices != 0; }
  // What CONFIG SET has changed since; 0: nothing.
  unsigned notices_changed() const { return server_.notices ^ server_.notices_at_start; }
  // A server that never heard of what CONFIG SET has changed.
  void forget_settings() { server_.notices = server_.notices_at_start; }
  // Forgets all data, all cached scripts and all connections, as a server without persistence does.
  void restart();

  // For digests and reports. In key order: visit(key, value, last instant alive or nullopt). `value` is a
  // canonical text that is equal exactly for equal values of equal type; for a string it is the string
  // itself.
  using Visitor =
      std::function<void(std::string_view key, std::string_view value, std::optional<WallTime> expires_at)>;
  void visit(const Visitor& visitor) const;
  // The same without texts, for the hot path of exploration: see canonical_text().
  const Keyspace& keys() const { return server_.keys; }
  // The same for connections: first those with a transaction or a subscription, by their number, then those
  // that wait, the longest waiting first: visit(connection, state, last instant of its wait or nullopt).
  using ConnectionVisitor =
      std::function<void(ConnectionId connection, std::string_view state, std::optional<WallTime> until)>;
  void visit_connections(const ConnectionVisitor& visitor) const;
  // nullopt when the key does not exist.
  std::optional<std::string> value_of(std::string_view key) const;
  std::optional<WallTime> expiry_of(std::string_view key) const;
  // What EVALSHA finds: the SHA-1 of each script, sorted. Part of the state of a server, so of its digest
  // too.
  std::vector<std::string> loaded_scripts() const;
  // The same for digests: equal for equal sets, cheap.
  std::uint64_t loaded_scripts_digest() const;
  // TIME, EXPIRETIME or PEXPIRETIME was answered, to a client or to a script: a client may know the absolute
  // time.
  bool has_told_time() const { return server_.has_told_time; }
  // The first thing that a client or a script used that Redis 7.0 has and this server has not: "OBJECT
  // ENCODING". What was answered then, and what comes of it, is not what Redis does.
  const NotSimulated& not_simulated() const { return server_.not_simulated; }
  // A command or a script may have told texts apart otherwise than as wholes (disguise.hpp): it may do
  // something else with other texts.
  bool has_told_apart() const { return server_.has_told_apart; }
  // … by single signs of them, and not only by their order.
  bool has_told_in_parts() const { return server_.has_told_in_parts; }
  // The first command that looked into a text; empty: none.
  std::string_view looked() const { return server_.looked; }
  Scripts& scripts() const { return *server_.scripts; }

 private:
  Server server_;
};

}  // namespace holdfast::redis
