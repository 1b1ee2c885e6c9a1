// One PostgreSQL server, as a value: sessions, their transactions and locks, and the rows of one table.
// statement.hpp has what it can be asked for.
//
// PostgreSQL documentation, 9.27.10 Advisory Lock Functions; 13.2.1 Read Committed Isolation Level; 13.3
// Explicit Locking. What is modelled:
// - A row has a value that was committed, and at most one that was not yet, of the session that has the row's
// lock. A
//   statement looks at what was committed when it began; if another has the row, it waits and looks again.
// - now() is when the transaction began, however long a statement of it waited (9.9.5 Current Date/Time).
// - A statement outside of BEGIN and COMMIT is a transaction of its own.
// - An error ends the transaction, gives back its locks, and all its further statements fail until its end.
// - A session ends with its connection, and all that it held is free; but one that waits stays in its place
//   until its statement is over (PostgreSQL documentation, client_connection_check_interval: off).
// - lock_timeout, and a look for a circle of waits when one has lasted for deadlock_timeout.
// Not modelled: savepoints, other isolation levels, row locks that are shared.
//
// A reply: a truth is 1 or 0, void is OK, a command that changes rows says how many, BEGIN and the like say
// their tag, a row is an array of owner and n; no row is nil. An error begins with its SQLSTATE.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/callback.hpp"
#include "sim/core/change.hpp"
#include "sim/core/reply.hpp"
#include "sim/core/session.hpp"
#include "sim/stores/sql/locks.hpp"
#include "sim/stores/sql/statement.hpp"

namespace holdfast::sql {

struct Row {
  std::string owner = {};
  std::optional<WallTime> until = {};
  bool is_by_server = false;  // `until` came from now(): the lease ends by the clock of the server
  std::int64_t number = 0;
  bool is_given_back = false;
  bool operator==(const Row&) const = default;
  // It was not given back, and has no lease that is over by the clock of the server.
  bool is_alive(WallTime now) const { return !is_given_back && (!is_by_server || !until || *until > now); }
};

class Database {
 public:
  struct Session {
    ConnectionId id;
    bool is_in_transaction = false;  // between BEGIN and its end
    bool is_aborted = false;
    WallTime began{};  // the transaction
    Duration lock_timeout{};
    Duration deadlock_timeout = default_deadlock_timeout;
    // While it waits.
    std::optional<Command> waits_with = {};
    std::uint64_t place = 0;  // among all that wait, in the order of coming
    std::optional<WallTime> gives_up = {};
    std::optional<WallTime> looks_around = {};  // for a circle of waits
  };
  static constexpr Duration default_deadlock_timeout = 1s;

  // nullopt: the statement waits, and a push will answer it. Session 0 stands for any connection of a pool,
  // and for one statement. REQUIRES: rivals() is empty; the session does not wait.
  std::optional<Reply> execute(ConnectionId session, const Command& request, WallTime now, Changes& changes,
                               Pushes& pushes);
  // Ends what is over: waits, and leases of rows.
  void pass(WallTime now, Changes& changes, Pushes& pushes);
  // The last instants before any of that.
  std::optional<WallTime> next_lease_end() const;
  std::optional<WallTime> next_wait_end() const;
  // The connection is gone. False: not yet the session, for it waits.
  bool end(ConnectionId session, WallTime now, Changes& changes, Pushes& pushes);
  // The same at once, also where it waits.
  void terminate(ConnectionId session, WallTime now, Changes& changes, Pushes& pushes);
  // Rows that were committed stay.
  void restart();
  // Who waits for a row that nobody holds; which of them goes on is not determined. go_on() lets one of them.
  std::vector<ConnectionId> rivals() const { return locks_.rivals(); }
  void go_on(ConnectionId rival, WallTime now, Changes& changes, Pushes& pushes);

  // Committed ones. Bool: its lease is over.
  struct Stored {
    Row row;
    bool is_over = false;
  };
  const std::map<std::string, Stored, std::less<>>& rows() const { return rows_; }
  void put(std::string name, Row row) { rows_[std::move(name)] = {std::move(row)}; }
  const Locks& locks() const { return locks_; }
  const std::vector<Session>& sessions() const { return sessions_; }
  // It is in no transaction, and waits for nothing; or there is none.
  bool is_idle(ConnectionId session) const;
  // All that decides what the session will see and do, but times; 0 and waits apart. Empty: it is idle.
  std::string state_of(const Session& session) const;
  // A statement has used when its transaction began, and that was before, or may be looked at later.
  bool has_told_starts() const { return has_told_starts_; }
  // What was asked for first that it has not; empty: nothing.
  std::string_view not_simulated() const { return not_simulated_; }

 private:
  struct Pending {
    ConnectionId writer;
    std::optional<Row> row;  // nullopt: deleted
  };
  // What happens during one call from outside.
  struct Turn {
    WallTime now;
    Changes& changes;
    Pushes& pushes;
  };

  Session& session_of(ConnectionId id, WallTime now);
  std::optional<Reply> run(Session& session, const Statement& statement, Turn& turn);
  std::optional<Reply> run_advisory(Session& session, const Statement& statement, Turn& turn);
  std::optional<Reply> insert(Session& session, const Statement& statement, Turn& turn);
  std::optional<Reply> change(Session& session, const Statement& statement, Turn& turn);
  std::optional<Reply> select(Session& session, const Statement& statement, Turn& turn);
  // REQUIRES: another has it.
  std::optional<Reply> wait_for_row(Session& session, const std::string& name, Turn& turn);
  Reply write(Session& session, const std::string& name, std::optional<Row> row, Turn& turn);
  Reply end_block(Session& session, bool commits, Turn& turn);
  // Of one statement, or of a whole block.
  void end_transaction(Session& session, bool commits, Turn& turn);
  void commit_row(const std::string& name, const Pending& pending, Turn& turn);
  void begin_wait(Session& session, const Command& request, WallTime now);
  void end_wait(Session& session);
  // The statement is over, and the transaction if it has no other.
  void finish(Session& session, const Reply& reply, Turn& turn);
  void answer(Session& session, Reply reply, Turn& turn);
  void grant(Turn& turn);
  bool is_in_circle(ConnectionId session) const;
  // As the session sees it.
  const Row* seen_by(ConnectionId session, const std::string& name) const;
  bool is_held_by_another(ConnectionId session, const std::string& name) const;
  const Session* find(ConnectionId id) const;

  std::vector<Session> sessions_;  // by id
  Locks locks_;
  std::map<std::string, Stored, std::less<>> rows_;
  std::map<std::string, Pending, std::less<>> pending_;  // by row
  std::uint64_t waited_ = 0;                             // so many have
  std::string_view not_simulated_;
  bool has_told_starts_ = false;
};

}  // namespace holdfast::sql
