// One state of a run as a page: what may happen next, how things stand, and the way here. Every state is a
// link, so the browser's history goes back and forward through the run.
#include <fmt/format.h>

#include "reports/diagnosis.hpp"
#include "reports/html.hpp"
#include "reports/picture.hpp"
#include "reports/served_pages.hpp"
#include "reports/shown.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {

namespace {

// Longer runs are drawn from here on before their end.
constexpr std::size_t rows_drawn = 120;

std::string chip(ClientId client) {
  return fmt::format("<b class=\"chip {}\">{}</b>", colour_of(client), name_of(client));
}

// "token × pause", but no list that fills the screen.
std::string short_subject(const Scenario& scenario, const Counterexample& run) {
  constexpr std::size_t listed = 3;
  if (scenario.faults.size() <= listed) return subject_of({scenario, run, ""});
  return fmt::format("{} × any of {} faults", scenario.algorithm, scenario.faults.size());
}

void write_actions(const StatePage& page, std::ostream& out) {
  out << "<section class=\"next\" aria-labelledby=\"h-next\"><h2 id=\"h-next\">"
      << (page.actions.empty() ? "The run is over" : html_text(page.question)) << "</h2>\n";
  if (page.actions.empty()) {
    out << (page.run.findings.empty() ? "<p>Nothing was violated. Go back, and let something else happen.</p>"
                                      : "<p>Go back to any state, and let something else happen.</p>")
        << "</section>\n";
    return;
  }
  out << "<ol class=\"actions\">\n";
  for (const Onward& each : page.actions)
    out << fmt::format("<li><a class=\"go{}\" href=\"{}\">{}</a></li>\n",
                       each.is_fault  ? " fault"
                       : each.is_time ? " time"
                                      : "",
                       html_text(each.link), html_text(each.text));
  out << "</ol></section>\n";
}

void write_clients(const StateView& state, std::ostream& out) {
  out << "<h3>Clients: belief and truth</h3>\n<table class=\"minds\"><thead><tr><th scope=\"col\">Client</th>"
         "<th scope=\"col\">believes it holds</th><th scope=\"col\">the store names it</th><th "
         "scope=\"col\">its clock</th></tr></thead><tbody>\n";
  for (const StateView::Client& each : state.clients) {
    const bool differs = each.believes != each.is_named;
    out << fmt::format("<tr{}><th scope=\"row\">{}{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                       differs ? " class=\"differs\"" : "", chip(each.id),
                       each.is_stopped   ? " is stopped"
                       : each.is_running ? ""
                                         : " does not run",
                       each.believes ? "yes" : "no", each.is_named ? "yes" : "no", to_text(each.clock));
  }
  out << "</tbody></table>\n";
}

void write_keys(const StateView& state, std::ostream& out) {
  out << "<h3>What the servers hold</h3>\n";
  if (state.keys.empty()) out << "<p class=\"hint\">Nothing.</p>\n";
  else
    out << "<table class=\"store\"><thead><tr><th scope=\"col\">Key</th><th scope=\"col\">Value</th><th "
           "scope=\"col\">written by</th><th scope=\"col\">lives for</th></tr></thead><tbody>\n";
  for (const StateView::Key& each : state.keys) {
    std::string lease = "ever";
    if (each.left)
      lease = fmt::format("<meter min=\"0\" max=\"{}\" value=\"{}\"></meter> {} of {}",
                          std::max<std::int64_t>(each.whole.count(), 1), each.left->count(),
                          to_text(*each.left), to_text(each.whole));
    out << fmt::format(
        "<tr><th scope=\"row\"><code>{}</code> "
        "<small>{}</small></th><td><code>{}</code></td><td>{}</td><td>{}"
        "</td></tr>\n",
        html_text(each.key), html_text(each.server), html_text(each.value),
        each.owner ? chip(*each.owner) : "nobody", lease);
  }
  out << (state.keys.empty() ? "" : "</tbody></table>\n");
}

void write_messages(const StateView& state, std::ostream& out) {
  out << "<h3>On their way</h3>\n";
  if (state.messages.empty()) out << "<p class=\"hint\">No message.</p>\n";
  else out << "<ul class=\"messages\">\n";
  for (const StateView::Message& each : state.messages)
    out << fmt::format("<li>{} → {}: <code>{}</code></li>\n", html_text(each.from), html_text(each.to),
                       html_text(each.text));
  out << (state.messages.empty() ? "" : "</ul>\n");
}

void write_way(const StatePage& page, std::ostream& out) {
  out << "<section aria-labelledby=\"h-way\"><h2 id=\"h-way\">The way here</h2>\n";
  if (page.way.empty()) out << "<p class=\"hint\">The run begins.</p>\n";
  else out << "<ol class=\"way\">\n";
  for (const Onward& each : page.way)
    out << fmt::format("<li{}>{} <a href=\"{}\">take another action here</a></li>\n",
                       each.is_fault ? " class=\"fault\"" : "", html_text(each.text), html_text(each.link));
  out << (page.way.empty() ? "" : "</ol>\n") << "</section>\n";
}

}  // namespace

void write_state_page(const StatePage& page, std::ostream& out) {
  const TraceView view{page.scenario, page.run, ""};
  const std::string subject = short_subject(page.scenario, page.run);
  open_served_page(fmt::format("{} at {}", subject, words_for(page.state.at)), out);
  out << fmt::format("<main id=\"main\" tabindex=\"-1\">\n<h1>{} <small>at {}, after {}</small></h1>\n",
                     html_text(subject), words_for(page.state.at), counted(page.way.size(), "choice"));
  if (page.run.findings.empty())
    out << "<p class=\"diagnosis\">You are the network and the clock. Nothing is violated yet: break "
           "it.</p>\n";
  for (const Finding& finding : page.run.findings)
    out << fmt::format("<p class=\"diagnosis bad violated\">✘ {} is violated: {}</p>\n",
                       id_of(finding.property), html_text(because_of(finding, Language::en)));
  out << fmt::format(
      "<p class=\"facts\">{}</p>\n<p class=\"tools\">{}<a class=\"go\" href=\"{}\">As JSON</a></p>\n",
      html_text(facts_of(view)),
      page.way.empty() ? ""
                       : fmt::format("<a class=\"go\" id=\"back\" href=\"{}\">◀ Step back</a> "
                                     "<a class=\"go\" href=\"{}\">From the beginning</a> ",
                                     html_text(page.way.back().link), html_text(page.way.front().link)),
      html_text(page.here));
  out << "<div class=\"state-desk\">\n<div>\n";
  write_actions(page, out);
  out << "<section class=\"step\" aria-label=\"How things stand\">\n";
  write_clients(page.state, out);
  write_messages(page.state, out);
  write_keys(page.state, out);
  out << "</section>\n";
  write_way(page, out);
  out << "</div>\n<section aria-labelledby=\"h-picture\"><h2 id=\"h-picture\">What has happened</h2>\n";
  const Scene scene = scene_of(page.run);
  const std::size_t count = scene.rows.size();
  if (count == 0) out << "<p class=\"hint\">Nothing yet.</p>\n";
  else
    out << "<div class=\"scroll\" id=\"so-far\" tabindex=\"0\" role=\"group\" aria-label=\"Diagram\">"
        << sequence_picture(scene, {count > rows_drawn ? count - rows_drawn : 0, count},
                            {"seq", "What has happened so far"})
        << "</div>\n";
  out << "</section>\n</div>\n";
  close_served_page(out);
}

}  // namespace holdfast::reports
