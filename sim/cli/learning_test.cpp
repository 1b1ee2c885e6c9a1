// Lessons and games, as a user's shell sees them.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class Learning : public Program {};

TEST_F(Learning, TheCourseIsListedInBothLanguages) {
  const Outcome english = run("lesson");
  EXPECT_EQ(english.code, 0);
  EXPECT_THAT(english.out, HasSubstr("  1  A lock that no client can open any more\n"));
  EXPECT_THAT(run("lesson --language zh").out, HasSubstr("再也打不开的锁"));
}

TEST_F(Learning, EveryLessonRefutesItsClaimAndSaysWhatRepairsIt) {
  const Outcome list = run("lesson");
  const auto count = std::count(list.out.begin(), list.out.end(), '\n');
  EXPECT_GE(count, 15);
  for (auto number = 1; number <= count; ++number) {
    const Outcome lesson = run("lesson --format markdown " + std::to_string(number));
    EXPECT_EQ(lesson.code, 0) << number;
    EXPECT_THAT(lesson.out, HasSubstr("**✘ ")) << number;
    EXPECT_THAT(lesson.out, HasSubstr("<details>")) << number;
    EXPECT_THAT(lesson.out, Not(HasSubstr("is one that"))) << number << ": nothing separates the two";
  }
}

TEST_F(Learning, AllLessonsBecomePagesThatLeadToEachOtherAndToTheirRuns) {
  const Outcome outcome = run("lesson --pages course");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "course/index.html\n");
  const std::string first = read("course/lesson-1.html");
  EXPECT_THAT(first, Not(HasSubstr("lesson-0.html")));
  EXPECT_THAT(first, HasSubstr("<a href=\"lesson-2.html\">"));
  EXPECT_THAT(first, HasSubstr("<a href=\"lesson-1-run.html\">"));
  EXPECT_THAT(read("course/lesson-2.html"), HasSubstr("<a href=\"lesson-1.html\">"));
  EXPECT_THAT(read("course/lesson-1-run.html"), HasSubstr("id=\"sequence\""));
  EXPECT_EQ(run("lesson 6 --pages course").code, 64);
  // The index leads to every lesson and to the plan, and the plan to two lessons.
  const std::string index = read("course/index.html");
  for (int number = 1; number <= 20; ++number)
    EXPECT_THAT(index, HasSubstr("<a href=\"lesson-" + std::to_string(number) + ".html\">"));
  EXPECT_THAT(index, HasSubstr("<a href=\"plan.html\">A class of 45 minutes</a>"));
  const std::string plan = read("course/plan.html");
  for (const char* told : {"0–5", "5–13", "<a href=\"lesson-6.html\">Whose lock do you delete?</a>",
                           "lesson-14.html", "43–45", "./holdfast exercise 2"})
    EXPECT_THAT(plan, HasSubstr(told));
  EXPECT_EQ(run("lesson --pages chinese --language zh").code, 0);
  EXPECT_THAT(read("chinese/plan.html"), HasSubstr("一节 45 分钟的课"));
}

TEST_F(Learning, ALessonAsksBeforeItTells) {
  const std::string asks = run("lesson 6").out;
  for (const char* told : {"The holder deletes the key when it is done.", "server():del(key)",
                           "Decide before you look.", "holdfast lesson 6 --answers"})
    EXPECT_THAT(asks, HasSubstr(told));
  for (const char* secret : {"✘", "owner-only-release", "The story", "What would repair it"})
    EXPECT_THAT(asks, Not(HasSubstr(secret)));
  const std::string tells = run("lesson 6 --answers").out;
  for (const char* told : {"✘ owner-only-release", "The story", "What would repair it"})
    EXPECT_THAT(tells, HasSubstr(told));
}

// What a class reads breaks as what was explored does: under the fault, in the property and by the belief of
// the lesson.
TEST_F(Learning, TwinsBreakAsTheLocksOfTheirLessonsDo) {
  const std::string directory = HOLDFAST_SOURCE_DIR "/scenarios/";
  const auto json_of = [](const std::string& file) {
    return nlohmann::ordered_json::parse(std::ifstream(file));
  };
  std::set<std::string> twins;
  const auto course = json_of(directory + "course.json");
  for (const auto& lesson : course["lessons"]) {
    if (!lesson.contains("twin")) continue;
    const std::string twin = lesson["twin"];
    twins.insert(twin);
    const auto scenario = json_of(directory + "lessons/" + lesson["scenario"].get<std::string>() + ".json");
    std::string words = "check " + directory + "twins/" + twin + " --fault " +
                        scenario["faults"][0]["kind"].get<std::string>() + " --property " +
                        scenario["expect"]["property"].get<std::string>();
    if (scenario.contains("belief")) words += " --belief " + scenario["belief"].get<std::string>();
    EXPECT_EQ(run(words).code, 1) << words;
  }
  EXPECT_EQ(twins, (std::set<std::string>{"set-nx-px.lua", "setnx-expire.lua", "setnx.lua", "token.lua"}));
}

