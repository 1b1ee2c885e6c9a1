// laravel-database: Cache::lock() of the PHP framework on a table: INSERT, else UPDATE of a row that has
// expired.
#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/postgres.hpp"

namespace holdfast::algorithms {
namespace {

class LaravelDatabase final : public Lock {
 public:
  explicit LaravelDatabase(const Params& params) : ttl_(params.duration("ttl")) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string owner = env.random.token();
    const WallTime first_end = end_of(env.clock.wall());
    const Reply inserted =
        co_await Postgres(env.store()).insert(key, Columns().owner(owner).until(SqlTime::at(first_end)));
    if (inserted.is_lost()) co_return Attempt::failed("QueryException: server closed the connection");
    if (inserted.is(1)) co_return granted(owner, first_end);
    // Whatever the exception was.
    const WallTime now = seconds_of(env.clock.wall());
    const WallTime end = end_of(env.clock.wall());
    const Matching mine_or_over =
        Matching(Matching::Joined::by_or).owner(owner).until("<=", SqlTime::at(now));
    const Reply updated = co_await Postgres(env.store())
                              .update(key, Columns().owner(owner).until(SqlTime::at(end)), mine_or_over);
    if (is_failure(updated)) co_return Attempt::failed("QueryException: " + error_of(updated));
    if (!updated.is(1)) co_return Attempt::refused("get(): false");
    co_return granted(owner, end);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply deleted = co_await Postgres(env.store()).remove(key, Matching().owner(grant.token));
    co_return release_by(deleted);
  }

 private:
  // time() of PHP.
  static WallTime seconds_of(WallTime time) { return std::chrono::floor<std::chrono::seconds>(time); }
  WallTime end_of(WallTime now) const {
    return seconds_of(now) + std::chrono::floor<std::chrono::seconds>(ttl_);
  }
  // At its end others may have it.
  Attempt granted(const std::string& owner, WallTime end) const {
    Grant grant(owner);
    grant.lease_until = end - 1us;
    grant.lease = std::chrono::floor<std::chrono::seconds>(ttl_);
    return Attempt(grant);
  }
  Duration ttl_;
};

constexpr std::string_view lesson =
    "A lease in a row. INSERT takes the lock, and the unique key refuses a second one; a client that is "
    "refused takes over the row if its time is over. Both are one statement, so no two clients take it at "
    "once, and a crash of the server loses nothing. But the time is the application's: whole seconds of "
    "the clock of each machine. A client whose clock is ahead takes a lock that is held, and one whose "
    "clock is behind holds a lock that others see as over. The clock of the database does not matter. The "
    "driver sends a statement again when the connection was lost, and the owner in the condition lets it "
    "find what its first INSERT has taken. The release compares the owner; the work is as unprotected as "
    "with any lease.";

constexpr Protocol protocol{
    .acquire =
        "INSERT of key, owner and end, by the own clock in seconds; on any error UPDATE of the row where "
        "the owner is the same or the end has come",
    .release = "DELETE of the row with this owner",
};

}  // namespace

Card laravel_database() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  // The end is computed before the INSERT is sent, so what delays the work after that (a pause, late
  // messages, long work) outlives it, and so do clocks that differ. A driver that sends the INSERT again
  // sends the same end. A replica may lack the row.
  const FaultSet in_time = every_fault_but({pause, slow_section, late_request, late_reply, lost_request,
                                            lost_reply, partition, clock_skew, clock_jump, failover});
  return Card{
      .id = "laravel-database",
      .summary = "a row with owner and end, by the application's clock; INSERT, or UPDATE where it is over",
      .source = "laravel/framework bd71b45 (13.x), src/Illuminate/Cache/DatabaseLock",
      .lesson = lesson,
      .protocol = protocol,
      .claims =
          {{{mutual_exclusion, no_stale_write}, in_time},
           {{owner_only_release}, every_fault},
           // The row may be there again: by a late INSERT, or a replica that has not heard of what followed.
           {{truthful_release}, every_fault_but({late_request, failover})},
           // Who takes over looks at its own clock.
           {{owner_only_change}, every_fault_but({clock_skew, clock_jump})},
           // A clock that was ahead leaves an end that is as far away.
           {{recovery}, every_fault_but({clock_skew, clock_jump})}},
      .driver_retries = 1,  // Connection::tryAgainIfCausedByLostConnection()
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Kind::duration, "86400s", "the seconds of Cache::lock(), whole ones"}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<LaravelDatabase>(params);
      },
      .is_stateless = true,
      .ignores_date = true,
      .store = StoreKind::postgres,
      .stands_for_store = Tenure::lease,
      .keys = {"NAME"},
  };
}

}  // namespace holdfast::algorithms
