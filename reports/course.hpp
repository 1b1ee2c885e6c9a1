// The course: lessons in their order, each a scenario and what is told about it, in every language.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reports/trace_page.hpp"
#include "reports/words.hpp"
#include "sim/check/separation.hpp"

namespace holdfast::reports {

struct LessonText {
  std::string title;
  std::string claim;
  std::string why;
  std::string repair;
  std::vector<std::pair<std::string, std::string>> questions;  // with their answers
};

struct CourseLesson {
  std::string scenario;  // the name of a file in scenarios/lessons
  std::string twin;      // that of one in scenarios/twins: the same lock in Lua; empty: there is none
  // What repairs it: another lock, another parameter, another belief; or none of them.
  std::optional<std::string> algorithm;
  std::optional<std::pair<std::string, std::string>> parameter;
  std::optional<Belief> belief;
  std::array<LessonText, language_ids.size()> texts;  // by Language

  bool is_repairable() const { return algorithm || parameter || belief; }
  // "token", "expire-unit repaired", "belief deadline-from-request".
  std::string repair_name() const;
};

// holdfast/course/1, or in one line what is wrong with the text.
std::variant<std::vector<CourseLesson>, std::string> read_course(std::string_view text);

// A lesson with what its scenario's exploration found.
struct LessonView {
  std::size_t number;  // from one
  std::size_t count;
  const CourseLesson& lesson;
  const Scenario& scenario;
  const PropertyResult& result;  // of the property that the lesson is about
  std::uint64_t states = 0;
  const Separation* separation = nullptr;  // from the repaired lock, where there is one
  // Pages beside that of this lesson; empty: there is none.
  std::string previous = {};
  std::string next = {};
  std::string run = {};  // to step through
  std::string index = {};
  std::string twin = {};  // the text of the lock in Lua, where the lesson has one
};

void write_course(const std::vector<CourseLesson>& course, Language language, std::ostream& out,
                  const Terminal& terminal);
// A lesson asks first. In a text the answers are the verdict, the story and the rest; on pages they are
// folded.
void write_lesson_text(const LessonView& view, Language language, bool with_answers,
                       const SourceTexts& sources, std::ostream& out, const Terminal& terminal);
void write_lesson_markdown(const LessonView& view, Language language, const SourceTexts& sources,
                           std::ostream& out);
// Where the page of a lesson is, by its number.
using LessonPages = std::function<std::string(std::size_t)>;
// The list of all lessons, and a plan for a class of 45 minutes; beside each other, index.html and plan.html.
void write_course_page(const std::vector<CourseLesson>& course, const LessonPages& pages, Language language,
                       std::ostream& out);
void write_plan_page(const std::vector<CourseLesson>& course, const LessonPages& pages, Language language,
                     std::ostream& out);
void write_lesson_html(const LessonView& view, Language language, const SourceTexts& sources,
                       std::ostream& out);
// The same as slides to project: each part fills the screen.
void write_lesson_slides(const LessonView& view, Language language, const SourceTexts& sources,
                         std::ostream& out);

}  // namespace holdfast::reports
