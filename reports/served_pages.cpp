#include "reports/served_pages.hpp"

#include <fmt/format.h>

#include "reports/html.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {
namespace {

std::string option_of(std::string_view value, std::string_view text, bool is_chosen = false) {
  return fmt::format("<option value=\"{}\"{}>{}</option>\n", html_text(value), is_chosen ? " selected" : "",
                     html_text(text));
}

std::string number_field(std::string_view name, std::string_view label, int most) {
  return fmt::format(
      "<label>{1}<input type=\"number\" name=\"{0}\" min=\"1\" max=\"{2}\" "
      "placeholder=\"deepens\"></label>\n",
      name, label, most);
}
std::string time_field(std::string_view name, std::string_view label, std::string_view usual) {
  return fmt::format("<label>{1}<input name=\"{0}\" placeholder=\"{2}\" size=\"8\"></label>\n", name, label,
                     usual);
}

void write_form(const HomePage& page, std::ostream& out) {
  out << "<form id=\"ask\" action=\"/runs\" method=\"get\" data-api=\"/api/explorations\">\n"
         "<p class=\"fields\">\n<label>Lock<select name=\"lock\">\n";
  for (const Card& card : page.cards) out << option_of(card.id, card.id, card.id == "token");
  out << "</select></label>\n<label>Fault<select name=\"faults\">\n" << option_of("", "every fault");
  for (const Fault fault : page.faults) out << option_of(id_of(fault), id_of(fault), fault == Fault::pause);
  out << "</select></label>\n<label>Property<select name=\"properties\">\n"
      << option_of("", "every property");
  for (const Property property : page.properties) out << option_of(id_of(property), id_of(property));
  out << "</select></label>\n</p>\n<details><summary>Bounds and times</summary><p class=\"fields\">\n"
      << number_field("clients", "Clients", 8) << number_field("rounds", "Rounds of each", 100)
      << number_field("attempts", "Attempts of a round", 100) << time_field("work", "Longest work", "1s")
      << time_field("delay", "Longest delay of a message", "1s")
      << time_field("pause", "Longest pause", "twice the lease")
      << "</p><p class=\"hint\">Times are multiples of 500ms. Without numbers, bounds deepen: two clients "
         "first, then more of everything.</p></details>\n"
         "<p class=\"tools\"><button type=\"button\" id=\"explore\" class=\"main\">Explore every "
         "schedule</button> <button type=\"submit\">Play: choose what happens yourself</button></p>\n"
         "<p id=\"problem\" class=\"finding\" role=\"alert\"></p>\n"
         "<noscript><p class=\"notice\">To explore needs a script; to play does not.</p></noscript>\n"
         "</form>\n";
}

// What a verdict is called, with its sign.
std::string verdict_cell(const ServedVerdict& verdict) {
  const bool is_bad = verdict.outcome == Outcome::violated;
  const bool is_good = verdict.outcome == Outcome::holds;
  return fmt::format("<td class=\"{}\"><b>{} {}</b>{}</td>",
                     is_bad    ? "bad"
                     : is_good ? "good"
                               : "doubt",
                     glyph_of(verdict.outcome), word_of(verdict.outcome),
                     is_bad ? fmt::format(" in {} steps", verdict.steps) : "");
}

}  // namespace

std::optional<std::pair<std::string, std::string_view>> served_file(std::string_view path) {
  if (path == "/picture.css") return std::pair("text/css", asset("picture.css").text);
  if (path == "/page.css") return std::pair("text/css", asset("page.css").text);
  if (path == "/serve.css") return std::pair("text/css", asset("serve.css").text);
  if (path == "/serve.js") return std::pair("text/javascript", asset("serve.js").text);
  return std::nullopt;
}

void open_served_page(std::string_view title, std::ostream& out) {
  out << fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; "
      "script-src 'self'; connect-src 'self'; form-action 'self'; img-src data:; base-uri 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<link rel=\"stylesheet\" href=\"/picture.css\">\n<link rel=\"stylesheet\" href=\"/page.css\">\n"
      "<link rel=\"stylesheet\" href=\"/serve.css\">\n<script src=\"/serve.js\" defer></script>\n</head>\n"
      "<body class=\"served\">\n<a class=\"skip\" href=\"#main\">To the page</a>\n"
      "<nav><a href=\"/\">holdfast</a></nav>\n",
      html_text(title));
}
void close_served_page(std::ostream& out) { out << "</main>\n</body>\n</html>\n"; }

