// Trace files: read back equal, and what is wrong with bad ones.
#include "reports/trace_json.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reports/events_test.hpp"
#include "reports/golden_test.hpp"
#include "reports/samples_test.hpp"

namespace holdfast::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

// A card for sample_scenario().
const std::vector<Card>& cards() {
  static const std::vector<Card> one = [] {
    std::vector<Card> made(1);
    made[0].id = "set-nx-px";
    made[0].parameters = {{"ttl", Parameter::Kind::duration, "1s", "how long the key lives"}};
    return made;
  }();
  return one;
}
ParsedTrace parse(const std::string& text) { return parse_trace(text, "x.trace.json", Known(cards())); }
Scenario scenario() {
  Scenario it = sample_scenario("set-nx-px", Fault::pause);
  it.name = "pause";
  return it;
}
std::string good() { return trace_json(scenario(), paused_holder(), "0.1.0"); }

// The only problem of the sample, after `from` in its text has become `to`.
Problem problem_of(const std::string& from, const std::string& to) {
  std::string text = good();
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  text.replace(place, from.size(), to);
  const ParsedTrace parsed = parse(text);
  EXPECT_FALSE(parsed.trace);
  EXPECT_EQ(parsed.problems.size(), 1u) << from;
  return parsed.problems.empty() ? Problem{} : parsed.problems.front();
}

TEST(TraceJson, OfTheSample) { expect_golden("paused_holder.trace.json", good()); }

// Old files call every node as Redis does.
TEST(TraceJson, NamesItsStoreAndItsNodesAsTheStoreDoes) {
  std::vector<Card> on_nginx = cards();
  on_nginx[0].store = StoreKind::shared_dict;
  Scenario its = scenario();
  its.runs_on = StoreKind::shared_dict;
  Counterexample example = paused_holder();
  example.store = its.runs_on;
  const std::string text = trace_json(its, example, "0.1.0");
  EXPECT_THAT(text, HasSubstr("\"node\":\"nginx shared memory\""));
  EXPECT_THAT(text, Not(HasSubstr("redis-1")));
  for (const std::string& each : {text, good()}) {
    const ParsedTrace parsed = parse_trace(each, "x.trace.json", Known(on_nginx));
    ASSERT_TRUE(parsed.trace) << to_text(parsed.problems.front());
    EXPECT_EQ(parsed.trace->example.store, StoreKind::shared_dict);
    EXPECT_EQ(trace_json(parsed.trace->scenario, parsed.trace->example, "0.1.0"), text);
  }
}

TEST(TraceJson, OfAGameKeepsWhatThePlayerHad) {
  const std::string text = trace_json(scenario(), paused_holder(), "0.1.0", PlayedGame{2, 8});
  const ParsedTrace parsed = parse(text);
  ASSERT_TRUE(parsed.trace && parsed.trace->game);
  EXPECT_EQ(parsed.trace->game->faults, 2u);
  EXPECT_EQ(parsed.trace->game->shortest_known, 8u);
  EXPECT_EQ(trace_json(scenario(), parsed.trace->example, "0.1.0", parsed.trace->game), text);
  EXPECT_FALSE(parse(good()).trace->game);
}

TEST(TraceJson, TheSampleIsReadBackEqual) {
  const ParsedTrace parsed = parse(good());
  ASSERT_TRUE(parsed.trace) << to_text(parsed.problems.front());
  EXPECT_EQ(parsed.trace->version, "0.1.0");
  EXPECT_EQ(parsed.trace->scenario, scenario());
  EXPECT_EQ(parsed.trace->example.tape, paused_holder().tape);
  EXPECT_EQ(parsed.trace->example.steps_original, 143u);
  const std::vector<Finding>& findings = parsed.trace->example.findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].property, Property::mutual_exclusion);
  EXPECT_EQ(findings[0].from, Step{4});
  EXPECT_EQ(findings[0].to, Step{9});
  EXPECT_EQ(findings[0].because, paused_holder().findings[0].because);
}

TEST(TraceJson, SourceLinesSurviveTheFileThatTheyWereReadFrom) {
  TraceFile copy;
  {
    const ParsedTrace parsed = parse(good());
    ASSERT_TRUE(parsed.trace);
    copy = *parsed.trace;
  }
  const Sent& sent = std::get<Sent>(copy.example.events[2].what);
  EXPECT_EQ(std::string(sent.where.file), source_file);
  EXPECT_EQ(sent.where.line, 19u);
}

