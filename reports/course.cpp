#include "reports/course.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

LessonText text_in(const Json& json) {
  LessonText text{json.at("title"), json.at("claim"), json.at("why"), json.at("repair"), {}};
  for (const Json& question : json.at("questions"))
    text.questions.emplace_back(question.at("ask").get<std::string>(),
                                question.at("answer").get<std::string>());
  return text;
}

void read_repair(const Json& json, CourseLesson& lesson) {
  if (json.is_null()) return;
  if (json.contains("algorithm")) lesson.algorithm = json.at("algorithm").get<std::string>();
  if (json.contains("params"))
    for (const auto& [name, value] : json.at("params").items())
      lesson.parameter = {name, value.get<std::string>()};
  if (!json.contains("belief")) return;
  lesson.belief = from_id<Belief>(belief_ids, json.at("belief").get<std::string>());
  if (!lesson.belief) throw std::runtime_error("\"belief\" is not one of the beliefs");
}

}  // namespace

std::string CourseLesson::repair_name() const {
  if (algorithm) return *algorithm;
  if (parameter) return fmt::format("{} {}", parameter->first, parameter->second);
  return belief ? fmt::format("belief {}", id_of(*belief)) : "";
}

std::variant<std::vector<CourseLesson>, std::string> read_course(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (json.value("schema", "") != "holdfast/course/1") return "\"schema\" is not \"holdfast/course/1\"";
    std::vector<CourseLesson> course;
    for (const Json& entry : json.at("lessons")) {
      CourseLesson& lesson = course.emplace_back();
      lesson.scenario = entry.at("scenario");
      lesson.twin = entry.value("twin", "");
      read_repair(entry.at("repaired"), lesson);
      for (std::size_t i = 0; i < language_ids.size(); ++i)
        lesson.texts[i] = text_in(entry.at(std::string(language_ids[i])));
    }
    return course;
  } catch (const std::exception& error) {  // of the JSON library, or our own
    return std::string(error.what());
  }
}

void write_course(const std::vector<CourseLesson>& course, Language language, std::ostream& out,
                  const Terminal& terminal) {
  Page page(out, terminal);
  for (std::size_t i = 0; i < course.size(); ++i)
    page.paragraph(fmt::format("{:>3}  ", i + 1), course[i].texts[static_cast<std::size_t>(language)].title);
}

}  // namespace holdfast::reports
