// Claims of the search for a tape that tells two locks apart.
#include "sim/explore/separate.hpp"

#include <gtest/gtest.h>

#include "sim/explore/follower.hpp"
#include "sim/explore/planted_test.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {
namespace {

using enum Property;
using Answer = Separation::Answer;

constexpr std::uint64_t many = 200'000;

Job job(std::string_view lock, Fault fault, Property property, std::uint32_t attempts = 2) {
  Comparison comparison = planted::coarse();
  comparison.attempts = attempts;
  comparison.check = PropertySet{property};
  const Card* card = algorithms::find(lock);
  return Job{scenario_of(comparison, *card, fault), card};
}

// Both directions.
std::vector<Separation> found(std::string_view one, std::string_view other, Fault fault, Property property,
                              std::uint32_t attempts = 2) {
  return separations(job(one, fault, property, attempts), job(other, fault, property, attempts), many, 1,
                     Budget());
}

std::uint32_t shortest(std::string_view lock, Fault fault, Property property) {
  const Job alone = job(lock, fault, property);
  return explore(alone.scenario, *alone.card, Budget()).properties.front().counterexample.value().steps;
}

TEST(Separate, APausedHolderWithoutATokenDeletesTheLockOfAnother) {
  const std::vector<Separation> both = found("set-nx-px", "token", Fault::pause, owner_only_release);
  ASSERT_EQ(both.size(), 2u);
  ASSERT_EQ(both[0].answer, Answer::found);
  EXPECT_EQ(both[0].breaks, "set-nx-px");
  EXPECT_EQ(both[0].holds, "token");
  EXPECT_EQ(both[0].pair->broken.steps, shortest("set-nx-px", Fault::pause, owner_only_release))
      << "token breaks it nowhere, so the shortest run of the other is the tape";
  EXPECT_EQ(both[0].pair->left_out, 0u) << "they ask the same questions up to the release";
  EXPECT_EQ(both[1].answer, Answer::none);
  EXPECT_EQ(both[1].first, Verdict::holds);
  EXPECT_EQ(both[1].pairs, 0u);
}

TEST(Separate, ANullReplyTakenForSuccessNeedsNoFault) {
  const std::vector<Separation> both =
      found("set-nx-px", "set-nx-px-as-printed", Fault::none, mutual_exclusion);
  EXPECT_EQ(both[0].answer, Answer::none);
  ASSERT_EQ(both[1].answer, Answer::found);
  EXPECT_EQ(both[1].pair->broken.steps, shortest("set-nx-px-as-printed", Fault::none, mutual_exclusion));
}

TEST(Separate, ALockIsNotToldApartFromItself) {
  for (const char* lock : {"token", "setnx-expire"})
    for (const Fault fault : {Fault::pause, Fault::slow_section, Fault::restart})
      for (const Separation& it : found(lock, lock, fault, mutual_exclusion)) {
        EXPECT_EQ(it.answer, Answer::none) << lock << " under " << id_of(fault);
        EXPECT_GT(it.pairs, 0u);
      }
}

TEST(Separate, BothRunsReplayAndAreWhatTheyAreSaidToBe) {
  const std::pair<const char*, const char*> locks[] = {
      {"set-nx-px", "token"}, {"setnx", "token"}, {"setnx-expire", "set-nx-px"}};
  int pairs = 0;
  for (const auto& [one, other] : locks)
    for (const Fault fault : {Fault::pause, Fault::crash, Fault::lost_reply})
      for (const Property property : {mutual_exclusion, owner_only_release, recovery})
        for (const Separation& it : found(one, other, fault, property)) {
          SCOPED_TRACE(it.breaks + " and " + it.holds + " under " + std::string(id_of(fault)) + ", " +
                       std::string(id_of(property)));
          EXPECT_NE(it.answer, Answer::unknown);
          if (!it.pair) continue;
          ++pairs;
          const Job breaks = job(it.breaks, fault, property);
          const Replay broken =
              replay(breaks.scenario, *breaks.card, it.pair->broken.tape, it.pair->broken.steps);
          EXPECT_FALSE(broken.divergence);
          ASSERT_EQ(broken.findings.size(), 1u);
          EXPECT_EQ(broken.findings[0].property, property);
          const Job holds = job(it.holds, fault, property);
          const Replay whole = replay(holds.scenario, *holds.card, it.pair->whole.tape, 0);
          EXPECT_FALSE(whole.divergence);
          EXPECT_TRUE(whole.findings.empty());
          EXPECT_TRUE(std::holds_alternative<Ended>(whole.events.back().what));
          EXPECT_EQ(whole.fingerprint, it.pair->whole.fingerprint);
          EXPECT_EQ(it.pair->made.size(), it.pair->broken.steps);
          EXPECT_TRUE(std::is_sorted(it.pair->made.begin(), it.pair->made.end()));
          EXPECT_LE(it.pair->made.back(), it.pair->whole.steps);
        }
  EXPECT_GT(pairs, 5);
}

// How often each fault strikes in a run.
std::size_t strikes(const Counterexample& run) {
  std::size_t count = 0;
  for (const Choice& choice : run.tape) count += choice.action.kind == Action::Kind::strike;
  return count;
}

TEST(Separate, TheFaultStrikesBoth) {
  for (const Separation& it : found("set-nx-px", "setnx", Fault::pause, owner_only_release)) {
    if (!it.pair) continue;
    EXPECT_EQ(strikes(it.pair->broken), 1u);
    EXPECT_EQ(strikes(it.pair->whole), 1u);
  }
}

// --- the same by brute force: every run of the first lock, no memory of states, no estimates ---

class BruteForce {
 public:
  BruteForce(Job first, Job second, Property property)
      : first_job_(std::move(first)),
        second_job_(std::move(second)),
        first_(first_job_.scenario, *first_job_.card),
        second_(second_job_.scenario, *second_job_.card),
        property_(property) {}

