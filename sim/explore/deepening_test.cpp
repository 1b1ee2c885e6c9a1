// Bounds deepen where verdicts turn, and nowhere else.
#include "sim/explore/deepening.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/core/arena.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using testing::IsEmpty;

DeepCell cell_of(const Card& card, Fault fault, PropertySet check) {
  return {&card, [&card, fault, check](const Scope& scope) {
            Comparison comparison;
            comparison.check = check;
            return scenario_at(comparison, scope, card, fault);
          }};
}
DeepCell cell_of(const char* lock, Fault fault, PropertySet check) {
  return cell_of(*algorithms::find(lock), fault, check);
}

constexpr std::uint64_t few_runs = 20;

// What is explored, step by step.
std::vector<std::size_t> deepened(std::vector<DeepCell>& cells, std::span<const DeepStep> steps,
                                  unsigned threads = 1, const Budget& budget = {},
                                  std::uint64_t runs = few_runs) {
  std::vector<std::size_t> jobs;
  deepen(
      cells, {steps, runs}, threads, budget, [&](const Scope&, std::size_t count) { jobs.push_back(count); },
      [](std::size_t, const auto&) {});
  return jobs;
}

std::vector<DeepStep> usual_with(std::uint64_t states_max) {
  const std::span<const DeepStep> usual = usual_steps();
  std::vector<DeepStep> steps(usual.begin(), usual.end());
  for (DeepStep& step : steps) step.states_max = states_max;
  return steps;
}

const PropertyResult& only_result(const DeepCell& cell) { return cell.found.properties.at(0); }

// The first of the usual scopes that break it.
Scope breaking(const char* lock, Fault fault, Property property) {
  std::vector<DeepCell> cells{cell_of(lock, fault, {property})};
  deepened(cells, usual_steps());
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::violated);
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
  deepened(cells, usual_steps());
  for (const DeepCell& cell : cells) {
    EXPECT_EQ(only_result(cell).verdict, Verdict::holds);
    for (const Within& each : cell.within) EXPECT_TRUE(each.is_closed) << id_of(each.scope.variant);
  }
}

// What a stranger's lock gets wrong in one of the things that its card makes possible, and nowhere else.
template <bool blocks_readers_out, bool waits_well>
class OneSlip final : public Lock {
 public:
  explicit OneSlip(const Params& params)
      : ttl_(params.duration("ttl")), waits_(params.choice("blocking") == "yes") {}
  Task<Attempt> acquire(Env& env, std::string key, Mode mode) override {
    if (!blocks_readers_out && mode == Mode::shared) co_return Attempt(Grant("reader"));
    const std::string token = env.random.token();
    const Reply reply = co_await env.store().set(key, token, SetOptions().px(ttl_).nx());
    if (reply.is_ok()) co_return Attempt(Grant(token));
    if (!waits_) co_return Attempt::refused("held");
    co_await env.clock.sleep(1s);
    // A client that has waited once takes it, whether it is free or not.
    if (!waits_well) co_await env.store().set(key, token, SetOptions().px(ttl_));
    if (!waits_well) co_return Attempt(Grant(token));
    co_return Attempt::refused("held");
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply reply = co_await env.store().eval(
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0",
        Keys(key), Args(grant.token));
    co_return reply.is(1) ? Release::released : reply.is(0) ? Release::not_held : Release::unknown;
  }

 private:
  Duration ttl_;
  bool waits_;
};

template <bool blocks_readers_out, bool waits_well>
Card one_slip() {
  return Card{.id = "one-slip",
              .parameters = {{"ttl", Parameter::Kind::duration, "4s", ""},
                             {"blocking", Parameter::Kind::choice, "yes", "", {"yes", "no"}}},
              .make = [](const Params& params) -> std::unique_ptr<Lock> {
                return std::make_unique<OneSlip<blocks_readers_out, waits_well>>(params);
              },
              .is_stateless = true,
              .has_readers = true};
}

