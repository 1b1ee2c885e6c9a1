// What an algorithm may ask of a PostgreSQL, which is the store of cards with StoreKind::postgres:
// `const Reply reply = co_await session.try_advisory_lock(key);`
//
// Not SQL text, but its statements by name: sim/stores/sql/statement.hpp has their forms, database.hpp what
// they do and answer. All rows are of one table with a unique name, an owner, an end (`until`) and a number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/core/clock.hpp"
#include "sim/core/store.hpp"

namespace holdfast {

// A time in a statement.
class SqlTime {
 public:
  // When the transaction began (PostgreSQL documentation, 9.9.5 Current Date/Time), and so much later.
  static SqlTime now() { return SqlTime("now()"); }
  static SqlTime from_now(Duration distance) {
    return SqlTime("now()+" + std::to_string(to_milliseconds(distance)) + "ms");
  }
  // A value that the client has made.
  static SqlTime at(WallTime time) {
    return SqlTime(text_of(to_milliticks(time.time_since_epoch().count())));
  }
  const std::string& text() const { return text_; }

 private:
  explicit SqlTime(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// What a statement writes: Columns().owner("A").until(SqlTime::from_now(4s)).
class Columns {
 public:
  Columns() = default;
  Columns& owner(std::string_view text) { return add("owner", text); }
  Columns& until(const SqlTime& time) { return add("until", time.text()); }
  // That gives the row back.
  Columns& over(const SqlTime& time) { return add("over", time.text()); }
  Columns& number(std::int64_t number) { return add("n", std::to_string(number)); }
  // To what is there.
  Columns& count(std::int64_t difference) {
    return add("n", (difference < 0 ? "n" : "n+") + std::to_string(difference));
  }
  WordsView list() const { return words_.argv(); }

 private:
  Columns& add(std::string_view column, std::string_view value) {
    words_.add(column).add(value);
    return *this;
  }
  Command words_;
};

// Of which rows, beside their name: Matching().owner("A").until("<=", SqlTime::now()).
class Matching {
 public:
  enum class Joined : std::uint8_t { by_and, by_or };
  explicit Matching(Joined joined = Joined::by_and) : joined_(joined) {}
  Matching& owner(std::string_view text) { return add("owner", "=", text); }
  Matching& until(std::string_view sign, const SqlTime& time) { return add("until", sign, time.text()); }
  Matching& number(std::string_view sign, std::int64_t number) {
    return add("n", sign, std::to_string(number));
  }
  WordsView list() const { return words_.argv(); }

 private:
  Matching& add(std::string_view column, std::string_view sign, std::string_view value) {
    words_.add(words_.argv().empty() ? "WHERE" : joined_ == Joined::by_and ? "AND" : "OR");
    words_.add(column).add(sign).add(value);
    return *this;
  }
  Joined joined_;
  Command words_;
};
static_assert(SafeInAwait<SqlTime> && SafeInAwait<Columns> && SafeInAwait<Matching>);

// The statements, on anything that sends.
namespace statements {

inline Command insert(std::string_view row, const Columns& columns) {
  return Command("INSERT", row, columns.list());
}
inline Command insert_or_nothing(std::string_view row, const Columns& columns) {
  return Command("INSERT", row, columns.list(), "ON CONFLICT DO NOTHING");
}
inline Command insert_or_update(std::string_view row, const Columns& columns, const Matching& matching) {
  return Command("INSERT", row, columns.list(), "ON CONFLICT DO UPDATE", matching.list());
}
inline Command update(std::string_view row, const Columns& columns, const Matching& matching) {
  return Command("UPDATE", row, "SET", columns.list(), matching.list());
}
inline Command remove(std::string_view row, const Matching& matching) {
  return Command("DELETE", row, matching.list());
}
inline Command select(std::string_view row, const Matching& matching = Matching()) {
  return Command("SELECT", row, matching.list());
}

}  // namespace statements

// One statement, which is a transaction of its own, over any connection of a pool. It must not have to wait
// for the transaction of another.
class Postgres {
 public:
  explicit Postgres(Store& store) : store_(store) {}
  Call insert(std::string_view row, const Columns& columns, Where where = Where::current()) {
    return store_.send(statements::insert(row, columns), where);
  }
  Call insert_or_nothing(std::string_view row, const Columns& columns, Where where = Where::current()) {
    return store_.send(statements::insert_or_nothing(row, columns), where);
  }
  // Where the row is there, it is updated if it matches.
  Call insert_or_update(std::string_view row, const Columns& columns, const Matching& matching,
                        Where where = Where::current()) {
    return store_.send(statements::insert_or_update(row, columns, matching), where);
  }
  Call update(std::string_view row, const Columns& columns, const Matching& matching,
              Where where = Where::current()) {
    return store_.send(statements::update(row, columns, matching), where);
  }
  Call remove(std::string_view row, const Matching& matching, Where where = Where::current()) {
    return store_.send(statements::remove(row, matching), where);
  }
  Call select(std::string_view row, Where where = Where::current()) {
    return store_.send(statements::select(row), where);
  }

 private:
  Store& store_;
};
static_assert(SafeInAwait<Postgres>);

// A session: it ends with this object, and what it held is free. A call that was lost has ended it, too.
class PostgresSession final : public OwnConnection {
 public:
  using OwnConnection::OwnConnection;
  // It is a connection to a pooler in transaction mode, which has sessions of its own. Of two that are idle
  // it takes the first or the second for the next transaction, as `pick` says.
  PostgresSession(Store& node, Random& pick) : OwnConnection(node), pick_(&pick) {}

  // PostgreSQL documentation, 9.27.10 Advisory Lock Functions.
  Call advisory_lock(std::string_view key, Where where = Where::current()) {
    return wait_for(Command("pg_advisory_lock", key), where);
  }
  Call try_advisory_lock(std::string_view key, Where where = Where::current()) {
    return ask(Command("pg_try_advisory_lock", key), where);
  }
  Call advisory_unlock(std::string_view key, Where where = Where::current()) {
    return ask(Command("pg_advisory_unlock", key), where);
  }
  Call advisory_xact_lock(std::string_view key, Where where = Where::current()) {
    return wait_for(Command("pg_advisory_xact_lock", key), where);
  }
  Call try_advisory_xact_lock(std::string_view key, Where where = Where::current()) {
    return ask(Command("pg_try_advisory_xact_lock", key), where);
  }

  Call begin(Where where = Where::current()) { return ask(Command("BEGIN"), where); }
  Call commit(Where where = Where::current()) { return ask(Command("COMMIT"), where); }
  Call rollback(Where where = Where::current()) { return ask(Command("ROLLBACK"), where); }
  // Of all statements that follow; zero: for ever.
  Call set_lock_timeout(Duration timeout, Where where = Where::current()) {
    return ask(Command("SET", "lock_timeout", to_milliseconds(timeout)), where);
  }

  // PostgreSQL documentation, SELECT, The Locking Clause.
  enum class Locked : std::uint8_t { waits, fails, skips };
  Call select_for_update(std::string_view row, Locked if_locked, Where where = Where::current()) {
    if (if_locked == Locked::waits) return wait_for(Command("SELECT", row, "FOR UPDATE"), where);
    if (if_locked == Locked::fails) return ask(Command("SELECT", row, "FOR UPDATE NOWAIT"), where);
    return ask(Command("SELECT", row, "FOR UPDATE SKIP LOCKED"), where);
  }
  // One of `statements`, which may have to wait for the transaction of another.
  Call run(Command statement, Where where = Where::current()) {
    return wait_for(std::move(statement), where);
  }

 private:
  // Without a timeout of the driver, as drivers of PostgreSQL come.
  Call wait_for(Command statement, Where where) {
    return send_and_wait(through(std::move(statement)), where);
  }
  Call ask(Command statement, Where where) { return send(through(std::move(statement)), where); }
  Command through(Command statement) const {
    if (pick_ == nullptr) return statement;
    Command pooled("POOLED", pick_->jitter(1us) > Duration::zero() ? "2" : "1");
    for (const std::string_view word : statement.argv()) pooled.add(word);
    return pooled;
  }
  Random* pick_ = nullptr;
};

}  // namespace holdfast
