// Pictures, pages and exports of a run: golden texts, what they show of any run, hostile names.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "reports/events_test.hpp"
#include "reports/exports.hpp"
#include "reports/golden_test.hpp"
#include "reports/html.hpp"
#include "reports/markup_test.hpp"
#include "reports/picture.hpp"
#include "reports/samples_test.hpp"
#include "reports/scene.hpp"
#include "reports/trace_page.hpp"

namespace holdfast::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

const Scenario paused = sample_scenario("set-nx-px", Fault::pause);

template <class Write>
std::string exported(Write write, const Counterexample& example, const Scenario& scenario = paused) {
  std::ostringstream out;
  write(TraceView{scenario, example, "out/x.trace.json"}, out);
  return out.str();
}
std::string page_of(const Counterexample& example, const Scenario& scenario = paused,
                    const SourceTexts& sources = {}, Language language = Language::en,
                    const TracePageContext& context = {"0.1.0", "index.html", {}, std::nullopt}) {
  std::ostringstream out;
  write_trace_page({scenario, example, "out/x.trace.json", language}, sources, context, out);
  return out.str();
}
std::string sequence_of(const Scene& scene) {
  return sequence_picture(scene, all_rows(scene), {"seq", "a run"});
}

Counterexample explained() {
  Counterexample example = paused_holder();
  example.explanation.emplace();
  example.explanation->but_for = {
      {{{Fault::pause, actor_of(a), Step{5}}}, {Verdict::holds, 0, 0}, {Verdict::holds, 0, 812}}};
  example.explanation->no_return = {Step{6}, true, 40};
  return example;
}

TEST(Exports, OfTheSampleInEveryLanguage) {
  const Counterexample example = explained();
  expect_golden("paused_holder.svg", exported(write_trace_svg, example));
  const std::string card = exported(write_trace_card, example);
  EXPECT_EQ(
      read_markup(card.substr(0, card.find("<style>")) + card.substr(card.find("</style>") + 8)).problem, "");
  EXPECT_THAT(card, HasSubstr("viewBox=\"0 0 1200 630\""));
  EXPECT_THAT(card, HasSubstr("mutual-exclusion is violated"));
  expect_golden("paused_holder.mermaid.txt", exported(write_trace_mermaid, example));
  expect_golden("paused_holder.plantuml.txt", exported(write_trace_plantuml, example));
  expect_golden("paused_holder.md", exported(write_trace_markdown, example));
  expect_golden("paused_holder.perfetto.json", exported(write_trace_perfetto, example));
  expect_golden("paused_holder.itf.json", exported(write_trace_itf, example));
}

TEST(Exports, OfARunThatGoesOnForEverLeadBackInTheInformalTraceFormat) {
  Counterexample example = paused_holder();
  example.loop = Loop{4, a, 1};
  const auto trace = nlohmann::json::parse(exported(write_trace_itf, example));
  EXPECT_EQ(trace["states"].size(), 10u);  // the first is before the run
  EXPECT_EQ(trace["loop"], 4);
  EXPECT_EQ(trace["states"][4]["step"]["#bigint"], "4");
  for (const auto& name : trace["vars"]) EXPECT_TRUE(trace["states"][9].contains(name)) << name;
}

TEST(Exports, TheStripOfTheSample) {
  expect_golden("paused_holder.overview.svg", overview_picture(scene_of(explained()), {"over", "a run"}));
}

