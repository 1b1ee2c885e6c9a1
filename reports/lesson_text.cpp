// A lesson for the terminal, and as Markdown.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "reports/course.hpp"
#include "reports/lua.hpp"
#include "reports/markdown.hpp"
#include "reports/shown.hpp"
#include "reports/step_panels.hpp"
#include "reports/story.hpp"
#include "reports/timeline.hpp"

namespace holdfast::reports {
namespace {

const LessonText& text_of(const LessonView& view, Language language) {
  return view.lesson.texts[static_cast<std::size_t>(language)];
}

std::string verdict_of(const LessonView& view, const Words& words) {
  const std::string property = fmt::format("{} ({})", id_of(view.result.property),
                                           words.properties[static_cast<std::size_t>(view.result.property)]);
  if (!view.result.counterexample) return say(words.holds, id_of(view.result.property), grouped(view.states));
  const Counterexample example = as_shown(*view.result.counterexample);
  std::string text = say(words.violated, property, StepNumbers(example.events).count());
  if (!example.findings.empty() && example.findings.front().from != example.findings.front().to)
    text += std::string(words.full_stop) + std::string(words.space) +
            say(words.clash, example.findings.front().from.value, example.findings.front().to.value);
  return text;
}

std::string line_of(const SourceTexts& sources, SourceLine where) {
  const auto source = sources.find(where.file);
  if (source == sources.end()) return {};
  std::istringstream in(source->second);
  std::string line;
  for (std::uint32_t i = 0; i < where.line && std::getline(in, line); ++i) continue;
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

void tell_story(const Counterexample& recorded, Language language, Page& page) {
  const Counterexample example = as_shown(recorded);
  const Narrator narrator(example.events, example.store, language);
  for (const StepView& step : steps_of(example.events))
    page.paragraph(fmt::format("{:>3}. ", step.step.value),
                   printable(page.terminal(), narrator.sentences(step)));
}

// The twin whole, or the lines that sent something.
void tell_code(const LessonView& view, const SourceTexts& sources, Page& page) {
  const Terminal& terminal = page.terminal();
  for (const std::string& line : text_lines(view.twin)) page.line("  " + printable(terminal, line));
  if (!view.twin.empty()) return;
  for (const auto& [where, script] : code_places(view.result.counterexample->events).list) {
    page.paragraph(fmt::format("  {}:{}  ", where.file, where.line),
                   printable(terminal, line_of(sources, where)));
    for (const ScriptLine& line : script_lines(script))
      page.line(fmt::format("    {} {}", line.is_command ? "▶" : " ", printable(terminal, line.text)));
  }
}

void write_markdown_code(const LessonView& view, const SourceTexts& sources, std::ostream& out) {
  if (!view.twin.empty()) {
    out << "```lua\n";
    for (const std::string& line : text_lines(view.twin)) out << printable(Terminal{}, line) << '\n';
    out << "```\n\n";
    return;
  }
  out << "```cpp\n";
  for (const auto& [where, script] : code_places(view.result.counterexample->events).list) {
    out << fmt::format("{}  // {}:{}\n", printable(Terminal{}, line_of(sources, where)), where.file,
                       where.line);
    for (const ScriptLine& line : script_lines(script))
      out << fmt::format("//   {}\n", printable(Terminal{}, line.text));
  }
  out << "```\n\n";
}

}  // namespace

void write_lesson_text(const LessonView& view, Language language, bool with_answers,
                       const SourceTexts& sources, std::ostream& out, const Terminal& terminal) {
  const Words& words = words_of(language);
  const LessonText& text = text_of(view, language);
  Page page(out, terminal);
  const auto heading = [&](std::string_view name) {
    page.line();
    page.line(painted(terminal, Style::strong, name));
  };
  page.line(say(words.lesson, view.number, view.count));
  page.line(painted(terminal, Style::strong, text.title));
  heading(words.claim);
  page.paragraph("  ", text.claim);
  if (view.result.counterexample) {
    heading(words.code);
    tell_code(view, sources, page);
  }
  page.line();
  page.paragraph("  ", words.ask);
  page.line();
  if (!with_answers) return page.paragraph("  ", say(words.go_on, view.number));
  page.paragraph(view.result.counterexample ? "  ✘ " : "  ✔ ", verdict_of(view, words));
  if (view.result.counterexample) {
    heading(words.story);
    tell_story(*view.result.counterexample, language, page);
  }
  heading(words.why);
  page.paragraph("  ", text.why);
  heading(words.repair);
  page.paragraph("  ", text.repair);
  if (view.separation) {
    heading(say(words.same_schedule, view.lesson.repair_name()));
    if (view.separation->pair) tell_story(view.separation->pair->whole, language, page);
    else page.paragraph("  ", say(words.no_separating, view.lesson.repair_name()));
  }
  heading(words.questions);
  for (std::size_t i = 0; i < text.questions.size(); ++i) {
    page.paragraph(fmt::format("  {}. ", i + 1), text.questions[i].first);
    page.paragraph(fmt::format("     {}: ", words.answer), text.questions[i].second);
  }
  page.line();
  page.paragraph(fmt::format("  {}  ", words.try_it), fmt::format("./holdfast run {}", view.lesson.scenario));
}

void write_lesson_markdown(const LessonView& view, Language language, const SourceTexts& sources,
                           std::ostream& out) {
  const Words& words = words_of(language);
  const LessonText& text = text_of(view, language);
  const auto story = [&](const Counterexample& recorded) {
    const Counterexample example = as_shown(recorded);
    const Narrator narrator(example.events, example.store, language);
    for (const StepView& step : steps_of(example.events))
      out << fmt::format("{}. {}\n", step.step.value, markdown_text(narrator.sentences(step)));
    out << '\n';
  };
  const auto fold = [&](std::string_view question) {
    out << fmt::format("<details><summary>{}</summary>\n\n", question);
  };
  out << fmt::format("# {}\n\n*{}*\n\n## {}\n\n{}\n\n", markdown_text(text.title),
                     say(words.lesson, view.number, view.count), words.claim, markdown_text(text.claim));
  if (view.result.counterexample) {
    out << fmt::format("## {}\n\n", words.code);
    write_markdown_code(view, sources, out);
  }
  fold(words.ask);
  out << fmt::format("**{} {}**\n\n", view.result.counterexample ? "✘" : "✔",
                     markdown_text(verdict_of(view, words)));
  if (view.result.counterexample) {
    out << fmt::format("### {}\n\n", words.story);
    story(*view.result.counterexample);
  }
  out << fmt::format("### {}\n\n{}\n\n</details>\n\n", words.why, markdown_text(text.why));
  fold(words.ask_repair);
  out << markdown_text(text.repair) << "\n\n";
  if (view.separation) {
    out << fmt::format("### {}\n\n", markdown_text(say(words.same_schedule, view.lesson.repair_name())));
    if (view.separation->pair) story(view.separation->pair->whole);
    else out << markdown_text(say(words.no_separating, view.lesson.repair_name())) << "\n\n";
  }
  out << "</details>\n\n";
  out << fmt::format("## {}\n\n", words.questions);
  for (const auto& [question, answer] : text.questions)
    out << fmt::format("<details><summary>{}</summary>\n\n{}\n\n</details>\n\n", markdown_text(question),
                       markdown_text(answer));
  out << fmt::format("`./holdfast run {}`\n", view.lesson.scenario);
}

}  // namespace holdfast::reports
