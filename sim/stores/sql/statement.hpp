// A statement of a session, as words: not the text of SQL, but the few forms of it that locks send.
//
// - BEGIN, COMMIT, ROLLBACK; SET lock_timeout|deadlock_timeout MILLISECONDS.
// - pg_[try_]advisory_[xact_]lock[_shared] KEY, pg_advisory_unlock[_shared] KEY, pg_advisory_unlock_all. A
// key
//   is any text, where PostgreSQL has a number.
// - INSERT ROW column value … ["ON CONFLICT DO NOTHING" | "ON CONFLICT DO UPDATE" [WHERE …]]
//   UPDATE ROW SET column value … [WHERE …], DELETE ROW [WHERE …],
//   SELECT ROW [WHERE …] ["FOR UPDATE" | "FOR UPDATE NOWAIT" | "FOR UPDATE SKIP LOCKED"]
// All rows are of one table: its unique name is ROW, and it has the columns owner (a text), until (a time)
// and n (a number). A time is now(), now()+MILLISECONDSms, or a value of the application's: milliseconds
// since the epoch. The word `over` in place of `until` writes it, too, and says that the row is given back
// with it, which no server could know of a value of the application's. A new number may be n+1, n-1. A
// condition compares a column with =, <, <= or >; several are joined by AND, or all by OR, and the name
// counts in any case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/command.hpp"
#include "sim/core/units.hpp"

namespace holdfast::sql {

// A time as a statement says it.
struct Moment {
  bool is_from_now = false;
  Duration distance{};  // from now(), or from the epoch
  WallTime at(WallTime now) const { return is_from_now ? now + distance : WallTime(distance); }
};

// What a statement makes of the columns that it names.
struct Assignments {
  std::optional<std::string> owner = {};
  std::optional<Moment> until = {};
  bool gives_back = false;
  std::optional<std::int64_t> number = {};
  bool is_counted = false;  // `number` is added to what is there
};

struct Condition {
  enum class Column : std::uint8_t { owner, until, number };
  enum class Is : std::uint8_t { equal, below, at_most, above };
  Column column;
  Is is;
  std::string text = {};
  Moment moment = {};
  std::int64_t number = 0;
};

struct Statement {
  enum class Kind : std::uint8_t {
    unknown,  // beyond these forms
    begin,
    commit,
    rollback,
    set_lock_timeout,
    set_deadlock_timeout,
    advisory_lock,
    advisory_unlock,
    advisory_unlock_all,
    insert,
    update,
    remove,
    select,
  };
  enum class OnConflict : std::uint8_t { fails, nothing, update };
  enum class Locking : std::uint8_t { none, waits, fails, skips };

  Kind kind = Kind::unknown;
  std::string name = {};  // of the key, or of the row
  Duration timeout{};
  // Of advisory locks.
  bool tries = false;
  bool is_shared = false;
  bool is_of_transaction = false;
  // Of rows.
  Assignments set = {};
  std::vector<Condition> where = {};
  bool is_any_enough = false;  // of the conditions
  OnConflict on_conflict = OnConflict::fails;
  Locking locking = Locking::none;

  bool is_of_row() const { return kind >= Kind::insert; }
  bool reads_now() const;
};

Statement parse(const Command& request);

}  // namespace holdfast::sql
