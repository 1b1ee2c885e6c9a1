// row-lock: the lock of one row, SELECT FOR UPDATE, for as long as a transaction lasts.
#include "algorithms/claims.hpp"
#include "algorithms/postgres_sessions.hpp"
#include "algorithms/replies.hpp"

namespace holdfast::algorithms {
namespace {

using Locked = PostgresSession::Locked;

class RowLock final : public Lock {
 public:
  explicit RowLock(const Params& params)
      : if_locked_(params.choice("blocking") == "yes" ? Locked::waits : Locked::fails) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    Session session = open_session(env);
    const Reply begun = co_await session->begin();
    if (is_failure(begun)) co_return Attempt::failed("BEGIN: " + error_of(begun));
    const Reply row = co_await session->select_for_update(key, if_locked_);
    if (has_state(row, "55P03")) co_return Attempt::refused("could not obtain lock on row");
    if (is_failure(row)) co_return Attempt::failed("SELECT FOR UPDATE: " + error_of(row));
    if (row.is_nil()) {
      const Reply made = co_await session->run(statements::insert(key, Columns()));
      if (has_state(made, "23505")) co_return Attempt::refused("duplicate key value");
      if (is_failure(made)) co_return Attempt::failed("INSERT: " + error_of(made));
    }
    held_.keep(env, std::move(session));
    const Grant grant;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string, Grant) override {
    Session session = held_.take(env);
    if (session == nullptr) co_return Release::not_held;
    const Reply ended = co_await session->commit();
    co_return committed(ended);
  }

 private:
  Locked if_locked_;
  HeldSessions held_;
};

constexpr std::string_view lesson =
    "SELECT … FOR UPDATE locks a row that stands for what is protected, until the transaction ends: "
    "Django's select_for_update, the semaphores of Quartz, the queues of many job runners (with SKIP "
    "LOCKED). It breaks where an advisory lock of a transaction breaks, and is as safe as that where the "
    "work is done in the same transaction. Two things differ. The row must be there: who finds none "
    "inserts it, and the insert waits for another's insert, NOWAIT or not. And those who wait have no "
    "queue: each time the row is written, they all look at it anew, and any of them may be the next, so "
    "nobody can say how often one of them is overtaken.";

constexpr Protocol protocol{
    .acquire = "BEGIN, then SELECT FOR UPDATE of the row, with NOWAIT if it must not wait; no row: INSERT",
    .release = "COMMIT",
};

}  // namespace

Card row_lock() {
  using enum Fault;
  using enum Property;
  // The lock of a row is part of a transaction: what ends that (a restart, a failover, the end of the
  // connection) ends it.
  return Card{
      .id = "row-lock",
      .summary = "SELECT FOR UPDATE of one row in a PostgreSQL transaction; COMMIT gives it back",
      .source =
          "PostgreSQL 15 documentation, 13.3.2 Row-Level Locks; quartz-scheduler/quartz bb2505a, "
          "StdRowLockSemaphore",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write}, every_fault_but({restart, failover, session_lost})},
                 {{owner_only_release, owner_only_change, truthful_release, release_frees, recovery,
                   progress},
                  every_fault}},
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release},
      .parameters = {{"blocking",
                      Parameter::Kind::choice,
                      "yes",
                      "yes: FOR UPDATE waits; no: FOR UPDATE NOWAIT",
                      {"yes", "no"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<RowLock>(params); },
      .is_stateless = true,
      .store = StoreKind::postgres,
      .stands_for_store = Tenure::transaction,
      .waiting = {{"blocking", "yes"}},
      .keys = {"row-lock:NAME"},
  };
}

}  // namespace holdfast::algorithms
