// The pages around the lessons: their list, and a plan for a class.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "reports/course.hpp"
#include "reports/html.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

const LessonText& text_of(const CourseLesson& lesson, Language language) {
  return lesson.texts[static_cast<std::size_t>(language)];
}

// What fills some minutes: a word, and the lesson that it is about, by its scenario.
struct Stretch {
  unsigned minutes;
  std::string_view word;
  std::string_view scenario = {};
};
constexpr std::array<Stretch, 6> plan{
    {{5, "plan opening"},
     {8, "plan claim", "a-slow-holder-deletes-the-lock-of-another"},
     {7, "plan claim", "a-token-does-not-stop-a-paused-holder-from-working-on"},
     {18, "plan exercise"},
     {5, "plan matrix"},
     {2, "plan end"}}};

constexpr unsigned length_of_plan() {
  unsigned minutes = 0;
  for (const Stretch& it : plan) minutes += it.minutes;
  return minutes;
}
static_assert(length_of_plan() == 45, "as its heading says");

}  // namespace

void write_course_page(const std::vector<CourseLesson>& course, const LessonPages& pages, Language language,
                       std::ostream& out) {
  Json lessons = Json::array();
  for (std::size_t i = 0; i < course.size(); ++i) {
    const LessonText& text = text_of(course[i], language);
    lessons.push_back({{"link", pages(i + 1)}, {"title", text.title}, {"claim", text.claim}});
  }
  write_page({word("course_heading", language), language}, "course", {{"lessons", std::move(lessons)}}, out);
}

void write_plan_page(const std::vector<CourseLesson>& course, const LessonPages& pages, Language language,
                     std::ostream& out) {
  Json rows = Json::array();
  unsigned begin = 0;
  for (const Stretch& it : plan) {
    Json row{{"minutes", fmt::format("{}–{}", begin, begin + it.minutes)}, {"what", word(it.word, language)}};
    for (std::size_t i = 0; i < course.size(); ++i) {
      if (course[i].scenario != it.scenario) continue;
      row["link"] = pages(i + 1);
      row["title"] = text_of(course[i], language).title;
    }
    rows.push_back(std::move(row));
    begin += it.minutes;
  }
  write_page({word("plan_heading", language), language}, "plan", {{"rows", std::move(rows)}}, out);
}

}  // namespace holdfast::reports
