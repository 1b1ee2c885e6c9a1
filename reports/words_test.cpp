// Explanations, lists, and reports on scenario files.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "reports/golden_test.hpp"
#include "reports/lessons.hpp"
#include "reports/report.hpp"
#include "reports/samples_test.hpp"
#include "reports/verdicts.hpp"
#include "sim/scenario/specification.hpp"

namespace holdfast::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string explained(std::string_view name, const Terminal& terminal = {}) {
  std::ostringstream out;
  EXPECT_TRUE(write_explanation(name, algorithms::all(), out, terminal)) << name;
  return out.str();
}

template <class Enum, std::size_t N>
void expect_lessons(std::span<const Lesson> lessons, const std::array<std::string_view, N>& ids) {
  ASSERT_EQ(lessons.size(), N);
  for (std::size_t i = 0; i < N; ++i) {
    EXPECT_EQ(lessons[i].id, ids[i]);
    const auto sentences = std::count(lessons[i].text.begin(), lessons[i].text.end(), '.');
    EXPECT_GE(sentences, 3) << ids[i];
    EXPECT_LE(sentences, 8) << ids[i];
    EXPECT_TRUE(lessons[i].next.starts_with("./holdfast ")) << ids[i];
    EXPECT_FALSE(lessons[i].summary.ends_with('.')) << ids[i];
  }
}

TEST(Explain, EveryWordOfTheVocabularyHasItsLessonInOrder) {
  expect_lessons<Fault>(fault_lessons(), fault_ids);
  expect_lessons<Property>(property_lessons(), property_ids);
  expect_lessons<Belief>(belief_lessons(), belief_ids);
  expect_lessons<Verdict>(verdict_lessons(), verdict_ids);
}

TEST(Explain, EveryNameIsExplainableAndNamesOneThingOnly) {
  const std::vector<std::string_view> names = explainable(algorithms::all());
  EXPECT_EQ(std::set<std::string_view>(names.begin(), names.end()).size(), names.size());
  for (const std::string_view name : names) EXPECT_THAT(explained(name), HasSubstr(std::string(name)));
}

TEST(Explain, LettersAndSignsOfAMatrixAreExplained) {
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    EXPECT_EQ(explained(std::string(1, letter_of(static_cast<Property>(i)))), explained(property_ids[i]));
  std::vector<std::string> signs;
  for (const auto& [outcome, meaning] : outcome_legend()) {
    signs.push_back(explained(glyph_of(outcome)));
    EXPECT_THAT(signs.back(), HasSubstr("(a verdict)")) << meaning;
  }
  EXPECT_EQ(std::set<std::string>(signs.begin(), signs.end()).size(), verdict_ids.size());
}

TEST(Explain, WordsOfTheSubjectAreExplainedUnderAllTheirNames) {
  for (const auto& [word, title] :
       std::vector<std::pair<std::string, std::string>>{{"lock", "lock (a term)"},
                                                        {"TTL", "lease (a term)"},
                                                        {"fencing token", "fence (a term)"},
                                                        {"etcd", "etcd (a term)"},
                                                        {"postgres", "postgres (a term)"},
                                                        {"PgBouncer", "pooler (a term)"},
                                                        {"session", "session (a term)"},
                                                        {"MySQL", "database-lock (a term)"},
                                                        {"watchdog", "watchdog (a term)"},
                                                        {"sentinel", "replica (a term)"},
                                                        {"Cluster", "replica (a term)"},
                                                        {"replica", "replica (a term)"},
                                                        {"cluster-mode", "replica (a term)"},
                                                        {"hash slot", "replica (a term)"},
                                                        {"WAIT", "replica (a term)"},
                                                        {"majority", "redlock (a lock)"},
                                                        {"keyspace", "keyspace-notification (a term)"},
                                                        {"pub/sub", "keyspace-notification (a term)"},
                                                        {"semaphore", "semaphore (a term)"},
                                                        {"redlock-py", "library (a term)"},
                                                        {"Mutual Exclusion", "mutual-exclusion (a property)"},
                                                        {"Redisson", "redisson (a lock)"},
                                                        {"redis_py", "redis-py (a lock)"},
                                                        {"RedisPy", "redis-py (a lock)"},
                                                        {"Laravel", "laravel (a lock)"},
                                                        {"node_redlock", "node-redlock (a lock)"},
                                                        {"openresty", "resty-lock (a lock)"}})
    EXPECT_THAT(explained(word), HasSubstr(title)) << word;
  // What is said of one store is not said of another.
  EXPECT_THAT(explained("postgres"), AllOf(HasSubstr("no session"), Not(HasSubstr("etcd"))));
  // What is simulated on request is not called missing.
  EXPECT_THAT(explained("keyspace"),
              AllOf(HasSubstr("notify-keyspace-events=KEA"), Not(HasSubstr("not sim"))));
  EXPECT_THAT(explained("Cluster"), AllOf(HasSubstr("cluster-enabled=yes"), Not(HasSubstr("not simulated"))));
  EXPECT_THAT(explained("Redisson"),
              HasSubstr("of this library: redisson-fair, redisson-fenced, redisson-multi, redisson-rw"));
  for (const Lesson& each : term_lessons()) {
    EXPECT_EQ(explained(each.id).find(std::string(each.id) + " (a term)"), 0u);
    EXPECT_TRUE(each.next.starts_with("./holdfast ")) << each.id;
    EXPECT_FALSE(each.summary.ends_with('.')) << each.id;
  }
}

