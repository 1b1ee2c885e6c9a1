// Diagrams, stories and tables of runs: golden texts, widths, hostile texts.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "reports/events_test.hpp"
#include "reports/golden_test.hpp"
#include "reports/report.hpp"
#include "reports/samples_test.hpp"

namespace holdfast::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view path = "out/x.trace.json";

std::string told(const Counterexample& example, View view, const Terminal& terminal = {}) {
  std::ostringstream out;
  write_trace({sample_scenario("set-nx-px", Fault::pause), example, std::string(path)}, view, out, terminal);
  return out.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(TraceText, ThePausedHolderIsDrawnWithBeliefAgainstTruth) {
  expect_golden("paused_holder.sequence.txt", told(paused_holder(), View::sequence));
}
TEST(TraceText, TheSameInAscii) {
  expect_golden("paused_holder.ascii.txt",
                told(paused_holder(), View::sequence, {.width = 80, .ascii = true}));
}
TEST(TraceText, TheSameAsAStory) {
  expect_golden("paused_holder.story.txt", told(paused_holder(), View::story));
}
TEST(TraceText, TheSameAsATable) {
  expect_golden("paused_holder.table.txt", told(paused_holder(), View::table));
}

// Requests and replies that are lost, late, and too late; a crash; a restart; a calm phase.
TEST(TraceText, MishapsOfMessagesAreDrawn) {
  Sample sample;
  const Acquisition a2{a, 2};
  const Actor client_a = actor_of(a), client_b = actor_of(b), server = actor_of(redis);
  using Kind = KeyChanged::Kind;
  sample.step(client_a, {Started{a}, Acquiring{a1, "job"}, set_request(1, a1),
                         MessageFault{Fault::lost_request, MessageId{1}}});
  sample.step(client_b, {Started{b}, Acquiring{b1, "job"}, set_request(2, b1),
                         MessageFault{Fault::late_request, MessageId{2}}});
  sample.at(3s).step(client_a,
                     {GaveUp{MessageId{1}, a1}, Refused{a1, Attempt::Kind::failed, "timeout"}, Slept{a, 1s}});
  sample.step(client_b, {Crashed{b}});
  sample.at(5s).step(server, {key_change(Kind::created, b1, {}, b1, "B-1", Instant(9s)),
                              Executed{MessageId{2}, redis, b1, Reply::ok()}, Ignored{MessageId{2}}});
  sample.step(client_b, {Started{b}});
  sample.step(client_a, {Acquiring{a2, "job"}, set_request(3, a2)});
  sample.step(server, {Executed{MessageId{3}, redis, a2, Reply::nil()},
                       MessageFault{Fault::lost_reply, MessageId{3}}});
  sample.step(server, {ServerRestarted{redis}, key_change(Kind::lost, {}, b1, {})});
  sample.at(8s).step({}, {Calm{ClientId{2}, 10s}});
  Counterexample example;
  example.events = sample.events;
  example.steps = sample.position();
  const std::string text = told(example, View::sequence);
  EXPECT_THAT(text, HasSubstr("nothing is violated"));
  expect_golden("mishaps.sequence.txt", text);
}

TEST(TraceText, ATerminalThatIsTooNarrowForTheLanesGetsTheStory) {
  Counterexample example = paused_holder();
  for (std::uint32_t node = 1; node < 7; ++node)
    example.events.push_back({Step{10}, Instant(7s), {}, ServerRestarted{NodeId{node}}});
  EXPECT_THAT(told(example, View::sequence, {.width = 80}), HasSubstr("as a story"));
  EXPECT_THAT(told(example, View::sequence, {.width = 160}), Not(HasSubstr("as a story")));
}

TEST(TraceText, ScriptsAreToldOnceAndWhole) {
  Counterexample example = paused_holder();
  for (const std::uint32_t message : {7u, 8u}) {
    Sent sent = set_request(message, b1);
    sent.argv = {"EVAL", "return redis.call('DEL', KEYS[1])", "1", "job"};
    example.events.push_back({Step{9 + message}, Instant(7s), actor_of(b), sent});
  }
  const std::string text = told(example, View::sequence);
  EXPECT_THAT(text, HasSubstr("EVAL script 1 job"));
  EXPECT_EQ(text.find("return redis.call"), text.rfind("return redis.call"));
}

TEST(TraceText, LoadedScriptsAndTheirDigestsAreNamed) {
  Counterexample example = paused_holder();
  Sent sent = set_request(7, b1);
  sent.argv = {"SCRIPT", "LOAD", "return 1"};
  example.events.push_back({Step{16}, Instant(7s), actor_of(b), sent});
  sent = set_request(8, b1);
  sent.argv = {"EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "1", "job"};
  example.events.push_back({Step{17}, Instant(7s), actor_of(b), sent});
  const std::string text = told(example, View::story);
  EXPECT_THAT(text, HasSubstr("sends SCRIPT LOAD script to"));
  EXPECT_THAT(text, HasSubstr("sends EVALSHA digest 1 job to"));
}

TEST(TraceText, TextsOfOthersCannotBreakTheLine) {
  Counterexample example = paused_holder();
  example.findings.front().because = "evil\x1b[2J\nline";
  for (Event& event : example.events)
    if (auto* sent = std::get_if<Sent>(&event.what)) sent->argv = {"SET", "\x1b]0;x\x07", "\xff\n"};
  for (const View view : {View::sequence, View::story, View::table}) {
    const std::string text = told(example, view);
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, HasSubstr("\\x1b"));
  }
}

RC_GTEST_PROP(TraceText, AnyRunFitsAnyWidthWithoutTrailingSpaces, ()) {
  Counterexample example;
  example.events = *any_events();
  Terminal terminal{.width = *rc::gen::inRange<std::size_t>(60, 161), .ascii = *rc::gen::arbitrary<bool>()};
  for (const View view : {View::sequence, View::story})
    for (const std::string& line : lines_of(told(example, view, terminal))) {
      if (line.starts_with("  replay")) continue;  // a command is not broken into pieces
      RC_ASSERT(columns(line) <= terminal.width);
      RC_ASSERT(!line.ends_with(' '));
      for (const char byte : line) RC_ASSERT(!terminal.ascii || static_cast<unsigned char>(byte) < 0x80);
    }
}

TEST(TraceText, ColourIsTheOnlyDifferenceOnAColourTerminal) {
  std::string text = told(paused_holder(), View::sequence, {.colour = true});
  EXPECT_THAT(text, HasSubstr("\x1b[31m"));
  for (std::size_t begin = text.find('\x1b'); begin != std::string::npos; begin = text.find('\x1b'))
    text.erase(begin, text.find('m', begin) + 1 - begin);
  EXPECT_EQ(text, told(paused_holder(), View::sequence));
}

}  // namespace
}  // namespace holdfast::reports
