// Bounds deepen where verdicts turn, and nowhere else.
#include "sim/explore/deepening.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "sim/core/arena.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using testing::IsEmpty;

DeepCell cell_of(const char* lock, Fault fault, PropertySet check) {
  const Card& card = *algorithms::find(lock);
  return {&card, [&card, fault, check](const Scope& scope) {
            Comparison comparison;
            comparison.check = check;
            return scenario_of(at_scope(comparison, scope), card, fault);
          }};
}

// What is explored, scope by scope.
std::vector<std::size_t> deepened(std::vector<DeepCell>& cells, std::span<const Scope> scopes,
                                  std::uint64_t states_max = usual_states_max, unsigned threads = 1,
                                  const Budget& budget = {}) {
  std::vector<std::size_t> jobs;
  deepen(
      cells, {scopes, whole_scopes, states_max}, threads, budget,
      [&](const Scope&, std::size_t count) { jobs.push_back(count); }, [](std::size_t, const auto&) {});
  return jobs;
}

// The first of the usual scopes that break it.
Scope breaking(const char* lock, Fault fault, Property property) {
  std::vector<DeepCell> cells{cell_of(lock, fault, {property})};
  deepened(cells, usual_scopes);
  EXPECT_EQ(cells[0].found.properties[0].verdict, Verdict::violated);
  return cells[0].within[cells[0].decided_by[0]].scope;
}

class BoundsDeepen : public testing::Test {
 protected:
  void SetUp() override {
    if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  }
};

// B finds A's lease over and sends GETSET, but slowly: meanwhile A has come back, and its new lease is
// overwritten. A must come twice.
TEST_F(BoundsDeepen, FindsWhatTakesASecondRound) {
  EXPECT_EQ(breaking("getset", Fault::none, Property::mutual_exclusion).rounds, 2u);
}

// The copy of A's DEL deletes the key of B, who still works; C enters.
TEST_F(BoundsDeepen, FindsWhatTakesAThirdClient) {
  EXPECT_EQ(breaking("set-nx-px", Fault::duplicate, Property::mutual_exclusion).clients, 3u);
}

// One eviction takes the key, and nobody enters before the lease of the next number; another takes the
// counter, so that a number is drawn twice.
TEST_F(BoundsDeepen, FindsWhatTakesASecondFault) {
  EXPECT_EQ(breaking("ticket", Fault::eviction, Property::owner_only_release).faults, 2u);
}

TEST_F(BoundsDeepen, LeavesAGoodLockAlone) {
  std::vector<DeepCell> cells{cell_of("token", Fault::duplicate, {Property::mutual_exclusion}),
                              cell_of("token", Fault::none, {Property::owner_only_release})};
  deepened(cells, usual_scopes);
  for (const DeepCell& cell : cells) {
    EXPECT_EQ(cell.found.properties[0].verdict, Verdict::holds);
    for (std::size_t i = 0; i < whole_scopes; ++i) EXPECT_TRUE(cell.within[i].is_closed);
    EXPECT_TRUE(cell.within[cell.decided_by[0]].is_closed);
  }
}

// Without a fault, a second one changes nothing; what the smallest bounds break needs no larger ones.
TEST_F(BoundsDeepen, ExploresNothingAgain) {
  std::vector<DeepCell> cells{cell_of("token", Fault::none, {Property::mutual_exclusion}),
                              cell_of("set-nx-px", Fault::pause, {Property::owner_only_release})};
  EXPECT_EQ(deepened(cells, usual_scopes), (std::vector<std::size_t>{2, 1, 1, 1, 1}));
  EXPECT_THAT(deepened(cells, usual_scopes), IsEmpty());
}

TEST_F(BoundsDeepen, GoesOnWithASpaceThatWasNotClosed) {
  std::vector<DeepCell> cells{cell_of("token", Fault::none, {Property::mutual_exclusion})};
  const std::vector<Scope> scopes{usual_scopes[0], usual_scopes[1], usual_scopes[3]};
  deepened(cells, scopes, 10);
  EXPECT_FALSE(cells[0].within[2].is_closed);
  EXPECT_EQ(deepened(cells, scopes), (std::vector<std::size_t>{1}));
  EXPECT_EQ(cells[0].within.size(), 3u);
  EXPECT_TRUE(cells[0].within[2].is_closed);
}

TEST_F(BoundsDeepen, IsTheSameOnAnyNumberOfThreads) {
  const auto found = [](unsigned threads) {
    std::vector<DeepCell> cells{cell_of("getset", Fault::none, {}), cell_of("token", Fault::crash, {}),
                                cell_of("setnx", Fault::duplicate, {})};
    deepened(cells, usual_scopes, 20'000, threads);
    std::string text;
    for (const DeepCell& cell : cells) {
      text += std::to_string(cell.found.states) + ':';
      for (std::size_t i = 0; i < cell.found.properties.size(); ++i) {
        const PropertyResult& result = cell.found.properties[i];
        text += std::string(id_of(result.verdict)) + std::to_string(cell.decided_by[i]) + ' ';
        if (const auto& example = result.counterexample)
          text += std::to_string(example->fingerprint.high) + ' ';
      }
    }
    return text;
  };
  EXPECT_EQ(found(1), found(2));
}

TEST_F(BoundsDeepen, OfWhichTheBudgetEndsDecidesNothing) {
  std::vector<DeepCell> cells{cell_of("token", Fault::pause, {Property::recovery})};
  deepened(cells, usual_scopes, usual_states_max, 1, Budget{[] { return true; }, nullptr});
  EXPECT_EQ(cells[0].found.properties[0].verdict, Verdict::unknown);
  EXPECT_EQ(cells[0].within.size(), 1u);
}

// Between two seconds a DEL may land in the last instant of a lease, or just after.
TEST_F(BoundsDeepen, DoesNotRestAVerdictOnCoarseTicksAlone) {
  std::vector<DeepCell> cells{cell_of("token", Fault::pause, {Property::recovery})};
  int scopes = 0;
  deepen(
      cells, {usual_scopes, whole_scopes, usual_states_max}, 1, Budget{[&] { return scopes > 1; }, nullptr},
      [&](const Scope&, std::size_t) { ++scopes; }, [](std::size_t, const auto&) {});
  EXPECT_TRUE(cells[0].within[0].is_closed);
  EXPECT_EQ(cells[0].found.properties[0].verdict, Verdict::unknown);
  deepened(cells, usual_scopes);
  EXPECT_EQ(cells[0].found.properties[0].verdict, Verdict::holds);
}

}  // namespace
}  // namespace holdfast
