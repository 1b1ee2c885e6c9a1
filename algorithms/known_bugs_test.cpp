// What cards say about themselves is true: the commands that they name, and the lessons that show their bugs.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <set>
#include <string>

#include "algorithms/caller_test.hpp"
#include "sim/choose/strategies.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/run.hpp"
#include "sim/scenario/corpus_test.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast {
namespace {

std::string in_capitals(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return text;
}

// The command itself, and those that its script calls.
std::set<std::string> commands_in(const std::vector<std::string>& argv) {
  // Functions of PostgreSQL are written as they are sent.
  const bool is_function = argv.front().starts_with("pg_");
  std::set<std::string> commands{is_function ? argv.front() : in_capitals(argv.front())};
  if (argv.front() != "EVAL") return commands;
  const std::string call = "call('";
  for (std::size_t at = argv.at(1).find(call); at != std::string::npos; at = argv[1].find(call, at)) {
    at += call.size();
    commands.insert(in_capitals(argv[1].substr(at, argv[1].find('\'', at) - at)));
  }
  return commands;
}

std::set<std::string> commands_of(const Card& card) {
  std::set<std::string> commands;
  for (const Fault fault : {Fault::none, Fault::slow_section, Fault::lost_reply})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Scenario scenario = scenario_of(Comparison(), card, fault);
      Subject subject(scenario, card);
      RandomChoices choices(seed);
      Run run(subject, choices, true);
      while (run.world.step()) continue;
      for (const Event& event : run.trace.events())
        if (const auto* const sent = std::get_if<Sent>(&event.what))
          for (const std::string& command : commands_in(sent->argv)) commands.insert(command);
    }
  return commands;
}

std::string words_of(const Protocol& protocol) {
  return std::string(protocol.acquire) + " " + std::string(protocol.renew) + " " +
         std::string(protocol.release);
}

TEST(Cards, NameEveryCommandThatIsSent) {
  for (const Card& card : algorithms::all()) {
    SCOPED_TRACE(card.id);
    EXPECT_FALSE(card.protocol.acquire.empty());
    EXPECT_FALSE(card.protocol.release.empty());
    for (const std::string& command : commands_of(card))
      EXPECT_NE(words_of(card.protocol).find(command), std::string::npos) << command;
  }
}

Scenario lesson(std::string_view name) {
  const auto file =
      std::filesystem::path(HOLDFAST_SOURCE_DIR) / "scenarios/lessons" / (std::string(name) + ".json");
  Parsed parsed = parse_scenario(text_of(file), std::string(name), Known(algorithms::all()));
  return parsed.scenario.value_or(Scenario());
}

// lessons_test explores every lesson and holds it to what it expects.
TEST(Cards, NameLessonsThatShowTheirBugs) {
  for (const Card& card : algorithms::all())
    for (const KnownBug& bug : card.bugs) {
      SCOPED_TRACE(std::string(card.id) + ": " + std::string(bug.what));
      EXPECT_NE(bug.lesson.empty(), bug.instead.empty()) << "a lesson, or why there is none";
      EXPECT_FALSE(bug.what.ends_with('.'));
      if (!bug.lesson.empty()) {
        const Scenario broken = lesson(bug.lesson);
        EXPECT_EQ(broken.algorithm, card.id);
        ASSERT_TRUE(broken.expect);
        EXPECT_EQ(broken.expect->verdict, Verdict::violated);
      }
      if (bug.repair.empty()) continue;
      const Scenario repaired = lesson(bug.repair);
      ASSERT_TRUE(repaired.expect) << bug.repair;
      EXPECT_EQ(repaired.expect->verdict, Verdict::holds) << bug.repair;
    }
}

// --- bugs that no run of a scenario shows ---

TEST(Redismutex, AsksAgainAtOnceWhenTheKeyHasNoExpiry) {
  scripted::Caller client("redismutex");
  const auto attempt = [](const char* token) {
    return scripted::Argv{"EVAL", scripted::any_script, "2", "lock", "lock:lock-intent", token, "4000", "0"};
  };
  EXPECT_EQ(client.acquire({{attempt("token-1"), Reply::integer(-1)}, {attempt("token-2"), Reply::nil()}}),
            "granted token-2 for 4s");
  EXPECT_EQ(client.clock.slept.front(), -1ms);
}

TEST(NodeRedlock, IsRefusedByTheKeyOfItsFailedTry) {
  scripted::Caller client("node-redlock", {{"nodes", "1"}, {"retry-count", "1"}});
  const scripted::Argv attempt{"EVAL", scripted::any_script, "1", "lock", "token-1", "10000"};
  const scripted::Argv release{"EVAL", scripted::any_script, "1", "lock", "token-1"};
  EXPECT_EQ(
      client.acquire({{attempt, Reply::lost()}, {attempt, Reply::integer(0)}, {release, Reply::integer(1)}}),
      "refused: The operation was unable to achieve a quorum during its retry window.");
}

// A server that has removed the key and was not heard says no to every further try.
TEST(NodeRedlock, RepeatsItsReleaseUntilAMajorityHasRemovedTheKey) {
  const scripted::Argv release{"EVAL", scripted::any_script, "1", "lock", "token-1"};
  const scripted::Exchange lost{release, Reply::lost()};
  const scripted::Exchange missing{release, Reply::integer(0)};
  const scripted::Exchange removed{release, Reply::integer(1)};
  scripted::Caller client("node-redlock", {{"nodes", "1"}, {"retry-count", "2"}, {"blocking", "no"}});
  EXPECT_EQ(client.release(Grant("token-1"), {lost, removed}), Release::released);
  EXPECT_EQ(client.release(Grant("token-1"), {lost, missing, missing}), Release::unknown);
  EXPECT_EQ(client.clock.slept, (std::vector<Duration>{100ms, 100ms, 100ms}));
  scripted::Caller once("node-redlock", {{"nodes", "1"}, {"release", "once"}});
  EXPECT_EQ(once.release(Grant("token-1"), {lost}), Release::unknown);
}

}  // namespace
}  // namespace holdfast
