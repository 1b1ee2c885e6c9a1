// Scenario files that were run: whether each expectation was met, and if not, why.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/confidence.hpp"
#include "reports/explanation.hpp"
#include "reports/report.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

// Why this verdict is not the expected one; empty if it is.
std::string unmet(const Expect& expect, const PropertyResult& result) {
  if (result.verdict != expect.verdict) {
    const std::string note = result.note.empty() ? "" : fmt::format(" ({})", result.note);
    return fmt::format("{}: expected {}, found {}{}", id_of(result.property), id_of(expect.verdict),
                       id_of(result.verdict), note);
  }
  if (expect.steps_max && result.counterexample && result.counterexample->steps > *expect.steps_max)
    return fmt::format("{}: expected a run of at most {}, found one of {}", id_of(result.property),
                       counted(*expect.steps_max, "step"), result.counterexample->steps);
  return {};
}

const PropertyResult* violated_in(const Exploration& exploration, std::optional<Property> property) {
  for (const PropertyResult& result : exploration.properties)
    if (result.counterexample && property.value_or(result.property) == result.property) return &result;
  return nullptr;
}

std::string file_of(const ScenarioRun& run, const PropertyResult& result) {
  const auto index = static_cast<std::size_t>(&result - run.exploration.properties.data());
  return index < run.trace_files.size() ? run.trace_files[index] : std::string();
}

void write_run(const ScenarioRun& run, std::ostream& out, const Terminal& terminal) {
  Page page(out, terminal);
  const std::string why = unmet_expectation(run.scenario, run.exploration);
  const std::string glyph =
      why.empty() ? painted(terminal, Style::good, "✔") : painted(terminal, Style::bad, "✘");
  page.paragraph("", fmt::format("{} {}: {}", glyph, printable(terminal, run.file),
                                 why.empty() ? "as expected" : "not as expected"));
  if (!why.empty()) page.paragraph("    ", printable(terminal, why));
  for (const PropertyResult& result : run.exploration.properties) {
    const std::string extent = extent_of(result).empty() ? "" : ", " + extent_of(result);
    const std::string note = result.note.empty() ? "" : ": " + printable(terminal, result.note);
    page.paragraph(fmt::format("    {}  ", padded(id_of(result.property), 18)),
                   fmt::format("{}{}{}", id_of(result.verdict), extent, note));
  }
  if (rests_on_sample(run.exploration))
    for (const std::string& statement :
         confidence_in_words(run.exploration, run.exploration.has(Verdict::violated)))
      page.paragraph("    ", statement);
  if (rests_on_fairness(run.exploration)) page.paragraph("    ", std::string(fairness));
  if (why.empty() && run.scenario.expect && !run.scenario.expect->reason.empty())
    page.paragraph("    ", printable(terminal, run.scenario.expect->reason));
}

}  // namespace

std::string unmet_expectation(const Scenario& scenario, const Exploration& exploration) {
  if (!scenario.expect) {
    if (const PropertyResult* violated = violated_in(exploration, std::nullopt))
      return fmt::format("{}: violated, and the file does not expect it", id_of(violated->property));
    for (const PropertyResult& result : exploration.properties)
      if (result.verdict == Verdict::unknown || result.verdict == Verdict::hollow)
        return fmt::format("{}: {}, and the file does not expect it", id_of(result.property),
                           id_of(result.verdict));
    return {};
  }
  bool was_judged = false;
  bool any_met = false;
  std::string first_unmet;
  const Expect& expect = *scenario.expect;
  for (const PropertyResult& result : exploration.properties) {
    if (expect.property && result.property != *expect.property) continue;
    if (!expect.property && result.verdict == Verdict::not_applicable) continue;
    was_judged = true;
    const std::string why = unmet(expect, result);
    if (why.empty()) any_met = true;
    else if (first_unmet.empty()) first_unmet = why;
  }
  if (!was_judged)
    return expect.property ? fmt::format("{} was not judged", id_of(*expect.property))
                           : "no property was judged";
  // "violated" without a property means that something is; every other verdict is meant of every property.
  if (expect.verdict == Verdict::violated && any_met) return {};
  return first_unmet;
}

void write_runs_text(const std::vector<ScenarioRun>& runs, std::ostream& out, const Terminal& terminal) {
  std::size_t met = 0;
  for (const ScenarioRun& run : runs) {
    met += unmet_expectation(run.scenario, run.exploration).empty();
    write_run(run, out, terminal);
  }
  Page page(out, terminal);
  page.line();
  page.line(fmt::format("{} of {} as expected", met, counted(runs.size(), "scenario")));
  // One scenario is run to be looked at; of many, those that surprise.
  for (const ScenarioRun& run : runs) {
    const bool is_met = unmet_expectation(run.scenario, run.exploration).empty();
    const std::optional<Property> property =
        run.scenario.expect ? run.scenario.expect->property : std::nullopt;
    const PropertyResult* violated = violated_in(run.exploration, property);
    if (violated == nullptr) violated = violated_in(run.exploration, std::nullopt);
    if (violated == nullptr || (runs.size() > 1 && is_met)) continue;
    page.line();
    write_trace({run.scenario, *violated->counterexample, file_of(run, *violated)}, View::sequence, out,
                terminal);
  }
}

void write_runs_json(const std::vector<ScenarioRun>& runs, std::ostream& out,
                     const std::optional<Shard>& shard) {
  Json json{{"schema", "holdfast/run/1"}, {"runs", Json::array()}};
  for (const ScenarioRun& run : runs) {
    const std::string why = unmet_expectation(run.scenario, run.exploration);
    Json results = Json::array();
    for (const PropertyResult& result : run.exploration.properties) {
      const std::string file = file_of(run, result);
      Json one{{"property", id_of(result.property)},
               {"verdict", id_of(result.verdict)},
               {"trace_length", result.counterexample ? Json(result.counterexample->steps) : Json()},
               {"trace", file.empty() ? Json() : Json(file)}};
      if (!result.note.empty()) one["note"] = result.note;
      add_bypass(one, result);
      if (result.counterexample && result.counterexample->explanation)
        one["explanation"] =
            explanation_json(*result.counterexample->explanation, result.counterexample->store);
      if (result.verdict == Verdict::sampled && run.exploration.sample)
        one["sample"] = sample_json(run.exploration);
      results.push_back(std::move(one));
    }
    json["runs"].push_back({{"file", run.file},
                            {"name", run.scenario.name},
                            {"algorithm", run.scenario.algorithm},
                            {"met", why.empty()},
                            {"why", why},
                            {"results", std::move(results)},
                            {"states", run.exploration.states},
                            {"transitions", run.exploration.transitions},
                            {"table_bytes", run.exploration.table_bytes},
                            {"missed_state_probability", run.exploration.missed_state_probability()},
                            {"runs", run.exploration.runs},
                            {"seconds", run.exploration.seconds}});
  }
  if (shard) json["shard"] = shard_json(*shard);
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace holdfast::reports
