#include "reports/trace_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/diagnosis.hpp"
#include "reports/explanation.hpp"
#include "reports/html.hpp"
#include "reports/matrix_table.hpp"
#include "reports/page_data.hpp"
#include "reports/picture.hpp"
#include "reports/shown.hpp"
#include "reports/step_panels.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast::reports {
namespace {

std::string button(std::string_view action, std::string_view words, std::string_view key) {
  return fmt::format("<button type=\"button\" data-do=\"{}\" hidden{}>{}</button>\n", action,
                     key.empty() ? "" : fmt::format(" aria-keyshortcuts=\"{}\"", key), words);
}

class TracePage {
 public:
  TracePage(const TraceView& trace, const SourceTexts& sources, const TracePageContext& context,
            std::ostream& out)
      : trace_(trace),
        example_(trace.example),
        sources_(sources),
        context_(context),
        words_(words_of(trace.language)),
        page_(words_.page),
        out_(out),
        scene_(scene_of(trace.example, trace.language)),
        places_(code_places(trace.example.events)),
        first_(scene_.rows.size() > steps_on_page ? scene_.rows.size() - steps_on_page : 0),
        panels_(step_panels(trace.example, scene_, places_, first_, trace.language)) {}

  void write() {
    const std::string title = title_of(trace_);
    const std::string told =
        example_.findings.empty() ? "" : because_of(example_.findings.front(), trace_.language);
    open_page({title, trace_.language == Language::zh ? "zh-Hans" : "en", told}, out_);
    write_header(title);
    out_ << "<main id=\"main\" tabindex=\"-1\">\n";
    write_overview();
    out_ << fmt::format("<div class=\"desk{}\">\n", scene_.lanes.size() > 3 ? " wide" : "");
    write_sequence();
    write_steps();
    out_ << "</div>\n";
    write_why();
    write_fixes();
    write_events();
    write_provenance();
    out_ << "</main>\n";
    out_ << page_data(scene_, first_, example_.steps, context_);
    write_parts();
    close_page(out_);
  }

 private:
  void write_header(const std::string& title) {
    const bool is_bad = !example_.findings.empty();
    out_ << fmt::format("<a class=\"skip\" href=\"#main\">{}</a>\n<header>\n", page_.to_the_run);
    if (!context_.index.empty())
      out_ << fmt::format("<nav><a href=\"{}\">{}</a></nav>\n", html_text(context_.index),
                          page_.all_verdicts);
    out_ << fmt::format(
        "<h1><span class=\"ending\"><span class=\"glyph {}\">{}</span> {}</span><span "
        "class=\"neutral\">{}</span></h1>\n",
        is_bad ? "bad" : "good", is_bad ? "✘" : "✔", html_text(title),
        html_text(say(page_.what_breaks, subject_of(trace_))));
    if (is_bad)
      out_ << fmt::format("<p class=\"diagnosis ending\">{}</p>\n",
                          html_text(because_of(example_.findings.front(), trace_.language)));
    out_ << fmt::format("<p class=\"facts\">{}</p>\n<p class=\"tools\">", html_text(facts_of(trace_)));
    if (!trace_.path.empty()) {
      const std::string command = "./holdfast replay " + file_name();
      out_ << fmt::format("<code id=\"replay\">{}</code>\n", html_text(command))
           << button("copy-replay", page_.copy_command, "");
    }
    out_ << button("copy-link", page_.copy_link, "") << button("copy-svg", page_.copy_picture, "")
         << button("ending", page_.hide_ending, "h");
    if (!context_.moves.empty()) out_ << button("play", words_.asked.begin, "");
    out_ << button("theme", words_.theme, "") << button("print", words_.print, "") << "</p>\n</header>\n";
  }

