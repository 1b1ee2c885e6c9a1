#include "reports/step_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/diagnosis.hpp"
#include "reports/html.hpp"
#include "reports/lua.hpp"
#include "reports/state_view.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t lines_around = 4;

class Panels {
 public:
  Panels(const Counterexample& example, const Scene& scene, const CodePlaces& places, Language language)
      : example_(example),
        scene_(scene),
        places_(places),
        language_(language),
        narrator_(example.events, example.store, language),
        follower_(scene) {}

  std::vector<Json> make(std::size_t first) {
    std::vector<Json> panels;
    std::size_t row = 0;
    for (const StepView& step : steps_of(example_.events)) {
      for (const Event* event : step.events) follower_.follow(*event);
      if (row++ >= first) panels.push_back(panel(step));
    }
    return panels;
  }

 private:
  Json panel(const StepView& step) const {
    const std::size_t code = code_of(step);
    const auto& explanation = example_.explanation;
    Json panel{{"step", step.step.value},
               {"at", words_for(step.at)},
               {"sentence", sentence(step)},
               {"code", code == 0 ? Json() : Json{{"number", code}, {"place", places_.name_of(code)}}},
               {"ends", ends(step)},
               {"is_no_return", explanation && scene_.no_return && explanation->no_return->step == step.step},
               {"events", events(step)}};
    panel.update(panel_of(follower_.state_at(step.at)));
    return panel;
  }

  std::string sentence(const StepView& step) const {
    std::string text;
    for (const Event* event : step.events) {
      text += event == step.events.front() ? "" : narrator_.words().space;
      text += as_sentence(narrator_.sentence(*event));
    }
    return text;
  }

  Json ends(const StepView& step) const {
    Json list = Json::array();
    for (const Finding& finding : example_.findings)
      if (finding.to == step.step)
        list.push_back({{"property", id_of(finding.property)}, {"because", because_of(finding, language_)}});
    return list;
  }

  // The line that sent the request with which the step has to do.
  std::size_t code_of(const StepView& step) const {
    std::size_t code = 0;
    for (const Event* event : step.events) {
      const Sent* sent = std::get_if<Sent>(&event->what);
      if (const auto* executed = std::get_if<Executed>(&event->what))
        sent = narrator_.sent(executed->message);
      if (const auto* delivered = std::get_if<Delivered>(&event->what))
        if (code == 0) sent = narrator_.sent(delivered->message);
      if (sent) code = places_.number_of(*sent);
    }
    return code;
  }

  Json events(const StepView& step) const {
    Json list = Json::array();
    for (const Event* event : step.events)
      list.push_back({{"at", words_for(event->at)},
                      {"who", scene_.name_of(event->actor)},
                      {"kind", kind_of(*event)},
                      {"what", as_sentence(narrator_.sentence(*event))}});
    return list;
  }

  const Counterexample& example_;
  const Scene& scene_;
  const CodePlaces& places_;
  const Language language_;
  const Narrator narrator_;
  StateFollower follower_;
};

// What EVAL runs; empty for any other command.
std::string_view script_of(const Sent& sent) {
  const bool is_script = sent.argv.size() > 1 && sent.argv[0] == "EVAL";
  return is_script ? std::string_view(sent.argv[1]) : std::string_view();
}

Json line_of_code(std::string line, bool is_marked) {
  return {{"line", std::move(line)}, {"is_marked", is_marked}};
}

Json excerpt(SourceLine where, const std::vector<std::string>& lines) {
  Json excerpt = Json::array();
  const std::uint32_t first = where.line > lines_around ? where.line - lines_around : 1;
  const std::uint32_t last = std::min(where.line + lines_around, static_cast<std::uint32_t>(lines.size()));
  for (std::uint32_t line = first; line <= last; ++line)
    excerpt.push_back(line_of_code(fmt::format("{:>4}  {}", line, lines[line - 1]), line == where.line));
  return {{"lines", std::move(excerpt)}};
}

Json script_of(const std::string& script) {
  Json lines = Json::array();
  for (const ScriptLine& line : script_lines(script))
    lines.push_back(line_of_code("  " + line.text, line.is_command));
  return {{"lines", std::move(lines)}};
}

}  // namespace

std::vector<std::string> text_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::size_t CodePlaces::number_of(const Sent& sent) const {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].where.line == sent.where.line && std::string_view(list[i].where.file) == sent.where.file &&
        list[i].script == script_of(sent))
      return i + 1;
  return 0;
}

CodePlaces code_places(const std::vector<Event>& events) {
  CodePlaces places;
  for (const Event& event : events)
    if (const Sent* sent = std::get_if<Sent>(&event.what))
      if (sent->where.line != 0 && places.number_of(*sent) == 0)
        places.list.push_back({sent->where, std::string(script_of(*sent))});
  return places;
}

std::string CodePlaces::name_of(std::size_t number) const {
  const SourceLine where = list[number - 1].where;
  return fmt::format("{}:{}", where.file, where.line);
}

Json codes_of(const CodePlaces& places, const SourceTexts& sources) {
  Json codes = Json::array();
  for (std::size_t i = 1; i <= places.list.size(); ++i) {
    const auto& [where, script] = places.list[i - 1];
    const auto source = sources.find(where.file);
    const std::vector<std::string> lines =
        source == sources.end() ? std::vector<std::string>() : text_lines(source->second);
    codes.push_back({{"number", i},
                     {"place", places.name_of(i)},
                     {"source", where.line <= lines.size() ? excerpt(where, lines) : Json()},
                     {"script", script.empty() ? Json() : script_of(script)}});
  }
  return codes;
}

std::vector<Json> step_panels(const Counterexample& example, const Scene& scene, const CodePlaces& places,
                              std::size_t first, Language language) {
  return Panels(example, scene, places, language).make(first);
}

}  // namespace holdfast::reports
