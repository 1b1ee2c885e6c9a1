// Locks on PostgreSQL: what breaks exclusion and what does not, lock by lock and fault by fault, with the
// reason that was written down before.
#include <gtest/gtest.h>

#include <map>

#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using enum Fault;
using Settings = std::vector<std::pair<std::string, std::string>>;

// Under which of these faults two clients hold the lock at once.
FaultSet breaking(std::string_view id, const Settings& settings = {}, std::uint32_t attempts = 2) {
  FaultSet broken;
  for (const Fault fault : {none, crash, pause, slow_section, lost_request, partition, clock_skew,
                            server_clock_jump, restart, failover, cancel}) {
    Comparison comparison = planted::coarse();
    comparison.attempts = attempts;
    comparison.check = {Property::mutual_exclusion};
    const Exploration found =
        planted::explored(*algorithms::find(id), fault, comparison, Engine::snapshots, settings);
    EXPECT_TRUE(found.complete) << id_of(fault);
    if (planted::violated(found).contains(Property::mutual_exclusion)) broken.insert(fault);
  }
  return broken;
}

// The lock is memory of the server and part of a session: no clock is read, and nothing counts down. What
// ends sessions under their holders ends it.
TEST(PostgresLocks, OfSessionsBreakWhereTheSessionEnds) {
  std::vector<const char*> ids{"pg-advisory", "pg-advisory-xact", "row-lock", "with-advisory-lock"};
  if (!Arena::is_available()) ids.resize(1);  // sanitizer builds are slow
  for (const char* id : ids) EXPECT_EQ(breaking(id), FaultSet({restart, failover})) << id;
}

// A pooler gives the session on to others, with the lock in it, unless the transaction has it.
TEST(PostgresLocks, OfSessionsBreakThroughAPoolerAndThoseOfTransactionsDoNot) {
  const Settings pooled{{"pooler", "transaction"}};
  EXPECT_EQ(breaking("pg-advisory-xact", pooled, 1), FaultSet({restart, failover}));
  EXPECT_TRUE(breaking("pg-advisory", pooled, 1).contains(none));
}

// A lease that the database counts is one of Redis', but for a restart, which loses no row.
TEST(PostgresLocks, OfRowsWithTheTimeOfTheDatabaseBreakAsLeasesDo) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_many;
  EXPECT_EQ(breaking("shedlock-jdbc", {{"clock", "database"}}),
            FaultSet({pause, slow_section, server_clock_jump, failover}));
}

// Counted by the application: its clock breaks the lease, and that of the server does not. Half of the lease
// may be over when the lock is granted, all of it where the row was held at first (two ways there and back),
// and then the other one asks at that instant, if it gave up before. A host that dies with its unlock on its
// way unlocks itself later.
TEST(PostgresLocks, OfRowsWithTheTimeOfTheApplicationBreakByItsClock) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_many;
  EXPECT_EQ(breaking("shedlock-jdbc"), FaultSet({crash, pause, slow_section, clock_skew, failover, cancel}));
}

// … and a driver that sends the INSERT again sends the end that it had before.
TEST(PostgresLocks, OfRowsBreakWhereTheDriverAsksAgain) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_many;
  EXPECT_EQ(breaking("laravel-database", {}, 1),
            FaultSet({pause, slow_section, lost_request, partition, clock_skew, failover}));
}

}  // namespace
}  // namespace holdfast
