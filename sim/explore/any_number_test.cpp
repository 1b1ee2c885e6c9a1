// Any number of rounds is explored, where a lock may be asked for it.
#include <gmock/gmock.h>

#include "sim/explore/deepening_test.hpp"

namespace holdfast {
namespace {

using AnyNumber = BoundsDeepen;
const auto of_any_number = testing::Truly([](const Scope& scope) { return scope.is_endless(); });

std::vector<Scope> closed_of(const char* lock, Fault fault, PropertySet check) {
  std::vector<DeepCell> cells{cell_of(lock, fault, check)};
  deepened(cells, usual_scopes());
  std::vector<Scope> closed;
  for (const Within& each : cells[0].within)
    if (each.is_closed) closed.push_back(each.scope);
  return closed;
}

// A token of its own for each grant, and nothing kept in between: the same states come again and again.
TEST_F(AnyNumber, ProvesAnyNumberOfRoundsOfALockThatKeepsNothing) {
  const std::vector<Scope> closed = closed_of("token", Fault::crash, {Property::recovery});
  EXPECT_THAT(closed, testing::Contains(of_any_number));
  EXPECT_THAT(closed, testing::Not(testing::Contains(Scope{2, 2, 1, 1, 1s})));
}

// It waits, and renewals run beside its holder.
TEST_F(AnyNumber, ProvesAnyNumberOfRoundsOfALockThatTellsWhatItKeeps) {
  const std::vector<Scope> closed = closed_of("redismutex", Fault::none, {Property::mutual_exclusion});
  EXPECT_THAT(closed, testing::Contains(of_any_number));
  EXPECT_THAT(closed, testing::Not(testing::Contains(Scope{2, 2, 1, 1, 1s})));
}

// Its object may know how often it was called.
TEST_F(AnyNumber, AsksNoEndlessRoundsOfALockThatMayKeepSomething) {
  const std::vector<Scope> closed =
      closed_of("spring-integration", Fault::none, {Property::mutual_exclusion});
  EXPECT_THAT(closed, testing::Contains(Scope{2, 1, 1, 1, 1s}));
  EXPECT_THAT(closed, testing::Not(testing::Contains(of_any_number)));
}

// Its key has no expiry: after a holder has died nobody gets it, whenever the others stop asking.
TEST_F(AnyNumber, JudgesRecoveryWhereverClientsMayEnd) {
  const auto recovery_of = [](const char* lock) {
    std::vector<DeepCell> cells{cell_of(lock, Fault::crash, {Property::recovery})};
    deepened(cells, std::vector<Scope>{{2, 0, 0, 1, 1s}}, all_states);
    return only_result(cells[0]).verdict;
  };
  EXPECT_EQ(recovery_of("setnx"), Verdict::violated);
  EXPECT_EQ(recovery_of("token"), Verdict::holds);
}

// A's DEL leaves just before its timeout, a few hundredths of the lease before the key's end, and travels on:
// it deletes the key of B, and A comes again. In whole seconds it leaves too early or not at all.
TEST_F(AnyNumber, WhatIsBrokenBetweenTicksIsLookedForInFinerOnes) {
  std::vector<DeepCell> cells{cell_of("celery-cookbook", Fault::late_reply, {Property::mutual_exclusion})};
  deepened(cells, usual_scopes());
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::violated);
  EXPECT_EQ(cells[0].within[cells[0].decided_by[0]].scope, (Scope{2, 0, 0, 1, 500ms}));
}

}  // namespace
}  // namespace holdfast
