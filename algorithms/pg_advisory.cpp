// pg-advisory: an advisory lock of a PostgreSQL session, which lasts until it is unlocked or the session
// ends.
#include "algorithms/claims.hpp"
#include "algorithms/postgres_sessions.hpp"
#include "algorithms/replies.hpp"

namespace holdfast::algorithms {
namespace {

class PgAdvisory final : public Lock {
 public:
  explicit PgAdvisory(const Params& params)
      : waits_(params.choice("blocking") == "yes"), is_pooled_(is_pooled(params)) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    Session session = open_session(env, is_pooled_);
    if (waits_) {
      const Reply granted = co_await session->advisory_lock(key);
      if (is_failure(granted)) co_return Attempt::failed("pg_advisory_lock: " + error_of(granted));
    } else {
      const Reply granted = co_await session->try_advisory_lock(key);
      if (is_failure(granted)) co_return Attempt::failed("pg_try_advisory_lock: " + error_of(granted));
      if (!granted.is(1)) co_return Attempt::refused("pg_try_advisory_lock returned false");
    }
    held_.keep(env, std::move(session));
    const Grant grant;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant) override {
    Session session = held_.take(env);
    if (session == nullptr) co_return Release::not_held;
    const Reply reply = co_await session->advisory_unlock(key);
    co_return release_by(reply);
  }

 private:
  bool waits_;
  bool is_pooled_;
  HeldSessions held_;
};

constexpr std::string_view lesson =
    "The database remembers who holds the lock in the session: no row, no lease, no clock. As long as the "
    "server lives and the connection stands, no pause and no work can be too long, and nobody is in the "
    "way of others after a crash, for the end of a process closes its connection and frees what it held. "
    "The price is the other side of the same coin. A holder that is cut off keeps the lock until the "
    "kernel of the server gives the connection up, which takes two hours by default; and where the session "
    "ends under its holder (a restart, a failover, an administrator, a pooler that hands the connection to "
    "somebody else), the next client gets the lock at once, and nothing tells the holder before its next "
    "statement. There is no number that a resource could compare.";

constexpr Protocol protocol{
    .acquire =
        "pg_try_advisory_lock(key), or pg_advisory_lock(key), which waits in a queue; on a session of its "
        "own",
    .release = "pg_advisory_unlock(key) on the same session; false: it did not hold it",
};

}  // namespace

Card pg_advisory() {
  using enum Fault;
  using enum Property;
  // The lock is memory of the server's, and part of the session: a restart or a failover ends both, and the
  // next client is granted it. Nothing else does while the holder's process lives: a lost or late message
  // ends the session at its client, who then holds nothing more; a pause leaves the connection as it is.
  return Card{
      .id = "pg-advisory",
      .summary = "an advisory lock of a PostgreSQL session: no lease; free when the session ends",
      .source = "PostgreSQL 15 documentation, 13.3.5 Advisory Locks and 9.27.10 Advisory Lock Functions",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write}, every_fault_but({restart, failover, session_lost})},
                 // Only the session that has the lock can unlock it.
                 {{owner_only_release, owner_only_change, truthful_release, release_frees, recovery,
                   progress},
                  every_fault}},
      .bugs = {{.what = "where the session ends under its holder, the next client is granted the lock",
                .lesson = "a-restart-ends-the-session-that-holds-an-advisory-lock"},
               {.what = "an unlock through a pooler reaches another session, and the lock stays",
                .lesson = "an-unlock-through-a-pooler-leaves-the-lock-in-another-session",
                .repair = "a-transaction-through-a-pooler-leaves-no-lock"}},
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release},
      .parameters = {{"blocking",
                      Parameter::Kind::choice,
                      "yes",
                      "yes: pg_advisory_lock, which waits; no: pg_try_advisory_lock",
                      {"yes", "no"}},
                     parameter_of_pooler()},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<PgAdvisory>(params);
      },
      .is_stateless = true,
      .store = StoreKind::postgres,
      .stands_for_store = Tenure::session,
      .waiting = {{"blocking", "yes"}},
      .keys = {"lock:NAME"},
  };
}

}  // namespace holdfast::algorithms
