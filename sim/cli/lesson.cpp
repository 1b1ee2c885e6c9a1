// lesson: the course, and one lesson of it, made from a run of its scenario.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "reports/course.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/known.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/session.hpp"
#include "sim/explore/separate.hpp"

namespace holdfast::cli {
namespace {

std::vector<reports::CourseLesson> read_course() {
  const std::string file = (lessons_directory().parent_path() / "course.json").string();
  auto course = reports::read_course(read_file(file));
  if (const auto* problem = std::get_if<std::string>(&course))
    throw UserError(exit_bad_file, fmt::format("{}: {}", file, *problem));
  return std::move(std::get<std::vector<reports::CourseLesson>>(course));
}

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

// The same experiment with what repairs it.
Scenario repaired_scenario(const reports::CourseLesson& lesson, Scenario scenario) {
  if (lesson.belief) scenario.belief = lesson.belief;
  if (lesson.parameter) {
    std::erase_if(scenario.params, [&](const auto& it) { return it.first == lesson.parameter->first; });
    scenario.params.push_back(*lesson.parameter);
  }
  if (!lesson.algorithm) return scenario;
  const Card& card = lock_called(*lesson.algorithm);
  auto ttl = std::find_if(scenario.params.begin(), scenario.params.end(),
                          [](const auto& it) { return it.first == "ttl"; });
  const std::string lease = ttl == scenario.params.end() ? "4s" : ttl->second;
  scenario.algorithm = *lesson.algorithm;
  scenario.params.clear();
  for (const Parameter& parameter : card.parameters)
    if (parameter.name == "ttl") scenario.params.emplace_back("ttl", lease);
  return scenario;
}

// Of the first lock; no value where nothing repairs it.
std::optional<Separation> separation_of(const reports::CourseLesson& lesson, const Scenario& scenario,
                                        Property property, unsigned threads, const Budget& budget) {
  if (!lesson.is_repairable()) return std::nullopt;
  const Scenario repaired = repaired_scenario(lesson, scenario);
  for (Separation& it : separations({scenario, algorithms::find(scenario.algorithm)},
                                    {repaired, algorithms::find(repaired.algorithm)}, pairs_worth_waiting_for,
                                    threads, budget))
    if (it.property == property && it.breaks == scenario.algorithm) return std::move(it);
  return std::nullopt;
}

reports::SourceTexts sources_for(const reports::LessonView& view) {
  return view.result.counterexample ? sources_of(view.result.counterexample->events) : reports::SourceTexts();
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
  const reports::CourseLesson& it = course[number - 1];
  const Scenario scenario = read_scenario((lessons_directory() / (it.scenario + ".json")).string());
  const Exploration found = explore(scenario, *algorithms::find(scenario.algorithm), session.budget(),
                                    Engine::snapshots, threads_of(options));
  // Of the property that its file expects something of.
  const auto result =
      std::find_if(found.properties.begin(), found.properties.end(), [&](const PropertyResult& each) {
        return !scenario.expect || !scenario.expect->property || *scenario.expect->property == each.property;
      });
  if (result == found.properties.end() || result->verdict == Verdict::unknown) return false;
  const std::optional<Separation> separation =
      separation_of(it, scenario, result->property, threads_of(options), session.budget());
  receive({number, course.size(), it, scenario, *result, found.states, separation ? &*separation : nullptr});
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
  fmt::print("{}\n", (std::filesystem::path(options.lessons_out) / page_name(1)).string());
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
