#include "sim/stores/sql/database.hpp"

#include <algorithm>
#include <utility>

#include "sim/core/invariant.hpp"

namespace holdfast::sql {
namespace {

using Kind = Statement::Kind;

// PostgreSQL documentation, Appendix A. PostgreSQL Error Codes.
Reply error_of_lock_timeout() { return Reply::error("55P03 canceling statement due to lock timeout"); }
Reply error_of_deadlock() { return Reply::error("40P01 deadlock detected"); }
Reply error_of_aborted() {
  return Reply::error(
      "25P02 current transaction is aborted, commands ignored until end of transaction block");
}

}  // namespace

std::optional<Reply> Database::execute(ConnectionId id, const Command& request, WallTime now,
                                       Changes& changes, Pushes& pushes) {
  INVARIANT(locks_.rivals().empty(), "who goes on is decided before anybody asks again");
  Turn turn{now, changes, pushes};
  const Statement statement = parse(request);
  if (statement.kind == Kind::unknown) {
    not_simulated_ = "SQL beyond the statements of sim/stores/sql";
    return Reply::error("42601 syntax error");
  }
  Session& session = session_of(id, now);
  INVARIANT(!session.waits_with, "a connection carries one statement at a time");
  const bool is_of_block = statement.kind >= Kind::begin && statement.kind <= Kind::set_deadlock_timeout;
  if (id.value == 0 &&
      (is_of_block || (statement.kind <= Kind::advisory_unlock_all && !statement.is_of_transaction)))
    not_simulated_ = "what belongs to a session, on a connection that is taken for one statement";
  if (!session.is_in_transaction) session.began = now;
  std::optional<Reply> reply = run(session, statement, turn);
  has_told_starts_ |= statement.reads_now() && (session.is_in_transaction || !reply);
  if (!reply && id.value == 0) {
    not_simulated_ = "a wait on a connection that is taken for one statement";
    locks_.stop_waiting(id);
    reply = error_of_lock_timeout();
  }
  if (reply) finish(session, *reply, turn);
  else begin_wait(session, request, now);
  if (id.value == 0) std::erase_if(sessions_, [](const Session& each) { return each.id.value == 0; });
  grant(turn);
  return reply;
}

std::optional<Reply> Database::run(Session& session, const Statement& statement, Turn& turn) {
  switch (statement.kind) {
    case Kind::commit: return end_block(session, true, turn);
    case Kind::rollback: return end_block(session, false, turn);
    default: break;
  }
  if (session.is_aborted) return error_of_aborted();
  switch (statement.kind) {
    // A second one is a warning (PostgreSQL documentation, BEGIN).
    case Kind::begin: session.is_in_transaction = true; return Reply::status("BEGIN");
    case Kind::set_lock_timeout: session.lock_timeout = statement.timeout; return Reply::status("SET");
    case Kind::set_deadlock_timeout:
      session.deadlock_timeout = statement.timeout;
      return Reply::status("SET");
    case Kind::advisory_lock:
    case Kind::advisory_unlock:
    case Kind::advisory_unlock_all: return run_advisory(session, statement, turn);
    case Kind::insert: return insert(session, statement, turn);
    case Kind::update:
    case Kind::remove: return change(session, statement, turn);
    case Kind::select: return select(session, statement, turn);
    default: break;
  }
  INVARIANT(false, "each kind of statement is one of these");
  return Reply();
}

std::optional<Reply> Database::run_advisory(Session& session, const Statement& statement, Turn& turn) {
  const std::string item = advisory_item(statement.name);
  if (statement.kind == Kind::advisory_unlock_all) {
    locks_.unlock_all(session.id, turn.changes);
    return Reply::ok();
  }
  if (statement.kind == Kind::advisory_unlock)
    return Reply::integer(locks_.unlock(item, session.id, statement.is_shared, turn.changes) ? 1 : 0);
  const Ask ask{session.id, statement.is_shared, statement.is_of_transaction};
  if (statement.tries) return Reply::integer(locks_.try_to_take(item, ask, turn.changes) ? 1 : 0);
  switch (locks_.take(item, ask, turn.changes)) {
    case Locks::Taken::granted: return Reply::ok();
    case Locks::Taken::in_a_circle: return error_of_deadlock();
    case Locks::Taken::waits: break;
  }
  return std::nullopt;
}

// --- transactions ---

// Without a block both are a warning.
Reply Database::end_block(Session& session, bool commits, Turn& turn) {
  const bool is_kept = commits && !session.is_aborted;
  end_transaction(session, is_kept, turn);
  session.is_in_transaction = session.is_aborted = false;
  return Reply::status(is_kept ? "COMMIT" : "ROLLBACK");
}

void Database::finish(Session& session, const Reply& reply, Turn& turn) {
  if (!session.is_in_transaction) return end_transaction(session, !reply.is_error(), turn);
  if (!reply.is_error() || session.is_aborted) return;
  end_transaction(session, false, turn);
  session.is_aborted = true;
}

void Database::end_transaction(Session& session, bool commits, Turn& turn) {
  for (auto each = pending_.begin(); each != pending_.end();) {
    const auto& [name, pending] = *each;
    if (pending.writer != session.id) {
      ++each;
      continue;
    }
    if (commits) commit_row(name, pending, turn);
    each = pending_.erase(each);
  }
  locks_.end_transaction(session.id, turn.changes);
}

// To others a row whose lease is over is as good as none.
void Database::commit_row(const std::string& name, const Pending& pending, Turn& turn) {
  using How = Change::Kind;
  const auto found = rows_.find(name);
  const bool was_there = found != rows_.end();
  const bool was_alive = was_there && !found->second.is_over && found->second.row.is_alive(turn.now);
  const bool is_alive = pending.row && pending.row->is_alive(turn.now);
  How how = was_alive ? How::overwritten : How::created;
  if (!is_alive) how = How::removed;
  Change::Way way = Change::Way::replaced;
  if (was_alive && is_alive) {
    const Row& before = found->second.row;
    const bool is_same_owner = before.owner == pending.row->owner;
    if (is_same_owner && before.number == pending.row->number) how = How::ttl_changed;
    else if (is_same_owner && before.until == pending.row->until) way = Change::Way::counted;
  }
  if (pending.row) rows_[name] = {*pending.row, !is_alive};
  else if (was_there) rows_.erase(found);
  if (was_there || pending.row) turn.changes.push_back({name, how, way, pending.writer});
}

// --- waits ---

void Database::begin_wait(Session& session, const Command& request, WallTime now) {
  session.waits_with = request;
  session.place = ++waited_;
  if (session.lock_timeout > Duration::zero()) session.gives_up = now + session.lock_timeout;
  // Who holds nothing is in no circle, and will not be while it waits.
  if (locks_.holds_any(session.id)) session.looks_around = now + session.deadlock_timeout;
}

void Database::end_wait(Session& session) {
  locks_.stop_waiting(session.id);
  session.waits_with.reset();
  session.place = 0;
  session.gives_up.reset();
  session.looks_around.reset();
}

void Database::answer(Session& session, Reply reply, Turn& turn) {
  end_wait(session);
  finish(session, reply, turn);
  turn.pushes.push_back({session.id, std::move(reply)});
}

// What a granted statement gives back at its end, lets the next one go on.
void Database::grant(Turn& turn) {
  for (ConnectionId next = locks_.grant_next(turn.changes); next.value != 0;
       next = locks_.grant_next(turn.changes))
    answer(session_of(next, turn.now), Reply::ok(), turn);
}

void Database::go_on(ConnectionId rival, WallTime now, Changes& changes, Pushes& pushes) {
  Turn turn{now, changes, pushes};
  Session& session = session_of(rival, now);
  const Command request = *session.waits_with;
  const Statement statement = parse(request);
  const std::optional<WallTime> gives_up = session.gives_up;
  end_wait(session);
  if (std::optional<Reply> reply = run(session, statement, turn)) {
    answer(session, *std::move(reply), turn);
  } else {
    begin_wait(session, request, now);
    session.gives_up = gives_up;
  }
  grant(turn);
}

void Database::pass(WallTime now, Changes& changes, Pushes& pushes) {
  Turn turn{now, changes, pushes};
  for (auto& [name, stored] : rows_) {
    if (stored.is_over == !stored.row.is_alive(now)) continue;
    stored.is_over = !stored.is_over;
    // The clock was set back: nobody wrote it now.
    changes.push_back({name, stored.is_over ? Change::Kind::expired : Change::Kind::created});
  }
  for (Session& each : sessions_) {
    if (each.gives_up && *each.gives_up <= now) answer(each, error_of_lock_timeout(), turn);
    if (!each.looks_around || *each.looks_around > now) continue;
    each.looks_around.reset();
    if (is_in_circle(each.id)) answer(each, error_of_deadlock(), turn);
  }
  grant(turn);
}

bool Database::is_in_circle(ConnectionId session) const {
  std::vector<ConnectionId> reached = locks_.in_the_way_of(session);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (reached[i] == session) return true;
    for (const ConnectionId next : locks_.in_the_way_of(reached[i]))
      if (std::find(reached.begin(), reached.end(), next) == reached.end()) reached.push_back(next);
  }
  return false;
}

