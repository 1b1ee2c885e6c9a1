// A lesson as a page: to project, to print, to hand out.
#include <fmt/format.h>

#include "reports/course.hpp"
#include "reports/html.hpp"
#include "reports/picture.hpp"
#include "reports/step_panels.hpp"
#include "reports/story.hpp"
#include "reports/timeline.hpp"

namespace holdfast::reports {
namespace {

class LessonPage {
 public:
  LessonPage(const LessonView& view, Language language, const SourceTexts& sources, std::ostream& out)
      : view_(view),
        language_(language),
        words_(words_of(language)),
        text_(view.lesson.texts[static_cast<std::size_t>(language)]),
        sources_(sources),
        out_(out) {}

  void write() {
    const std::string number = say(words_.lesson, view_.number, view_.count);
    open_page({fmt::format("{}: {}", number, text_.title), language_ == Language::zh ? "zh-Hans" : "en"},
              out_);
    out_ << fmt::format(
        "<header><p class=\"facts\">{}</p><h1>{}</h1>\n<p class=\"tools\">"
        "<button type=\"button\" data-do=\"theme\" hidden>{}</button>"
        "<button type=\"button\" data-do=\"print\" hidden>{}</button></p></header>\n<main>\n",
        html_text(number), html_text(text_.title), words_.theme, words_.print);
    section(words_.claim, "<p class=\"diagnosis\">" + html_text(text_.claim) + "</p>" + verdict());
    if (const auto& example = view_.result.counterexample) {
      section(words_.code, code(*example));
      section(words_.story, story(*example, "broken"));
    }
    section(words_.why, "<p class=\"story\">" + html_text(text_.why) + "</p>");
    section(words_.repair, "<p class=\"story\">" + html_text(text_.repair) + "</p>");
    if (view_.separation) section(say(words_.same_schedule, view_.lesson.repair_name()), repaired());
    section(words_.questions, questions());
    out_ << fmt::format("<p class=\"facts\"><code>./holdfast run {}</code></p>\n</main>\n",
                        html_text(view_.lesson.scenario));
    close_page(out_);
  }

 private:
  void section(std::string_view heading, const std::string& content) {
    out_ << fmt::format("<section><h2>{}</h2>\n{}</section>\n", html_text(heading), content);
  }
  std::string verdict() const {
    const auto property = static_cast<std::size_t>(view_.result.property);
    if (!view_.result.counterexample)
      return fmt::format("<p class=\"good\">✔ {}</p>\n",
                         html_text(say(words_.holds, id_of(view_.result.property), grouped(view_.states))));
    return fmt::format(
        "<p class=\"finding\">✘ {}</p>\n",
        html_text(say(words_.violated,
                      fmt::format("{} ({})", id_of(view_.result.property), words_.properties[property]),
                      view_.result.counterexample->steps)));
  }
  std::string code(const Counterexample& example) const {
    const CodePlaces places = code_places(example.events);
    std::string text = "<div class=\"pair all-code\">";
    for (std::size_t i = 1; i <= places.list.size(); ++i)
      text += code_figure(places, i, sources_, words_.page);
    return text + "</div>\n";
  }
  std::string story(const Counterexample& example, std::string_view name) const {
    const Narrator narrator(example.events, language_);
    std::string text = "<div class=\"pair\"><ol class=\"story\">\n";
    for (const StepView& step : steps_of(example.events))
      text += fmt::format("<li value=\"{}\">{}</li>\n", step.step.value, html_text(narrator.sentences(step)));
    const Scene scene = scene_of(example, language_);
    text += "</ol>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" +
            std::string(words_.story) + "\">" +
            sequence_picture(scene, all_rows(scene), {std::string(name), std::string(words_.story)}) +
            "</div></div>\n";
    return text;
  }
  std::string repaired() const {
    if (view_.separation->pair) return story(view_.separation->pair->whole, "repaired");
    return "<p>" + html_text(say(words_.no_separating, view_.lesson.repair_name())) + "</p>\n";
  }
  std::string questions() const {
    std::string text = "<div class=\"qa\">\n";
    for (const auto& [question, answer] : text_.questions)
      text += fmt::format("<details><summary>{}</summary><p>{}</p></details>\n", html_text(question),
                          html_text(answer));
    return text + "</div>\n";
  }

  const LessonView& view_;
  const Language language_;
  const Words& words_;
  const LessonText& text_;
  const SourceTexts& sources_;
  std::ostream& out_;
};

}  // namespace

void write_lesson_html(const LessonView& view, Language language, const SourceTexts& sources,
                       std::ostream& out) {
  LessonPage(view, language, sources, out).write();
}

}  // namespace holdfast::reports
