#include "sim/cli/choice_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/tables.hpp"
#include "sim/cli/library_lines.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

bool any(const Candidate& candidate, Fault fault, std::initializer_list<Verdict> verdicts) {
  for (const Trial& trial : candidate.trials)
    for (const PropertyResult& each : trial.found.properties)
      for (const Verdict verdict : verdicts)
        if (trial.fault == fault && each.verdict == verdict) return true;
  return false;
}

// Each once, in their order.
std::vector<Fault> faults_tried(const Candidate& candidate) {
  std::vector<Fault> faults;
  for (const Trial& each : candidate.trials)
    if (faults.empty() || faults.back() != each.fault) faults.push_back(each.fault);
  return faults;
}

std::string name_of(Fault fault) { return fault == Fault::none ? "nothing else" : std::string(id_of(fault)); }

// Beside what strikes, everything that was asked holds; and where that is not known.
struct Standing {
  std::vector<std::string> proved;
  std::vector<std::string> open;
  std::vector<std::string> without;  // it cannot strike this lock
};

Standing standing_of(const Candidate& best) {
  Standing standing;
  for (const Fault fault : faults_tried(best)) {
    const bool is_open = any(best, fault, {Verdict::unknown, Verdict::hollow});
    if (any(best, fault, {Verdict::violated})) continue;
    if (is_open) standing.open.push_back(name_of(fault));
    else if (any(best, fault, {Verdict::holds})) standing.proved.push_back(name_of(fault));
    else standing.without.push_back(name_of(fault));
  }
  return standing;
}

std::string names_of_faults(const std::vector<Fault>& faults) {
  std::string names;
  for (const Fault each : faults) names.append(names.empty() ? "" : ", ").append(id_of(each));
  return names;
}

// "servers=replicated".
std::string settings_of(const Candidate& best) {
  std::string text;
  for (const auto& [name, value] : best.settings.params)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text;
}

// What a reader must know before anything else: how far the advice is proved.
std::string extent_of(const Candidate& best) {
  std::size_t faults = 0;
  std::size_t proved = 0;
  std::vector<std::string_view> broken;
  std::vector<std::string_view> open;
  for (const Fault fault : faults_tried(best)) {
    const bool is_broken = any(best, fault, {Verdict::violated});
    const bool is_open = any(best, fault, {Verdict::unknown, Verdict::hollow, Verdict::sampled});
    if (fault == Fault::none || !(is_broken || is_open || any(best, fault, {Verdict::holds}))) continue;
    ++faults;
    proved += !is_broken && !is_open;
    if (is_broken) broken.push_back(id_of(fault));
    if (is_open && !is_broken) open.push_back(id_of(fault));
  }
  std::string text = fmt::format("It is proved under {} of the {} of your servers and network.", proved,
                                 reports::counted(faults, "other fault"));
  if (!broken.empty()) text += fmt::format(" It breaks under {}.", fmt::join(broken, ", "));
  if (!open.empty()) text += fmt::format(" Not decided: {}.", fmt::join(open, ", "));
  return text;
}

// … and where it is kept, if there was a choice.
std::string library_of(const Candidate& best, const Answers& asked) {
  const Card& card = *best.card;
  const std::string of = card.upstream ? fmt::format("{}, {}", card.upstream->name, card.upstream->language)
                                       : "a recipe of no library";
  return asked.store == best.kept->word ? of : fmt::format("{}; {}", of, best.kept->word);
}

bool has_lease(const Card& card) { return why_no_lease(card).empty(); }
// "with a ttl of 2s", "held as long as its session".
std::string tenure_of(const Card& card, Duration ttl) {
  if (has_lease(card)) return "with a ttl of " + to_text(ttl);
  return fmt::format("held as long as its {}", id_of(*card.stands_for_store));
}

// That which was explored under every fault, or a longer one that finer steps of time ask for.
Duration ttl_to_take(const ChoiceReport& report) {
  const Duration explored = report.candidates.front().lease.edge.holds->lease;
  return report.lease.edge.holds ? std::max(explored, report.lease.edge.holds->lease) : explored;
}