TEST_F(Learning, ALessonThatThereIsNotIsAUsageError) {
  const Outcome outcome = run("lesson 99");
  EXPECT_EQ(outcome.code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("lessons are 1 to "));
}

TEST_F(Learning, AGameIsPlayedFromAPipeAndItsRunReplays) {
  const Outcome outcome = shell("yes \"\" | head -40 | $H play set-nx-px-as-printed --faults none");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("You broke set-nx-px-as-printed in "));
  EXPECT_THAT(outcome.out, HasSubstr("; the shortest way known takes 7"));
  EXPECT_EQ(run("replay holdfast-out/set-nx-px-as-printed-played.trace.json").code, 0);
  const Outcome page = run("show holdfast-out/set-nx-px-as-printed-played.trace.json --format html");
  EXPECT_EQ(page.code, 0);
  EXPECT_THAT(page.out, HasSubstr("\"end\":\"This run breaks the lock in "));
  EXPECT_THAT(page.out, HasSubstr("; the shortest known takes 7 steps.\""));
}

TEST_F(Learning, AnswersCanBeTakenBackAndTheGameCanBeLeft) {
  const Outcome outcome = shell("printf \"u\\n0\\nu\\nseven\\ns\\nq\\n\" | $H play token --faults pause");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("There is nothing to take back."));
  EXPECT_THAT(outcome.out, HasSubstr("Type a number from 0 to "));
}

// The options at each question of what a player was shown.
std::vector<std::vector<std::string>> options_in(const std::string& out) {
  std::vector<std::vector<std::string>> all(1);
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("> ")) all.emplace_back();
    const std::size_t text = line.find_first_not_of("0123456789", 2);
    if (line.starts_with("  ") && text > 2 && text < line.size() && line[text] == ' ')
      all.back().push_back(line.substr(text));
  }
  return all;
}

TEST_F(Learning, NoTwoOptionsOfAGameReadTheSame) {
  for (const std::string game : {"token --faults pause", "token", "redsync --faults late-reply",
                                 "getset --faults clock-skew", "resty-lock --faults none"}) {
    const Outcome outcome =
        shell("yes \"0\n1\n0\n0\n2\" | head -60 | $H play --width 1000 --budget 1s " + game);
    std::size_t questions = 0;
    for (std::vector<std::string>& options : options_in(outcome.out)) {
      questions += options.size() > 1 ? 1 : 0;
      std::sort(options.begin(), options.end());
      const auto same = std::adjacent_find(options.begin(), options.end());
      EXPECT_EQ(same, options.end()) << game << ":" << *same;
    }
    EXPECT_GT(questions, 7u) << game;
  }
}

TEST_F(Learning, AGameSaysInWordsWhoBelievesAndWhatTheStoreHas) {
  const Outcome outcome = shell("printf \"s\n0\n1\n0\n0\ns\nq\n\" | $H play token --faults none");
  EXPECT_THAT(outcome.out, HasSubstr("> s\nNothing has happened yet.\n> 0\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("A diagram does not fit")));
  EXPECT_THAT(outcome.out, HasSubstr("no client believes that it holds the lock; in the store it is free"));
  EXPECT_THAT(outcome.out, HasSubstr("in the store it is A's"));
}

TEST_F(Learning, AGameSaysWhichWayAClockGoes) {
  const Outcome outcome = shell("printf \"q\n\" | $H play getset --faults clock-skew");
  EXPECT_THAT(outcome.out, HasSubstr("clock-skew strikes A: its clock goes ahead\n"));
  EXPECT_THAT(outcome.out, HasSubstr("clock-skew strikes A: its clock goes back\n"));
}

TEST_F(Learning, AGameNamesAHolderOfSeveralServersWhenMostOfThemDo) {
  const Outcome outcome = shell("yes \"\" | head -30 | $H play redlock --faults none --width 200");
  const std::size_t first = outcome.out.find("redis-1 carries out");
  const std::size_t second = outcome.out.find("redis-2 carries out");
  const std::size_t named = outcome.out.find("in the store it is A's");
  ASSERT_LT(first, second);
  EXPECT_GT(named, second) << "one of three is not most of them";
  EXPECT_LT(named, outcome.out.size());
}

TEST_F(Learning, AGameWithoutFaultsCannotBreakALockThatHolds) {
  const Outcome outcome = shell("yes \"\" | head -400 | $H play token --faults none --fault-budget 1");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("The run is over, and nothing was violated."));
}

}  // namespace
}  // namespace holdfast::cli