std::optional<WallTime> Database::next_lease_end() const {
  std::optional<WallTime> next;
  for (const auto& [name, stored] : rows_) {
    if (stored.is_over || !stored.row.is_by_server || !stored.row.until) continue;
    if (!next || *stored.row.until < *next) next = stored.row.until;
  }
  return next ? std::optional(*next - 1us) : next;
}

std::optional<WallTime> Database::next_wait_end() const {
  std::optional<WallTime> next;
  for (const Session& each : sessions_)
    for (const std::optional<WallTime>& end : {each.gives_up, each.looks_around})
      if (end && (!next || *end < *next)) next = end;
  return next ? std::optional(*next - 1us) : next;
}

// --- sessions ---

Database::Session& Database::session_of(ConnectionId id, WallTime now) {
  const auto place = std::lower_bound(sessions_.begin(), sessions_.end(), id,
                                      [](const Session& each, ConnectionId to) { return each.id < to; });
  if (place != sessions_.end() && place->id == id) return *place;
  return *sessions_.insert(place, Session{.id = id, .began = now});
}

const Database::Session* Database::find(ConnectionId id) const {
  const auto found =
      std::find_if(sessions_.begin(), sessions_.end(), [&](const Session& each) { return each.id == id; });
  return found == sessions_.end() ? nullptr : &*found;
}