  void write_overview() {
    out_ << fmt::format("<section aria-labelledby=\"h-overview\"><h2 id=\"h-overview\">{}</h2>\n",
                        page_.belief_and_truth)
         << fmt::format(
                "<div class=\"scroll\" id=\"overview\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">",
                page_.whole_run)
         << overview_picture(scene_, {"over", std::string(page_.overview)}) << "<div id=\"by-time\" hidden>"
         << overview_picture(scene_, {"timed", std::string(page_.overview)}, Axis::time) << "</div>\n"
         << fmt::format(
                "<p class=\"scrubber\" hidden><input type=\"range\" id=\"scrubber\" min=\"1\" value=\"1\" "
                "max=\"{}\" aria-label=\"{}\"></p></div>\n",
                std::max<std::size_t>(scene_.rows.size(), 1), page_.column_step)
         << (scene_.rows.size() - first_ > steps_per_part
                 ? fmt::format("<figure id=\"lens\" hidden><canvas aria-hidden=\"true\"></canvas><figcaption "
                               "class=\"hint\">{}</figcaption></figure>\n",
                               page_.lens)
                 : "")
         << picture_legend(page_) << "<p class=\"keys\" hidden>" << button("first", page_.first, "Home")
         << button("back", page_.back, "ArrowLeft") << "<output id=\"position\" for=\"scrubber\"></output>\n"
         << button("next", page_.next, "ArrowRight") << button("violation", page_.to_violation, "v")
         << button("axis", page_.by_time, "o")
         << fmt::format("<span class=\"hint\">{}</span></p>\n</section>\n", page_.keys);
  }

  // Where it lay is nobody's business.
  std::string file_name() const { return trace_.path.substr(trace_.path.rfind('/') + 1); }
  Rows last_part() const {
    const std::size_t count = scene_.rows.size();
    const std::size_t shown = count - first_;
    const std::size_t begin =
        shown <= steps_per_part ? first_ : first_ + (shown - 1) / steps_per_part * steps_per_part;
    return {begin, count};
  }
  std::string sequence_of(Rows rows) const {
    return sequence_picture(scene_, rows, {"seq", std::string(page_.messages)});
  }
  static std::string joined(const std::vector<std::string>& list, Rows rows) {
    std::string text;
    for (std::size_t i = rows.begin; i < rows.end; ++i) text += list[i];
    return text;
  }

  void write_sequence() {
    out_ << fmt::format(
        "<section class=\"picture-side\" aria-labelledby=\"h-sequence\"><h2 id=\"h-sequence\">{}</h2>\n",
        page_.what_happened);
    if (first_ > 0)
      out_ << fmt::format("<p class=\"notice\">{}</p>\n", say(page_.last_steps, grouped(scene_.rows.size()),
                                                              grouped(scene_.rows.size() - first_)));
    const Rows rows = last_part();
    if (rows.begin > first_)
      out_ << fmt::format("<p class=\"notice\"><span id=\"part\">{}</span> {}</p>\n",
                          say(page_.part, scene_.rows[rows.begin].step.value, scene_.rows.back().step.value,
                              scene_.rows.back().step.value),
                          page_.part_hint);
    out_ << fmt::format(
                "<div class=\"scroll\" id=\"sequence\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">",
                page_.diagram)
         << sequence_of(rows) << "</div></section>\n";
  }

  void write_steps() {
    out_ << fmt::format(
        "<section class=\"step-side\" aria-labelledby=\"h-steps\"><h2 id=\"h-steps\">{}</h2>\n",
        page_.step_by_step);
    if (!context_.moves.empty()) write_game();
    out_ << "<div id=\"steps\" aria-live=\"polite\">" << joined(panels_.articles, last_part()) << "</div>\n";
    if (!places_.list.empty()) {
      out_ << fmt::format("<div id=\"code\"><h3>{}</h3>\n", words_.code);
      for (std::size_t i = 1; i <= places_.list.size(); ++i) out_ << code_figure(places_, i, sources_, page_);
      out_ << "</div>\n";
    }
    out_ << "</section>\n";
  }

  // Filled in by the script: the questions that the run was asked, one after the other.
  void write_game() {
    const QuestionWords& asked = words_.asked;
    out_ << fmt::format(
                "<div id=\"game\" class=\"step\" hidden><h3>{}</h3>\n<p class=\"hint\">{}</p>\n<div "
                "aria-live=\"polite\"><p class=\"sentence\" id=\"question\"></p>\n<p "
                "id=\"outcome\"></p></div>\n"
                "<ol id=\"answers\" start=\"0\"></ol>\n<p class=\"tools\">",
                asked.heading, asked.rules)
         << button("go-on", asked.go_on, "Enter") << button("take-back", asked.take_back, "u")
         << button("stop", asked.end, "") << "<output id=\"score\"></output></p></div>\n";
  }

