// Claims about searches that are saved: one that goes on from a checkpoint finds what one finds that was
// never interrupted, whenever that was; and a damaged checkpoint is refused.
#include "sim/explore/checkpoints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <sstream>

#include "sim/core/arena.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/planted_test.hpp"
#include "sim/explore/state_table.hpp"

namespace holdfast {
namespace {

// What is saved lies in memory, by scenario.
class InMemory final : public Checkpoints {
 public:
  explicit InMemory(std::uint64_t interval) : interval_(static_cast<double>(interval)) {}
  double interval() const override { return interval_; }
  void save(const Scenario&, const std::string&, const std::function<void(std::ostream&)>& write) override {
    std::ostringstream out;
    write(out);
    saved = out.str();
    ++saves;
  }
  std::unique_ptr<std::istream> load(const Scenario&, const std::string&) override {
    return saved ? std::make_unique<std::istringstream>(*saved) : nullptr;
  }

  std::optional<std::string> saved;
  int saves = 0;

 private:
  const double interval_;
};

Scenario space(const std::string& lock, Fault fault, ReductionSet reductions = Explore().reductions) {
  Comparison comparison = planted::coarse();
  comparison.attempts = 1;
  Scenario scenario = scenario_of(comparison, *algorithms::find(lock), fault);
  scenario.explore.reductions = reductions;
  scenario.explore.time_max = std::chrono::hours(1000);
  return scenario;
}

Exploration explored(const Scenario& scenario, Checkpoints* checkpoints, unsigned threads,
                     std::uint64_t asked_max = ~std::uint64_t{0}) {
  // A second passes each time that the budget is asked.
  std::atomic<std::uint64_t> asked = 0;
  const Budget budget{[&] { return ++asked > asked_max; }, [&] { return static_cast<double>(asked.load()); },
                      checkpoints};
  return explore(scenario, *algorithms::find(scenario.algorithm), budget, Engine::snapshots, threads);
}

bool are_same(const Exploration& one, const Exploration& other) {
  const auto is_same = [](const PropertyResult& one, const PropertyResult& other) {
    return one.property == other.property && one.verdict == other.verdict && one.note == other.note &&
           one.counterexample.has_value() == other.counterexample.has_value() &&
           (!one.counterexample || one.counterexample->fingerprint == other.counterexample->fingerprint);
  };
  return one.states == other.states && one.transitions == other.transitions && one.ends == other.ends &&
         one.table_bytes == other.table_bytes && one.reach == other.reach && one.awaits == other.awaits &&
         one.complete == other.complete &&
         std::equal(one.properties.begin(), one.properties.end(), other.properties.begin(),
                    other.properties.end(), is_same);
}

// Interrupted at any time, which saves, or killed, which leaves what was saved before.
TEST(Checkpoint, ASearchThatIsKilledAgainAndAgainFindsWhatAWholeOneFinds) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: without an arena there is no depth-first search";
  std::uint64_t chance = 1;
  const auto draw = [&](std::uint64_t most) {
    chance = mix(Digest{}, chance).low;
    return 1 + chance % most;
  };
  int saves = 0;
  for (const char* lock : {"token", "set-nx-px", "bsm-redislock"})
    for (const Fault fault : {Fault::pause, Fault::crash, Fault::lost_reply})
      for (const unsigned threads : {1u, 3u}) {
        SCOPED_TRACE(std::string(lock) + " under " + std::string(id_of(fault)));
        const Scenario scenario =
            space(lock, fault, threads == 1 ? ReductionSet{Reduction::symmetry} : Explore().reductions);
        const Exploration whole = explored(scenario, nullptr, 1);
        const std::uint64_t asked = 1 + whole.transitions / 256;
        InMemory checkpoints(draw(asked));
        for (int kills = 0; kills < 6; ++kills) {
          const std::optional<std::string> before = checkpoints.saved;
          explored(scenario, &checkpoints, threads, draw(asked));
          if (draw(2) == 1) checkpoints.saved = before;
        }
        EXPECT_TRUE(are_same(explored(scenario, &checkpoints, threads), whole));
        // It was saved as one that is at its end.
        EXPECT_TRUE(are_same(explored(scenario, &checkpoints, threads), whole));
        saves += checkpoints.saves;
      }
  EXPECT_GT(saves, 60);
}

TEST(Checkpoint, IsMadeAgainAndAgainWithoutEndingTheSearch) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: without an arena there is no depth-first search";
  const Scenario scenario = space("getset", Fault::pause);
  const Exploration whole = explored(scenario, nullptr, 1);
  for (const unsigned threads : {1u, 2u}) {
    InMemory checkpoints(15);
    EXPECT_TRUE(are_same(explored(scenario, &checkpoints, threads), whole)) << threads;
    EXPECT_GT(checkpoints.saves, 3) << threads;
  }
}

// The numbers of this lock grow. A way that is given up has a branch at each of its steps.
TEST(Checkpoint, OfASpaceWithoutAnEndIsSmallAndSoonMade) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: without an arena there is no depth-first search";
  Scenario scenario = space("fenced", Fault::crash);
  for (ClientPlan& client : scenario.clients) client.rounds = 0;
  InMemory checkpoints(100);
  const Exploration part = explored(scenario, &checkpoints, 1, 250);
  EXPECT_FALSE(part.complete);
  EXPECT_EQ(checkpoints.saves, 3);
  EXPECT_LT(checkpoints.saved->size(), 64 * part.states);
  EXPECT_GT(explored(scenario, &checkpoints, 1, 50).states, part.states + 1000);
}

TEST(Checkpoint, OneThatIsCutShortIsRefused) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: without an arena there is no depth-first search";
  const Scenario scenario = space("token", Fault::pause);
  InMemory checkpoints(1'000'000);
  explored(scenario, &checkpoints, 1, 10);
  const std::string saved = checkpoints.saved.value();
  ASSERT_GT(saved.size(), StateTable::bytes_least);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{7}, std::size_t{100}, saved.size() / 2, saved.size() - 1}) {
    checkpoints.saved = saved.substr(0, size);
    EXPECT_THROW(explored(scenario, &checkpoints, 1), BadCheckpoint) << size;
  }
}

TEST(Checkpoint, OfASearchThatReachedABoundSaysSoAgain) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: without an arena there is no depth-first search";
  Scenario scenario = space("getset", Fault::pause);
  scenario.explore.states_max = 1000;
  InMemory checkpoints(3);
  const Exploration first = explored(scenario, &checkpoints, 1);
  EXPECT_FALSE(first.complete);
  EXPECT_TRUE(are_same(explored(scenario, &checkpoints, 1), first));
}

}  // namespace
}  // namespace holdfast