Variant breaking_variant(const Card& card) {
  std::vector<DeepCell> cells{cell_of(card, Fault::none, {Property::mutual_exclusion})};
  deepened(cells, usual_steps());
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::violated);
  return cells[0].within[cells[0].decided_by[0]].scope.variant;
}

// With blocking=no nobody waits, so the code after the sleep never runs.
TEST_F(BoundsDeepen, FindsWhatTakesAWaiter) {
  EXPECT_EQ(breaking_variant(one_slip<true, false>()), Variant::waiting);
}

// Its readers ask nobody: a writer may hold it.
TEST_F(BoundsDeepen, FindsWhatTakesAReader) {
  EXPECT_EQ(breaking_variant(one_slip<false, true>()), Variant::readers);
}

TEST_F(BoundsDeepen, LeavesALockAloneThatWaitsAndReadsWell) {
  const Card card = one_slip<true, true>();
  std::vector<DeepCell> cells{cell_of(card, Fault::none, {Property::mutual_exclusion})};
  deepened(cells, usual_steps());
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::holds);
}

TEST(Variants, AreThoseThatACardMakesPossible) {
  const auto possible = [](const char* lock) {
    std::vector<std::string_view> ids;
    for (std::size_t i = 0; i < variant_ids.size(); ++i)
      if (can(*algorithms::find(lock), static_cast<Variant>(i))) ids.push_back(variant_ids[i]);
    return ids;
  };
  using testing::ElementsAre;
  EXPECT_THAT(possible("setnx"), ElementsAre("usual"));
  EXPECT_THAT(possible("token"), ElementsAre("usual", "unequal-ttl"));
  EXPECT_THAT(possible("redis-py"), ElementsAre("usual", "waiting", "unequal-ttl", "digests"));
  EXPECT_THAT(possible("redisson-rw"),
              ElementsAre("usual", "waiting", "readers", "nested", "short-work", "unequal-ttl"));
}

// Without a fault, a second one changes nothing; what the smallest bounds break needs no larger ones.
TEST_F(BoundsDeepen, ExploresNothingAgain) {
  std::vector<DeepCell> cells{cell_of("setnx", Fault::none, {Property::mutual_exclusion}),
                              cell_of("set-nx-px", Fault::pause, {Property::owner_only_release})};
  EXPECT_EQ(deepened(cells, usual_steps()), (std::vector<std::size_t>{2, 1, 1, 1, 1}));
  EXPECT_THAT(deepened(cells, usual_steps()), IsEmpty());
}

TEST_F(BoundsDeepen, GoesOnWithASpaceThatWasNotClosed) {
  std::vector<DeepCell> cells{cell_of("token", Fault::none, {Property::mutual_exclusion})};
  std::vector<DeepStep> steps{usual_steps()[0], {{3, 1, 1, 1, 1s}, 10}};
  deepened(cells, steps);
  ASSERT_EQ(cells[0].within.size(), 3u);  // the second was sampled besides
  EXPECT_FALSE(cells[0].within[1].is_closed);
  EXPECT_EQ(cells[0].within[2].runs, few_runs);
  EXPECT_THAT(deepened(cells, steps), IsEmpty());
  steps[1].states_max = 1'000'000;
  EXPECT_EQ(deepened(cells, steps), (std::vector<std::size_t>{1}));
  EXPECT_EQ(cells[0].within.size(), 3u);
  EXPECT_TRUE(cells[0].within[1].is_closed);
}

// A third client does not make a space smaller.
TEST_F(BoundsDeepen, OnlySamplesWhatContainsASpaceThatDidNotClose) {
  std::vector<DeepCell> cells{cell_of("token", Fault::none, {Property::mutual_exclusion})};
  deepened(cells, std::vector<DeepStep>{{{2, 1, 2, 1, 1s}, 10}, {{3, 1, 2, 1, 1s}, 10}});
  ASSERT_EQ(cells[0].within.size(), 3u);
  EXPECT_EQ(cells[0].within[1].runs, few_runs);
  EXPECT_EQ(cells[0].within[2].runs, few_runs);
  EXPECT_EQ(cells[0].within[2].scope.clients, 3u);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::sampled);
}

