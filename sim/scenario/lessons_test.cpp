// Every lesson is true: exploring it gives the verdict that it expects.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/core/arena.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"
#include "sim/scenario/corpus_test.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast {
namespace {

Parsed read_lesson(const std::filesystem::path& path) {
  const Known known(algorithms::all(), simulated_faults, checkers::decidable());
  return parse_scenario(text_of(path), path.filename().string(), known);
}

TEST(Readme, ItsExampleIsAGoodScenario) {
  const std::string readme = text_of(std::filesystem::path(HOLDFAST_SOURCE_DIR) / "scenarios/README.md");
  const std::size_t begin = readme.find("```json\n") + 8;
  const std::string example = readme.substr(begin, readme.find("```", begin) - begin);
  const Parsed parsed = parse_scenario(example, "README.md", Known(algorithms::all()));
  for (const Problem& problem : parsed.problems) ADD_FAILURE() << to_text(problem);
  EXPECT_TRUE(parsed.scenario);
}

class Lesson : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Lesson, IsOneClaimWithAReason) {
  const Parsed parsed = read_lesson(GetParam());
  for (const Problem& problem : parsed.problems) ADD_FAILURE() << to_text(problem);
  ASSERT_TRUE(parsed.scenario);
  const Scenario& lesson = *parsed.scenario;
  EXPECT_EQ(lesson.name, GetParam().stem().string());
  EXPECT_FALSE(lesson.description.empty());
  EXPECT_FALSE(lesson.tags.empty());
  ASSERT_TRUE(lesson.expect);
  EXPECT_FALSE(lesson.expect->reason.empty());
  ASSERT_TRUE(lesson.expect->property);
  EXPECT_EQ(lesson.check, PropertySet{*lesson.expect->property});
}

TEST_P(Lesson, IsTrue) {
  Parsed parsed = read_lesson(GetParam());
  ASSERT_TRUE(parsed.scenario);
  Scenario& lesson = *parsed.scenario;
  if (!Arena::is_available())
    lesson.explore.states_max = std::min<std::uint64_t>(lesson.explore.states_max, 2'000);
  const Exploration found = explore(lesson, *algorithms::find(lesson.algorithm), Budget());
  ASSERT_EQ(found.properties.size(), 1u);
  const PropertyResult& result = found.properties.front();
  if (!Arena::is_available() && result.verdict == Verdict::unknown)
    GTEST_SKIP() << "skipped after 2,000 states: too many for an engine without snapshots";
  EXPECT_EQ(id_of(result.verdict), id_of(lesson.expect->verdict)) << result.note;
  if (lesson.expect->steps_max && result.counterexample) {
    EXPECT_LE(result.counterexample->steps, *lesson.expect->steps_max);
  }
}

// Whatever a scenario can say (stores, parameters of one client, nested holds, caches, endless clients),
// copies of memory and what is remembered of steps change nothing.
TEST(Lessons, AreTheSameInBothEngines) {
  if (!Arena::is_available())
    GTEST_SKIP() << "skipped: a sanitizer build has no arena, so there is only one engine";
  constexpr std::uint64_t states_max = 100'000;  // replay is slow
  std::size_t left_out = 0;
  for (const std::filesystem::path& path : lesson_files()) {
    SCOPED_TRACE(path.stem().string());
    const Parsed parsed = read_lesson(path);
    ASSERT_TRUE(parsed.scenario);
    const Scenario& lesson = *parsed.scenario;
    const Card& card = *algorithms::find(lesson.algorithm);
    const Exploration copied = explore(lesson, card, Budget());
    if (copied.states > states_max) {
      ++left_out;
      continue;
    }
    const Exploration replayed = explore(lesson, card, Budget(), Engine::replay);
    EXPECT_EQ(copied.states, replayed.states);
    EXPECT_EQ(copied.transitions, replayed.transitions);
    ASSERT_EQ(copied.properties.size(), replayed.properties.size());
    const PropertyResult& one = copied.properties.front();
    const PropertyResult& other = replayed.properties.front();
    EXPECT_EQ(id_of(one.verdict), id_of(other.verdict));
    ASSERT_EQ(one.counterexample.has_value(), other.counterexample.has_value());
    if (one.counterexample) {
      EXPECT_EQ(one.counterexample->fingerprint, other.counterexample->fingerprint);
    }
  }
  EXPECT_LE(left_out, 10u);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Lesson, testing::ValuesIn(lesson_files()), [](const auto& lesson) {
  std::string name = lesson.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace holdfast