void write_proved(const ChoiceReport& report, reports::Page& page) {
  const Candidate& best = report.candidates.front();
  const Standing standing = standing_of(best);
  page.line("Explored");
  page.paragraph("  conditions    ", conditions_in_words(report.lease));
  page.paragraph(
      "  proved        ",
      standing.proved.empty()
          ? "nothing"
          : fmt::format("mutual-exclusion, no-stale-write, owner-only-release and recovery, beside the "
                        "pause under: {}",
                        fmt::join(standing.proved, ", ")));
  if (!standing.open.empty())
    page.paragraph("  not decided   ", fmt::format("{}", fmt::join(standing.open, ", ")));
  if (!standing.without.empty())
    page.paragraph("  cannot strike ", fmt::format("{}", fmt::join(standing.without, ", ")));
  page.paragraph("  not covered   ", names_of_faults(not_covered(best)));
  page.paragraph(
      "  bounds        ",
      fmt::format("2 clients, 1 round, 1 attempt, one fault beside the pause, every schedule in steps "
                  "of {}{}",
                  to_text(best.lease.tick),
                  !has_lease(*best.card) ? "" : " with a ttl of " + to_text(best.lease.edge.holds->lease)));
  if (const auto& fine = report.lease.edge.holds; fine && fine->lease < ttl_to_take(report))
    page.paragraph("  a shorter ttl ",
                   fmt::format("{} is enough for the pause alone, in steps of {}; beside other faults it was "
                               "not explored",
                               to_text(fine->lease), to_text(report.lease.tick)));
  if (best.order)
    page.paragraph("  order         ", *best.order == Verdict::holds
                                           ? "no client is overtaken for ever: every schedule was explored"
                                           : fmt::format("not proved; of eight clients in a minute each was "
                                                         "overtaken at most {} times",
                                                         best.cost.bypass_max));
}

std::string_view broken_by(const LeaseReport::Told& told) {
  return id_of(told.scenario.check.contains(Property::mutual_exclusion)
                   ? Property::mutual_exclusion
                   : told.example.findings.front().property);
}

void write_remaining(const ChoiceReport& report, reports::Page& page) {
  const reports::Terminal& terminal = page.terminal();
  page.line();
  page.line("What remains");
  if (report.lease.told)
    page.paragraph("  ", fmt::format("a longer pause, longer work, or a shorter ttl: {}: ./holdfast show {}",
                                     broken_by(*report.lease.told),
                                     reports::printable(terminal, report.lease.trace_file)));
  if (const LeaseReport& coarse = report.candidates.front().lease;
      coarse.told && coarse.trace_file != report.lease.trace_file)
    page.paragraph(
        "  ", fmt::format("a ttl of {}, in steps of {}: {}: ./holdfast show {}",
                          to_text(coarse.edge.breaks->lease), to_text(coarse.tick), broken_by(*coarse.told),
                          reports::printable(terminal, coarse.trace_file)));
  for (const Remaining& each : report.remaining)
    page.paragraph("  ", fmt::format("{}: {} in {}: ./holdfast show {}", name_of(each.trial->fault),
                                     id_of(each.result->property),
                                     reports::counted(each.result->counterexample->steps, "step"),
                                     reports::printable(terminal, each.file)));
  const bool is_harmful = report.asked.double_work == "harmful";
  if (is_harmful && report.asked.resource == "cannot" && has_lease(*report.candidates.front().card))
    page.paragraph("  ",
                   "No lock stops a process that is paused for longer than its lease: only a resource that "
                   "refuses old fencing tokens does (--resource refuses).");
  if (is_harmful && report.asked.resource == "refuses")
    page.paragraph("  ",
                   has_numbers(*report.candidates.front().card)
                       ? "Its grants have fencing tokens: send them with each write, and let the resource "
                         "refuse those older than the newest that wrote."
                       : "None of these locks has fencing tokens, so the resource has nothing to refuse.");
}

