// Explanations: in words, and through files and back.
#include "reports/explanation.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/report.hpp"
#include "reports/samples_test.hpp"
#include "reports/trace_json.hpp"

namespace holdfast::reports {
namespace {

Explanation sample() {
  const Actor client_a = actor_of(a);
  const Circumstance pause{Fault::pause, client_a, Step{5}};
  const Circumstance crash{Fault::crash, actor_of(b), Step{3}};
  return {{{{pause}, {Verdict::holds}, {Verdict::holds, 0, 1234}},
           {{crash}, {Verdict::violated, 11}, {Verdict::violated, 10, 99}},
           {{pause, crash}, {Verdict::unknown}, {Verdict::unknown}}},
          NoReturn{Step{8}, true, 17},
          {{Fault::pause, 3s, 4s}}};
}

std::string text_of(const Explanation& explanation) {
  std::string text;
  for (const ExplainedLine& line : lines_of(explanation, StoreKind::redis))
    text += std::string(line.label) + " " + line.text + "\n";
  return text;
}

TEST(Explanation, TellsEachLineInWords) {
  EXPECT_EQ(text_of(sample()),
            "without the pause of A in step 5: this schedule does not break it, and no schedule within the "
            "bounds does (1,234 states)\n"
            "without the crash of B in step 3: this schedule still breaks it, and some schedule does, the "
            "shortest 10 steps long\n"
            "without the pause of A in step 5 and the crash of B in step 3: this schedule does not come to "
            "an end, and whether another does is not known\n"
            "needs a pause of 4s; of 3s or less, no schedule within the bounds breaks it\n"
            "since step 8: every continuation within the bounds breaks it; before, some do not (17 states "
            "searched)\n");
}

TEST(Explanation, TellsWhatWasNotFoundOut) {
  Explanation open = sample();
  open.but_for.clear();
  open.thresholds.clear();
  open.no_return->is_exact = false;
  EXPECT_EQ(
      text_of(open),
      "since step 8 at the latest: every continuation breaks it; the search for an earlier one ended (17 "
      "states searched)\n");
  open.no_return->step = Step{0};
  EXPECT_EQ(text_of(open),
            "since the beginning: every run within the bounds breaks it (17 states searched)\n");
}

TEST(Explanation, StandsBesideTheFindingOfItsRun) {
  Counterexample example = paused_holder();
  const Scenario scenario = sample_scenario("set-nx-px", Fault::pause);
  std::ostringstream without;
  write_trace({scenario, example, ""}, View::story, without, Terminal{});
  EXPECT_EQ(without.str().find("since "), std::string::npos);
  example.explanation = sample();
  std::ostringstream with;
  write_trace({scenario, example, ""}, View::story, with, Terminal{});
  EXPECT_NE(with.str().find("\n  needs   a pause of 4s;"), std::string::npos) << with.str();
}

TEST(Explanation, IsReadBackFromATraceFile) {
  std::vector<Card> cards(1);
  cards[0].id = "set-nx-px";
  cards[0].parameters = {{"ttl", Parameter::Kind::duration, "1s", "how long the key lives"}};
  Counterexample example = paused_holder();
  example.explanation = sample();
  Scenario scenario = sample_scenario("set-nx-px", Fault::pause);
  scenario.name = "pause";
  const std::string text = trace_json(scenario, example, "0.1.0");
  const ParsedTrace parsed = parse_trace(text, "x.trace.json", Known(cards));
  ASSERT_TRUE(parsed.trace) << to_text(parsed.problems.front());
  ASSERT_TRUE(parsed.trace->example.explanation);
  EXPECT_EQ(explanation_json(*parsed.trace->example.explanation, StoreKind::redis),
            explanation_json(sample(), StoreKind::redis));
  EXPECT_EQ(trace_json(scenario, parsed.trace->example, "0.1.0"), text);
}

}  // namespace
}  // namespace holdfast::reports
