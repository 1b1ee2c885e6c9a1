// The course and its languages.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "reports/course.hpp"
#include "reports/events_test.hpp"
#include "reports/golden_test.hpp"
#include "reports/markup_test.hpp"
#include "reports/samples_test.hpp"
#include "reports/story.hpp"
#include "reports/timeline.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string directory = std::string(HOLDFAST_SOURCE_DIR) + "/scenarios/";

std::vector<CourseLesson> course() {
  std::ostringstream text;
  text << std::ifstream(directory + "course.json").rdbuf();
  auto read = read_course(text.str());
  if (const auto* problem = std::get_if<std::string>(&read)) ADD_FAILURE() << *problem;
  return std::get<std::vector<CourseLesson>>(read);
}

TEST(Course, HasAtLeastFifteenLessonsOfScenariosThatExist) {
  const std::vector<CourseLesson> lessons = course();
  EXPECT_GE(lessons.size(), 15u);
  std::set<std::string> names;
  for (const CourseLesson& lesson : lessons) {
    names.insert(lesson.scenario);
    EXPECT_TRUE(std::filesystem::exists(directory + "lessons/" + lesson.scenario + ".json"))
        << lesson.scenario;
    if (lesson.algorithm) {
      EXPECT_NE(algorithms::find(*lesson.algorithm), nullptr) << *lesson.algorithm;
    }
  }
  EXPECT_EQ(names.size(), lessons.size());
}

TEST(Course, TellsEveryLessonInEveryLanguage) {
  for (const CourseLesson& lesson : course()) {
    const LessonText& english_text = lesson.texts[0];
    for (const LessonText& text : lesson.texts) {
      for (const std::string& part : {text.title, text.claim, text.why, text.repair})
        EXPECT_FALSE(part.empty());
      EXPECT_GE(text.questions.size(), 2u);
      EXPECT_EQ(text.questions.size(), english_text.questions.size());
    }
    EXPECT_NE(lesson.texts[1].claim, english_text.claim);
  }
}

TEST(Course, ThatIsMalformedIsSaidToBe) {
  for (const char* text :
       {"", "{}", R"({"schema": "holdfast/course/1"})",
        R"({"schema": "holdfast/course/1", "lessons": [{"scenario": "x", "repaired": {"belief": "y"}}]})"})
    EXPECT_TRUE(std::holds_alternative<std::string>(read_course(text))) << text;
}

TEST(Story, InChinese) {
  std::string text;
  const Counterexample example = paused_holder();
  const Narrator narrator(example.events, example.store, Language::zh);
  for (const StepView& step : steps_of(example.events))
    text += std::to_string(step.step.value) + ". " + narrator.sentences(step) + "\n";
  expect_golden("paused_holder.story.zh.txt", text);
}

RC_GTEST_PROP(Story, OfAnyRunCanBeToldInEveryLanguage, ()) {
  const std::vector<Event> events = *any_events();
  for (const Language language : {Language::en, Language::zh}) {
    const Narrator narrator(events, StoreKind::redis, language);
    for (const Event& event : events) {
      RC_ASSERT(!narrator.sentence(event).empty());
      narrator.label(event);
    }
  }
}

LessonView view_of(const CourseLesson& lesson, const Scenario& scenario, const PropertyResult& result,
                   const Separation& separation) {
  return {3, 19, lesson, scenario, result, 812, &separation};
}

TEST(Lesson, IsToldInEveryFormatAndHidesItsAnswers) {
  CourseLesson lesson;
  lesson.scenario = "x";
  lesson.algorithm = "token";
  for (LessonText& text : lesson.texts)
    text = {"A <title>", "A claim.", "A reason.", "A repair.", {{"A question?", "An answer."}}};
  const Scenario scenario = sample_scenario("set-nx-px", Fault::pause);
  const PropertyResult result{Property::mutual_exclusion, Verdict::violated, "", paused_holder()};
  Separation separation;
  separation.pair = SeparatePair{paused_holder(), paused_holder(), {}, 0};
  const LessonView view = view_of(lesson, scenario, result, separation);
  std::ostringstream text, answers, markdown, page, chinese_page;
  write_lesson_text(view, Language::en, false, {}, text, {});
  write_lesson_text(view, Language::en, true, {}, answers, {});
  write_lesson_markdown(view, Language::en, {}, markdown);
  write_lesson_html(view, Language::en, {}, page);
  write_lesson_html(view, Language::zh, {}, chinese_page);
  for (const char* told : {"Lesson 3 of 19", "A <title>", "A claim.", "algorithms/set_nx_px.cpp:19",
                           "Is it so?", "holdfast lesson 3 --answers"})
    EXPECT_THAT(text.str(), HasSubstr(told));
  for (const char* secret : {"✘", "A reason.", "A repair.", "A question?", "An answer.", "The same schedule"})
    EXPECT_THAT(text.str(), Not(HasSubstr(secret)));
  for (const char* told : {"✘", "A reason.", "A repair.", "A question?", "An answer.",
                           "The same schedule: token", "./holdfast run x"})
    EXPECT_THAT(answers.str(), HasSubstr(told));
  expect_golden("lesson.txt", answers.str());
  expect_golden("lesson.md", markdown.str());
  expect_golden("lesson.html", markup_of(page.str()));
  expect_golden("lesson.zh.html", markup_of(chinese_page.str()));
  EXPECT_THAT(page.str(), HasSubstr("<details><summary>A question?</summary><p>An answer.</p></details>"));
  EXPECT_THAT(page.str(), HasSubstr("A &lt;title&gt;"));
  // Before the first fold stands nothing that tells the verdict.
  const std::string open =
      markup_of(page.str()).substr(0, markup_of(page.str()).find("<details class=\"ask\">"));
  EXPECT_THAT(open, HasSubstr("A claim."));
  for (const char* secret : {"✘", "violated", "A reason.", "A repair."})
    EXPECT_THAT(open, Not(HasSubstr(secret)));
  // Where it has a twin, that is the code.
  LessonView in_lua = view;
  in_lua.twin = "local x = server():get(key)\n";
  std::ostringstream lua_page;
  write_lesson_html(in_lua, Language::en, {}, lua_page);
  EXPECT_THAT(lua_page.str(), HasSubstr("<mark>local x = server():get(key)</mark>"));
  EXPECT_THAT(lua_page.str(), HasSubstr("<details><summary>In C++, as it was explored</summary>"));
  EXPECT_THAT(chinese_page.str(), HasSubstr("<html lang=\"zh-Hans\">"));
  EXPECT_THAT(chinese_page.str(), HasSubstr("A 认为自己持有锁"));
  // As slides: the same parts, one to a screen, with ways from each to the next.
  std::ostringstream slides;
  write_lesson_slides(view, Language::en, {}, slides);
  for (const char* told : {"A claim.", "A reason.", "A repair.", "A question?", "The same schedule: token",
                           "<nav class=\"turn\">1/10<a href=\"#slide-2\">›</a></nav>",
                           "<nav class=\"turn\"><a href=\"#slide-9\">‹</a>10/10</nav>", "scroll-snap-type"})
    EXPECT_THAT(slides.str(), HasSubstr(told));
  EXPECT_THAT(page.str(), Not(HasSubstr("scroll-snap-type")));
}

}  // namespace
}  // namespace holdfast::reports
