#include "sim/cli/taught.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/known.hpp"
#include "sim/cli/pages.hpp"
#include "sim/explore/separate.hpp"

namespace holdfast::cli {
namespace {

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

}  // namespace

std::vector<reports::CourseLesson> read_course() {
  const std::string file = (lessons_directory().parent_path() / "course.json").string();
  auto course = reports::read_course(read_file(file));
  if (const auto* problem = std::get_if<std::string>(&course))
    throw UserError(exit_bad_file, fmt::format("{}: {}", file, *problem));
  return std::move(std::get<std::vector<reports::CourseLesson>>(course));
}

std::optional<Taught> taught(const std::vector<reports::CourseLesson>& course, std::size_t number,
                             unsigned threads, const Budget& budget) {
  const reports::CourseLesson& it = course[number - 1];
  const Scenario scenario = read_scenario((lessons_directory() / (it.scenario + ".json")).string());
  const Exploration found =
      explore(scenario, *algorithms::find(scenario.algorithm), budget, Engine::snapshots, threads);
  // Of the property that its file expects something of.
  const auto result =
      std::find_if(found.properties.begin(), found.properties.end(), [&](const PropertyResult& each) {
        return !scenario.expect || !scenario.expect->property || *scenario.expect->property == each.property;
      });
  if (result == found.properties.end() || result->verdict == Verdict::unknown) return std::nullopt;
  std::optional<Separation> separation = separation_of(it, scenario, result->property, threads, budget);
  const std::string twin =
      it.twin.empty() ? "" : read_file((lessons_directory().parent_path() / "twins" / it.twin).string());
  return Taught{number, course.size(), &it, scenario, *result, found.states, std::move(separation), twin};
}

reports::SourceTexts sources_for(const reports::LessonView& view) {
  return view.result.counterexample ? sources_of(view.result.counterexample->events) : reports::SourceTexts();
}

}  // namespace holdfast::cli
