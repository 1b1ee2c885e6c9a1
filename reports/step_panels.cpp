#include "reports/step_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "reports/diagnosis.hpp"
#include "reports/html.hpp"
#include "reports/lua.hpp"
#include "reports/picture.hpp"

namespace holdfast::reports {
namespace {

constexpr std::uint32_t lines_around = 4;

// A key of the store as the last command left it.
struct StandingValue {
  Acquisition owner;
  std::string value;
  Instant written;
  Instant expires_at = never;
};

class Panels {
 public:
  Panels(const Counterexample& example, const Scene& scene, const CodePlaces& places, Language language)
      : example_(example),
        scene_(scene),
        places_(places),
        language_(language),
        narrator_(example.events, language),
        words_(narrator_.words().page) {}

  StepPanels make(std::size_t first) {
    StepPanels panels;
    for (const StepView& step : steps_of(example_.events)) {
      for (const Event* event : step.events) follow(*event);
      const bool is_wanted = panels.articles.size() >= first;
      panels.articles.push_back(is_wanted ? article(step) : "");
      panels.events.push_back(is_wanted ? event_rows(step) : "");
    }
    return panels;
  }

 private:
  void follow(const Event& event) {
    standing_.apply(event);
    if (const auto* started = std::get_if<Started>(&event.what))
      offsets_[started->client] = started->wall_offset;
    if (const auto* skewed = std::get_if<ClockSkewed>(&event.what)) offsets_[skewed->client] = skewed->offset;
    const auto* changed = std::get_if<KeyChanged>(&event.what);
    if (!changed) return;
    const auto place = std::pair(changed->node, changed->key);
    switch (changed->kind) {
      case KeyChanged::Kind::removed:
      case KeyChanged::Kind::expired:
      case KeyChanged::Kind::lost: keys_.erase(place); return;
      default: keys_[place] = {changed->after, changed->value, event.at, changed->expires_at};
    }
  }

  std::string article(const StepView& step) const {
    std::string text =
        fmt::format("<article class=\"step\" id=\"step-{0}\" data-step=\"{0}\"", step.step.value);
    if (const std::size_t code = code_of(step); code != 0) text += fmt::format(" data-code=\"{}\"", code);
    text += fmt::format("><h3>{} <small>{}</small></h3>\n<p class=\"sentence\">",
                        say(words_.step, step.step.value), say(words_.at, words_for(step.at)));
    for (const Event* event : step.events) {
      std::string sentence = narrator_.sentence(*event);
      if (sentence.starts_with("the ") || sentence.starts_with("an "))
        sentence[0] = sentence[0] == 't' ? 'T' : 'A';
      text += std::string(event == step.events.front() ? "" : narrator_.words().space) + html_text(sentence);
    }
    text += "</p>\n" + remarks(step) + clients_table(step.at) + store_table(step.at);
    if (const std::size_t code = code_of(step); code != 0) {
      const SourceLine where = places_.list[code - 1].where;
      text += fmt::format("<p class=\"where\">{} <a href=\"#code-{}\">{}:{}</a></p>\n", words_.code_at, code,
                          html_text(where.file), where.line);
    }
    return text + "</article>\n";
  }

  std::string remarks(const StepView& step) const {
    std::string text;
    for (const Finding& finding : example_.findings)
      if (finding.to == step.step)
        text += fmt::format("<p class=\"finding ending\">✘ {}: {}</p>\n", id_of(finding.property),
                            html_text(because_of(finding, language_)));
    const auto& explanation = example_.explanation;
    if (explanation && scene_.no_return && explanation->no_return->step == step.step)
      text += fmt::format("<p class=\"finding\">{}</p>\n", words_.no_return);
    return text;
  }

  std::string clients_table(Instant now) const {
    std::string text = "<table class=\"minds\">" +
                       table_head({words_.client, words_.believes_it_holds,
                                   scene_.cast.nodes.size() > 1 ? words_.most_name_it : words_.store_names_it,
                                   words_.its_clock});
    for (const ClientId client : scene_.cast.clients) {
      const auto offset = offsets_.find(client);
      const std::string_view state = standing_.is_stopped(client) ? words_.stopped
                                     : standing_.is_alive(client) ? ""
                                                                  : words_.not_running;
      const std::string clock =
          to_text(now.time_since_epoch() + (offset == offsets_.end() ? Duration::zero() : offset->second));
      text += fmt::format(
          "<tr><th scope=\"row\"><b class=\"chip {}\">{}</b>{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n",
          colour_of(client), name_of(client), state, standing_.believes(client) ? words_.yes : words_.no,
          standing_.is_named(client, scene_.cast.nodes.size()) ? words_.yes : words_.no, clock);
    }
    return text + "</tbody></table>\n";
  }

