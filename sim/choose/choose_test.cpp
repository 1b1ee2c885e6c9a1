// Claims of the strategies: what they answer, and that tapes replay.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <vector>

#include "sim/choose/strategies.hpp"

namespace holdfast {
namespace {

constexpr Action reply{.kind = Action::Kind::reply, .actor = actor_of(ClientId{0})};
constexpr Action wake{.kind = Action::Kind::wake, .actor = actor_of(ClientId{1})};
constexpr Action wait{};
constexpr Action crash{.kind = Action::Kind::strike, .fault = Fault::crash, .actor = actor_of(ClientId{0})};
constexpr Action pause{.kind = Action::Kind::strike, .fault = Fault::pause, .actor = actor_of(ClientId{1})};

// One step in which these actions are enabled.
class Toy final : private Enabled {
 public:
  explicit Toy(const std::vector<Action>& actions) {
    for (const Action& each : actions) options_.push_back({each, 0});
  }
  std::uint32_t step(Choices& choices) {
    return choices.pick_step(static_cast<std::uint32_t>(options_.size()), *this);
  }

 private:
  std::span<const Option> all() override { return options_; }
  std::uint32_t faults() const override {
    return static_cast<std::uint32_t>(std::count_if(options_.begin(), options_.end(), [](const Option& each) {
      return each.action.kind == Action::Kind::strike;
    }));
  }
  std::vector<Option> options_;
};

// A toy run: three questions, the second one asked only after a certain answer to the first.
std::vector<std::uint32_t> toy_run(Choices& choices) {
  std::vector<std::uint32_t> answers{Toy({reply, wake, wait}).step(choices)};
  if (answers[0] == 1) answers.push_back(choices.pick(Site::variant, actor_of(NodeId{0}), 2));
  answers.push_back(choices.pick(Site::jitter, actor_of(ClientId{1}), 2));
  return answers;
}

TEST(Rng, DrawsTheSameNumbersEverywhere) {
  Rng rng(1);
  EXPECT_EQ(rng.next(), 0xb3f2af6d0fc710c5u);
  EXPECT_EQ(rng.next(), 0x853b559647364ceau);
}

RC_GTEST_PROP(Rng, DrawsBelowItsBound, (std::uint64_t seed)) {
  const std::uint64_t bound = *rc::gen::inRange<std::uint64_t>(1, 1'000);
  Rng rng(seed);
  RC_ASSERT(rng.below(bound) < bound);
}

TEST(Rng, DrawsEveryFaceOfADieAboutEquallyOften) {
  // 60,000 rolls: each face 10,000 times, standard deviation 91. Five of them either way: wrong once in a
  // million seeds.
  Rng rng(7);
  std::array<int, 6> faces{};
  for (int i = 0; i < 60'000; ++i) ++faces[rng.below(6)];
  for (const int face : faces) EXPECT_NEAR(face, 10'000, 455);
}

TEST(Pick, AsksNobodyWhenThereIsNothingToDecide) {
  const Tape nothing;
  ReplayChoices choices(nothing);
  EXPECT_EQ(choices.pick(Site::step, Actor{}, 1), 0u);
  EXPECT_FALSE(choices.divergence().has_value());
}

TEST(Branch, WalksThroughEveryRunOnce) {
  BranchChoices branch{{}};
  std::set<std::vector<std::uint32_t>> runs;
  do {
    branch.restart();
    EXPECT_TRUE(runs.insert(toy_run(branch)).second);
  } while (branch.advance());
  EXPECT_EQ(runs.size(), 8u);  // 2 + 2·2 + 2
}

TEST(Branch, StaysBelowItsPrefix) {
  const std::vector<std::uint8_t> prefix{1, 1};
  BranchChoices branch(prefix);
  std::vector<std::vector<std::uint32_t>> runs;
  do {
    branch.restart();
    runs.push_back(toy_run(branch));
  } while (branch.advance());
  EXPECT_THAT(runs, testing::ElementsAre(testing::ElementsAre(1, 1, 0), testing::ElementsAre(1, 1, 1)));
}

TEST(Branch, NoticesARunThatAsksSomethingElse) {
  BranchChoices branch{{}};
  toy_run(branch);
  branch.restart();
  branch.pick(Site::step, Actor{}, 4);
  EXPECT_TRUE(branch.has_diverged());
}

RC_GTEST_PROP(Replay, GivesTheRecordedRunAgain, (std::uint64_t seed)) {
  RandomChoices random(seed);
  Recorder recorder(random);
  const auto first = toy_run(recorder);
  ReplayChoices replay(recorder.tape());
  RC_ASSERT(toy_run(replay) == first);
  RC_ASSERT(!replay.divergence().has_value());
  RC_ASSERT(replay.position() == recorder.tape().size());
}

TEST(Replay, GoesOnWithTheNextAnswerOfTheSameNameAfterADivergence) {
  const Tape tape{{Site::step, Actor{}, 3, 0, reply},
                  {Site::variant, actor_of(NodeId{0}), 2, 1},
                  {Site::jitter, actor_of(ClientId{1}), 2, 1}};
  ReplayChoices replay(tape);
  EXPECT_THAT(toy_run(replay), testing::ElementsAre(0, 1));
  ASSERT_TRUE(replay.divergence().has_value());
  EXPECT_EQ(replay.divergence()->position, 1u);
}

TEST(Recorder, NamesTheActionThatWasPicked) {
  const Tape first{{Site::step, Actor{}, 3, 1, wake}};
  ReplayChoices choices(first);
  Recorder recorder(choices);
  toy_run(recorder);
  EXPECT_EQ(recorder.tape(), (Tape{{Site::step, Actor{}, 3, 1, wake},
                                   {Site::variant, actor_of(NodeId{0}), 2, 0},
                                   {Site::jitter, actor_of(ClientId{1}), 2, 0}}));
}

TEST(Replay, FollowsActionsByNameInWhateverOrderTheyAreOffered) {
  const Tape tape{{Site::step, Actor{}, 3, 1, wake}, {Site::step, Actor{}, 4, 3, crash}};
  ReplayChoices replay(tape);
  EXPECT_EQ(Toy({wake, reply, wait}).step(replay), 0u);
  EXPECT_EQ(Toy({reply, wait, crash, pause}).step(replay), 2u);
  EXPECT_FALSE(replay.divergence().has_value());
}

TEST(Replay, TellsEqualActionsApartByTheirNumber) {
  Action second = reply;
  second.nth = 1;
  const Tape tape{{Site::step, Actor{}, 3, 0, second}};
  ReplayChoices replay(tape);
  EXPECT_EQ(Toy({reply, second, wait}).step(replay), 1u);
  EXPECT_FALSE(replay.divergence().has_value());
}

TEST(Replay, TakesTheNumberWhereATapeNamesNoAction) {
  const Tape tape{{Site::step, Actor{}, 3, 2, by_number}};
  ReplayChoices replay(tape);
  EXPECT_EQ(Toy({reply, wake, wait}).step(replay), 2u);
  EXPECT_FALSE(replay.divergence().has_value());
}

TEST(Replay, FollowsAnActionBesideMoreOthersButSaysSo) {
  const Tape tape{{Site::step, Actor{}, 2, 0, wake}};
  ReplayChoices replay(tape);
  EXPECT_EQ(Toy({reply, wake, wait}).step(replay), 1u);
  ASSERT_TRUE(replay.divergence().has_value());
  EXPECT_EQ(replay.divergence()->position, 0u);
  EXPECT_EQ(replay.divergence()->asked.options, 3u);
}

TEST(Replay, WaitsCalmlyForAnActionThatIsNotEnabledYet) {
  const Tape tape{{Site::step, Actor{}, 2, 1, pause}};
  ReplayChoices replay(tape);
  EXPECT_EQ(Toy({reply, wait}).step(replay), 0u);
  EXPECT_EQ(replay.divergence()->recorded, tape[0]);
  EXPECT_EQ(Toy({wake, crash, pause}).step(replay), 2u);
  EXPECT_EQ(replay.position(), 1u);
}

TEST(Random, LetsAFaultStrikeInOneOf24StepsAndDrawsAmongAllElseEvenly) {
  // 48,000 steps: 2,000 strikes, standard deviation 44, half of them of each fault; else 15,333 of each calm
  // action, standard deviation 102. Five of them either way.
  RandomChoices random(7);
  std::array<int, 5> picked{};
  for (int i = 0; i < 48'000; ++i) ++picked[Toy({reply, wake, wait, crash, pause}).step(random)];
  for (int calm = 0; calm < 3; ++calm) EXPECT_NEAR(picked[calm], 15'333, 510);
  for (int fault = 3; fault < 5; ++fault) EXPECT_NEAR(picked[fault], 1'000, 160);
}

TEST(Replay, IsCalmAfterTheEndOfItsTape) {
  const Tape nothing;
  ReplayChoices replay(nothing);
  EXPECT_THAT(toy_run(replay), testing::ElementsAre(0, 0));
  EXPECT_FALSE(replay.divergence()->recorded.has_value());
}

}  // namespace
}  // namespace holdfast
