// Steps that were taken before.
#include "sim/explore/step_memo.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <map>

namespace holdfast {
namespace {

Digest digest(std::uint64_t number) { return mix(Digest{}, number); }

Effects effects(std::uint64_t step, std::initializer_list<std::uint64_t> to) {
  Effects made(digest(step));
  for (const std::uint64_t each : to) made.add(Effect{digest(each), digest(each + 1)});
  return made;
}

bool learn(StepMemo& memo, const Effects& effects) { return memo.learn(effects, {}); }

TEST(StepMemo, KnowsWhatItWasTold) {
  StepMemo memo;
  EXPECT_EQ(memo.find(digest(1)), nullptr);
  EXPECT_TRUE(learn(memo, effects(1, {7, 9})));
  ASSERT_NE(memo.find(digest(1)), nullptr);
  ASSERT_EQ(memo.find(digest(1))->all().size(), 2u);
  EXPECT_EQ(memo.find(digest(1))->all()[1], (Effect{digest(9), digest(10)}));
}

TEST(StepMemo, NoticesThatAStepLeadsElsewhereNow) {
  StepMemo memo;
  EXPECT_TRUE(learn(memo, effects(1, {7})));
  EXPECT_TRUE(learn(memo, effects(1, {7})));
  EXPECT_FALSE(learn(memo, effects(1, {8})));
  EXPECT_FALSE(learn(memo, effects(1, {7, 8})));
}

TEST(StepMemo, RemembersNoEffectsOfAStepThatConcernsOthersOrHasTooMany) {
  StepMemo memo;
  Effects concerns_others = effects(1, {7});
  concerns_others.add(std::nullopt);
  EXPECT_TRUE(learn(memo, concerns_others));
  EXPECT_TRUE(learn(memo, effects(2, {1, 2, 3, 4})));
  for (const std::uint64_t step : {1, 2}) {
    ASSERT_NE(memo.find(digest(step)), nullptr);
    EXPECT_TRUE(memo.find(digest(step))->all().empty());
  }
}

// It may forget, but what it says is what it was told last.
RC_GTEST_PROP(StepMemo, SaysNothingWrong, (std::vector<std::uint16_t> steps)) {
  StepMemo memo;
  std::map<std::uint64_t, std::uint64_t> told;
  for (const std::uint64_t step : steps) {
    for (std::uint64_t part = 0; part < 40; ++part) {
      const std::uint64_t name = step * 40 + part;
      RC_ASSERT(learn(memo, effects(name, {name})));
      told[name] = name;
    }
  }
  for (const auto& [name, to] : told)
    if (const Effects* const known = memo.find(digest(name)))
      RC_ASSERT(known->all().front() == (Effect{digest(to), digest(to + 1)}));
}

}  // namespace
}  // namespace holdfast