  // The length of the shortest separating tape of at most `steps_max` steps.
  std::optional<std::uint32_t> shortest(std::uint32_t steps_max) {
    best_ = steps_max + 1;
    extend({}, 0, Second());
    return best_ > steps_max ? std::nullopt : std::optional(best_);
  }

 private:
  struct Second {
    BranchChoices::Picks picks;
    Owed owed;
    std::uint32_t steps = 0;
  };

  void extend(const BranchChoices::Picks& picks, std::uint32_t steps, const Second& second) {
    if (steps + 1 >= best_) return;
    BranchChoices branch(picks);
    do {
      branch.restart();
      Leader leader(branch);
      Run run(first_, leader, false);
      for (std::uint32_t step = 0; step <= steps; ++step) {
        leader.begin_step();
        run.world.step();
      }
      Second next = second;
      next.owed.answers.insert(next.owed.answers.end(), leader.answers().begin(), leader.answers().end());
      if (!follow(next, steps + 1, leader.move())) continue;
      if (run.judge.violated().contains(property_)) {
        if (ends_well(next)) best_ = std::min(best_, steps + 1);
      } else if (!run.world.is_over()) {
        BranchChoices::Picks longer = picks;
        longer.insert(longer.end(), branch.suffix().begin(), branch.suffix().end());
        extend(longer, steps + 1, next);
      }
    } while (branch.advance());
  }