  void write_why() {
    if (example_.findings.size() < 2 && !example_.explanation) return;
    out_ << fmt::format(
        "<section class=\"ending\" aria-labelledby=\"h-why\"><h2 id=\"h-why\">{}</h2>\n<table "
        "class=\"why\"><tbody>\n",
        words_.why);
    for (std::size_t i = 1; i < example_.findings.size(); ++i)
      out_ << fmt::format("<tr><th scope=\"row\">{}</th><td>{}: {}</td></tr>\n", page_.also,
                          id_of(example_.findings[i].property),
                          html_text(because_of(example_.findings[i], trace_.language)));
    if (example_.explanation)
      for (const ExplainedLine& line : reports::lines_of(*example_.explanation, words_))
        out_ << fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", line.label,
                            html_text(line.text));
    out_ << "</tbody></table></section>\n";
  }

  // What repairs the lock, and which locks need no repair here.
  void write_fixes() {
    if (example_.findings.empty()) return;
    std::string list;
    const Property property = example_.findings.front().property;
    const Fault fault = trace_.scenario.faults.empty() ? Fault::none : trace_.scenario.faults.front().kind;
    std::string names;
    for (const std::string& lock : context_.keepers)
      names += fmt::format("{}<a href=\"{}#{}\">{}</a>", names.empty() ? "" : words_.explained.comma,
                           html_text(context_.index), anchor_of(lock), html_text(lock));
    if (!names.empty()) list += "<li>" + say(page_.kept_by, id_of(property), id_of(fault), names) + "</li>\n";
    else if (!context_.index.empty())
      list += "<li>" + say(page_.kept_by_none, id_of(property), id_of(fault)) + "</li>\n";
    for (const KnownBug& bug : context_.bugs)
      list += fmt::format("<li>{}. {} <code>./holdfast run {}</code></li>\n", html_text(bug.what),
                          page_.repair_shown, html_text(bug.repair));
    if (list.empty()) return;
    out_ << fmt::format(
        "<section class=\"ending\" aria-labelledby=\"h-fix\"><h2 id=\"h-fix\">{}</h2>\n<ul "
        "class=\"story\">{}</ul></section>\n",
        page_.how_to_fix, list);
  }

  void write_events() {
    out_ << fmt::format("<section aria-labelledby=\"h-events\"><h2 id=\"h-events\">{}</h2>\n",
                        page_.all_events)
         << fmt::format(
                "<p class=\"filter\" hidden><label>{} <input type=\"search\" id=\"filter\" "
                "placeholder=\"{}\"></label> <output id=\"found\"></output></p>\n",
                page_.filter, page_.filter_hint)
         << fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">",
                        page_.event_table)
         << "<table id=\"events\"><thead><tr>";
    for (const std::string_view name :
         {page_.column_step, page_.column_time, page_.column_who, page_.column_event, page_.column_what})
      out_ << fmt::format("<th scope=\"col\">{}</th>", name);
    out_ << "</tr></thead>\n<tbody>" << joined(panels_.events, last_part())
         << "</tbody></table></div></section>\n";
  }

  void write_provenance() {
    out_ << fmt::format(
        "<section aria-labelledby=\"h-from\"><h2 id=\"h-from\">{}</h2>\n<dl "
        "class=\"facts-list\">",
        page_.where_from);
    const auto fact = [&](std::string_view name, const std::string& text) {
      if (!text.empty()) out_ << fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html_text(text));
    };
    fact(page_.scenario, trace_.scenario.name);
    fact(page_.trace_file, file_name());
    fact("holdfast", context_.version);
    fact(page_.fingerprint, example_.fingerprint.hex());
    fact(page_.choices, grouped(example_.tape.size()));
    out_ << fmt::format("</dl>\n<details><summary>{}</summary>\n<pre><code>", page_.scenario_file)
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

  const TraceView trace_;
  const Counterexample& example_;
  const SourceTexts& sources_;
  const TracePageContext& context_;
  const Words& words_;
  const PageWords& page_;
  std::ostream& out_;
  const Scene scene_;
  const CodePlaces places_;
  const std::size_t first_;  // row
  const StepPanels panels_;
};

}  // namespace

void write_trace_page(const TraceView& trace, const SourceTexts& sources, const TracePageContext& context,
                      std::ostream& out) {
  const StepNumbers numbers(trace.example.events);
  TracePageContext numbered = context;
  for (Move& move : numbered.moves) move.steps = numbers.shown(Step{move.steps}).value;
  const Counterexample shown = as_shown(trace.example);
  TracePage({trace.scenario, shown, trace.path, trace.language}, sources, numbered, out).write();
}

}  // namespace holdfast::reports