bool Database::is_idle(ConnectionId session) const {
  const Session* const found = find(session);
  return found == nullptr || (!found->is_in_transaction && !found->waits_with);
}

bool Database::end(ConnectionId id, WallTime now, Changes& changes, Pushes& pushes) {
  const Session* const session = find(id);
  if (session == nullptr) return true;
  if (session->waits_with) return false;
  Turn turn{now, changes, pushes};
  std::erase_if(pending_, [&](const auto& each) { return each.second.writer == id; });
  locks_.end_session(id, changes);
  std::erase_if(sessions_, [&](const Session& each) { return each.id == id; });
  grant(turn);
  return true;
}

void Database::terminate(ConnectionId id, WallTime now, Changes& changes, Pushes& pushes) {
  end_wait(session_of(id, now));
  end(id, now, changes, pushes);
}

void Database::restart() {
  sessions_.clear();
  pending_.clear();
  locks_.clear();
}

// Names of rows and keys have no spaces in what locks do; owners may, but stand in quotes by their place.
std::string Database::state_of(const Session& session) const {
  std::string text;
  const auto add = [&](std::string_view word) { (text += word) += ' '; };
  const auto add_number = [&](auto number) { add(std::to_string(number)); };
  if (session.is_in_transaction) add(session.is_aborted ? "aborted" : "begun");
  for (const Lock& lock : locks_.all())
    for (const Hold& hold : lock.holds) {
      if (hold.who != session.id) continue;
      add(hold.is_shared ? "shares" : "holds");
      add(lock.item);
      add_number(hold.of_session);
      add_number(hold.of_transaction);
    }
  for (const auto& [name, pending] : pending_) {
    if (pending.writer != session.id) continue;
    add(pending.row ? "writes" : "deletes");
    add(name);
    if (!pending.row) continue;
    add(pending.row->owner);
    add_number(pending.row->number);
    if (!pending.row->until) continue;
    const WallTime from = pending.row->is_by_server ? session.began : WallTime();
    add(pending.row->is_by_server ? "from now()" : "until");
    add(Command((*pending.row->until - from).count()).argv().front());
  }
  if (session.lock_timeout != Duration::zero()) {
    add("lock_timeout");
    add_number(session.lock_timeout.count());
  }
  if (session.deadlock_timeout != default_deadlock_timeout) {
    add("deadlock_timeout");
    add_number(session.deadlock_timeout.count());
  }
  if (!session.waits_with) return text;
  add("waits");
  for (const std::string_view word : session.waits_with->argv()) add(word);
  return text;
}

}  // namespace holdfast::sql
