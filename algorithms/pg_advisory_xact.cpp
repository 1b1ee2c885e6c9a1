// pg-advisory-xact: an advisory lock of a PostgreSQL transaction, which ends with its COMMIT or ROLLBACK.
#include "algorithms/claims.hpp"
#include "algorithms/postgres_sessions.hpp"
#include "algorithms/replies.hpp"

namespace holdfast::algorithms {
namespace {

class PgAdvisoryXact final : public Lock {
 public:
  explicit PgAdvisoryXact(const Params& params)
      : waits_(params.choice("blocking") == "yes"), is_pooled_(is_pooled(params)) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    Session session = open_session(env, is_pooled_);
    const Reply begun = co_await session->begin();
    if (is_failure(begun)) co_return Attempt::failed("BEGIN: " + error_of(begun));
    if (waits_) {
      const Reply granted = co_await session->advisory_xact_lock(key);
      if (is_failure(granted)) co_return Attempt::failed("pg_advisory_xact_lock: " + error_of(granted));
    } else {
      const Reply granted = co_await session->try_advisory_xact_lock(key);
      if (is_failure(granted)) co_return Attempt::failed("pg_try_advisory_xact_lock: " + error_of(granted));
      if (!granted.is(1)) co_return Attempt::refused("pg_try_advisory_xact_lock returned false");
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
  bool waits_;
  bool is_pooled_;
  HeldSessions held_;
};

constexpr std::string_view lesson =
    "The lock belongs to a transaction, so nobody can forget to unlock it, no pooler can hand it to "
    "another client in between, and no unlock comes before the commit, which is how updates get lost with "
    "a lock of the session. Work that is done in the same database, in the same transaction, ends with the "
    "lock: where the transaction has ended, nothing of it can land late. That is the safest lock here, and "
    "it needs no lease. But the work that the clients do here is done elsewhere, as files, mails and other "
    "services are, and for that it is no better than pg-advisory: a restart or a failover ends the "
    "transaction, and the holder works on. A COMMIT without an answer says nothing of whether the work is "
    "there. A transaction that stays open for as long as the work keeps the database from cleaning up.";

constexpr Protocol protocol{
    .acquire =
        "BEGIN, then pg_try_advisory_xact_lock(key), or pg_advisory_xact_lock(key), which waits in a queue",
    .release = "COMMIT",
};

}  // namespace

Card pg_advisory_xact() {
  using enum Fault;
  using enum Property;
  // As pg-advisory: the lock is memory of the server's, and ends with the connection, besides.
  return Card{
      .id = "pg-advisory-xact",
      .summary = "an advisory lock of a PostgreSQL transaction; COMMIT gives it back",
      .source = "PostgreSQL 15 documentation, 13.3.5 Advisory Locks and 9.27.10 Advisory Lock Functions",
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
                      "yes: pg_advisory_xact_lock, which waits; no: pg_try_advisory_xact_lock",
                      {"yes", "no"}},
                     parameter_of_pooler()},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<PgAdvisoryXact>(params);
      },
      .is_stateless = true,
      .store = StoreKind::postgres,
      .stands_for_store = Tenure::transaction,
      .waiting = {{"blocking", "yes"}},
      .keys = {"lock:NAME"},
  };
}

}  // namespace holdfast::algorithms
