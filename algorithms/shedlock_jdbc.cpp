// shedlock-jdbc: ShedLock on a table, for scheduled jobs: INSERT, or UPDATE of a row whose time is over.
#include "algorithms/claims.hpp"
#include "algorithms/postgres_sessions.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/postgres.hpp"

namespace holdfast::algorithms {
namespace {

struct Kept {
  bool knows_row = false;  // so it does not INSERT again: LockRecordRegistry
};

class ShedlockJdbc final : public LockThatKeeps<Kept> {
 public:
  explicit ShedlockJdbc(const Params& params)
      : at_most_(params.duration("ttl")),
        open_for_(params.duration("open-for")),
        stays_open_for_(params.duration("stays-open-for")),
        is_by_database_(params.choice("clock") == "database") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const WallTime now = is_by_database_ ? WallTime() : env.clock.wall();
    const std::string host = "host-" + name_of(env.self());
    const Columns taken = Columns().owner(host).until(is_by_database_ ? SqlTime::from_now(at_most_)
                                                                      : SqlTime::at(now + at_most_));
    if (is_within()) {
      Attempt attempt = co_await acquire_within(env, key, host);
      co_return attempt;
    }
    const bool is_first = !kept().knows_row;
    if (is_first) {
      const Matching free = over(env);
      const Reply inserted = co_await Postgres(env.store()).insert_or_update(key, taken, free);
      if (inserted.is_lost()) co_return Attempt::failed("DataAccessResourceFailureException");
      kept().knows_row = true;
      if (inserted.is(1)) co_return granted(host, now);
    }
    // LockConfiguration.getLockAtMostUntil() counts from when that was made, for both statements;
    // SqlStatementsSource.params() reads the clock anew for each, to say which rows are over.
    const Matching free = over(env);
    const Reply updated = co_await Postgres(env.store()).update(key, taken, free);
    if (is_failure(updated)) {
      kept().knows_row = !is_first;
      co_return Attempt::failed("DataAccessException: " + error_of(updated));
    }
    if (!updated.is(1)) co_return Attempt::refused("Not executing '" + key + "'. It's locked.");
    co_return granted(host, now);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    const SqlTime now = is_by_database_ ? SqlTime::now() : SqlTime::at(env.clock.wall());
    if (is_within()) {
      // Another's transaction may have the row.
      PostgresSession session(env.store());
      const bool stays_open = stays_open_for_ > Duration::zero();
      if (stays_open) co_await session.begin();
      const Reply freed =
          co_await session.run(statements::update(key, Columns().over(now), Matching().owner(grant.token)));
      if (!stays_open) co_return silent_release_by(freed);
      co_await env.clock.sleep(stays_open_for_);
      const Reply committed = co_await session.commit();
      co_return is_failure(committed) ? Release::unknown : silent_release_by(freed);
    }
    const Reply ended =
        co_await Postgres(env.store()).update(key, Columns().over(now), Matching().owner(grant.token));
    // unlock() is void, and looks at no count.
    co_return silent_release_by(ended);
  }

 private:
  Matching over(Env& env) const {
    return Matching().until("<=", is_by_database_ ? SqlTime::now() : SqlTime::at(env.clock.wall()));
  }
  // Of a transaction of the caller's that others may wait for.
  bool is_within() const { return open_for_ > Duration::zero() || stays_open_for_ > Duration::zero(); }
  // In the caller's transaction, which ends before the job begins.
  Task<Attempt> acquire_within(Env& env, std::string key, std::string host) const {
    PostgresSession session(env.store());
    const Reply begun = co_await session.begin();
    if (is_failure(begun)) co_return Attempt::failed("BEGIN: " + error_of(begun));
    if (open_for_ > Duration::zero()) co_await env.clock.sleep(open_for_);
    const WallTime now = is_by_database_ ? WallTime() : env.clock.wall();
    const Columns taken = Columns().owner(host).until(is_by_database_ ? SqlTime::from_now(at_most_)
                                                                      : SqlTime::at(now + at_most_));
    const Matching free = over(env);
    const Reply written = co_await session.run(statements::insert_or_update(key, taken, free));
    if (is_failure(written)) co_return Attempt::failed("DataAccessException: " + error_of(written));
    const Reply ended = co_await session.commit();
    if (is_failure(ended)) co_return Attempt::failed("COMMIT: " + error_of(ended));
    if (!written.is(1)) co_return Attempt::refused("Not executing '" + key + "'. It's locked.");
    co_return granted(host, now);
  }
  // At its end others may have it.
  Attempt granted(const std::string& host, WallTime now) const {
    Grant grant(host);
    if (!is_by_database_) grant.lease_until = now + at_most_ - 1us;
    grant.lease = at_most_;
    return Attempt(grant);
  }

