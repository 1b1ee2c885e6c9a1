// A lesson as a page: to project, to print, to hand out.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "reports/course.hpp"
#include "reports/html.hpp"
#include "reports/picture.hpp"
#include "reports/shown.hpp"
#include "reports/step_panels.hpp"
#include "reports/story.hpp"
#include "reports/timeline.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

class LessonPage {
 public:
  LessonPage(const LessonView& view, Language language, const SourceTexts& sources, bool is_slides)
      : view_(view),
        language_(language),
        words_(words_of(language)),
        text_(view.lesson.texts[static_cast<std::size_t>(language)]),
        is_slides_(is_slides) {
    add(Place::open, words_.claim, claim());
    const auto& example = view_.result.counterexample;
    if (example) add_code(codes_of(code_places(example->events), sources));
    if (!is_slides_) add(Place::verdict, "", told_verdict());
    if (example) add_story(Place::verdict, words_.story, *example, "broken");
    add(Place::verdict, words_.why, {{"paragraph", text_.why}});
    add(Place::repair, words_.repair, {{"paragraph", text_.repair}});
    if (view_.separation) add_repaired();
    Json questions = Json::array();
    for (const auto& [question, answer] : text_.questions)
      questions.push_back({{"ask", question}, {"answer", answer}});
    add(Place::closing, words_.questions, {{"has_questions", true}, {"questions", std::move(questions)}});
  }

  void write(std::ostream& out) {
    Json slides = Json::array();
    for (const Json& parts : parts_)
      for (const Json& part : parts) slides.push_back(part);
    const std::size_t count = slides.size() + 1;  // the first slide is the title
    for (std::size_t i = 0; i < slides.size(); ++i) {
      slides[i]["slide_before"] = i + 1;
      slides[i]["slide"] = i + 2;
      slides[i]["slide_after"] = i + 2 < count ? Json(i + 3) : Json();
    }
    const auto at = [&](Place place) { return parts_[static_cast<std::size_t>(place)]; };
    const Json folds = Json::array({Json{{"ask", words_.ask}, {"parts", at(Place::verdict)}},
                                    Json{{"ask", words_.ask_repair}, {"parts", at(Place::repair)}}});
    const std::string number = say(words_.lesson, view_.number, view_.count);
    const bool has_links =
        !view_.previous.empty() || !view_.next.empty() || !view_.run.empty() || !view_.index.empty();
    const Json data{{"number", number},
                    {"count", count},
                    {"title", text_.title},
                    {"links", has_links},
                    {"previous", view_.previous},
                    {"next", view_.next},
                    {"run", view_.run},
                    {"index", view_.index},
                    {"slides", std::move(slides)},
                    {"parts", at(Place::open)},
                    {"folds", folds},
                    {"closing", at(Place::closing)},
                    {"scenario", view_.lesson.scenario}};
    write_page({fmt::format("{}: {}", number, text_.title), language_, text_.claim, "", is_slides_},
               is_slides_ ? "slides" : "lesson", data, out);
  }

 private:
  // On a page, what tells the verdict is folded, and what repairs it; slides are turned one by one.
  enum class Place : std::uint8_t { open, verdict, repair, closing };

  void add(Place place, std::string_view heading, Json part) {
    part["heading"] = heading;
    parts_[static_cast<std::size_t>(place)].push_back(std::move(part));
  }
  Json told_verdict() const {
    return {{"verdict", verdict()}, {"is_broken", view_.result.counterexample.has_value()}};
  }
  // On a slide, the question and its answer stand with it.
  Json claim() const {
    Json part{{"claim", text_.claim}};
    if (is_slides_) part["asked"] = {{"ask", words_.ask}, {"told", told_verdict()}};
    return part;
  }
  // The twin, which needs no C++ to be read, before the code that was explored.
  void add_code(Json codes) {
    Json twin;
    if (!view_.twin.empty()) {
      Json lines = Json::array();
      for (const std::string& line : text_lines(view_.twin))
        lines.push_back({{"line", line.empty() ? " " : line},
                         {"is_marked", line.find("server():") != std::string::npos}});
      twin = {{"place", view_.lesson.twin}, {"lines", std::move(lines)}, {"in_cpp", words_.in_cpp}};
    }
    const bool has_code = !codes.empty() && (twin.is_null() || !is_slides_);
    add(Place::open, words_.code,
        {{"twin", std::move(twin)}, {"has_code", has_code}, {"codes", std::move(codes)}});
  }
  std::string verdict() const {
    const auto property = static_cast<std::size_t>(view_.result.property);
    if (!view_.result.counterexample)
      return say(words_.holds, id_of(view_.result.property), grouped(view_.states));
    return say(words_.violated,
               fmt::format("{} ({})", id_of(view_.result.property), words_.properties[property]),
               StepNumbers(view_.result.counterexample->events).count());
  }
  // Side by side on a page; each on a slide of its own, where both are read from the last row.
  void add_story(Place place, std::string_view heading, const Counterexample& recorded,
                 std::string_view name) {
    const Counterexample example = as_shown(recorded);
    const Scene scene = scene_of(example, language_);
    const Narrator narrator(example.events, example.store, language_);
    Json told = Json::array();
    for (const StepView& step : steps_of(example.events))
      told.push_back({{"step", step.step.value}, {"sentence", narrator.sentences(step)}});
    const Json sentences{{"sentences", std::move(told)}};
    const std::string drawn =
        sequence_picture(scene, all_rows(scene), {std::string(name), std::string(words_.story)});
    if (!is_slides_)
      return add(place, heading,
                 {{"side_by_side", true},
                  {"is_wide", scene.lanes.size() > 3},
                  {"told", sentences},
                  {"drawn", drawn}});
    add(place, heading, {{"told", sentences}});
    add(place, heading, {{"drawn", drawn}});
  }
  void add_repaired() {
    const std::string name = view_.lesson.repair_name();
    const std::string heading = say(words_.same_schedule, name);
    if (view_.separation->pair) add_story(Place::repair, heading, view_.separation->pair->whole, "repaired");
    else add(Place::repair, heading, {{"paragraph", say(words_.no_separating, name)}});
  }

  const LessonView& view_;
  const Language language_;
  const Words& words_;
  const LessonText& text_;
  const bool is_slides_;
  std::array<Json, 4> parts_{Json::array(), Json::array(), Json::array(), Json::array()};  // by Place
};

}  // namespace

void write_lesson_html(const LessonView& view, Language language, const SourceTexts& sources,
                       std::ostream& out) {
  LessonPage(view, language, sources, false).write(out);
}

void write_lesson_slides(const LessonView& view, Language language, const SourceTexts& sources,
                         std::ostream& out) {
  LessonPage(view, language, sources, true).write(out);
}

}  // namespace holdfast::reports