void write_others(const ChoiceReport& report, reports::Page& page) {
  std::vector<std::vector<std::string>> rows{
      {"lock", "ttl", "two at work", "not back", "undecided", "trips"}};
  for (const Candidate& each : report.candidates) {
    if (!each.why_not.empty()) continue;
    rows.push_back(
        {std::string(each.card->id), has_lease(*each.card) ? to_text(each.lease.edge.holds->lease) : "–",
         std::to_string(violated(each, of_safety)), std::to_string(violated(each, {Property::recovery})),
         std::to_string(undecided(each)), fmt::format("{:.2f}", each.cost.round_trips_alone)});
  }
  page.line();
  page.paragraph("",
                 "Compared in coarse steps: how many properties are broken, with two clients at work and "
                 "with a lock that does not come back; round trips of a lone client");
  reports::write_columns(rows, 1, page);
  for (const Candidate& each : report.candidates)
    if (!each.why_not.empty()) page.paragraph(fmt::format("  {}: ", each.card->id), each.why_not);
}

// The first of what remains; what a longer pause does, where nothing does.
void write_story(const ChoiceReport& report, std::ostream& out, reports::Page& page) {
  page.line();
  const reports::View story = reports::View::story;
  if (!report.remaining.empty()) {
    const Remaining& first = report.remaining.front();
    reports::write_trace({first.trial->scenario, *first.result->counterexample, first.file}, story, out,
                         page.terminal());
  } else if (report.lease.told) {
    const LeaseReport& lease = report.lease;
    reports::write_trace({lease.told->scenario, lease.told->example, lease.trace_file}, story, out,
                         page.terminal());
  }
}

Json trial_json(const Trial& trial) {
  Json json{{"fault", id_of(trial.fault)}, {"states", trial.found.states}, {"verdicts", Json::object()}};
  for (const PropertyResult& each : trial.found.properties)
    json["verdicts"][std::string(id_of(each.property))] = id_of(each.verdict);
  return json;
}

Json candidate_json(const Candidate& candidate) {
  Json json{{"algorithm", candidate.card->id}, {"store", candidate.kept->word}};
  if (!candidate.why_not.empty()) {
    json["why_not"] = candidate.why_not;
    return json;
  }
  json["params"] = Json::object();
  for (const auto& [name, value] : candidate.settings.params) json["params"][name] = value;
  json["ttl"] = has_lease(*candidate.card) ? Json(to_text(candidate.lease.edge.holds->lease)) : Json();
  json["tick"] = to_text(candidate.lease.tick);
  json["two_at_work"] = violated(candidate, of_safety);
  json["not_back"] = violated(candidate, {Property::recovery});
  json["undecided"] = undecided(candidate);
  json["round_trips_alone"] = candidate.cost.round_trips_alone;
  json["commands_alone"] = candidate.cost.commands_alone;
  if (candidate.order) json["order"] = id_of(*candidate.order);
  json["trials"] = Json::array();
  for (const Trial& each : candidate.trials) json["trials"].push_back(trial_json(each));
  return json;
}

// How to go on where nothing is recommended.
void write_what_next(const ChoiceReport& report, reports::Page& page) {
  const auto is_open = [](const Candidate& each) { return each.lease.edge.is_open; };
  const auto open = std::find_if(report.candidates.begin(), report.candidates.end(), is_open);
  if (open != report.candidates.end()) {
    page.paragraph("next: ",
                   one_ttl_alone(open->lease, std::string(open->card->id), open->settings, open->settings));
    page.paragraph("next: ", "./holdfast compare --stores shows what each store's locks do under each fault");
  }
  if (report.asked.language != "any")
    page.paragraph("next: ", "--language any looks among the locks of no library");
  if (report.asked.double_work == "harmful" && report.asked.resource == "refuses")
    page.paragraph("next: ", "--resource cannot looks among the locks without fencing tokens, too");
}

}  // namespace

