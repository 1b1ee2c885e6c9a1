// lesson: the course, and one lesson of it, made from a run of its scenario.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "reports/course.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/taught.hpp"

namespace holdfast::cli {
namespace {

// A number of the course, or the name of a scenario in it.
std::size_t number_of(const std::vector<reports::CourseLesson>& course, const std::string& word) {
  for (std::size_t i = 0; i < course.size(); ++i)
    if (course[i].scenario == word || std::to_string(i + 1) == word) return i + 1;
  std::vector<std::string_view> names;
  for (const reports::CourseLesson& lesson : course) names.push_back(lesson.scenario);
  throw UserError(exit_usage, fmt::format("there is no lesson \"{}\": lessons are 1 to {}{} (holdfast "
                                          "lesson)",
                                          word, course.size(), did_you_mean(word, names)));
}

void print(const LessonOptions& options, const reports::LessonView& view) {
  const reports::Language language = language_of(options);
  const reports::SourceTexts sources = sources_for(view);
  if (options.format == "html") reports::write_lesson_html(view, language, sources, std::cout);
  else if (options.format == "slides") reports::write_lesson_slides(view, language, sources, std::cout);
  else if (options.format == "markdown") reports::write_lesson_markdown(view, language, sources, std::cout);
  else reports::write_lesson_text(view, language, options.answers, sources, std::cout, terminal_of(options));
}

// "lesson-6.html", and "lesson-6-run.html" for its run.
std::string page_name(std::size_t number, std::string_view what = "") {
  return fmt::format("lesson-{}{}.html", number, what);
}

// The page of the lesson and that of its run, in the directory of all of them.
void save(const LessonOptions& options, reports::LessonView view) {
  const reports::Language language = language_of(options);
  const std::filesystem::path directory = options.lessons_out;
  view.index = "index.html";
  if (view.number > 1) view.previous = page_name(view.number - 1);
  if (view.number < view.count) view.next = page_name(view.number + 1);
  if (view.result.counterexample) {
    view.run = page_name(view.number, "-run");
    const reports::TraceView trace{view.scenario, *view.result.counterexample, "", language};
    std::ostringstream text;
    reports::write_trace_page(trace, sources_for(view), context_of(trace, ""), text);
    write_file(directory / view.run, text.str());
  }
  std::ostringstream text;
  reports::write_lesson_html(view, language, sources_for(view), text);
  write_file(directory / page_name(view.number), text.str());
}

// Explores what the lesson is about, and hands it on. False: it was not found out.
template <class Receiver>
bool teach(const LessonOptions& options, Session& session, const std::vector<reports::CourseLesson>& course,
           std::size_t number, Receiver receive) {
  const std::optional<Taught> found = taught(course, number, threads_of(options), session.budget());
  if (!found) return false;
  receive(found->view());
  return true;
}

int save_all(const LessonOptions& options, const std::vector<reports::CourseLesson>& course) {
  prepare_directory(options.lessons_out);
  Session session;
  for (std::size_t number = 1; number <= course.size() && !session.is_interrupted(); ++number)
    if (!teach(options, session, course, number,
               [&](const reports::LessonView& view) { save(options, view); }))
      return session.is_interrupted() ? exit_interrupted : exit_inconclusive;
  session.end_progress();
  const std::filesystem::path directory = options.lessons_out;
  const auto pages = [](std::size_t number) { return page_name(number); };
  const reports::Language language = language_of(options);
  std::ostringstream index;
  reports::write_course_page(course, pages, language, index);
  write_file(directory / "index.html", index.str());
  std::ostringstream plan;
  reports::write_plan_page(course, pages, language, plan);
  write_file(directory / "plan.html", plan.str());
  fmt::print("{}\n", (directory / "index.html").string());
  return session.is_interrupted() ? exit_interrupted : exit_as_expected;
}

}  // namespace

int lesson(const LessonOptions& options) {
  const std::vector<reports::CourseLesson> course = read_course();
  if (!options.lessons_out.empty()) {
    if (!options.names.empty()) throw UserError(exit_usage, "--pages writes all lessons: leave out N");
    return save_all(options, course);
  }
  if (options.names.empty()) {
    reports::write_course(course, language_of(options), std::cout, terminal_of(options));
    return exit_as_expected;
  }
  const std::size_t number = number_of(course, options.names.front());
  Session session;
  const bool is_known = teach(options, session, course, number, [&](const reports::LessonView& view) {
    session.end_progress();
    print(options, view);
  });
  if (!is_known) return exit_inconclusive;
  return session.is_interrupted() ? exit_interrupted : exit_as_expected;
}

}  // namespace holdfast::cli