  Duration at_most_;
  Duration open_for_;
  Duration stays_open_for_;
  bool is_by_database_;
};

constexpr std::string_view lesson =
    "A row for each job says until when it is locked, and by which host. A node that finds the time in the "
    "past takes the row over in one statement, so no two nodes take it at once; a release sets the time to "
    "now. Whose now? By default each node's own: a node whose clock is ahead by more than the rest of the "
    "lease starts the job a second time. With usingDbTime() the database counts, and then nodes' clocks do "
    "not matter, but its own does. Inside of a transaction that began earlier, its now() is the beginning "
    "of that transaction, and a lease may be over when it is taken. The owner is the name of the host, and "
    "not of the run: an unlock that comes late ends the next lock of the same host. As with every lease, a "
    "job that takes longer than lockAtMostFor runs beside the next one, and unlock() tells nobody. That time "
    "begins before the lock is asked for, and the first time two statements may be needed: a lockAtMostFor "
    "as short as two round trips and the job is too short.";

constexpr Protocol protocol{
    .acquire =
        "the first time INSERT of name, end and host, ON CONFLICT DO UPDATE where the end has come; "
        "refused, and later, UPDATE where it has come. Tried once",
    .release = "UPDATE of the end to now, where the host is the same. The caller is told nothing",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a node whose clock is ahead takes a lock that is held",
       .tracker = "lukas-krecan/ShedLock #231",
       .instead = "check shedlock-jdbc --fault clock-skew; with --param clock=database it holds"},
      {.what =
           "now() of a transaction that began earlier is in the past, and so may be the end that is written",
       .tracker = "lukas-krecan/ShedLock #3577",
       .lesson = "now-in-an-old-transaction-is-over-when-it-is-taken",
       .repair = "now-in-a-transaction-of-its-own-is-now"},
      {.what = "now() of a statement that waits for the row is from before the wait",
       .lesson = "now-of-a-statement-that-waited-is-from-before-the-wait",
       .repair = "an-unlock-in-a-transaction-of-its-own-keeps-nobody-waiting"},
      {.what = "the time is taken, the process stops, and an end that has passed is written",
       .tracker = "lukas-krecan/ShedLock #132",
       .instead = "check shedlock-jdbc --fault pause"},
      {.what = "the UPDATE after an INSERT that found the row writes an end from before the INSERT",
       .lesson = "an-end-of-shedlock-that-was-computed-before-the-insert-is-over-too-soon",
       .repair = "an-end-of-shedlock-beyond-two-round-trips-and-the-job-outlasts-it"},
      {.what = "locks of one host have the same owner",
       .tracker = "lukas-krecan/ShedLock #317",
       .instead = "check shedlock-jdbc --fault late-request --rounds 2"},
  };
}

}  // namespace

Card shedlock_jdbc() {
  using enum Fault;
  using enum Property;
  // The end is computed before the first statement is sent. A node that finds the row for the first time, and
  // held, sends a second one, and two ways there and back and the work are longer than a lease of 4 s, and
  // shorter than one of 6 s: nothing is claimed of mutual-exclusion. With the clock of the database the end
  // is computed by each statement. A host that dies while its unlock is on its way may have the lock again
  // when that arrives.
  return Card{
      .id = "shedlock-jdbc",
      .summary = "skip if locked: a row with host and end; UPDATE where the end has come",
      .source = "lukas-krecan/ShedLock 2495b14, JdbcTemplateLockProvider with PostgreSQL",
      .lesson = lesson,
      .protocol = protocol,
      .claims =
          {// Nothing is said of truthful-release: an unlock may be on its way when the end comes, which is
           // counted from before the lock was asked for, and its answer is dropped.
           // An unlock that comes late is another's only where the host has taken the lock again.
           {{owner_only_release}, every_fault_but({crash, late_request})},
           {{owner_only_change}, every_fault_but({clock_skew, clock_jump})},
           {{recovery}, every_fault_but({clock_skew, clock_jump})}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters =
          {{"ttl", Parameter::Kind::duration, "1s", "lockAtMostFor, which has no default"},
           {"clock",
            Parameter::Kind::choice,
            "application",
            "whose time counts; database: usingDbTime()",
            {"application", "database"}},
           {"open-for", Parameter::Kind::duration, "0s",
            "how long the caller's transaction has been open in which lock() is called; 0s: it has one of "
            "its own"},
           {"stays-open-for", Parameter::Kind::duration, "0s",
            "how long the caller's transaction in which unlock() is called goes on; 0s: it has one of its "
            "own"}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<ShedlockJdbc>(params);
      },
      .ignores_date = true,
      .store = StoreKind::postgres,
      .keys = {"NAME"},
  };
}

}  // namespace holdfast::algorithms
