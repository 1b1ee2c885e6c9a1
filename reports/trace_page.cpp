#include "reports/trace_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/explanation.hpp"
#include "reports/html.hpp"
#include "reports/picture.hpp"
#include "reports/step_panels.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast::reports {
namespace {

std::string faults_of(const Scenario& scenario) {
  std::string list;
  for (const FaultRule& rule : scenario.faults)
    list.append(list.empty() ? "" : " + ").append(id_of(rule.kind));
  return list.empty() ? "no fault" : list;
}

std::string button(std::string_view action, std::string_view words, std::string_view key) {
  return fmt::format("<button type=\"button\" data-do=\"{}\" hidden{}>{}</button>\n", action,
                     key.empty() ? "" : fmt::format(" aria-keyshortcuts=\"{}\"", key), words);
}

class TracePage {
 public:
  TracePage(const TraceView& trace, const SourceTexts& sources, const TracePageLinks& links,
            std::ostream& out)
      : trace_(trace),
        example_(trace.example),
        sources_(sources),
        links_(links),
        out_(out),
        scene_(scene_of(trace.example)),
        places_(code_places(trace.example.events)),
        first_(scene_.rows.size() > steps_on_page ? scene_.rows.size() - steps_on_page : 0),
        panels_(step_panels(trace.example, scene_, places_, first_)) {}

  void write() {
    const std::string title = title_text();
    open_page({title}, out_);
    write_header(title);
    out_ << "<main id=\"main\" tabindex=\"-1\">\n";
    write_overview();
    out_ << "<div class=\"desk\">\n";
    write_sequence();
    write_steps();
    out_ << "</div>\n";
    write_why();
    write_events();
    write_provenance();
    out_ << "</main>\n";
    write_data();
    write_parts();
    close_page(out_);
  }

 private:
  std::string title_text() const {
    const std::string what = fmt::format("{} × {}", trace_.scenario.algorithm, faults_of(trace_.scenario));
    if (example_.findings.empty()) return what + ": nothing is violated";
    return fmt::format("{}: {} is violated", what, id_of(example_.findings.front().property));
  }

  void write_header(const std::string& title) {
    const bool is_bad = !example_.findings.empty();
    out_ << "<a class=\"skip\" href=\"#main\">to the run</a>\n<header>\n";
    if (!links_.index.empty())
      out_ << fmt::format("<nav><a href=\"{}\">← all verdicts</a></nav>\n", html_text(links_.index));
    out_ << fmt::format("<h1><span class=\"glyph {}\">{}</span> <span class=\"ending\">{}</span></h1>\n",
                        is_bad ? "bad" : "good", is_bad ? "✘" : "✔", html_text(title));
    if (is_bad)
      out_ << fmt::format("<p class=\"diagnosis ending\">{}</p>\n",
                          html_text(example_.findings.front().because));
    out_ << fmt::format("<p class=\"facts\">{}</p>\n<p class=\"tools\">", html_text(facts()));
    if (!trace_.path.empty()) {
      const std::string command = "./holdfast replay " + trace_.path;
      out_ << fmt::format("<code id=\"replay\">{}</code>\n", html_text(command))
           << button("copy-replay", "Copy command", "");
    }
    out_ << button("copy-link", "Copy link to this step", "") << button("copy-svg", "Copy picture (SVG)", "")
         << button("ending", "Hide the ending", "h") << button("theme", "Light or dark", "")
         << button("print", "Print", "") << "</p>\n</header>\n";
  }
  std::string facts() const {
    std::string text = counted(trace_.scenario.clients.size(), "client");
    for (const auto& [name, value] : trace_.scenario.params) text += fmt::format(" · {} {}", name, value);
    if (trace_.scenario.belief) text += fmt::format(" · belief {}", id_of(*trace_.scenario.belief));
    text += " · " + counted(example_.steps, "step");
    if (example_.loop) text += fmt::format(", the last {} for ever", example_.steps - example_.loop->begin);
    if (example_.steps_original > example_.steps)
      text += fmt::format(" (shrunk from {})", grouped(example_.steps_original));
    return text;
  }

