// Two locks side by side, in every format.
#include "reports/separation.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/golden_test.hpp"
#include "reports/markup_test.hpp"
#include "reports/samples_test.hpp"

namespace holdfast::reports {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

// The paused holder, and beside it a run that ends after its third step; the second lock leaves one move out.
SeparatePair sample_pair() {
  Sample calm;
  const Actor client_a = actor_of(a);
  calm.step(client_a, {Started{a}, Acquiring{a1, "job"}});
  calm.step(client_a, {Finished{a, ""}});
  calm.at(7s).step({}, {Ended{}});
  Counterexample whole;
  whole.events = calm.events;
  whole.steps = calm.position();
  return {paused_holder(), whole, {1, 1, 1, 2, 2, 2, 2, 2, 2}, 1};
}

Difference sample_difference() {
  Difference difference{.version = "0.1.0", .one = "set-nx-px", .other = "token", .seconds = 1.5};
  using enum Separation::Answer;
  const auto add = [&](const char* breaks, const char* holds, Property property, Separation::Answer answer,
                       Verdict first, std::uint64_t pairs) -> Separation& {
    return difference.separations.emplace_back(
        Separation{breaks, holds, Fault::pause, property, answer, first, pairs, std::nullopt});
  };
  add("set-nx-px", "token", Property::mutual_exclusion, found, Verdict::violated, 1).pair = sample_pair();
  add("token", "set-nx-px", Property::mutual_exclusion, none, Verdict::violated, 378);
  add("set-nx-px", "token", Property::recovery, none, Verdict::holds, 0);
  add("token", "set-nx-px", Property::recovery, none, Verdict::holds, 0);
  difference.trace_files = {{"out/one.json", "out/other.json"}, {}, {}, {}};
  return difference;
}

std::string text_of(const Difference& difference, const Terminal& terminal = {}) {
  std::ostringstream out;
  write_difference_text(difference, out, terminal);
  return out.str();
}

TEST(Separation, TellsBothDirectionsOfWhatEitherLockBreaks) {
  const std::string text = text_of(sample_difference());
  EXPECT_THAT(text, HasSubstr("pause  mutual-exclusion  set-nx-px  token      9 steps\n"
                              "pause  mutual-exclusion  token      set-nx-px  none (378 pairs searched)\n"));
  EXPECT_THAT(text, Not(HasSubstr("recovery  set")));
  EXPECT_THAT(text, HasSubstr("1 of 4 cases told apart · 1.5 s"));
}

TEST(Separation, ShowsTheShortestTapeSideBySide) {
  const std::string text = text_of(sample_difference());
  EXPECT_THAT(text, HasSubstr("✘ set-nx-px × pause: mutual-exclusion is violated\n"
                              "✔ token, on the same tape and calmly to its end: it is not\n"));
  EXPECT_THAT(text,
              HasSubstr("4. At 0ms A gets its answer: OK. A believes that │ 2. At 0ms A is finished.\n"));
  EXPECT_THAT(text,
              HasSubstr("                                                 │ 3. At 7s the run is over.\n"));
  EXPECT_THAT(text, HasSubstr("token leaves out 1 move of the tape"));
  EXPECT_THAT(text, HasSubstr("./holdfast show out/other.json"));
  std::istringstream lines(text_of(sample_difference(), Terminal{.width = 60}));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("│") == std::string::npos) continue;
    EXPECT_LE(columns(line), 60u) << line;
  }
}

TEST(Separation, OfTwoGoodLocksThereIsNone) {
  Difference difference = sample_difference();
  difference.separations.erase(difference.separations.begin(), difference.separations.begin() + 2);
  EXPECT_THAT(text_of(difference), HasSubstr("neither lock breaks anything"));
  std::ostringstream markdown;
  write_difference_markdown(difference, markdown);
  EXPECT_THAT(markdown.str(), HasSubstr("Neither lock breaks anything."));
}

TEST(Separation, ASearchThatEndedEarlyIsNotTakenForNone) {
  Difference difference = sample_difference();
  difference.separations[3].answer = Separation::Answer::unknown;
  EXPECT_THAT(text_of(difference), HasSubstr("not known: the search ended early"));
  EXPECT_THAT(text_of(difference), HasSubstr("1 of 4 cases told apart · 1 not known"));
}

TEST(Separation, InJsonHasOneResultForEachCase) {
  std::ostringstream out;
  write_difference_json(sample_difference(), out);
  const Json json = Json::parse(out.str());
  EXPECT_EQ(json["schema"], "holdfast/diff/1");
  ASSERT_EQ(json["results"].size(), 4u);
  EXPECT_EQ(json["results"][0]["answer"], "found");
  EXPECT_EQ(json["results"][0]["steps"], 9);
  EXPECT_EQ(json["results"][0]["left_out"], 1);
  EXPECT_EQ(json["results"][0]["other_trace"], "out/other.json");
  EXPECT_EQ(json["results"][1]["answer"], "none");
  EXPECT_EQ(json["results"][1]["pairs"], 378);
  EXPECT_TRUE(json["results"][1]["steps"].is_null());
}

TEST(Separation, InEveryFormat) {
  std::ostringstream markdown, json, page;
  write_difference_markdown(sample_difference(), markdown);
  write_difference_json(sample_difference(), json);
  write_difference_page(sample_difference(), page);
  expect_golden("separation.txt", text_of(sample_difference()));
  expect_golden("separation.md", markdown.str());
  expect_golden("separation.json", json.str());
  expect_golden("separation.html", markup_of(page.str()));
}

TEST(Separation, OnAPageNamesBothStepsOfEachMoveAndEscapesEveryName) {
  Difference difference = sample_difference();
  difference.separations[0].holds = difference.other = "<script>alert(1)</script>";
  std::ostringstream out;
  write_difference_page(difference, out);
  EXPECT_THAT(out.str(), Not(HasSubstr("<script>alert")));
  EXPECT_THAT(out.str(), HasSubstr(" data-first=\"4\" data-second=\"2\"><td>4. At 0ms A gets"));
  EXPECT_THAT(out.str(), HasSubstr("<tr class=\"differs\" data-first=\"\" data-second=\"3\"><td></td>"
                                   "<td>3. At 7s the run is over."));
}

}  // namespace
}  // namespace holdfast::reports
