// Bounds deepen where verdicts turn, and nowhere else.
#include "sim/explore/deepening_test.hpp"

#include <gmock/gmock.h>

#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using testing::IsEmpty;

// The first of the usual scopes that break it.
Scope breaking(const char* lock, Fault fault, Property property) {
  std::vector<DeepCell> cells{cell_of(lock, fault, {property})};
  deepened(cells, usual_scopes());
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::violated);
  return cells[0].within[cells[0].decided_by[0]].scope;
}

// B finds A's lease over and sends GETSET, but slowly: meanwhile A has come back, and its new lease is
// overwritten. A must come twice.
TEST_F(BoundsDeepen, FindsWhatTakesASecondRound) {
  const Scope scope = breaking("getset", Fault::none, Property::mutual_exclusion);
  EXPECT_TRUE(scope.rounds == 2 || scope.is_endless());
}

// The copy of A's DEL deletes the key of B, who still works; C enters, or A, if it comes again.
TEST_F(BoundsDeepen, FindsWhatTakesAThirdClient) {
  const Scope scope = breaking("set-nx-px", Fault::duplicate, Property::mutual_exclusion);
  EXPECT_TRUE(scope.clients == 3 || scope.is_endless());
}

// One eviction takes the key, and nobody enters before the lease of the next number; another takes the
// counter, so that a number is drawn twice.
TEST_F(BoundsDeepen, FindsWhatTakesASecondFault) {
  EXPECT_EQ(breaking("ticket", Fault::eviction, Property::owner_only_release).faults, 2u);
}

TEST_F(BoundsDeepen, LeavesAGoodLockAlone) {
  std::vector<DeepCell> cells{cell_of("token", Fault::duplicate, {Property::mutual_exclusion}),
                              cell_of("token", Fault::none, {Property::owner_only_release})};
  deepened(cells, usual_scopes());
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
    const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().px(ttl_).nx());
    if (reply.is_ok()) co_return Attempt(Grant(token));
    if (!waits_) co_return Attempt::refused("held");
    co_await env.clock.sleep(1s);
    // A client that has waited once takes it, whether it is free or not.
    if (!waits_well) co_await Redis(env.store()).set(key, token, SetOptions().px(ttl_));
    if (!waits_well) co_return Attempt(Grant(token));
    co_return Attempt::refused("held");
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply reply = co_await Redis(env.store())
                            .eval(
                                "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', "
                                "KEYS[1]) end return 0",
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
  deepened(cells, usual_scopes());
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
  deepened(cells, usual_scopes());
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
  EXPECT_THAT(possible("setnx"), ElementsAre("usual", "crowd", "in-step"));
  EXPECT_THAT(possible("token"), ElementsAre("usual", "unequal-ttl", "crowd", "in-step"));
  EXPECT_THAT(possible("redis-py"),
              ElementsAre("usual", "waiting", "unequal-ttl", "digests", "crowd", "in-step"));
  EXPECT_THAT(possible("redisson-rw"), ElementsAre("usual", "waiting", "readers", "nested", "short-work",
                                                   "unequal-ttl", "crowd", "in-step"));
  EXPECT_THAT(possible("redlock"),
              ElementsAre("usual", "waiting", "unequal-ttl", "crowd", "server-away", "in-step"));
}

// Without a fault, a second one changes nothing; what the smallest bounds break needs no larger ones; any
// number of rounds and attempts includes two; and a crowd is about recovery and progress.
// Both in whole seconds; then setnx alone, which is not broken: at every instant, which spares it half
// seconds, then for any number of rounds in both ways, then in a crowd.
TEST_F(BoundsDeepen, ExploresNothingAgain) {
  std::vector<DeepCell> cells{cell_of("setnx", Fault::none, {Property::mutual_exclusion}),
                              cell_of("set-nx-px", Fault::pause, {Property::owner_only_release})};
  EXPECT_EQ(deepened(cells, usual_scopes()), (std::vector<std::size_t>{2, 1, 1, 1}));
  EXPECT_THAT(deepened(cells, usual_scopes()), IsEmpty());
}

TEST_F(BoundsDeepen, GoesOnWithASpaceThatWasNotClosed) {
  std::vector<DeepCell> cells{cell_of("token", Fault::none, {Property::mutual_exclusion})};
  const std::vector<Scope> scopes{usual_scopes()[0], {3, 1, 2, 1, 1s}};
  constexpr std::uint64_t for_two_clients = 500;
  deepened(cells, scopes, for_two_clients);
  ASSERT_EQ(cells[0].within.size(), 3u);  // the second was sampled besides
  EXPECT_FALSE(cells[0].within[1].is_closed);
  EXPECT_EQ(cells[0].within[2].runs, few_runs);
  EXPECT_THAT(deepened(cells, scopes, for_two_clients), IsEmpty());
  EXPECT_EQ(deepened(cells, scopes), (std::vector<std::size_t>{1}));
  EXPECT_EQ(cells[0].within.size(), 3u);
  EXPECT_TRUE(cells[0].within[1].is_closed);
}

