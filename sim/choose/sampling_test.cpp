// Claims of the strategies that sample: what they guarantee, and how evenly they draw.
#include "sim/choose/sampling.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace holdfast {
namespace {

// Actors with a number of events each, which race until none is left.
class Race final : private Enabled {
 public:
  explicit Race(std::vector<std::uint32_t> events) : left_(std::move(events)) {}

  // Who moved, in order: "ABAC".
  std::string run(Choices& choices) {
    std::string order;
    for (;;) {
      options_.clear();
      for (std::uint32_t i = 0; i < left_.size(); ++i)
        if (left_[i] > 0)
          options_.push_back({{.kind = Action::Kind::wake, .actor = actor_of(ClientId{i})}, 0});
      if (options_.empty()) return order;
      const std::uint32_t picked = choices.pick_step(static_cast<std::uint32_t>(options_.size()), *this);
      const std::uint32_t moved = options_.at(picked).action.actor.index;
      --left_[moved];
      order += static_cast<char>('A' + moved);
    }
  }

 private:
  std::span<const Option> all() override { return options_; }
  std::uint32_t faults() const override { return 0; }
  std::vector<std::uint32_t> left_;
  std::vector<Option> options_;
};

// Steps in which time may pass or client A may crash.
class Chances final : private Enabled {
 public:
  bool is_struck(Choices& choices) { return choices.pick_step(2, *this) == 1; }

 private:
  std::span<const Option> all() override { return options_; }
  std::uint32_t faults() const override { return 1; }
  std::array<Option, 2> options_{
      Option{},
      Option{{.kind = Action::Kind::strike, .fault = Fault::crash, .actor = actor_of(ClientId{0})}, 0}};
};

std::size_t position(const std::string& order, char actor, std::size_t nth) {
  std::size_t at = order.find(actor);
  while (nth-- > 1) at = order.find(actor, at + 1);
  return at;
}

template <class Choices, class... Arguments>
std::string race_of(std::vector<std::uint32_t> events, Arguments&&... arguments) {
  Choices choices(std::forward<Arguments>(arguments)...);
  return Race(std::move(events)).run(choices);
}

constexpr RunSize size_of_race{.strands = 3, .questions = 8, .alternatives = 1};

TEST(Pct, KeepsItsPromiseForEveryDepth) {
  // Three actors with three events each ask at most 8 questions: the ninth event has no rival. Bugs of depth
  // 1, 2 and 3; none may be rarer than 1 / (3 · 8^(d-1)).
  constexpr std::uint32_t runs = 20'000;
  std::array<std::uint32_t, 3> hits{};
  for (std::uint32_t depth = 1; depth <= 3; ++depth)
    for (std::uint64_t seed = 0; seed < runs; ++seed) {
      const std::string order =
          race_of<PctChoices>({3, 3, 3}, seed, size_of_race, depth, PctChoices::Values::calm);
      const bool one = position(order, 'C', 3) < position(order, 'A', 1);
      const bool two = position(order, 'A', 2) < position(order, 'B', 1) &&
                       position(order, 'B', 3) < position(order, 'A', 3);
      const bool three = position(order, 'A', 1) < position(order, 'B', 1) &&
                         position(order, 'B', 1) < position(order, 'A', 2) &&
                         position(order, 'A', 2) < position(order, 'B', 2);
      hits[depth - 1] += depth == 1 ? one : depth == 2 ? two : three;
    }
  EXPECT_GE(hits[0], runs / 3);
  EXPECT_GE(hits[1], runs / (3 * 8));
  EXPECT_GE(hits[2], runs / (3 * 8 * 8));
}

TEST(Pct, NeverPreemptsWithoutAMark) {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed)
    EXPECT_THAT(race_of<PctChoices>({2, 2}, seed, size_of_race, 1u, PctChoices::Values::calm),
                testing::AnyOf("AABB", "BBAA"));
}

