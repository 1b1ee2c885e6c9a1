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
#include "sim/explore/planted_test.hpp"
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
      "sim/scenario/specification.cpp, which has them.\n\n"
      "A fault with a `target` strikes that client alone: what it does, what it sends, and what is sent to "
      "it. One with\n`at` strikes while that client, or any, is there. A message is where its client is when "
      "the message leaves; a\nserver is where any client is.\n";
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

class SentenceOf : public testing::TestWithParam<Sentence> {
 protected:
  static Parsed scenario_of(const Sentence& sentence) {
    const std::string file = std::string(sentence.scenario) + ".json";
    const Known known(algorithms::all(), simulated_faults, checkers::decidable());
    return parse_scenario(text_of(std::filesystem::path(HOLDFAST_SOURCE_DIR) / "scenarios/faults" / file),
                          file, known);
  }
  static PropertyResult verdict_on(const Scenario& scenario) {
    return explore(scenario, *algorithms::find(scenario.algorithm), Budget()).properties.front();
  }
};

TEST_P(SentenceOf, IsTrue) {
  const Parsed parsed = scenario_of(GetParam());
  for (const Problem& problem : parsed.problems) ADD_FAILURE() << to_text(problem);
  ASSERT_TRUE(parsed.scenario);
  const Scenario& scenario = *parsed.scenario;
  // Its session is kept alive all the while that one client stops.
  const bool is_large = GetParam().scenario.starts_with("pause-10");
  if (is_large && !Arena::is_available()) GTEST_SKIP() << planted::too_many;
  ASSERT_TRUE(scenario.expect && scenario.expect->property);
  EXPECT_FALSE(scenario.expect->reason.empty());
  EXPECT_EQ(scenario.check, PropertySet{*scenario.expect->property});
  const PropertyResult found = verdict_on(scenario);
  EXPECT_EQ(id_of(found.verdict), id_of(scenario.expect->verdict)) << found.note;
}

// Without the fault nothing breaks: what a sentence says may happen is its fault's doing.
TEST_P(SentenceOf, IsAboutItsFault) {
  const Fault fault = GetParam().fault;
  Parsed parsed = scenario_of(GetParam());
  ASSERT_TRUE(parsed.scenario);
  std::vector<FaultRule>& rules = parsed.scenario->faults;
  const std::size_t struck = std::erase_if(rules, [&](const FaultRule& rule) { return rule.kind == fault; });
  if (fault == Fault::none) return;
  EXPECT_EQ(struck, 1u);
  EXPECT_NE(id_of(verdict_on(*parsed.scenario).verdict), id_of(Verdict::violated));
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