  std::string store_table(Instant now) const {
    if (keys_.empty()) return fmt::format("<p class=\"store empty\">{}</p>\n", words_.no_key);
    std::string text = "<table class=\"store\">" +
                       table_head({words_.key, words_.value, words_.written_by, words_.lives_for});
    for (const auto& [place, key] : keys_) {
      const std::string where = scene_.cast.nodes.size() > 1 ? say(words_.in_node, name_of(place.first)) : "";
      const std::string owner = key.owner.is_nobody()
                                    ? std::string(words_.somebody)
                                    : fmt::format("<b class=\"chip {}\">{}</b>", colour_of(key.owner.client),
                                                  name_of(key.owner.client));
      text += fmt::format(
          "<tr><th scope=\"row\"><code>{}</code>{}</th><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n",
          html_text(place.second), where, html_text(key.value), owner, lifetime(key, now));
    }
    return text + "</tbody></table>\n";
  }
  std::string lifetime(const StandingValue& key, Instant now) const {
    if (key.expires_at == never) return std::string(words_.ever);
    const Duration whole = key.expires_at - key.written;
    const Duration left = std::max(key.expires_at - now, Duration::zero());
    return fmt::format("<meter min=\"0\" max=\"{}\" value=\"{}\">{}</meter> {}",
                       std::max<std::int64_t>(whole.count(), 1), left.count(), to_text(left),
                       say(words_.left_of, to_text(left), to_text(whole)));
  }
  static std::string table_head(std::initializer_list<std::string_view> names) {
    std::string text = "<thead><tr>";
    for (const std::string_view name : names) text += fmt::format("<th scope=\"col\">{}</th>", name);
    return text + "</tr></thead><tbody>\n";
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

  std::string event_rows(const StepView& step) const {
    std::string text;
    for (const Event* event : step.events)
      text += fmt::format(
          "<tr data-step=\"{0}\"><td><a "
          "href=\"#step-{0}\">{0}</a></td><td>{1}</td><td>{2}</td><td>{3}</td><td>{4}</td></tr>\n",
          step.step.value, words_for(event->at), scene_.name_of(event->actor), kind_of(*event),
          html_text(narrator_.sentence(*event)));
    return text;
  }

  const Counterexample& example_;
  const Scene& scene_;
  const CodePlaces& places_;
  const Language language_;
  const Narrator narrator_;
  const PageWords& words_;
  Standing standing_;
  std::map<ClientId, Duration> offsets_;
  std::map<std::pair<NodeId, std::string>, StandingValue> keys_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// What EVAL runs; empty for any other command.
std::string_view script_of(const Sent& sent) {
  const bool is_script = sent.argv.size() > 1 && sent.argv[0] == "EVAL";
  return is_script ? std::string_view(sent.argv[1]) : std::string_view();
}

std::string line_of_code(std::string_view line, bool is_marked) {
  const std::string code = html_text(line);
  return is_marked ? "<mark>" + code + "</mark>\n" : code + "\n";
}

std::string excerpt(SourceLine where, const std::vector<std::string>& lines) {
  std::string text = "<pre><code>";
  const std::uint32_t first = where.line > lines_around ? where.line - lines_around : 1;
  const std::uint32_t last = std::min(where.line + lines_around, static_cast<std::uint32_t>(lines.size()));
  for (std::uint32_t line = first; line <= last; ++line)
    text += line_of_code(fmt::format("{:>4}  {}", line, lines[line - 1]), line == where.line);
  return text + "</code></pre>";
}

}  // namespace

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

std::string code_figure(const CodePlaces& places, std::size_t number, const SourceTexts& sources,
                        const PageWords& words) {
  const auto& [where, script] = places.list[number - 1];
  const std::string place = fmt::format("{}:{}", html_text(where.file), where.line);
  std::string text = fmt::format(
      "<figure class=\"code\" id=\"code-{0}\" data-code=\"{0}\"><figcaption>{1}</figcaption>", number, place);
  const auto source = sources.find(where.file);
  if (source != sources.end()) {
    const std::vector<std::string> lines = lines_of(source->second);
    if (where.line <= lines.size()) text += excerpt(where, lines);
  }
  if (!script.empty()) {
    text += fmt::format("<p class=\"script\">{}</p><pre><code>", say(words.script, place));
    for (const ScriptLine& line : script_lines(script))
      text += line_of_code("  " + line.text, line.is_command);
    text += "</code></pre>";
  }
  return text + "</figure>\n";
}

StepPanels step_panels(const Counterexample& example, const Scene& scene, const CodePlaces& places,
                       std::size_t first, Language language) {
  return Panels(example, scene, places, language).make(first);
}

}  // namespace holdfast::reports