TEST(Explain, AFaultHasItsNumberedSentencesAndNothingElseHas) {
  for (const Sentence& each : specification()) {
    const std::string name = name_of(each);
    const std::string numbered = name.substr(name.rfind(' ') + 1) + "  " + std::string(each.text) + "\n";
    EXPECT_THAT(explained(id_of(each.fault), {.width = 1000}), HasSubstr(" " + numbered));
  }
  for (const std::string_view name : {"token", "recovery", "holds", "until-release"})
    EXPECT_THAT(explained(name), Not(HasSubstr("scenarios/faults.md")));
}

TEST(Explain, NobodyIsCalledThat) {
  std::ostringstream out;
  EXPECT_FALSE(write_explanation("puase", algorithms::all(), out, {}));
  EXPECT_EQ(out.str(), "");
}

TEST(Explain, NarrowAndAsciiTerminalsAreRespected) {
  for (const std::string_view name : explainable(algorithms::all())) {
    std::istringstream lines(explained(name, {.width = 60, .ascii = true}));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(columns(line), 60u) << line;
      for (const char byte : line) EXPECT_LT(static_cast<unsigned char>(byte), 0x80) << line;
    }
  }
}

// The commands that explanations recommend name locks, scenarios and words that exist.
TEST(Explain, RecommendedNamesExist) {
  for (const std::span<const Lesson> lessons :
       {fault_lessons(), property_lessons(), belief_lessons(), verdict_lessons()})
    for (const Lesson& lesson : lessons) {
      std::istringstream words{std::string(lesson.next)};
      std::string word;
      words >> word >> word;
      if (word == "check") {
        words >> word;
        EXPECT_NE(algorithms::find(word), nullptr) << lesson.next;
      } else if (word == "run") {
        words >> word;
        const std::string file = std::string(HOLDFAST_SOURCE_DIR) + "/scenarios/lessons/" + word + ".json";
        EXPECT_TRUE(std::ifstream(file)) << lesson.next;
      } else if (word == "explain") {
        words >> word;
        EXPECT_FALSE(explained(word).empty());
      }
    }
}

TEST(Lists, OfFaultsAndProperties) {
  std::ostringstream out;
  write_faults(out, {}, {Fault::none, Fault::pause});
  EXPECT_THAT(out.str(), HasSubstr("pause              A client stops for a while"));
  EXPECT_THAT(out.str(), HasSubstr("(not simulated)"));
  std::ostringstream properties;
  write_properties(properties, {});
  EXPECT_THAT(properties.str(), HasSubstr("M mutual-exclusion"));
}

TEST(Lists, InJsonHaveOneEntryForEachId) {
  std::ostringstream faults, properties, cards, scenarios;
  write_faults_json(faults, {Fault::crash});
  write_properties_json(properties);
  write_algorithms_json(algorithms::all(), cards);
  write_scenarios_json({{"scenarios/x.json", sample_scenario("token", Fault::pause)}}, scenarios);
  const auto fault_list = nlohmann::json::parse(faults.str())["faults"];
  EXPECT_EQ(fault_list.size(), fault_ids.size());
  EXPECT_EQ(fault_list[1]["simulated"], true);
  EXPECT_EQ(fault_list[2]["simulated"], false);
  EXPECT_EQ(nlohmann::json::parse(properties.str())["properties"].size(), property_ids.size());
  EXPECT_EQ(nlohmann::json::parse(cards.str())["algorithms"].size(), algorithms::all().size());
  EXPECT_EQ(nlohmann::json::parse(scenarios.str())["scenarios"][0]["algorithm"], "token");
}

