// exercise: broken locks in Lua for a student to repair. The explorer grades the repaired files.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>

#include "reports/report.hpp"
#include "reports/verdicts.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/json_file.hpp"
#include "sim/cli/session.hpp"
#include "sim/explore/but_for.hpp"
#include "sim/guest/script.hpp"

namespace holdfast::cli {
namespace {

using ExerciseJson = nlohmann::ordered_json;

struct Exercise {
  std::size_t number = 1;
  std::string file;
  std::string title;
  std::string task;
  std::string hint;
  std::vector<Fault> faults;
  PropertySet properties;
};

std::filesystem::path exercises_directory() { return lessons_directory().parent_path() / "exercises"; }

std::vector<Exercise> read_exercises() {
  const std::string file = (exercises_directory() / "exercises.json").string();
  const ExerciseJson json = read_json(file);
  require_schema(file, json, "holdfast/exercises/1", "a list of exercises");
  std::vector<Exercise> exercises;
  for (const ExerciseJson& each : json.at("exercises")) {
    const std::string pointer = fmt::format("/exercises/{}", exercises.size());
    Exercise it{.number = exercises.size() + 1};
    for (const auto& [key, member] :
         {std::pair("file", &Exercise::file), std::pair("title", &Exercise::title),
          std::pair("task", &Exercise::task), std::pair("hint", &Exercise::hint)})
      it.*member = text_at(file, each, pointer, key);
    for (const std::string id : each.at("faults")) {
      const std::optional<Fault> fault = from_id<Fault>(fault_ids, id);
      if (!fault) refuse_json(file, fmt::format("\"{}\" is no fault", id), pointer + "/faults");
      it.faults.push_back(*fault);
    }
    for (const std::string id : each.at("properties")) {
      const std::optional<Property> property = from_id<Property>(property_ids, id);
      if (!property) refuse_json(file, fmt::format("\"{}\" is no property", id), pointer + "/properties");
      it.properties.insert(*property);
    }
    exercises.push_back(std::move(it));
  }
  return exercises;
}

const Exercise& exercise_called(const std::vector<Exercise>& exercises, const std::string& word) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size() && number >= 1 && number <= exercises.size())
    return exercises[number - 1];
  throw UserError(exit_usage, fmt::format("there is no exercise \"{}\": they are 1 to {} (holdfast exercise)",
                                          word, exercises.size()));
}

ExerciseJson json_of(const Exercise& it) {
  ExerciseJson json{{"exercise", it.number}, {"title", it.title}, {"task", it.task}, {"file", it.file}};
  for (const Fault fault : it.faults) json["faults"].push_back(id_of(fault));
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    if (it.properties.contains(static_cast<Property>(i))) json["properties"].push_back(property_ids[i]);
  return json;
}

int list_exercises(const ExerciseOptions& options, const std::vector<Exercise>& exercises) {
  if (options.format == "json") {
    ExerciseJson json{{"schema", "holdfast/exercises/1"}, {"exercises", ExerciseJson::array()}};
    for (const Exercise& each : exercises) json["exercises"].push_back(json_of(each));
    std::cout << json.dump(1) << '\n';
    return exit_as_expected;
  }
  reports::Page page(std::cout, terminal_of(options));
  for (const Exercise& each : exercises) page.paragraph(fmt::format("{:>3}  ", each.number), each.title);
  page.line();
  page.paragraph("", "Begin with: holdfast exercise 1");
  return exit_as_expected;
}

// What the student has written stays.
int explain_task(const ExerciseOptions& options, const Exercise& it) {
  std::error_code error;
  const bool is_there = std::filesystem::exists(it.file, error);
  if (!is_there) write_file(it.file, read_file((exercises_directory() / it.file).string()));
  if (options.format == "json") {
    std::cout << json_of(it).dump(1) << '\n';
    return exit_as_expected;
  }
  reports::Page page(std::cout, terminal_of(options));
  page.line(fmt::format("exercise {}: {}", it.number, it.title));
  page.line();
  page.paragraph("  ", it.task);
  page.line();
  page.paragraph("  ", fmt::format("{}. Repair it there; then: holdfast exercise {} {}",
                                   is_there ? it.file + " exists here and was not changed"
                                            : "The broken lock was written to " + it.file,
                                   it.number, it.file));
  return exit_as_expected;
}

// What is asked of a solution: without a fault all that a lock owes, else what the exercise is about.
PropertySet asked(const Exercise& it, Fault fault) {
  PropertySet properties = it.properties;
  properties.insert(Property::recovery);
  if (fault == Fault::none)
    properties.insert({Property::mutual_exclusion, Property::no_stale_write, Property::owner_only_release,
                       Property::owner_only_change, Property::truthful_release, Property::release_frees,
                       Property::progress});
  return properties;
}

struct Grade {
  std::vector<reports::MatrixCell> cells;
  Verdict verdict = Verdict::holds;           // of all
  std::pair<std::size_t, std::size_t> first;  // cell and property that decide it
};

