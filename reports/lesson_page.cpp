// A lesson as a page: to project, to print, to hand out.
#include <fmt/format.h>

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
    add(words_.claim, {{"claim", text_.claim},
                       {"is_broken", view_.result.counterexample.has_value()},
                       {"verdict", verdict()}});
    if (const auto& example = view_.result.counterexample) {
      const Json codes = codes_of(code_places(example->events), sources);
      add(words_.code, {{"has_code", !codes.empty()}, {"codes", codes}});
      add_story(words_.story, *example, "broken");
    }
    add(words_.why, {{"paragraph", text_.why}});
    add(words_.repair, {{"paragraph", text_.repair}});
    if (view_.separation) add_repaired();
    Json questions = Json::array();
    for (const auto& [question, answer] : text_.questions)
      questions.push_back({{"ask", question}, {"answer", answer}});
    add(words_.questions, {{"has_questions", true}, {"questions", std::move(questions)}});
  }

  void write(std::ostream& out) {
    const std::size_t count = parts_.size() + 1;  // the first slide is the title
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i]["slide_before"] = i + 1;
      parts_[i]["slide"] = i + 2;
      parts_[i]["slide_after"] = i + 2 < count ? Json(i + 3) : Json();
    }
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
                    {"parts", parts_},
                    {"scenario", view_.lesson.scenario}};
    write_page({fmt::format("{}: {}", number, text_.title), language_, text_.claim, "", is_slides_},
               is_slides_ ? "slides" : "lesson", data, out);
  }

 private:
  void add(std::string_view heading, Json part) {
    part["heading"] = heading;
    parts_.push_back(std::move(part));
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
  void add_story(std::string_view heading, const Counterexample& recorded, std::string_view name) {
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
      return add(heading, {{"side_by_side", true},
                           {"is_wide", scene.lanes.size() > 3},
                           {"told", sentences},
                           {"drawn", drawn}});
    add(heading, {{"told", sentences}});
    add(heading, {{"drawn", drawn}});
  }
  void add_repaired() {
    const std::string name = view_.lesson.repair_name();
    const std::string heading = say(words_.same_schedule, name);
    if (view_.separation->pair) add_story(heading, view_.separation->pair->whole, "repaired");
    else add(heading, {{"paragraph", say(words_.no_separating, name)}});
  }

  const LessonView& view_;
  const Language language_;
  const Words& words_;
  const LessonText& text_;
  const bool is_slides_;
  Json parts_ = Json::array();
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