// A third client does not make a space smaller.
TEST_F(BoundsDeepen, OnlySamplesWhatContainsASpaceThatDidNotClose) {
  std::vector<DeepCell> cells{cell_of("token", Fault::none, {Property::mutual_exclusion})};
  deepened(cells, std::vector<Scope>{{2, 1, 2, 1, 1s}, {3, 1, 2, 1, 1s}}, few_states);
  ASSERT_EQ(cells[0].within.size(), 3u);
  EXPECT_EQ(cells[0].within[1].runs, few_runs);
  EXPECT_EQ(cells[0].within[2].runs, few_runs);
  EXPECT_EQ(cells[0].within[2].scope.clients, 3u);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::sampled);
}

// A fault makes no space smaller.
TEST_F(BoundsDeepen, OnlySamplesUnderAFaultWhatDidNotCloseWithout) {
  const std::vector<Scope> scopes{{2, 1, 1, 1, 1s}, {3, 2, 2, 1, 1s}};
  constexpr std::uint64_t too_few = 10'000;
  const auto explored_under = [&](std::vector<DeepCell> cells) {
    deepened(cells, scopes, too_few);
    const auto& within = cells.back().within;
    return std::count_if(within.begin(), within.end(), [](const Within& each) { return each.runs == 0; });
  };
  const DeepCell faulty = cell_of("token", Fault::lost_reply, {Property::mutual_exclusion});
  EXPECT_EQ(explored_under({faulty}), 2);
  EXPECT_EQ(explored_under({cell_of("token", Fault::none, {Property::mutual_exclusion}), faulty}), 1);
}

// A pause past the lease, which ten states do not reach.
TEST_F(BoundsDeepen, BreaksWhatASampleBreaks) {
  std::vector<DeepCell> cells{cell_of("token", Fault::pause, {Property::mutual_exclusion})};
  deepened(cells, std::vector<Scope>{{2, 1, 2, 1, 1s}}, few_states, 1, {}, 2000);
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
  deepened(cells, std::vector<Scope>{{2, 1, 2, 1, 1s}}, all_states);
  EXPECT_EQ(cells[0].found.runs, few_runs);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::sampled);
}

// What was closed of one variant says nothing of another: the result names what is open. Clients with unequal
// leases cannot change places, so they have more states.
TEST_F(BoundsDeepen, NamesTheVariantThatStaysOpen) {
  std::vector<DeepCell> cells{cell_of("token", Fault::none, {Property::mutual_exclusion})};
  const std::vector<Scope> scopes{{2, 1, 1, 1, 500ms}, {2, 1, 1, 1, 500ms, Variant::unequal_ttl}};
  deepened(cells, scopes, 400);
  EXPECT_TRUE(cells[0].within[0].is_closed);
  EXPECT_FALSE(cells[0].within[1].is_closed);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::holds);
  EXPECT_EQ(only_result(cells[0]).note, "open: unequal-ttl");
  deepened(cells, scopes);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::holds);
  EXPECT_EQ(only_result(cells[0]).note, "");
}

// In steps of a second it closes with 14,867 states; in steps of 500 ms its levels grow as if it needed far
// more than the 131,000 that it has. Its verdict stands on these.
TEST_F(BoundsDeepen, GoesOnInFinerTicksWithWhatClosedInCoarseOnes) {
  const std::vector<Scope> scopes{{2, 1, 1, 1, 1s}, {2, 1, 1, 1, 500ms}};
  std::vector<DeepCell> cells{cell_of("shedlock", Fault::duplicate, {})};
  deepened(cells, scopes);
  for (const Within& each : cells[0].within) EXPECT_TRUE(each.is_closed);
}

// A lock without a lease is not recovered after a crash, so nothing is left to ask a crowd about. What else
// is judged stands.
TEST_F(BoundsDeepen, DoubtsNothingForAVariantThatIsAboutSomethingElse) {
  std::vector<DeepCell> cells{
      cell_of("setnx", Fault::crash, {Property::mutual_exclusion, Property::recovery})};
  deepened(cells, usual_scopes());
  EXPECT_EQ(cells[0].found.properties[0].verdict, Verdict::holds);
  EXPECT_EQ(cells[0].found.properties[1].verdict, Verdict::violated);
}