  void write_overview() {
    out_
        << "<section aria-labelledby=\"h-overview\"><h2 id=\"h-overview\">Belief against truth</h2>\n"
        << "<div class=\"scroll\" id=\"overview\" tabindex=\"0\" role=\"group\" aria-label=\"the whole run\">"
        << overview_picture(
               scene_,
               {"over", "Who believes that it holds the lock, and whom the store names, step by step"})
        << "<p class=\"scrubber\" hidden><input type=\"range\" id=\"scrubber\" min=\"1\" value=\"1\" max=\""
        << std::max<std::size_t>(scene_.rows.size(), 1) << "\" aria-label=\"step\"></p></div>\n"
        << picture_legend() << "<p class=\"keys\" hidden>";
    out_ << button("first", "« first", "Home") << button("back", "◀ back", "ArrowLeft")
         << "<output id=\"position\" for=\"scrubber\"></output>\n"
         << button("next", "next ▶", "ArrowRight") << button("violation", "violation »", "v")
         << "<span class=\"hint\">← → or Page keys step · Shift+← → same client · n p faults · v violation · "
            "h "
            "ending · / filter</span></p>\n</section>\n";
  }

  Rows last_part() const {
    const std::size_t count = scene_.rows.size();
    const std::size_t shown = count - first_;
    const std::size_t begin =
        shown <= steps_per_part ? first_ : first_ + (shown - 1) / steps_per_part * steps_per_part;
    return {begin, count};
  }
  std::string sequence_of(Rows rows) const {
    return sequence_picture(scene_, rows, {"seq", "Messages between clients and store, step by step"});
  }
  static std::string joined(const std::vector<std::string>& list, Rows rows) {
    std::string text;
    for (std::size_t i = rows.begin; i < rows.end; ++i) text += list[i];
    return text;
  }

  void write_sequence() {
    out_ << "<section class=\"picture-side\" aria-labelledby=\"h-sequence\"><h2 id=\"h-sequence\">What "
            "happened</h2>\n";
    if (first_ > 0)
      out_ << fmt::format("<p class=\"notice\">Of {} steps, the last {} are on this page.</p>\n",
                          grouped(scene_.rows.size()), grouped(scene_.rows.size() - first_));
    const Rows rows = last_part();
    if (rows.begin > first_)
      out_ << fmt::format(
          "<p class=\"notice\" id=\"part\">Steps {} to {} of {}. With JavaScript, the others are "
          "shown when you go there.</p>\n",
          scene_.rows[rows.begin].step.value, scene_.rows.back().step.value, scene_.rows.back().step.value);
    out_ << "<div class=\"scroll\" id=\"sequence\" tabindex=\"0\" role=\"group\" aria-label=\"sequence "
            "diagram\">"
         << sequence_of(rows) << "</div></section>\n";
  }

  void write_steps() {
    out_ << "<section class=\"step-side\" aria-labelledby=\"h-steps\"><h2 id=\"h-steps\">Step by step</h2>\n"
         << "<div id=\"steps\" aria-live=\"polite\">" << joined(panels_.articles, last_part()) << "</div>\n";
    if (!places_.list.empty()) {
      out_ << "<div id=\"code\"><h3>The code</h3>\n";
      for (std::size_t i = 1; i <= places_.list.size(); ++i) out_ << code_figure(places_, i, sources_);
      out_ << "</div>\n";
    }
    out_ << "</section>\n";
  }

  void write_why() {
    if (example_.findings.size() < 2 && !example_.explanation) return;
    out_ << "<section class=\"ending\" aria-labelledby=\"h-why\"><h2 id=\"h-why\">Why</h2>\n<table "
            "class=\"why\"><tbody>\n";
    for (std::size_t i = 1; i < example_.findings.size(); ++i)
      out_ << fmt::format("<tr><th scope=\"row\">also</th><td>{}: {}</td></tr>\n",
                          id_of(example_.findings[i].property), html_text(example_.findings[i].because));
    if (example_.explanation)
      for (const ExplainedLine& line : reports::lines_of(*example_.explanation))
        out_ << fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", line.label,
                            html_text(line.text));
    out_ << "</tbody></table></section>\n";
  }