// The fingerprint covers every field of every event but source lines; those are in the text.
RC_GTEST_PROP(TraceJson, AnyRunIsReadBackEqual, ()) {
  Counterexample example;
  example.events = *any_events();
  example.tape = any_tape();
  example.fingerprint = fingerprint(example.events);
  example.steps = *rc::gen::arbitrary<std::uint32_t>();
  const std::string text = trace_json(scenario(), example);
  const ParsedTrace parsed = parse(text);
  if (!parsed.trace) RC_LOG() << to_text(parsed.problems.front());
  RC_ASSERT(parsed.trace.has_value());
  RC_ASSERT(fingerprint(parsed.trace->example.events) == example.fingerprint);
  RC_ASSERT(parsed.trace->example.tape == example.tape);
  RC_ASSERT(parsed.trace->example.steps == example.steps);
  RC_ASSERT(trace_json(parsed.trace->scenario, parsed.trace->example) == text);
}

TEST(TraceJson, OfARunOfManyThousandStepsIsReadBack) {
  Counterexample example = paused_holder();
  const std::vector<Event> events = example.events;
  while (example.events.size() < 20'000)
    example.events.insert(example.events.end(), events.begin(), events.end());
  example.fingerprint = fingerprint(example.events);
  const std::string text = trace_json(scenario(), example);
  EXPECT_GT(text.size(), std::size_t{1} << 21);
  const ParsedTrace parsed = parse(text);
  ASSERT_TRUE(parsed.trace) << to_text(parsed.problems.front());
  EXPECT_EQ(parsed.trace->example.events.size(), example.events.size());
}

TEST(TraceJson, ProblemsTellTheirPlace) {
  const Problem word = problem_of("\"paused\"", "\"pausd\"");
  EXPECT_EQ(word.pointer, "/events/10/event");
  EXPECT_EQ(word.message, "unknown event \"pausd\"");
  EXPECT_EQ(word.hint, "did you mean \"paused\"?");
  EXPECT_EQ(problem_of("\"wall_offset_us\":0", "\"wall_offset_us\":0,\"colour\":1").message,
            "unknown key \"colour\"");
  EXPECT_EQ(problem_of(",\"wall_offset_us\":0", "").message, "key \"wall_offset_us\" is missing here");
  EXPECT_THAT(problem_of("\"at_us\":0", "\"at_us\":\"0\"").message, HasSubstr("a whole number"));
  EXPECT_EQ(problem_of("\"acquisition\":\"A#1\"", "\"acquisition\":\"a1\"").pointer, "/events/1/acquisition");
  EXPECT_EQ(problem_of("2,1,\"pause\"", "2,2,\"pause\"").pointer, "/tape/1/3");
  EXPECT_EQ(problem_of("2,1,\"pause\"", "2,1,\"waite\"").hint, "did you mean \"wait\"?");
  EXPECT_EQ(problem_of("2,1,\"pause\"", "2,1").pointer, "/tape/1");
  EXPECT_EQ(problem_of("holdfast/trace/1", "holdfast/matrix/1").pointer, "/schema");
}

TEST(TraceJson, ProblemsOfTheScenarioTellTheirPlaceInTheTrace) {
  const Problem problem = problem_of("\"kind\":\"pause\"", "\"kind\":\"puase\"");
  EXPECT_EQ(problem.pointer, "/scenario/faults/0/kind");
  EXPECT_EQ(problem.line, 7u);
  EXPECT_EQ(problem.hint, "did you mean \"pause\"?");
}

TEST(TraceJson, EventsThatWereChangedByHandDoNotPass) {
  const Problem problem = problem_of("\"length_us\":1000000", "\"length_us\":1000001");
  EXPECT_EQ(problem.pointer, "/fingerprint");
  EXPECT_THAT(problem.message, HasSubstr("changed after it was written"));
}

TEST(TraceJson, HostileFilesGetAProblemAndNoCrash) {
  const std::string text = good();
  for (std::size_t length = 0; length < text.size(); length += 97)
    EXPECT_FALSE(parse(text.substr(0, length)).problems.empty()) << length;
  for (const std::string& hostile :
       {std::string(100'000, '['), std::string("\xff\xfe"), std::string("[]"),
        std::string("{\"scenario\": 1}"), std::string("{\"events\": [1, null, {}]}")})
    EXPECT_FALSE(parse(hostile).problems.empty());
}

}  // namespace
}  // namespace holdfast::reports