// A pause past the lease, which ten states do not reach.
TEST_F(BoundsDeepen, BreaksWhatASampleBreaks) {
  std::vector<DeepCell> cells{cell_of("token", Fault::pause, {Property::mutual_exclusion})};
  deepened(cells, std::vector<DeepStep>{{{2, 1, 2, 1, 1s}, 10}}, 1, {}, 2000);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::violated);
  EXPECT_EQ(cells[0].within[cells[0].decided_by[0]].runs, 2000u);
}

TEST_F(BoundsDeepen, SamplesNothingTwice) {
  const Card& token = *algorithms::find("token");
  std::vector<DeepCell> cells{{&token, [&](const Scope& scope) -> std::optional<Scenario> {
                                 Comparison comparison = planted::coarse();
                                 comparison.explore.strategy = StrategyKind::portfolio;
                                 comparison.explore.runs_max = few_runs;
                                 return scenario_at(comparison, scope, token, Fault::none);
                               }}};
  deepened(cells, std::vector<DeepStep>{{{2, 1, 2, 1, 1s}, all_states}});
  EXPECT_EQ(cells[0].found.runs, few_runs);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::sampled);
}

// A verdict is that of the worst variant: what was closed of one says nothing of another.
TEST_F(BoundsDeepen, HoldsOnlyWhereEachVariantWasClosed) {
  std::vector<DeepCell> cells{cell_of("token", Fault::none, {Property::mutual_exclusion})};
  std::vector<DeepStep> steps{{{2, 1, 1, 1, 500ms}, 1'000'000},
                              {{2, 1, 1, 1, 500ms, Variant::unequal_ttl}, 10}};
  deepened(cells, steps);
  EXPECT_TRUE(cells[0].within[0].is_closed);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::sampled);
  steps[1].states_max = 1'000'000;
  deepened(cells, steps);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::holds);
}

TEST_F(BoundsDeepen, IsTheSameOnAnyNumberOfThreads) {
  const auto found = [](unsigned threads) {
    std::vector<DeepCell> cells{cell_of("getset", Fault::none, {}), cell_of("token", Fault::crash, {}),
                                cell_of("setnx", Fault::duplicate, {})};
    deepened(cells, usual_with(20'000), threads);
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
  deepened(cells, usual_steps(), 1, Budget{[] { return true; }, nullptr});
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::unknown);
  EXPECT_EQ(cells[0].within.size(), 1u);
}

// The caller that interrupted it may go on: it is not known to be too large.
TEST_F(BoundsDeepen, ExploresAgainWhatWasInterrupted) {
  std::vector<DeepCell> cells{cell_of("token", Fault::none, {Property::mutual_exclusion})};
  const std::vector<DeepStep> steps{{{2, 1, 1, 1, 500ms}, 1'000'000}};
  deepened(cells, steps, 1, Budget{[] { return true; }, nullptr});
  EXPECT_FALSE(cells[0].within.at(0).is_closed);
  EXPECT_EQ(deepened(cells, steps), (std::vector<std::size_t>{1}));
  EXPECT_TRUE(cells[0].within.at(0).is_closed);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::holds);
}

// Between two seconds a DEL may land in the last instant of a lease, or just after.
TEST_F(BoundsDeepen, DoesNotRestAVerdictOnCoarseTicksAlone) {
  std::vector<DeepCell> cells{cell_of("token", Fault::pause, {Property::recovery})};
  const std::vector<DeepStep> steps{{{2, 1, 1, 1, 1s}, 1'000'000}, {{2, 1, 1, 1, 500ms}, 1'000'000}};
  bool is_second = false;
  deepen(
      cells, {steps, few_runs}, 1, Budget{[&] { return is_second; }, nullptr},
      [&](const Scope& scope, std::size_t) { is_second = scope.tick == 500ms; },
      [](std::size_t, const auto&) {});
  EXPECT_TRUE(cells[0].within[0].is_closed);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::unknown);
  deepened(cells, steps);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::holds);
}

}  // namespace
}  // namespace holdfast