  void write_events() {
    out_ << "<section aria-labelledby=\"h-events\"><h2 id=\"h-events\">All events</h2>\n"
         << "<p class=\"filter\" hidden><label>Filter <input type=\"search\" id=\"filter\" "
            "placeholder=\"words, all of which occur\"></label> <output id=\"found\"></output></p>\n"
         << "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"table of events\">"
         << "<table id=\"events\"><thead><tr><th scope=\"col\">step</th><th scope=\"col\">time</th><th "
            "scope=\"col\">who"
         << "</th><th scope=\"col\">event</th><th scope=\"col\">what happens</th></tr></thead>\n<tbody>"
         << joined(panels_.events, last_part()) << "</tbody></table></div></section>\n";
  }

  void write_provenance() {
    out_ << "<section aria-labelledby=\"h-from\"><h2 id=\"h-from\">Where this comes from</h2>\n<dl "
            "class=\"facts-list\">";
    const auto fact = [&](std::string_view name, const std::string& text) {
      if (!text.empty()) out_ << fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html_text(text));
    };
    fact("scenario", trace_.scenario.name);
    fact("trace file", trace_.path);
    fact("holdfast", links_.version);
    fact("fingerprint", example_.fingerprint.hex());
    fact("choices on the tape", grouped(example_.tape.size()));
    out_ << "</dl>\n<details><summary>The scenario, as a file</summary>\n<pre><code>"
         << html_text_lines(scenario_json(trace_.scenario)) << "</code></pre></details></section>\n";
  }
  static std::string html_text_lines(const std::string& text) {
    std::string safe;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      safe += html_text(text.substr(begin, end - begin)) + "\n";
      begin = end + 1;
    }
    return safe;
  }

  // What the script cannot read off the page: the numbers of steps, and where to jump.
  void write_data() {
    std::string steps, actors, faults;
    for (const Scene::Row& row : scene_.rows) {
      steps += fmt::format("{}{}", steps.empty() ? "" : ",", row.step.value);
      actors += fmt::format("{}\"{}\"", actors.empty() ? "" : ",", name_of(row.actor));
    }
    std::vector<std::size_t> struck;
    for (const Scene::Note& note : scene_.notes)
      if (note.is_fault) struck.push_back(note.row);
    for (const Scene::Message& message : scene_.messages)
      if (message.is_lost || message.is_late) struck.push_back(message.sent);
    std::sort(struck.begin(), struck.end());
    for (const std::size_t row : struck) faults += fmt::format("{}{}", faults.empty() ? "" : ",", row);
    out_ << fmt::format(
        "<script type=\"application/json\" id=\"run\">{{\"steps\":[{}],\"actors\":[{}],"
        "\"faults\":[{}],\"violation\":{},\"first\":{}}}</script>\n",
        steps, actors, faults, scene_.clash_to ? std::to_string(*scene_.clash_to) : "null", first_);
  }

  // What is not shown at first, as text that a script puts into its place.
  void write_parts() {
    const std::size_t count = scene_.rows.size();
    if (count - first_ <= steps_per_part) return;
    for (std::size_t begin = first_; begin < count; begin += steps_per_part) {
      const Rows rows{begin, std::min(begin + steps_per_part, count)};
      const auto part = [&](std::string_view where, const std::string& text) {
        out_ << fmt::format(
                    "<script type=\"text/html\" class=\"part\" data-into=\"{}\" data-first=\"{}\" "
                    "data-last=\"{}\">",
                    where, scene_.rows[rows.begin].step.value, scene_.rows[rows.end - 1].step.value)
             << text << "</script>\n";
      };
      part("sequence", sequence_of(rows));
      part("steps", joined(panels_.articles, rows));
      part("events", joined(panels_.events, rows));
    }
  }

  const TraceView& trace_;
  const Counterexample& example_;
  const SourceTexts& sources_;
  const TracePageLinks& links_;
  std::ostream& out_;
  const Scene scene_;
  const CodePlaces places_;
  const std::size_t first_;  // row
  const StepPanels panels_;
};

}  // namespace

void write_trace_page(const TraceView& trace, const SourceTexts& sources, const TracePageLinks& links,
                      std::ostream& out) {
  TracePage(trace, sources, links, out).write();
}

}  // namespace holdfast::reports