// What most clients do is what a verdict is about.
TEST_F(BoundsDeepen, ProvesNothingWhereTheFirstVariantStaysOpen) {
  std::vector<DeepCell> cells{cell_of("token", Fault::none, {Property::mutual_exclusion})};
  deepened(cells, std::vector<Scope>{{2, 1, 1, 1, 500ms}, {2, 1, 1, 1, 500ms, Variant::unequal_ttl}},
           few_states);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::sampled);
  EXPECT_EQ(only_result(cells[0]).note, "open: usual, unequal-ttl");
}

// With two clients it has 66,018 states, of which 64,000 are known when only two levels are left.
TEST_F(BoundsDeepen, GoesOnWhileASpaceGrowsAsOneThatCloses) {
  std::vector<DeepCell> cells{cell_of("redisson", Fault::none, {})};
  deepened(cells, std::vector<Scope>{{2, 1, 1, 1, 1s, Variant::waiting}}, 70'000);
  EXPECT_TRUE(cells[0].within[0].is_closed);
}

// Three servers that are asked at once, and a client that may die at any step: when 64,000 states are known,
// twenty levels are left, each of which makes half as many again.
TEST_F(BoundsDeepen, GivesUpASpaceThatGrowsLikeATree) {
  std::vector<DeepCell> cells{cell_of("redsync", Fault::crash, {Property::mutual_exclusion})};
  const std::vector<Scope> scopes{{2, 1, 1, 1, 1s}};
  deepened(cells, scopes, 200'000);
  EXPECT_FALSE(cells[0].within[0].is_closed);
  EXPECT_LT(cells[0].within[0].states, 140'000u);
  EXPECT_THAT(deepened(cells, scopes, 200'000), IsEmpty());
}

// Endless clients go through thousands of states before one comes again.
TEST_F(BoundsDeepen, ClosesSpacesWithPathsOfAnyLength) {
  Comparison comparison;
  comparison.rounds = comparison.attempts = 0;
  comparison.check = {Property::mutual_exclusion};
  comparison.timing.tick = 1s;
  comparison.explore.steps_max = 10;
  const Card& card = *algorithms::find("token");
  EXPECT_TRUE(explore(scenario_of(comparison, card, Fault::pause), card, {}).complete);
}

TEST_F(BoundsDeepen, IsTheSameOnAnyNumberOfThreads) {
  const auto found = [](unsigned threads) {
    std::vector<DeepCell> cells{cell_of("getset", Fault::none, {}), cell_of("token", Fault::crash, {}),
                                cell_of("setnx", Fault::duplicate, {})};
    deepened(cells, usual_scopes(), 20'000, threads);
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
  deepened(cells, usual_scopes(), usual_states, 1, Budget{[] { return true; }, nullptr});
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::unknown);
  EXPECT_EQ(cells[0].within.size(), 1u);
}

// The caller that interrupted it may go on: it is not known to be too large.
TEST_F(BoundsDeepen, ExploresAgainWhatWasInterrupted) {
  std::vector<DeepCell> cells{cell_of("token", Fault::none, {Property::mutual_exclusion})};
  const std::vector<Scope> scopes{{2, 1, 1, 1, 500ms}};
  deepened(cells, scopes, usual_states, 1, Budget{[] { return true; }, nullptr});
  EXPECT_FALSE(cells[0].within.at(0).is_closed);
  EXPECT_EQ(deepened(cells, scopes), (std::vector<std::size_t>{1}));
  EXPECT_TRUE(cells[0].within.at(0).is_closed);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::holds);
}

// Between two seconds a DEL may land in the last instant of a lease, or just after.
TEST_F(BoundsDeepen, DoesNotRestAVerdictOnCoarseTicksAlone) {
  std::vector<DeepCell> cells{cell_of("token", Fault::pause, {Property::recovery})};
  const std::vector<Scope> scopes{{2, 1, 1, 1, 1s}, {2, 1, 1, 1, 500ms}};
  bool is_second = false;
  deepen(
      cells, {scopes, usual_states, few_runs}, 1, Budget{[&] { return is_second; }, nullptr},
      [&](const Scope& scope, std::size_t) { is_second = scope.tick == 500ms; },
      [](std::size_t, const auto&) {});
  EXPECT_TRUE(cells[0].within[0].is_closed);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::unknown);
  deepened(cells, scopes);
  EXPECT_EQ(only_result(cells[0]).verdict, Verdict::holds);
}

}  // namespace
}  // namespace holdfast