bool has_answer(const ChoiceReport& report) {
  return !report.candidates.empty() && report.candidates.front().why_not.empty();
}

void write_choice_text(const ChoiceReport& report, std::ostream& out, const reports::Terminal& terminal) {
  reports::Page page(out, terminal);
  if (!has_answer(report)) {
    page.line("No lock can be recommended under these conditions.");
    for (const Candidate& each : report.candidates)
      page.paragraph(fmt::format("  {}: ", each.card->id), each.why_not);
    write_what_next(report, page);
  } else {
    const Candidate& best = report.candidates.front();
    const Duration ttl = ttl_to_take(report);
    const std::string settings = settings_of(best);
    page.paragraph("", fmt::format("Take {} ({}), {}{}. {}",
                                   reports::painted(terminal, reports::Style::strong, best.card->id),
                                   library_of(best, report.asked), tenure_of(*best.card, ttl),
                                   settings.empty() ? "" : " and " + settings, extent_of(best)));
    if (report.asked.language != "any" && !best.card->upstream)
      page.paragraph("  ", fmt::format("No lock here for {} is of {}: these can be written in any language.",
                                       report.asked.store, report.asked.language));
    page.paragraph("  ", best.card->summary);
    page.paragraph("  ", library_lines(*best.card, ttl));
    for (const auto& [name, value] : best.settings.params)
      for (const Parameter& each : best.card->parameters)
        if (each.name == name) page.paragraph("  ", fmt::format("{}={}: {}", name, value, each.help));
    page.line();
    write_proved(report, page);
    write_remaining(report, page);
    page.line();
    page.paragraph(
        "Costs: ",
        fmt::format("{:.2f} round trips and {:.2f} commands for a lone client; with eight clients, {:.2f} "
                    "commands for each grant",
                    best.cost.round_trips_alone, best.cost.commands_alone, best.cost.commands_per_acquire));
    write_others(report, page);
    write_story(report, out, page);
  }
  page.line();
  page.line(fmt::format("{}{} explored · {:.1f} s", report.interrupted ? "interrupted · " : "",
                        reports::counted(report.candidates.size(), "lock"), report.seconds));
}

void write_choice_json(const ChoiceReport& report, std::ostream& out) {
  Json json{{"schema", "holdfast/choose/1"},     {"version", report.version},
            {"store", report.asked.store},       {"double_work", report.asked.double_work},
            {"ordered", report.asked.ordered},   {"resource", report.asked.resource},
            {"language", report.asked.language}, {"lock", nullptr},
            {"remaining", Json::array()},        {"candidates", Json::array()}};
  if (has_answer(report)) {
    const Candidate& best = report.candidates.front();
    json["lock"] = best.card->id;
    if (best.card->upstream) json["library"] = best.card->upstream->name;
    json["params"] = Json::object();
    for (const auto& [name, value] : best.settings.params) json["params"][name] = value;
    json["not_covered"] = Json::array();
    for (const Fault each : not_covered(best)) json["not_covered"].push_back(id_of(each));
    json["lines"] = library_lines(*best.card, ttl_to_take(report));
    json["ttl_to_take"] = has_lease(*best.card) ? Json(to_text(ttl_to_take(report))) : Json();
    json["ttl"] = has_lease(*best.card) ? lease_json(report.lease) : Json();
    json["fencing"] = id_of(best.trials.front().scenario.fencing);
    for (const Remaining& each : report.remaining)
      json["remaining"].push_back({{"fault", id_of(each.trial->fault)},
                                   {"property", id_of(each.result->property)},
                                   {"steps", each.result->counterexample->steps},
                                   {"trace", each.file}});
  }
  for (const Candidate& each : report.candidates) json["candidates"].push_back(candidate_json(each));
  json["seconds"] = report.seconds;
  if (report.interrupted) json["interrupted"] = true;
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace holdfast::cli
