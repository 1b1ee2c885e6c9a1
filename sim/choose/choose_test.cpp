// Claims of the strategies: what they answer, and that tapes replay.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "sim/choose/strategies.hpp"

namespace holdfast {
namespace {

// A toy run: three questions, the second one asked only after a certain answer to the first.
std::vector<std::uint32_t> toy_run(Choices& choices) {
  std::vector<std::uint32_t> answers{choices.pick(Site::step, Actor{}, 3)};
  if (answers[0] == 1) answers.push_back(choices.pick(Site::crash, actor_of(ClientId{0}), 2));
  answers.push_back(choices.pick(Site::wait, actor_of(ClientId{1}), 2));
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
  const Tape tape{{Site::step, Actor{}, 3, 0},
                  {Site::crash, actor_of(ClientId{0}), 2, 1},
                  {Site::wait, actor_of(ClientId{1}), 2, 1}};
  ReplayChoices replay(tape);
  EXPECT_THAT(toy_run(replay), testing::ElementsAre(0, 1));
  ASSERT_TRUE(replay.divergence().has_value());
  EXPECT_EQ(replay.divergence()->position, 1u);
}

TEST(Replay, IsCalmAfterTheEndOfItsTape) {
  const Tape nothing;
  ReplayChoices replay(nothing);
  EXPECT_THAT(toy_run(replay), testing::ElementsAre(0, 0));
  EXPECT_FALSE(replay.divergence()->recorded.has_value());
}

}  // namespace
}  // namespace holdfast