void write_refusal_page(std::string_view why, std::ostream& out) {
  open_served_page("holdfast", out);
  out << fmt::format(
      "<main id=\"main\" tabindex=\"-1\">\n<h1>That cannot be shown</h1>\n<p class=\"diagnosis\">{}</p>\n"
      "<p><a href=\"/\">Choose anew</a></p>\n",
      html_text(why));
  close_served_page(out);
}

void write_home_page(const HomePage& page, std::ostream& out) {
  open_served_page("holdfast", out);
  out << "<main id=\"main\" tabindex=\"-1\">\n<h1>Does this lock hold?</h1>\n"
         "<p class=\"diagnosis\">Choose a lock and what may go wrong. holdfast runs its real code in every "
         "order of events within the bounds, and shows the shortest run that breaks it. Or play: you are the "
         "network and the clock, and try to break it yourself.</p>\n";
  write_form(page, out);
  out << "<section aria-labelledby=\"h-list\"><h2 id=\"h-list\">Explorations</h2>\n";
  if (page.explorations.empty()) out << "<p class=\"hint\">None yet.</p>\n";
  else out << "<ul class=\"explorations\">\n";
  for (const ListedExploration& each : page.explorations)
    out << fmt::format("<li><a href=\"{}\">{}</a> <span class=\"hint\">{}</span></li>\n",
                       html_text(each.link), html_text(each.title), html_text(each.state));
  out << (page.explorations.empty() ? "" : "</ul>\n") << "</section>\n";
  close_served_page(out);
}

void write_exploration_page(const ExplorationPage& page, std::ostream& out) {
  open_served_page(page.title, out);
  out << fmt::format(
      "<main id=\"main\" tabindex=\"-1\" data-api=\"{}\" data-state=\"{}\">\n<h1>{}</h1>\n"
      "{}<p class=\"tools\"><span id=\"state\" class=\"badge {}\">{}</span> <span "
      "id=\"progress\" role=\"status\">{}</span>",
      html_text(page.api), html_text(page.state), html_text(page.title),
      page.facts.empty()
          ? ""
          : fmt::format("<details><summary>Bounds</summary><p class=\"facts\">{}</p></details>\n",
                        html_text(page.facts)),
      html_text(page.state), html_text(page.state), html_text(page.progress));
  if (page.state == "running") out << " <button type=\"button\" id=\"cancel\">Cancel</button>";
  out << "</p>\n<noscript><p class=\"notice\">Load this page again to see how far it is.</p></noscript>\n"
         "<p id=\"problem\" class=\"finding\" role=\"alert\"></p>\n"
         "<section aria-labelledby=\"h-verdicts\"><h2 id=\"h-verdicts\">Verdicts</h2>\n";
  if (page.verdicts.empty())
    out << "<p class=\"hint\">None yet. What breaks is told at once, what holds when all bounds are "
           "explored.</p>\n";
  else
    out << "<div class=\"scroll\"><table class=\"verdicts\"><thead><tr><th scope=\"col\">Fault</th><th "
           "scope=\"col\">Property</th><th scope=\"col\">Verdict</th><th scope=\"col\">Run</th></tr></thead>"
           "<tbody>\n";
  for (const ServedVerdict& each : page.verdicts) {
    out << fmt::format("<tr><td>{}</td><th scope=\"row\">{}</th>{}<td>", id_of(each.fault),
                       id_of(each.property), verdict_cell(each));
    if (!each.page.empty())
      out << fmt::format(
          "<a class=\"go\" href=\"{}\">See the run</a> <a class=\"go\" href=\"{}\">Take another "
          "action</a>",
          html_text(each.page), html_text(each.end));
    else out << "<span class=\"hint\">" << html_text(each.note) << "</span>";
    out << "</td></tr>\n";
  }
  if (!page.verdicts.empty()) out << "</tbody></table></div>\n";
  out << "<p class=\"tools\">";
  if (!page.matrix.empty())
    out << fmt::format("<a class=\"go\" href=\"{}\">All of it as a report</a> ", html_text(page.matrix));
  out << fmt::format("<a class=\"go\" href=\"{}\">Play against it under these bounds</a></p>\n</section>\n",
                     html_text(page.again));
  close_served_page(out);
}

}  // namespace holdfast::reports
