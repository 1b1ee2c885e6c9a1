// Locks on PostgreSQL: what breaks exclusion and what does not, lock by lock and fault by fault, with the
// reason that was written down before; and who may overtake whom.
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
  for (const char* id : {"pg-advisory", "pg-advisory-xact", "row-lock", "with-advisory-lock"})
    EXPECT_EQ(breaking(id), FaultSet({restart, failover})) << id;
}

// A lease that the database counts is one of Redis', but for a restart, which loses no row.
TEST(PostgresLocks, OfRowsWithTheTimeOfTheDatabaseBreakAsLeasesDo) {
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

// --- who may overtake whom ---

PropertyResult bypass_of(std::string_view id, std::uint32_t clients) {
  Comparison comparison = planted::coarse();
  comparison.clients = clients;
  comparison.rounds = comparison.attempts = 0;
  comparison.timing.delay_max = 0s;
  comparison.check = {Property::bounded_bypass};
  const Exploration found =
      planted::explored(*algorithms::find(id), none, comparison, Engine::snapshots, {{"blocking", "yes"}});
  EXPECT_TRUE(found.complete);
  return planted::result_of(found, Property::bounded_bypass);
}

// Advisory locks are granted in the order of requests: each of the others goes first once, at most.
TEST(PostgresLocks, OfSessionsAreGrantedInTurn) {
  for (const std::uint32_t clients : {2u, 3u}) {
    const PropertyResult result = bypass_of("pg-advisory", clients);
    EXPECT_EQ(result.verdict, Verdict::holds);
    EXPECT_EQ(result.bypass_max, clients - 1);
  }
}

// Of two who wait for a row either may be the next, again and again: that is no proof of a bound. It is no
// loop of a waiter that keeps asking either, for one that waits at the server asks nothing.
TEST(PostgresLocks, OfRowsAreGrantedInNoOrder) {
  EXPECT_EQ(bypass_of("row-lock", 3).verdict, Verdict::unknown);
}

}  // namespace
}  // namespace holdfast
