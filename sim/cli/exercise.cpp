// exercise: broken locks in Lua for a student to repair. The explorer grades the repaired files.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>

#include "reports/html.hpp"
#include "reports/report.hpp"
#include "reports/verdicts.hpp"
#include "reports/words.hpp"
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
  std::vector<std::string> hints;  // three, from a question to what to use
  std::vector<Fault> faults;
  PropertySet properties;
};

std::filesystem::path exercises_directory() { return lessons_directory().parent_path() / "exercises"; }

constexpr std::size_t hints_there_are = 3;

std::vector<Exercise> read_exercises(reports::Language language) {
  const std::string file = (exercises_directory() / "exercises.json").string();
  const ExerciseJson json = read_json(file);
  require_schema(file, json, "holdfast/exercises/1", "a list of exercises");
  std::vector<Exercise> exercises;
  for (const ExerciseJson& each : json.at("exercises")) {
    const std::string pointer = fmt::format("/exercises/{}", exercises.size());
    Exercise it{.number = exercises.size() + 1};
    it.file = text_at(file, each, pointer, "file");
    const std::string id(reports::language_ids[static_cast<std::size_t>(language)]);
    const std::string place = pointer + "/" + id;
    const ExerciseJson told = each.value(id, ExerciseJson::object());
    it.title = text_at(file, told, place, "title");
    it.task = text_at(file, told, place, "task");
    for (const std::string hint : told.value("hints", ExerciseJson::array())) it.hints.push_back(hint);
    if (it.hints.size() != hints_there_are) refuse_json(file, "there are three hints", place + "/hints");
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
  page.paragraph("", reports::word("exercise begin", language_of(options)));
  return exit_as_expected;
}

// The broken lock, under the title of the exercise.
std::string broken_lock(const Exercise& it, reports::Language language) {
  const std::string text = read_file((exercises_directory() / it.file).string());
  if (language == reports::Language::en) return text;
  return "-- " + reports::say(reports::word("exercise title", language), it.number, it.title) +
         text.substr(std::min(text.find('\n'), text.size()));
}

// What the student has written stays.
int explain_task(const ExerciseOptions& options, const Exercise& it) {
  const reports::Language language = language_of(options);
  std::error_code error;
  const bool is_there = std::filesystem::exists(it.file, error);
  if (!is_there) write_file(it.file, broken_lock(it, language));
  if (options.format == "json") {
    std::cout << json_of(it).dump(1) << '\n';
    return exit_as_expected;
  }
  reports::Page page(std::cout, terminal_of(options));
  page.line(reports::say(reports::word("exercise title", language), it.number, it.title));
  page.line();
  page.paragraph("  ", it.task);
  page.line();
  page.paragraph("  ", reports::say(reports::word(is_there ? "exercise stays" : "exercise written", language),
                                    it.file, it.number));
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

void print_verdicts(const Grade& grade, reports::Language language, reports::Page& page) {
  for (const reports::MatrixCell& cell : grade.cells)
    for (const reports::JudgedProperty& each : cell.properties) {
      const PropertyResult& result = each.result;
      const reports::Outcome outcome = reports::outcome_of(result);
      if (outcome == reports::Outcome::holds) continue;
      page.paragraph(
          fmt::format("{} {} × {}: ", painted(page.terminal(), style_of(outcome), glyph_of(outcome)),
                      id_of(cell.fault), id_of(result.property)),
          reports::word("outcome " + std::string(word_of(outcome)), language) +
              (result.note.empty() ? "" : ": " + result.note));
    }
}

// As many as were asked for, and how to get the next.
void print_hints(const ExerciseOptions& options, const Exercise& it, reports::Page& page) {
  const reports::Language language = language_of(options);
  for (std::size_t i = 0; i < std::min(options.hints, it.hints.size()); ++i)
    page.paragraph(reports::say(reports::word("exercise hint", language), i + 1, it.hints.size()),
                   it.hints[i]);
  if (options.hints < it.hints.size())
    page.paragraph("  ", reports::say(reports::word("exercise more", language), it.number, options.names[1],
                                      options.hints + 1));
}

void print_text(const ExerciseOptions& options, const Exercise& it, bool is_last, const Grade& grade) {
  const reports::Language language = language_of(options);
  const reports::Terminal terminal = terminal_of(options);
  reports::Page page(std::cout, terminal);
  std::uint64_t states = 0;
  for (const reports::MatrixCell& cell : grade.cells) states += cell.effort.states;
  print_verdicts(grade, language, page);
  if (grade.verdict == Verdict::holds) {
    const std::string solved = reports::say(reports::word("exercise solved", language), it.number,
                                            reports::counted_word("states", states, language));
    const std::string next = reports::say(reports::word("exercise next", language), it.number + 1);
    page.paragraph("✔ ", solved + (is_last ? "" : next));
    return;
  }
  const auto& [c, p] = grade.first;
  const reports::JudgedProperty& property = grade.cells[c].properties[p];
  if (const auto& example = property.result.counterexample) {
    page.line();
    const bool is_english = language == reports::Language::en;  // as diagrams are
    reports::write_trace({property.scenario, *example, "", language},
                         is_english ? reports::View::sequence : reports::View::story, std::cout, terminal);
  }
  page.line();
  print_hints(options, it, page);
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
  else print_text(options, it, is_last, grade);
  if (grade.verdict == Verdict::unknown) return exit_inconclusive;
  return grade.verdict == Verdict::holds ? exit_as_expected : exit_violated;
}

}  // namespace

int exercise(const ExerciseOptions& options) {
  const std::vector<Exercise> exercises = read_exercises(language_of(options));
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