TEST(Pct, AnswersCalmlyExceptAtItsMarks) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    PctChoices choices(seed, RunSize{1, 20, 2}, 3, PctChoices::Values::calm);
    int struck = 0;
    for (int i = 0; i < 20; ++i) struck += choices.pick(Site::variant, actor_of(NodeId{0}), 3) != 0;
    EXPECT_LE(struck, 2);
    EXPECT_GE(struck, 1);
    EXPECT_EQ(choices.seen().alternatives, 2u);
    EXPECT_EQ(choices.seen().questions, 20u);
  }
}

TEST(Pct, LetsFaultsStrikeOnlyAtItsMarks) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    PctChoices choices(seed, RunSize{1, 20, 1}, 3, PctChoices::Values::drawn);
    Chances chances;
    int struck = 0;
    for (int i = 0; i < 20; ++i) struck += chances.is_struck(choices);
    EXPECT_LE(struck, 2);
    EXPECT_GE(struck, 1);
    // Time that passes has no rival: each step asks only whether the fault strikes.
    EXPECT_EQ(choices.seen().questions, 20u);
    EXPECT_EQ(choices.seen().alternatives, 1u);
  }
}

TEST(Pct, IsFairAfterTheQuestionsThatWereForeseen) {
  // With priorities alone, one of the two actors would move a thousand times before the other does.
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string order =
        race_of<PctChoices>({1'000, 1'000}, seed, RunSize{2, 10, 1}, 1u, PctChoices::Values::calm);
    EXPECT_LT(order.find(order[0] == 'A' ? 'B' : 'A'), 60u);
  }
}

TEST(Walk, MakesEveryOrderAboutEquallyLikely) {
  // Five events and one: six orders. To draw uniformly among those that can move makes "B first" one half.
  WalkEstimates estimates;
  std::map<std::string, int> orders;
  for (std::uint64_t seed = 0; seed < 6'200; ++seed) {
    WalkChoices walk(seed, estimates, 0);
    const std::string order = Race({5, 1}).run(walk);
    if (seed < 200) walk.teach(estimates);
    else ++orders[order];
  }
  EXPECT_EQ(orders.size(), 6u);
  for (const auto& [order, count] : orders) EXPECT_NEAR(count, 1'000, 150) << order;
}

TEST(Walk, SpreadsItsFaultsOverTheWholeRun) {
  WalkEstimates estimates;
  std::array<int, 40> struck{};
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    WalkChoices walk(seed, estimates, 1);
    Chances chances;
    for (int& count : struck) count += static_cast<int>(chances.is_struck(walk));
    if (seed < 10) walk.teach(estimates);
  }
  // One fault in half of the runs, at any of 40 chances: 250 each, standard deviation 16.
  for (const int count : struck) EXPECT_NEAR(count, 250, 80);
}

TEST(Swarm, LeavesFaultsOutOfSomeRunsAndCrowdsOthers) {
  int without = 0;
  int many = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    SwarmChoices swarm(seed);
    int struck = 0;
    Chances chances;
    for (int i = 0; i < 100; ++i) struck += chances.is_struck(swarm);
    without += struck == 0;
    many += struck > 10;
  }
  // In one of six runs crashes have no odds, in one of six this variant is left out.
  EXPECT_GT(without, 250);
  // In one of six a crash strikes in every fourth step, in one of six in every eighth.
  EXPECT_GT(many, 150);
}

TEST(Mutation, FollowsItsTapeOrAPartOfIt) {
  SwarmChoices swarm(1);
  Recorder recorder(swarm);
  const std::string whole = Race({4, 4, 4}).run(recorder);
  int alike = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string order = race_of<MutatedChoices>({4, 4, 4}, seed, recorder.tape());
    alike += order.substr(0, 3) == whole.substr(0, 3);
  }
  EXPECT_GT(alike, 80);  // by chance alone: 200 / 27
  EXPECT_LT(alike, 200);
}

}  // namespace
}  // namespace holdfast