// --- scenario files ---

ScenarioRun run_of(std::optional<Expect> expect, Verdict verdict) {
  ScenarioRun run{"scenarios/x.json", sample_scenario("set-nx-px", Fault::pause), {}};
  run.scenario.expect = expect;
  PropertyResult result{Property::mutual_exclusion, verdict, "", std::nullopt};
  if (verdict == Verdict::violated) result.counterexample = paused_holder();
  run.exploration.properties = {{Property::recovery, Verdict::holds, "", std::nullopt}, result};
  return run;
}
std::string unmet(const ScenarioRun& run) { return unmet_expectation(run.scenario, run.exploration); }

TEST(Expectation, IsMetByTheVerdictOfItsProperty) {
  const Expect violated{Verdict::violated, Property::mutual_exclusion, std::nullopt, ""};
  EXPECT_EQ(unmet(run_of(violated, Verdict::violated)), "");
  EXPECT_EQ(unmet(run_of(violated, Verdict::holds)), "mutual-exclusion: expected violated, found holds");
  EXPECT_EQ(
      unmet(run_of(Expect{Verdict::holds, Property::truthful_release, std::nullopt, ""}, Verdict::holds)),
      "truthful-release was not judged");
}

TEST(Expectation, WithoutAPropertyViolatedMeansSomeAndHoldsMeansAll) {
  EXPECT_EQ(unmet(run_of(Expect{Verdict::violated, std::nullopt, std::nullopt, ""}, Verdict::violated)), "");
  EXPECT_EQ(unmet(run_of(Expect{Verdict::holds, std::nullopt, std::nullopt, ""}, Verdict::holds)), "");
  EXPECT_EQ(unmet(run_of(Expect{Verdict::holds, std::nullopt, std::nullopt, ""}, Verdict::violated)),
            "mutual-exclusion: expected holds, found violated");
}

TEST(Expectation, IsNotMetByALongerRunOrByAHollowResult) {
  EXPECT_EQ(unmet(run_of(Expect{Verdict::violated, Property::mutual_exclusion, 8, ""}, Verdict::violated)),
            "mutual-exclusion: expected a run of at most 8 steps, found one of 9");
  ScenarioRun hollow = run_of(Expect{Verdict::holds, std::nullopt, std::nullopt, ""}, Verdict::hollow);
  hollow.exploration.properties[1].note = "nobody asked";
  EXPECT_EQ(unmet(hollow), "mutual-exclusion: expected holds, found hollow (nobody asked)");
}

TEST(Expectation, OfAFileWithoutOneIsThatNothingIsViolated) {
  EXPECT_EQ(unmet(run_of(std::nullopt, Verdict::holds)), "");
  EXPECT_EQ(unmet(run_of(std::nullopt, Verdict::violated)),
            "mutual-exclusion: violated, and the file does not expect it");
}

TEST(Runs, InEveryFormat) {
  const Expect violated{Verdict::violated, Property::mutual_exclusion, std::nullopt,
                        "a lease cannot stop a paused client"};
  const std::vector<ScenarioRun> runs{run_of(violated, Verdict::violated), run_of(violated, Verdict::holds)};
  std::ostringstream text, markdown, junit, json;
  write_runs_text(runs, text, {});
  write_runs_markdown(runs, markdown);
  write_runs_junit(runs, junit);
  write_runs_json(runs, json);
  expect_golden("runs.txt", text.str());
  EXPECT_THAT(markdown.str(),
              HasSubstr("| ✘ not as expected | mutual-exclusion\\: expected violated, found holds |"));
  EXPECT_THAT(junit.str(), HasSubstr("tests=\"2\" failures=\"1\""));
  const auto parsed = nlohmann::json::parse(json.str());
  EXPECT_EQ(parsed["schema"], "holdfast/run/1");
  EXPECT_EQ(parsed["runs"][0]["met"], true);
  EXPECT_EQ(parsed["runs"][1]["why"], "mutual-exclusion: expected violated, found holds");
}

}  // namespace
}  // namespace holdfast::reports
