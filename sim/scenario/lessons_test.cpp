// Every lesson is true: exploring it gives the verdict that it expects.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

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
// copies of memory and what is remembered of steps change nothing. Only depth-first search joins replies: the
// replay engine looks for shortest runs, and has the states between them.
TEST(Lessons, AreTheSameInBothEngines) {
  if (!Arena::is_available())
    GTEST_SKIP() << "skipped: a sanitizer build has no arena, so there is only one engine";
  // Replay is slow: by day, every third, if it is small.
  const bool is_night = std::getenv("HOLDFAST_EVERY_CELL") != nullptr;
  const std::uint64_t states_max = is_night ? 100'000 : 20'000;
  const std::size_t each = is_night ? 1 : 3;
  std::size_t left_out = 0;
  const std::vector<std::filesystem::path> files = lesson_files();
  for (std::size_t i = 0; i < files.size(); i += each) {
    SCOPED_TRACE(files[i].stem().string());
    Parsed parsed = read_lesson(files[i]);
    ASSERT_TRUE(parsed.scenario);
    Scenario& lesson = *parsed.scenario;
    lesson.explore.reductions.erase(Reduction::joint_replies);
    lesson.explore.states_max = 2 * states_max;
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
  // Of a hundred lessons, nine; by day, with fewer states, nineteen.
  EXPECT_LT((is_night ? 10 : 5) * each * left_out, files.size());
}

// Joined replies are why the engines count differently where a client asks three servers at once: without
// that reduction they find the same, and with it the verdict and the shortest run are what they were.
TEST(Lessons, OfSeveralServersDifferBetweenTheEnginesInJoinedRepliesAlone) {
  if (!Arena::is_available())
    GTEST_SKIP() << "skipped: a sanitizer build has no arena, so there is only one engine";
  const auto explored = [](const char* name, bool joins, Engine engine) {
    Parsed parsed = read_lesson(lesson_files().front().parent_path() / (std::string(name) + ".json"));
    for (auto& [parameter, text] : parsed.scenario->params)
      if (parameter == "nodes") text = "3";
    if (!joins) parsed.scenario->explore.reductions.erase(Reduction::joint_replies);
    return explore(*parsed.scenario, *algorithms::find("rslock"), Budget(), engine);
  };
  struct Told {
    const char* name;
    Verdict verdict;
    std::uint64_t joined_states;
    std::uint64_t states;
  };
  for (const auto& [name, verdict, joined_states, states] :
       {Told{"a-validity-time-that-nobody-looks-at-ends-under-its-holder", Verdict::violated, 178, 866},
        Told{"a-validity-time-that-is-looked-at-ends-the-claim", Verdict::holds, 190, 894}}) {
    SCOPED_TRACE(name);
    const Exploration joined = explored(name, true, Engine::snapshots);
    const Exploration whole = explored(name, false, Engine::snapshots);
    const Exploration replayed = explored(name, true, Engine::replay);
    EXPECT_EQ(joined.states, joined_states);
    EXPECT_EQ(whole.states, states);
    EXPECT_EQ(whole.states, replayed.states);
    EXPECT_EQ(whole.transitions, replayed.transitions);
    for (const Exploration* const found : {&joined, &whole, &replayed}) {
      const PropertyResult& result = found->properties.front();
      EXPECT_EQ(id_of(result.verdict), id_of(verdict));
      ASSERT_EQ(result.counterexample.has_value(), verdict == Verdict::violated);
      if (!result.counterexample) continue;
      EXPECT_EQ(result.counterexample->fingerprint, replayed.properties.front().counterexample->fingerprint);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Lesson, testing::ValuesIn(lesson_files()), [](const auto& lesson) {
  std::string name = lesson.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace holdfast
