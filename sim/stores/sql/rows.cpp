// What statements do to rows. PostgreSQL documentation, 13.2.1 Read Committed Isolation Level; INSERT, ON
// CONFLICT; SELECT, The Locking Clause.
#include <algorithm>

#include "sim/stores/sql/database.hpp"

namespace holdfast::sql {
namespace {

template <class T>
bool compares(const T& value, Condition::Is is, const T& with) {
  switch (is) {
    case Condition::Is::equal: return value == with;
    case Condition::Is::below: return value < with;
    case Condition::Is::at_most: return value <= with;
    case Condition::Is::above: return value > with;
  }
  return false;
}

// What is NULL compares with nothing.
bool holds(const Condition& it, const Row& row, WallTime now) {
  switch (it.column) {
    case Condition::Column::owner: return compares(row.owner, it.is, it.text);
    case Condition::Column::until: return row.until && compares(*row.until, it.is, it.moment.at(now));
    case Condition::Column::number: return compares(row.number, it.is, it.number);
  }
  return false;
}

bool is_meant(const Statement& statement, const Row& row, WallTime now) {
  const auto is_one = [&](const Condition& each) { return holds(each, row, now); };
  const std::vector<Condition>& all = statement.where;
  if (all.empty()) return true;
  return statement.is_any_enough ? std::any_of(all.begin(), all.end(), is_one)
                                 : std::all_of(all.begin(), all.end(), is_one);
}

Row with(Row row, const Assignments& set, WallTime now) {
  if (set.owner) row.owner = *set.owner;
  if (set.until) row.until = set.until->at(now);
  if (set.until) row.is_by_server = set.until->is_from_now;
  if (set.until || set.owner) row.is_given_back = set.gives_back;
  if (set.number) row.number = *set.number + (set.is_counted ? row.number : 0);
  return row;
}

}  // namespace

const Row* Database::seen_by(ConnectionId session, const std::string& name) const {
  const auto pending = pending_.find(name);
  if (pending != pending_.end() && pending->second.writer == session)
    return pending->second.row ? &*pending->second.row : nullptr;
  const auto stored = rows_.find(name);
  return stored == rows_.end() ? nullptr : &stored->second.row;
}

bool Database::is_held_by_another(ConnectionId session, const std::string& name) const {
  const Lock* const lock = locks_.find(row_item(name));
  return lock != nullptr && lock->is_held_by_others(session);
}

// What another has only locked is there, and is a conflict at once; what it writes may come or go.
std::optional<Reply> Database::insert(Session& session, const Statement& statement, Turn& turn) {
  using OnConflict = Statement::OnConflict;
  const std::string& name = statement.name;
  const bool is_held = is_held_by_another(session.id, name);
  const Row* const there = seen_by(session.id, name);
  const bool is_written = is_held && pending_.contains(name);
  const bool updates = statement.on_conflict == OnConflict::update;
  if (is_written || (is_held && there != nullptr && updates)) return wait_for_row(session, name, turn);
  if (there == nullptr) return write(session, name, with(Row(), statement.set, session.began), turn);
  if (statement.on_conflict == OnConflict::fails)
    return Reply::error("23505 duplicate key value violates unique constraint");
  if (!updates) return Reply::integer(0);
  // It locks the row in any case (PostgreSQL documentation, INSERT, ON CONFLICT DO UPDATE).
  locks_.try_to_take(row_item(name), {session.id}, turn.changes);
  if (!is_meant(statement, *there, session.began)) return Reply::integer(0);
  return write(session, name, with(*there, statement.set, session.began), turn);
}

// A row that does not meet the conditions as it was committed is passed over, whichever session has it.
std::optional<Reply> Database::change(Session& session, const Statement& statement, Turn& turn) {
  const Row* const there = seen_by(session.id, statement.name);
  if (there == nullptr || !is_meant(statement, *there, session.began)) return Reply::integer(0);
  if (is_held_by_another(session.id, statement.name)) return wait_for_row(session, statement.name, turn);
  if (statement.kind == Statement::Kind::remove) return write(session, statement.name, std::nullopt, turn);
  return write(session, statement.name, with(*there, statement.set, session.began), turn);
}

std::optional<Reply> Database::select(Session& session, const Statement& statement, Turn& turn) {
  using Locking = Statement::Locking;
  const Row* const there = seen_by(session.id, statement.name);
  if (there == nullptr || !is_meant(statement, *there, session.began)) return Reply::nil();
  if (statement.locking != Locking::none) {
    const bool is_held = is_held_by_another(session.id, statement.name);
    if (is_held && statement.locking == Locking::fails)
      return Reply::error("55P03 could not obtain lock on row in relation");
    if (is_held && statement.locking == Locking::skips) return Reply::nil();
    if (is_held) return wait_for_row(session, statement.name, turn);
    locks_.try_to_take(row_item(statement.name), {session.id}, turn.changes);
  }
  return Reply::array({Reply::bulk(there->owner), Reply::integer(there->number)});
}

std::optional<Reply> Database::wait_for_row(Session& session, const std::string& name, Turn& turn) {
  locks_.take(row_item(name), {session.id}, turn.changes);
  return std::nullopt;
}

Reply Database::write(Session& session, const std::string& name, std::optional<Row> row, Turn& turn) {
  locks_.try_to_take(row_item(name), {session.id}, turn.changes);
  pending_[name] = {session.id, std::move(row)};
  return Reply::integer(1);
}

}  // namespace holdfast::sql
