// Every sentence of the specification is true: a scenario of scenarios/faults shows it.
#include "sim/scenario/specification.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/core/arena.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"
#include "sim/scenario/corpus_test.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast {
namespace {

// scenarios/faults.md.
std::string page() {
  std::string page =
      "# What may happen\n\n"
      "What the simulated world may do in every run, and what each fault adds. Each sentence has a scenario "
      "that fails\nwhen the sentence is not so: it is violated where the sentence says what may happen, and "
      "holds where it says what\nmay not. *Its size* is the fault's `magnitude`, *a tick* is `timing.tick`. "
      "`./holdfast explain pause` prints the\nsentences of one fault; a test compares this page with "
      "sim/scenario/specification.cpp, which has them.\n";
  for (std::size_t i = 0; i < fault_ids.size(); ++i) {
    const bool is_none = static_cast<Fault>(i) == Fault::none;
    page.append("\n## ").append(is_none ? "none: in every run" : fault_ids[i]).append("\n\n");
    std::size_t number = 0;
    for (const Sentence& each : specification_of(static_cast<Fault>(i)))
      page.append(std::to_string(++number))
          .append(". ")
          .append(each.text)
          .append(" [Scenario](faults/")
          .append(each.scenario)
          .append(".json)\n");
  }
  return page;
}

TEST(Specification, HasSentencesForEveryFaultAndNumbersThem) {
  std::size_t sentences = 0;
  for (std::size_t i = 0; i < fault_ids.size(); ++i) {
    const std::span<const Sentence> of_fault = specification_of(static_cast<Fault>(i));
    EXPECT_FALSE(of_fault.empty()) << fault_ids[i];
    sentences += of_fault.size();
  }
  EXPECT_EQ(sentences, specification().size());
  EXPECT_EQ(name_of(specification().front()), "none 1");
  EXPECT_EQ(name_of(specification_of(Fault::pause)[2]), "pause 3");
}

TEST(Specification, EverySentenceHasItsFileAndEveryFileItsSentence) {
  std::vector<std::string> of_sentences, of_files;
  for (const Sentence& each : specification()) {
    of_sentences.emplace_back(each.scenario);
    std::string name = name_of(each) + "-";
    std::replace(name.begin(), name.end(), ' ', '-');
    EXPECT_TRUE(each.scenario.starts_with(name)) << each.scenario << " shows " << name_of(each);
  }
  for (const std::filesystem::path& file : files_of("faults")) of_files.push_back(file.stem().string());
  EXPECT_THAT(of_files, testing::UnorderedElementsAreArray(of_sentences));
}

TEST(Specification, IsThePage) {
  const std::filesystem::path file = std::filesystem::path(HOLDFAST_SOURCE_DIR) / "scenarios/faults.md";
  EXPECT_TRUE(text_of(file) == page()) << "scenarios/faults.md is not:\n" << page();
}

class SentenceOf : public testing::TestWithParam<Sentence> {};

TEST_P(SentenceOf, IsTrue) {
  const std::string name(GetParam().scenario);
  const std::filesystem::path file =
      std::filesystem::path(HOLDFAST_SOURCE_DIR) / "scenarios/faults" / (name + ".json");
  const Known known(algorithms::all(), simulated_faults, checkers::decidable());
  const Parsed parsed = parse_scenario(text_of(file), name + ".json", known);
  for (const Problem& problem : parsed.problems) ADD_FAILURE() << to_text(problem);
  ASSERT_TRUE(parsed.scenario);
  const Scenario& scenario = *parsed.scenario;
  ASSERT_TRUE(scenario.expect && scenario.expect->property);
  EXPECT_FALSE(scenario.expect->reason.empty());
  EXPECT_EQ(scenario.check, PropertySet{*scenario.expect->property});
  const bool has_fault = std::any_of(scenario.faults.begin(), scenario.faults.end(),
                                     [](const FaultRule& rule) { return rule.kind == GetParam().fault; });
  EXPECT_TRUE(has_fault || GetParam().fault == Fault::none);
  const Exploration found = explore(scenario, *algorithms::find(scenario.algorithm), Budget());
  ASSERT_EQ(found.properties.size(), 1u);
  const PropertyResult& result = found.properties.front();
  EXPECT_EQ(id_of(result.verdict), id_of(scenario.expect->verdict)) << result.note;
}

// What says that something may happen is not so without the fault.
TEST_P(SentenceOf, NeedsItsFault) {
  const std::string name(GetParam().scenario);
  const std::filesystem::path file =
      std::filesystem::path(HOLDFAST_SOURCE_DIR) / "scenarios/faults" / (name + ".json");
  Parsed parsed = parse_scenario(text_of(file), name + ".json", Known(algorithms::all()));
  ASSERT_TRUE(parsed.scenario);
  Scenario& scenario = *parsed.scenario;
  for (const FaultRule& rule : std::exchange(scenario.faults, {}))
    if (rule.kind != GetParam().fault) scenario.faults.push_back(rule);
  if (GetParam().fault == Fault::none) return;
  const Exploration found = explore(scenario, *algorithms::find(scenario.algorithm), Budget());
  EXPECT_NE(id_of(found.properties.front().verdict), id_of(Verdict::violated));
}

INSTANTIATE_TEST_SUITE_P(Specification, SentenceOf,
                         testing::ValuesIn(specification().begin(), specification().end()),
                         [](const auto& sentence) {
                           std::string name(sentence.param.scenario);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace holdfast
