#include "sim/cli/lease_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <span>

#include "reports/verdicts.hpp"
#include "sim/explore/comparison.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string_view> names_in(PropertySet properties) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    if (properties.contains(static_cast<Property>(i))) names.push_back(property_ids[i]);
  return names;
}

std::string in_percent(std::int64_t ppm) { return fmt::format("{:g}%", static_cast<double>(ppm) / 10'000); }

bool is_coarser(const LeaseReport& report) {
  const LeaseTimes& asked = report.asked;
  const LeaseTimes& explored = report.explored;
  return asked.pause != explored.pause || asked.work != explored.work || asked.delay != explored.delay;
}

std::string grid_in_words(const LeaseReport& report) {
  std::string words =
      fmt::format("Time passes in steps of {}, and the edge is exact to one step.", to_text(report.tick));
  if (is_coarser(report))
    words += fmt::format(
        " That is coarser than your times, so that every schedule can be explored: {} of pause, {} of work, "
        "{} of delay; the ttl may be longer than necessary.",
        to_text(report.explored.pause), to_text(report.explored.work), to_text(report.explored.delay));
  if (report.drift_ppm != 0)
    words += " A server whose clock is fast ends leases early: in its time, everything else takes longer.";
  return words;
}

// Whether what the explorer found is what the times add up to.
std::string formula_in_words(const LeaseReport& report) {
  const std::string pauses = report.asked.pause == Duration::zero() ? ""
                             : report.pauses == 1                   ? " + longest pause"
                                                  : fmt::format(" + longest pause × {}", report.pauses);
  const std::string sum =
      fmt::format("longest work{} + longest reply{} = {}", pauses,
                  report.drift_ppm != 0 ? ", by a clock that is fast," : "", to_text(report.formula));
  const Duration found = report.edge.holds->lease;
  if (report.edge.breaks && report.edge.breaks->lease < report.formula && found >= report.formula)
    return fmt::format("Rule of thumb: {}. The exploration agrees.", sum);
  return fmt::format("Rule of thumb: {}, but this lock needs {}.", sum, to_text(found));
}

// Of the first, every schedule was explored.
std::string within_in_words(const LeaseReport& report) {
  std::vector<std::string> closed, open;
  for (const LeaseWithin& each : std::span(report.edge.within).subspan(1))
    (each.is_closed ? closed : open).push_back(reports::scope_in_words(each.scope));
  std::string words =
      "With this ttl, every schedule of two clients that come once, at any tick, was "
      "explored";
  if (!closed.empty()) words += fmt::format("; also {}", fmt::join(closed, "; "));
  if (!open.empty())
    words += fmt::format("; for {} only the first states, which break nothing", fmt::join(open, "; "));
  return words + ".";
}

// What is proved between the steps, too.
std::string instants_in_words(const LeaseAtInstants& found) {
  if (!found.holds) return fmt::format("Between the steps nothing is proved: {}.", found.why);
  std::string words = fmt::format(
      "At every instant, not only in steps, and with your times as they are, {} holds for two clients{}",
      to_text(*found.holds), found.is_for_any_number ? ", any number of rounds and attempts" : "");
  if (found.is_shortest) words += fmt::format("; {} breaks", to_text(*found.holds - 1ms));
  return words + ".";
}

// Longer leases than the one found hold; a shorter one that holds below one that breaks is no edge.
std::vector<Duration> holding_below(const LeaseReport& report) {
  std::vector<Duration> holding;
  if (!report.edge.breaks) return holding;
  for (const TriedLease& each : report.edge.tried)
    if (each.lease < report.edge.breaks->lease && each.lacking(report.edge.sought) == nullptr)
      holding.push_back(each.lease);
  return holding;
}

void write_edge(const LeaseReport& report, reports::Page& page) {
  const LeaseEdge& edge = report.edge;
  page.line(fmt::format("  {:<10}{:<10}holds", "ttl", to_text(edge.holds->lease)));
  page.paragraph(fmt::format("  {:20}", ""), fmt::format("{}", fmt::join(names_in(edge.sought), ", ")));
  if (edge.breaks) {
    const PropertyResult& lacking = *edge.breaks->lacking(edge.sought);
    const std::string how = lacking.verdict == Verdict::violated ? "is violated" : lacking.note;
    page.line(fmt::format("  {:<10}{:<10}breaks", "", to_text(edge.breaks->lease)));
    page.paragraph(fmt::format("  {:20}", ""), fmt::format("{}: {}", id_of(lacking.property), how));
  } else {
    page.line("  there is no shorter one");
    page.line();
    page.paragraph(
        "",
        "No ttl breaks it, however short. So this is no advice: the lock does not use so short a ttl as "
        "given; the lease that it uses is printed above.");
  }
  page.line();
  if (edge.hopeless != PropertySet())
    page.paragraph("", fmt::format("No ttl makes this hold: {}.", fmt::join(names_in(edge.hopeless), ", ")));
  page.paragraph("", grid_in_words(report));
  page.paragraph("", within_in_words(report));
  if (report.at_instants) page.paragraph("", instants_in_words(*report.at_instants));
  if (report.is_formula_known) page.paragraph("", formula_in_words(report));
  for (const Duration each : holding_below(report))
    page.paragraph("",
                   fmt::format("{} holds, too, but a longer ttl breaks: do not rely on it.", to_text(each)));
}

void write_nothing(const LeaseReport& report, reports::Page& page) {
  const LeaseEdge& edge = report.edge;
  const std::string longest = edge.tried.empty() ? "nothing" : to_text(edge.tried.back().lease);
  if (edge.is_open)
    page.paragraph("", fmt::format("Not known: an exploration did not end, after {} up to {}. Use coarser "
                                   "times, or --step.",
                                   reports::counted(edge.tried.size(), "ttl"), longest));
  else if (edge.hopeless.contains(Property::mutual_exclusion))
    page.paragraph("", fmt::format("No ttl is enough: with {}, two clients still hold it at once.", longest));
  else
    page.paragraph("",
                   fmt::format("Hollow: with {}, no run came to a situation in which two clients could hold "
                               "it at once.",
                               longest));
  page.paragraph("", grid_in_words(report));
}

Json json_of(const LeaseTimes& times) {
  return {{"pause", to_text(times.pause)}, {"work", to_text(times.work)}, {"delay", to_text(times.delay)}};
}

Json json_of(const TriedLease& tried) {
  Json json{{"ttl", to_text(tried.lease)}, {"states", tried.states}, {"verdicts", Json::object()}};
  for (const PropertyResult& each : tried.results)
    json["verdicts"][std::string(id_of(each.property))] = id_of(each.verdict);
  return json;
}

}  // namespace

std::string conditions_in_words(const LeaseReport& report) {
  const std::string pause =
      report.asked.pause == Duration::zero() ? "no pause"
      : report.pauses == 1 ? fmt::format("a pause of up to {}, once in a run", to_text(report.asked.pause))
                           : fmt::format("{} pauses of up to {}", report.pauses, to_text(report.asked.pause));
  return fmt::format(
      "{} · work of up to {} · a message takes up to {} one way, as the share of each way is unknown · "
      "clocks are off by up to {} · belief {}",
      pause, to_text(report.asked.work), to_text(report.asked.delay), in_percent(report.drift_ppm),
      id_of(report.belief));
}

void write_lease_text(const LeaseReport& report, std::ostream& out, const reports::Terminal& terminal) {
  reports::Page page(out, terminal);
  page.paragraph("", fmt::format("{}: the shortest ttl that is enough",
                                 reports::painted(terminal, reports::Style::strong, report.algorithm)));
  page.paragraph("conditions: ", conditions_in_words(report));
  if (!report.parameter.empty()) page.paragraph("ttl: ", report.parameter);
  page.line();
  if (report.edge.holds) write_edge(report, page);
  else write_nothing(report, page);
  if (report.told) {
    page.line();
    page.line(fmt::format(
        "What breaks {}: ./holdfast show {}",
        report.edge.holds ? to_text(report.edge.breaks->lease) : to_text(report.edge.tried.back().lease),
        reports::printable(terminal, report.trace_file)));
    page.line();
    out << std::flush;
    reports::write_trace({report.told->scenario, report.told->example, report.trace_file},
                         reports::View::story, out, terminal);
  }
  page.line();
  page.line(fmt::format("{}{} tried · {:.1f} s", report.interrupted ? "interrupted · " : "",
                        reports::counted(report.edge.tried.size(), "ttl"), report.seconds));
}

Json lease_json(const LeaseReport& report) {
  const LeaseEdge& edge = report.edge;
  Json json{{"schema", "holdfast/ttl/1"},
            {"version", report.version},
            {"algorithm", report.algorithm},
            {"belief", id_of(report.belief)},
            {"asked", json_of(report.asked)},
            {"explored", json_of(report.explored)},
            {"by_server", json_of(report.of_server)},
            {"drift_ppm", report.drift_ppm},
            {"pauses", report.pauses},
            {"tick", to_text(report.tick)},
            {"is_coarser", is_coarser(report)},
            {"ttl", nullptr},
            {"breaks", nullptr},
            {"holds", names_in(edge.sought)},
            {"never_holds", names_in(edge.hopeless)},
            {"is_open", edge.is_open},
            {"trace", report.trace_file.empty() ? Json() : Json(report.trace_file)},
            {"tried", Json::array()},
            {"within", Json::array()}};
  if (edge.holds) json["ttl"] = to_text(edge.holds->lease);
  if (edge.breaks) json["breaks"] = to_text(edge.breaks->lease);
  if (edge.breaks) json["broken"] = id_of(edge.breaks->lacking(edge.sought)->property);
  if (report.is_formula_known) json["formula"] = to_text(report.formula);
  for (const TriedLease& each : edge.tried) json["tried"].push_back(json_of(each));
  for (const LeaseWithin& each : edge.within)
    json["within"].push_back({{"clients", each.scope.clients},
                              {"rounds", each.scope.rounds},
                              {"attempts", each.scope.attempts},
                              {"closed", each.is_closed},
                              {"states", each.states}});
  if (const auto& found = report.at_instants) {
    Json at{{"ttl", nullptr}, {"is_shortest", found->is_shortest}, {"any_number", found->is_for_any_number}};
    if (found->holds) at["ttl"] = to_text(*found->holds);
    if (found->holds) at["states"] = found->states;
    else at["why"] = found->why;
    json["at_every_instant"] = std::move(at);
  }
  json["seconds"] = report.seconds;
  if (report.interrupted) json["interrupted"] = true;
  return json;
}

std::string one_ttl_alone(const LeaseReport& report, const std::string& lock, const LockParams& settings,
                          const ServerConfig& config) {
  const auto in_steps = [](Duration time) {
    return to_text(std::max(finest_tick, (time + finest_tick - Duration(1)) / finest_tick * finest_tick));
  };
  const bool pauses = report.asked.pause > Duration::zero();
  std::string command = fmt::format("./holdfast check {} --faults {} --work {} --delay {}", lock,
                                    id_of(pauses ? Fault::pause : Fault::none), in_steps(report.asked.work),
                                    in_steps(report.asked.delay));
  if (pauses) command += " --pause " + in_steps(report.asked.pause);
  for (const auto& [name, value] : settings.params) command += fmt::format(" --param {}={}", name, value);
  for (const auto& [name, value] : config.redis_config)
    command += fmt::format(" --redis-config {}={}", name, value);
  const Duration longest = report.edge.tried.empty() ? report.formula : report.edge.tried.back().lease;
  command += " --param ttl=" + to_text(std::chrono::ceil<std::chrono::seconds>(longest));
  return "One ttl alone is explored within bounds that grow, and sampled where they stay open: " + command;
}

void write_lease_json(const LeaseReport& report, std::ostream& out) {
  out << lease_json(report).dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace holdfast::cli