  bool follow(Second& second, std::uint32_t first_steps, const std::optional<Move>& move) {
    if (first_steps == 1) return step(second, std::nullopt);
    if (move && move->is_strike()) second.owed.strikes.push_back(*move);
    while (move) {
      Follower follower(second.picks, {});
      Run run(second_, follower, false);
      for (std::uint32_t step = 0; step < second.steps; ++step) run.world.step();
      const Instant before = run.world.now();
      follower.begin_step();
      run.world.step();
      const std::vector<Move>& moves = follower.moves();
      const std::vector<Move>& strikes = second.owed.strikes;
      if (std::find_first_of(moves.begin(), moves.end(), strikes.begin(), strikes.end()) != moves.end()) {
        if (!step(second, std::nullopt)) return false;
        continue;
      }
      if (move->is_strike()) return true;
      if (std::find(moves.begin(), moves.end(), *move) != moves.end()) return step(second, move);
      if (moves.empty() || !move->is_time() || run.world.now() > before) return true;
      if (!step(second, std::nullopt)) return false;
    }
    return true;
  }

  bool step(Second& second, const std::optional<Move>& move) {
    Follower follower(second.picks, second.owed);
    Run run(second_, follower, false);
    for (std::uint32_t step = 0; step < second.steps; ++step) run.world.step();
    follower.prefer(move);
    run.world.step();
    second = {follower.picks(), follower.owed(), second.steps + 1};
    return !run.judge.violated().contains(property_);
  }

  bool ends_well(const Second& second) {
    Follower follower(second.picks, second.owed);
    Run run(second_, follower, false);
    while (run.world.step()) continue;
    return follower.owed().strikes.empty() && !run.judge.violated().contains(property_);
  }

  const Job first_job_;
  const Job second_job_;
  Subject first_;
  Subject second_;
  Property property_;
  std::uint32_t best_ = 0;
};

TEST(Separate, FindsNoLongerAndNoShorterTapeThanBruteForce) {
  constexpr std::uint32_t steps_max = 11;
  const std::tuple<const char*, const char*, Property> cases[] = {
      {"set-nx-px", "setnx-expire", owner_only_release}, {"set-nx-px", "setnx", owner_only_release},
      {"set-nx-px", "token", mutual_exclusion},          {"setnx", "setnx-expire", truthful_release},
      {"set-nx-px", "token", owner_only_release},        {"setnx", "token", no_stale_write}};
  int searched = 0;
  for (const auto& [one, other, property] : cases) {
    SCOPED_TRACE(std::string(one) + " and " + other + ", " + std::string(id_of(property)));
    Job first = job(one, Fault::restart, property, 1);
    Job second = job(other, Fault::restart, property, 1);
    for (Job* each : {&first, &second}) each->scenario = planted::on_time(each->scenario);
    const Separation told = separations(first, second, many, 1, Budget()).front();
    BruteForce brute(first, second, property);
    const std::optional<std::uint32_t> shortest = brute.shortest(steps_max);
    if (told.pair && told.pair->broken.steps <= steps_max) EXPECT_EQ(shortest, told.pair->broken.steps);
    else EXPECT_EQ(shortest, std::nullopt);
    searched += told.pair && told.pairs > 1;
  }
  EXPECT_EQ(searched, 2) << "the shortest run of the first lock alone was not enough";
}

TEST(Separate, ASearchThatEndsEarlyIsUnknown) {
  const std::vector<Separation> few =
      separations(job("token", Fault::pause, mutual_exclusion),
                  job("set-nx-px", Fault::pause, mutual_exclusion), 10, 1, Budget());
  EXPECT_EQ(few[0].answer, Answer::unknown);
  EXPECT_EQ(few[0].pairs, 10u);
}

TEST(Separate, DoesNotDependOnTheNumberOfThreads) {
  const auto on = [](unsigned threads) {
    std::vector<Digest> fingerprints;
    for (const Separation& it :
         separations(job("getset", Fault::pause, owner_only_release),
                     job("token", Fault::pause, owner_only_release), many, threads, Budget()))
      if (it.pair) fingerprints.push_back(it.pair->whole.fingerprint);
    return fingerprints;
  };
  EXPECT_EQ(on(1), on(4));
  EXPECT_EQ(on(1).size(), 1u);
}

}  // namespace
}  // namespace holdfast
