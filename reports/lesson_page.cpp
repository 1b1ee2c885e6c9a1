// A lesson as a page: to project, to print, to hand out.
#include <fmt/format.h>

#include "reports/course.hpp"
#include "reports/html.hpp"
#include "reports/picture.hpp"
#include "reports/shown.hpp"
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

  void write(bool is_slides) {
    const std::string number = say(words_.lesson, view_.number, view_.count);
    open_page({fmt::format("{}: {}", number, text_.title), language_ == Language::zh ? "zh-Hans" : "en",
               text_.claim, is_slides},
              out_);
    const std::string title = fmt::format(
        "<p class=\"facts\">{}</p><h1>{}</h1>\n<p class=\"tools\">"
        "<button type=\"button\" data-do=\"theme\" hidden>{}</button>"
        "<button type=\"button\" data-do=\"print\" hidden>{}</button></p>",
        html_text(number), html_text(text_.title), words_.theme, words_.print);
    const std::vector<Part> parts = parts_of_lesson(is_slides);
    if (is_slides) write_slides(title, parts);
    else {
      out_ << "<header>" << title << "</header>\n<main>\n" << links();
      for (const auto& [heading, content] : parts)
        out_ << fmt::format("<section><h2>{}</h2>\n{}</section>\n", html_text(heading), content);
      out_ << fmt::format("<p class=\"facts\"><code>./holdfast run {}</code></p>\n</main>\n",
                          html_text(view_.lesson.scenario));
    }
    close_page(out_);
  }

 private:
  using Part = std::pair<std::string, std::string>;  // its heading and its content

  std::vector<Part> parts_of_lesson(bool is_slides) const {
    std::vector<Part> parts;
    parts.emplace_back(words_.claim,
                       "<p class=\"diagnosis\">" + html_text(text_.claim) + "</p>" + verdict());
    if (const auto& example = view_.result.counterexample) {
      parts.emplace_back(words_.code, code(*example));
      add_story(std::string(words_.story), *example, "broken", is_slides, parts);
    }
    parts.emplace_back(words_.why, "<p class=\"story\">" + html_text(text_.why) + "</p>");
    parts.emplace_back(words_.repair, "<p class=\"story\">" + html_text(text_.repair) + "</p>");
    if (view_.separation) add_repaired(is_slides, parts);
    parts.emplace_back(words_.questions, questions());
    return parts;
  }
  std::string links() const {
    std::string text;
    for (const auto& [page, words] :
         {std::pair(view_.previous, words_.previous_lesson), std::pair(view_.next, words_.next_lesson),
          std::pair(view_.run, words_.step_through)})
      if (!page.empty()) text += fmt::format("<a href=\"{}\">{}</a>\n", html_text(page), words);
    return text.empty() ? "" : "<nav class=\"tools\">" + text + "</nav>\n";
  }
  // Links lead on where there is no keyboard; without scripts, as everything here.
  void write_slides(const std::string& title, const std::vector<Part>& parts) {
    const std::size_t count = parts.size() + 1;
    const auto slide = [&](std::size_t number, const std::string& content) {
      const auto link = [&](std::size_t to, std::string_view sign) {
        return to == 0 || to > count ? "" : fmt::format("<a href=\"#slide-{}\">{}</a>", to, sign);
      };
      out_ << fmt::format("<section class=\"slide\" id=\"slide-{}\">{}\n<nav class=\"turn\">{}{}/{}{}</nav>"
                          "</section>\n",
                          number, content, link(number - 1, "‹"), number, count, link(number + 1, "›"));
    };
    out_ << "<main>\n";
    slide(1, title);
    for (std::size_t i = 0; i < parts.size(); ++i)
      slide(i + 2, fmt::format("<h2>{}</h2>\n{}", html_text(parts[i].first), parts[i].second));
    out_ << "</main>\n";
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
                      StepNumbers(view_.result.counterexample->events).count())));
  }
  std::string code(const Counterexample& example) const {
    const CodePlaces places = code_places(example.events);
    std::string text = "<div class=\"pair all-code\">";
    for (std::size_t i = 1; i <= places.list.size(); ++i)
      text += code_figure(places, i, sources_, words_.page);
    return text + "</div>\n";
  }
  std::string told(const Counterexample& example) const {
    const Narrator narrator(example.events, language_);
    std::string text = "<ol class=\"story\">\n";
    for (const StepView& step : steps_of(example.events))
      text += fmt::format("<li value=\"{}\">{}</li>\n", step.step.value, html_text(narrator.sentences(step)));
    return text + "</ol>\n";
  }
  std::string drawn(const Scene& scene, std::string_view name) const {
    return "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" + std::string(words_.story) +
           "\">" + sequence_picture(scene, all_rows(scene), {std::string(name), std::string(words_.story)}) +
           "</div>";
  }
  // Side by side on a page; each on a slide of its own, where both are read from the last row.
  void add_story(const std::string& heading, const Counterexample& recorded, std::string_view name,
                 bool is_slides, std::vector<Part>& parts) const {
    const Counterexample example = as_shown(recorded);
    const Scene scene = scene_of(example, language_);
    if (is_slides) {
      parts.emplace_back(heading, told(example));
      parts.emplace_back(heading, drawn(scene, name));
    } else {
      const std::string_view wide = scene.lanes.size() > 3 ? " wide" : "";
      parts.emplace_back(heading, fmt::format("<div class=\"told{}\">", wide) + told(example) +
                                      drawn(scene, name) + "</div>\n");
    }
  }
  void add_repaired(bool is_slides, std::vector<Part>& parts) const {
    const std::string heading = say(words_.same_schedule, view_.lesson.repair_name());
    if (view_.separation->pair)
      add_story(heading, view_.separation->pair->whole, "repaired", is_slides, parts);
    else
      parts.emplace_back(
          heading, "<p>" + html_text(say(words_.no_separating, view_.lesson.repair_name())) + "</p>\n");
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
  LessonPage(view, language, sources, out).write(false);
}

void write_lesson_slides(const LessonView& view, Language language, const SourceTexts& sources,
                         std::ostream& out) {
  LessonPage(view, language, sources, out).write(true);
}

}  // namespace holdfast::reports