TEST(Exports, MermaidGetsTheEndOfWhatIsTooLongForIt) {
  Counterexample example = paused_holder();
  const std::vector<Event> once = example.events;
  for (std::uint32_t i = 1; i < 300; ++i)
    for (Event event : once) {
      event.step.value += 9 * i;
      example.events.push_back(event);
    }
  const std::string diagram = exported(write_trace_mermaid, example);
  EXPECT_LE(diagram.size(), 50'000u);
  EXPECT_GE(diagram.size(), 45'000u);
  EXPECT_THAT(diagram, HasSubstr(" are left out\n"));
}

// --- what pictures show of any run ---

// Counted from the events alone.
struct Expected {
  int requests = 0;
  int replies = 0;
  int beliefs = 0;
  int holds = 0;
  int stopped = 0;
  int absent = 0;
  int crashes = 0;
  int slow = 0;
  bool clashes = false;
};
Expected expected_of(const Counterexample& example) {
  const std::vector<Event>& events = example.events;
  Expected expected;
  std::set<MessageId> known;
  for (const Event& event : events)
    if (const auto* sent = std::get_if<Sent>(&event.what)) known.insert(sent->message);
  const std::vector<ClientId> clients = cast_of(example).clients;
  Standing standing;
  std::map<ClientId, std::pair<bool, bool>> before;
  std::map<ClientId, bool> was_stopped;
  for (const StepView& step : steps_of(events)) {
    // What begins and ends within one step has no height.
    std::map<ClientId, int> absent;
    std::map<ClientId, int> slow;
    const auto end = [](std::map<ClientId, int>& begun, ClientId client) {
      if (begun[client] > 0) --begun[client];
    };
    for (const Event* event : step.events) {
      standing.apply(*event);
      if (std::holds_alternative<Sent>(event->what)) ++expected.requests;
      if (const auto* executed = std::get_if<Executed>(&event->what))
        expected.replies += known.contains(executed->message) && !executed->reply.is_lost() ? 1 : 0;
      if (std::holds_alternative<Pushed>(event->what)) ++expected.replies;
      if (const auto* started = std::get_if<Started>(&event->what)) end(absent, started->client);
      if (const auto* crashed = std::get_if<Crashed>(&event->what)) {
        end(slow, crashed->client);
        ++absent[crashed->client];
        ++expected.crashes;
        was_stopped[crashed->client] = false;
      }
      if (const auto* section = std::get_if<SlowSection>(&event->what)) ++slow[section->acquisition.client];
      if (const auto* releasing = std::get_if<Releasing>(&event->what))
        end(slow, releasing->acquisition.client);
    }
    for (const auto& [client, count] : absent) expected.absent += count;
    for (const auto& [client, count] : slow) expected.slow += count;
    for (const ClientId client : clients) {
      const std::pair now{standing.believes(client), standing.is_named(client, 1)};
      expected.beliefs += now.first && !before[client].first ? 1 : 0;
      expected.holds += now.second && !before[client].second ? 1 : 0;
      before[client] = now;
      expected.stopped += standing.is_stopped(client) && !was_stopped[client] ? 1 : 0;
      was_stopped[client] = standing.is_stopped(client);
    }
    expected.clashes |= standing.is_clashing();
  }
  return expected;
}

RC_GTEST_PROP(Picture, DrawsEveryMessageAndEveryStretchOfBeliefOfTruthAndOfAFault, ()) {
  Counterexample example;
  example.events = *any_events();
  RC_PRE(!example.events.empty());
  const Scene scene = scene_of(example);
  const Expected expected = expected_of(example);
  const Markup sequence = read_markup(sequence_of(scene));
  RC_ASSERT(sequence.problem == "");
  const auto count = [](const Markup& markup, const std::string& kind) {
    const auto found = markup.classes.find(kind);
    return found == markup.classes.end() ? 0 : found->second;
  };
  RC_ASSERT(count(sequence, "line.message") == expected.requests + expected.replies);
  RC_ASSERT(count(sequence, "line.reply") == expected.replies);
  RC_ASSERT(count(sequence, "rect.belief") == expected.beliefs);
  RC_ASSERT(count(sequence, "rect.truth") == expected.holds);
  RC_ASSERT(count(sequence, "rect.stopped") == expected.stopped);
  RC_ASSERT(count(sequence, "rect.absent") == expected.absent);
  RC_ASSERT(count(sequence, "rect.slow") == expected.slow);
  RC_ASSERT((count(sequence, "rect.clash") > 0) == expected.clashes);
  RC_ASSERT(count(sequence, "g.row") == static_cast<int>(steps_of(example.events).size()));
  const Markup strip = read_markup(overview_picture(scene, {"over", "a run"}));
  RC_ASSERT(strip.problem == "");
  RC_ASSERT(count(strip, "rect.belief") == expected.beliefs);
  RC_ASSERT(count(strip, "rect.truth") == expected.holds);
  RC_ASSERT(count(strip, "rect.stopped") == expected.stopped);
  RC_ASSERT(count(strip, "rect.absent") == expected.crashes);  // a mark, however short
  RC_ASSERT((count(strip, "rect.overlap") > 0) == expected.clashes);
  const Markup timed = read_markup(overview_picture(scene, {"timed", "a run"}, Axis::time));
  RC_ASSERT(timed.problem == "");
  RC_ASSERT((count(timed, "rect.belief") > 0) == (expected.beliefs > 0));
}

// --- pages ---

TEST(TracePage, TellsTheWholeRunWithoutAnyScript) {
  const SourceTexts sources{
      {source_file, "// one\n" + std::string(17, '\n') + "const Reply reply = <co_await>;\n"}};
  const std::string page = markup_of(page_of(explained(), paused, sources));
  for (const char* told :
       {"mutual-exclusion is violated", "still believes that it holds it", "id=\"step-9\"", "4s of 4s",
        "./holdfast replay x.trace.json", "no schedule within the bounds does", "Point of no return",
        "<mark>  19  const Reply reply = &lt;co_await&gt;;</mark>", "key-changed", "href=\"index.html\""})
    EXPECT_THAT(page, HasSubstr(told));
}

// As games and pages tell it: what was asked, what could have been.
TracePageContext with_moves() {
  TracePageContext context{"0.1.0", "index.html", {}, 8};
  context.moves = {
      {1, "Does A stop here for a while?", {"as usual", "A is stopped </script><b>"}, 1},
      {4, "What happens next?", {"time passes", "B sends SET job B-1 PX 4000 NX to redis-1."}, 1}};
  return context;
}

TEST(TracePage, InEveryLanguage) {
  const SourceTexts sources{
      {source_file, "// one\n" + std::string(17, '\n') + "const Reply reply = <co_await>;\n"}};
  Counterexample example = explained();
  std::get<Sent>(example.events[2].what).argv = {
      "EVAL", "if redis.call('SET', KEYS[1], ARGV[1], 'NX') then return 1 else return 0 end", "1", "job",
      "A-1"};
  expect_golden("paused_holder.html",
                markup_of(page_of(example, paused, sources, Language::en, with_moves())));
  const std::string chinese_page = markup_of(page_of(example, paused, sources, Language::zh, with_moves()));
  expect_golden("paused_holder.zh.html", chinese_page);
  // What is left in English are names: of locks, properties, kinds of events, and of the parts of a file.
  for (const char* english_text :
       {"believes", "Step ", "Point of no return", "legend\">still", "store names", "The code"})
    EXPECT_THAT(chinese_page, Not(HasSubstr(english_text)));
}

TEST(TracePage, ShowsTheScriptThatAStepSendsWithItsCommandsMarked) {
  Counterexample example = paused_holder();
  std::get<Sent>(example.events[2].what).argv = {
      "EVAL",
      "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end",
      "1", "job", "A-1"};
  EXPECT_THAT(
      page_of(example),
      HasSubstr("<mark>  if redis.call(&#39;GET&#39;, KEYS[1]) == ARGV[1] then</mark>\n"
                "<mark>    return redis.call(&#39;DEL&#39;, KEYS[1])</mark>\n  else\n    return 0\n  end\n"));
}

TEST(TracePage, NeedsNoNetworkAndIsSmall) {
  const std::string page = page_of(explained());
  EXPECT_LE(page.size(), 100'000u);
  EXPECT_LE(asset("page.js").text.size(), 60'000u);
  for (const char* reference :
       {"<link rel=\"stylesheet", " src=", "@import", "url(http", "<iframe", "<img", " style=", " onclick="})
    EXPECT_THAT(page, Not(HasSubstr(reference)));
  std::string rest = page;
  for (std::size_t at = rest.find("http"); at != std::string::npos; at = rest.find("http", at + 1))
    EXPECT_TRUE(rest.substr(at).starts_with("http-equiv") ||
                rest.substr(at).starts_with("http://www.w3.org/2000/svg"))  // also of the icon
        << rest.substr(at, 60);
}

RC_GTEST_PROP(TracePage, OfAnyRunAndAnyNamesIsMarkupOfOurOwnMaking, ()) {
  Counterexample example;
  example.events = *any_events();
  RC_PRE(!example.events.empty());
  const std::string hostile =
      "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&lt;\x01\xff\u202e";
  for (Event& event : example.events) {
    if (auto* sent = std::get_if<Sent>(&event.what)) sent->argv = {"SET", hostile};
    if (auto* changed = std::get_if<KeyChanged>(&event.what)) changed->key = changed->value = hostile;
    if (auto* acquiring = std::get_if<Acquiring>(&event.what)) acquiring->key = hostile;
    if (auto* refused = std::get_if<Refused>(&event.what)) refused->why = hostile;
  }
  example.findings = {{Property::recovery, Step{1}, Step{1}, hostile}};
  Scenario scenario = paused;
  scenario.name = scenario.algorithm = hostile;
  scenario.params = {{hostile, hostile}};
  const std::string page = page_of(example, scenario);
  RC_ASSERT(page.find("<script>alert") == std::string::npos);
  RC_ASSERT(page.find("<img") == std::string::npos);
  RC_ASSERT(page.find('\x01') == std::string::npos);
  const Markup markup = read_markup(sequence_of(scene_of(example)));
  RC_ASSERT(markup.problem == "");
  std::size_t scripts = 0;
  for (std::size_t at = page.find("<script"); at != std::string::npos; at = page.find("<script", at + 1))
    ++scripts;
  RC_ASSERT(scripts == 2u);  // the data and our own
  const std::string svg = exported(write_trace_svg, example, scenario);
  RC_ASSERT(svg.find("<script") == std::string::npos);
  const std::string perfetto = exported(write_trace_perfetto, example, scenario);
  RC_ASSERT(nlohmann::json::accept(perfetto));
}

TEST(TracePage, OfALongRunComesInParts) {
  Counterexample example = paused_holder();
  const std::vector<Event> once = example.events;
  for (std::uint32_t i = 1; i < 100; ++i)
    for (Event event : once) {
      event.step.value += 9 * i;
      example.events.push_back(event);
    }
  const std::string page = page_of(example);
  EXPECT_THAT(page, HasSubstr("Steps 801 to 900 of 900."));
  EXPECT_THAT(page, HasSubstr("<script type=\"text/html\" class=\"part\" data-into=\"steps\" "
                              "data-first=\"1\" data-last=\"200\">"));
}

// --- for browser_test.py, which says where ---

Counterexample repeated(std::uint32_t times) {
  Counterexample example = paused_holder();
  const std::vector<Event> once = example.events;
  example.events.clear();
  for (std::uint32_t i = 0; i < times; ++i)
    for (Event event : once) {
      event.step.value += 9 * i;
      event.at += 10s * i;
      example.events.push_back(event);
    }
  example.steps = 9 * times;
  return example;
}

TEST(Samples, ForBrowsers) {
  const char* directory = std::getenv("HOLDFAST_PAGES");
  if (directory == nullptr)
    GTEST_SKIP() << "only browser_test.py wants these pages, and says where in HOLDFAST_PAGES";
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(std::string(directory) + "/" + name) << text;
  };
  const auto events = static_cast<std::uint32_t>(paused_holder().events.size());
  write("long.html", page_of(repeated(10'000 / events + 1)));
  write("endless.html", page_of(repeated(100'000 / events + 1)));
  write("game.html", page_of(explained(), paused, {}, Language::en, with_moves()));
  write("chinese.html", page_of(explained(), paused, {}, Language::zh, with_moves()));
  Scenario scenario = paused;
  scenario.algorithm = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";
  write("hostile.html", page_of(explained(), scenario));
}

}  // namespace
}  // namespace holdfast::reports
