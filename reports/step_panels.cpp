#include "reports/step_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "reports/html.hpp"
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
  Panels(const Counterexample& example, const Scene& scene, const CodePlaces& places)
      : example_(example), scene_(scene), places_(places), narrator_(example.events) {}

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
    text += fmt::format("><h3>Step {} <small>at {}</small></h3>\n<p class=\"sentence\">", step.step.value,
                        words_for(step.at));
    for (const Event* event : step.events) {
      std::string sentence = narrator_.sentence(*event);
      if (sentence.starts_with("the ") || sentence.starts_with("an "))
        sentence[0] = sentence[0] == 't' ? 'T' : 'A';
      text += (event == step.events.front() ? "" : " ") + html_text(sentence);
    }
    text += "</p>\n" + remarks(step) + clients_table(step.at) + store_table(step.at);
    if (const std::size_t code = code_of(step); code != 0) {
      const SourceLine where = places_.list[code - 1];
      text += fmt::format("<p class=\"where\">code: <a href=\"#code-{}\">{}:{}</a></p>\n", code,
                          html_text(where.file), where.line);
    }
    return text + "</article>\n";
  }

  std::string remarks(const StepView& step) const {
    std::string text;
    for (const Finding& finding : example_.findings)
      if (finding.to == step.step)
        text += fmt::format("<p class=\"finding ending\">✘ {}: {}</p>\n", id_of(finding.property),
                            html_text(finding.because));
    if (example_.explanation && example_.explanation->no_return.step == step.step)
      text +=
          "<p class=\"finding\">Point of no return: from here, every continuation within the bounds breaks "
          "it.</p>\n";
    return text;
  }

  std::string clients_table(Instant now) const {
    std::string text =
        "<table class=\"minds\"><thead><tr><th scope=\"col\">client</th><th scope=\"col\">believes it "
        "holds</th>"
        "<th scope=\"col\">store names it</th><th scope=\"col\">its clock</th></tr></thead><tbody>\n";
    for (const ClientId client : scene_.cast.clients) {
      const auto offset = offsets_.find(client);
      const std::string_view state = standing_.is_stopped(client) ? " (stopped)"
                                     : standing_.is_alive(client) ? ""
                                                                  : " (not running)";
      const std::string clock =
          to_text(now.time_since_epoch() + (offset == offsets_.end() ? Duration::zero() : offset->second));
      text += fmt::format(
          "<tr><th scope=\"row\"><b class=\"chip {}\">{}</b>{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n",
          colour_of(client), name_of(client), state, standing_.believes(client) ? "✔ yes" : "no",
          standing_.is_named(client) ? "✔ yes" : "no", clock);
    }
    return text + "</tbody></table>\n";
  }

  std::string store_table(Instant now) const {
    if (keys_.empty()) return "<p class=\"store empty\">The store holds no key of a lock.</p>\n";
    std::string text =
        "<table class=\"store\"><thead><tr><th scope=\"col\">key</th><th scope=\"col\">value</th>"
        "<th scope=\"col\">set by</th><th scope=\"col\">lives for</th></tr></thead><tbody>\n";
    for (const auto& [place, key] : keys_) {
      const std::string where = scene_.cast.nodes.size() > 1 ? " in " + name_of(place.first) : "";
      const std::string owner = key.owner.is_nobody()
                                    ? "somebody"
                                    : fmt::format("<b class=\"chip {}\">{}</b>", colour_of(key.owner.client),
                                                  name_of(key.owner.client));
      text += fmt::format(
          "<tr><th scope=\"row\"><code>{}</code>{}</th><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n",
          html_text(place.second), where, html_text(key.value), owner, lifetime(key, now));
    }
    return text + "</tbody></table>\n";
  }
  static std::string lifetime(const StandingValue& key, Instant now) {
    if (key.expires_at == never) return "ever";
    const Duration whole = key.expires_at - key.written;
    const Duration left = std::max(key.expires_at - now, Duration::zero());
    return fmt::format("<meter min=\"0\" max=\"{}\" value=\"{}\">{}</meter> {} of {}",
                       std::max<std::int64_t>(whole.count(), 1), left.count(), to_text(left), to_text(left),
                       to_text(whole));
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
      if (sent) code = places_.number_of(sent->where);
    }
    return code;
  }

  std::string event_rows(const StepView& step) const {
    std::string text;
    for (const Event* event : step.events)
      text += fmt::format(
          "<tr data-step=\"{0}\"><td><a "
          "href=\"#step-{0}\">{0}</a></td><td>{1}</td><td>{2}</td><td>{3}</td><td>{4}</td></tr>\n",
          step.step.value, words_for(event->at), name_of(event->actor), kind_of(*event),
          html_text(narrator_.sentence(*event)));
    return text;
  }

  const Counterexample& example_;
  const Scene& scene_;
  const CodePlaces& places_;
  Narrator narrator_;
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

}  // namespace

std::size_t CodePlaces::number_of(SourceLine where) const {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].line == where.line && std::string_view(list[i].file) == where.file) return i + 1;
  return 0;
}

CodePlaces code_places(const std::vector<Event>& events) {
  CodePlaces places;
  for (const Event& event : events)
    if (const Sent* sent = std::get_if<Sent>(&event.what))
      if (sent->where.line != 0 && places.number_of(sent->where) == 0) places.list.push_back(sent->where);
  return places;
}

std::string code_figure(const CodePlaces& places, std::size_t number, const SourceTexts& sources) {
  const SourceLine where = places.list[number - 1];
  std::string text =
      fmt::format("<figure class=\"code\" id=\"code-{0}\" data-code=\"{0}\"><figcaption>{1}:{2}</figcaption>",
                  number, html_text(where.file), where.line);
  const auto source = sources.find(where.file);
  const std::vector<std::string> lines =
      source == sources.end() ? std::vector<std::string>() : lines_of(source->second);
  if (where.line > lines.size()) return text + "</figure>\n";
  text += "<pre><code>";
  const std::uint32_t first = where.line > lines_around ? where.line - lines_around : 1;
  const std::uint32_t last = std::min(where.line + lines_around, static_cast<std::uint32_t>(lines.size()));
  for (std::uint32_t line = first; line <= last; ++line) {
    const std::string code = fmt::format("{:>4}  {}", line, html_text(lines[line - 1]));
    text += line == where.line ? "<mark>" + code + "</mark>\n" : code + "\n";
  }
  return text + "</code></pre></figure>\n";
}

StepPanels step_panels(const Counterexample& example, const Scene& scene, const CodePlaces& places,
                       std::size_t first) {
  return Panels(example, scene, places).make(first);
}

}  // namespace holdfast::reports