// A verdict that rests on nothing is none: a lock that is never granted does not pass.
Grade grade_of(const Exercise& it, const Card& card, const ExerciseOptions& options, Session& session) {
  Grade grade;
  std::vector<Fault> faults{Fault::none};
  faults.insert(faults.end(), it.faults.begin(), it.faults.end());
  std::vector<Job> jobs;
  for (const Fault fault : faults) {
    Comparison comparison;
    comparison.check = asked(it, fault);
    jobs.push_back({scenario_of(comparison, card, fault), &card});
  }
  const std::vector<Exploration> found = explore_all(jobs, threads_of(options), session.budget(), {});
  for (std::size_t c = 0; c < jobs.size(); ++c) {
    grade.cells.push_back({.algorithm = std::string(card.id),
                           .fault = faults[c],
                           .effort = found[c],
                           .properties = reports::judged(found[c], jobs[c].scenario)});
    for (std::size_t p = 0; p < found[c].properties.size(); ++p) {
      const Verdict verdict = found[c].properties[p].verdict;
      const bool is_worse = grade.verdict == Verdict::holds || verdict == Verdict::violated;
      if (verdict == Verdict::holds || !is_worse || grade.verdict == Verdict::violated) continue;
      grade.verdict = verdict;
      grade.first = {c, p};
    }
  }
  return grade;
}

void print_json(const Exercise& it, const Grade& grade) {
  ExerciseJson json{{"schema", "holdfast/exercise/1"},
                    {"exercise", it.number},
                    {"file", grade.cells.front().algorithm},
                    {"passed", grade.verdict == Verdict::holds},
                    {"verdicts", ExerciseJson::array()}};
  for (const reports::MatrixCell& cell : grade.cells)
    for (const reports::JudgedProperty& each : cell.properties) {
      const PropertyResult& result = each.result;
      ExerciseJson line{{"fault", id_of(cell.fault)},
                        {"property", id_of(result.property)},
                        {"verdict", id_of(result.verdict)}};
      if (result.counterexample) line["steps"] = result.counterexample->steps;
      json["verdicts"].push_back(std::move(line));
    }
  std::cout << json.dump(1) << '\n';
}

void print_text(const Exercise& it, bool is_last, const Grade& grade, const reports::Terminal& terminal) {
  reports::Page page(std::cout, terminal);
  std::uint64_t states = 0;
  for (const reports::MatrixCell& cell : grade.cells) {
    states += cell.effort.states;
    for (const reports::JudgedProperty& each : cell.properties) {
      const PropertyResult& result = each.result;
      const reports::Outcome outcome = reports::outcome_of(result);
      if (outcome == reports::Outcome::holds) continue;
      page.paragraph(fmt::format("{} {} × {}: ", painted(terminal, style_of(outcome), glyph_of(outcome)),
                                 id_of(cell.fault), id_of(result.property)),
                     std::string(word_of(outcome)) + (result.note.empty() ? "" : ": " + result.note));
    }
  }
  if (grade.verdict == Verdict::holds) {
    page.paragraph("✔ ",
                   fmt::format("exercise {} is solved: none of {} breaks it.{}", it.number,
                               reports::counted(states, "state"),
                               is_last ? "" : fmt::format(" Next: holdfast exercise {}", it.number + 1)));
    return;
  }
  const auto& [c, p] = grade.first;
  const reports::JudgedProperty& property = grade.cells[c].properties[p];
  if (const auto& example = property.result.counterexample) {
    page.line();
    reports::write_trace({property.scenario, *example, ""}, reports::View::sequence, std::cout, terminal);
  }
  page.line();
  page.paragraph("  hint    ", it.hint);
}

int grade(const ExerciseOptions& options, const Exercise& it, bool is_last, const Card& card) {
  Session session;
  Grade grade = grade_of(it, card, options, session);
  if (session.is_interrupted()) return exit_interrupted;
  const auto& [c, p] = grade.first;
  reports::JudgedProperty& property = grade.cells[c].properties[p];
  if (std::optional<Counterexample>& example = property.result.counterexample)
    example->explanation = explanation_of(property.scenario, card, *example, session.budget());
  if (options.format == "json") print_json(it, grade);
  else print_text(it, is_last, grade, terminal_of(options));
  if (grade.verdict == Verdict::unknown) return exit_inconclusive;
  return grade.verdict == Verdict::holds ? exit_as_expected : exit_violated;
}

}  // namespace

int exercise(const ExerciseOptions& options) {
  const std::vector<Exercise> exercises = read_exercises();
  if (options.names.empty()) return list_exercises(options, exercises);
  const Exercise& it = exercise_called(exercises, options.names.front());
  if (options.names.size() == 1) return explain_task(options, it);
  const Card& card = lock_called(options.names[1]);
  if (guest::scripts::of(card) == nullptr)
    throw UserError(exit_usage,
                    fmt::format("{}: a file of Lua is expected, such as {}", options.names[1], it.file));
  return grade(options, it, it.number == exercises.size(), card);
}

}  // namespace holdfast::cli
