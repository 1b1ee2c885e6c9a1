// The verdict matrix as holdfast/matrix/1: one cell for each algorithm, fault and property. "seconds" apart,
// the same matrix gives the same bytes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/confidence.hpp"
#include "reports/explanation.hpp"
#include "reports/report.hpp"
#include "reports/stores.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json bounds_json(const MatrixBounds& bounds) {
  const Timing& timing = bounds.timing;
  Json json{{"clients", bounds.clients},
            {"rounds", bounds.rounds},
            {"attempts", bounds.attempts},
            {"faults", bounds.faults},
            {"ttl", to_text(bounds.ttl)},
            {"section", to_text(bounds.section)},
            {"fencing", id_of(bounds.fencing)},
            {"tick", to_text(timing.tick)},
            {"delay_min", to_text(timing.delay_min)},
            {"delay_max", to_text(timing.delay_max)},
            {"timeout", to_text(timing.timeout)},
            {"retry", to_text(timing.retry)},
            {"retry_late", to_text(timing.retry_late)},
            {"restart", to_text(timing.restart)},
            {"restart_late", to_text(timing.restart_late)},
            {"start_late", to_text(bounds.start_late)},
            {"recovery", to_text(timing.recovery)},
            {"recovery_rounds", timing.recovery_rounds},
            {"strategy", id_of(bounds.explore.strategy)},
            {"runs_max", bounds.explore.runs_max},
            {"states_max", bounds.explore.states_max},
            {"steps_max", bounds.explore.steps_max},
            {"time_max", to_text(bounds.explore.time_max)}};
  if (!bounds.redis_config.empty()) json["redis_config"] = bounds.redis_config;
  if (bounds.pause) json["pause"] = to_text(*bounds.pause);
  if (bounds.workload != Workload::contend) json["workload"] = id_of(bounds.workload);
  if (bounds.renewed_ttl != Duration::zero())
    json["renewed"] = {{"ttl", to_text(bounds.renewed_ttl)}, {"section", to_text(bounds.renewed_section)}};
  for (const auto& [lock, lease] : bounds.seen_leases) json["seen_leases"][lock] = to_text(lease);
  if (!bounds.short_leases.empty()) json["short_leases"] = bounds.short_leases;
  return json;
}

Json cost_json(const Cost& cost) {
  return Json{{"algorithm", cost.algorithm},
              {"workload", cost.workload},
              {"clients", cost.clients},
              {"commands_per_acquire", cost.commands_per_acquire},
              {"wait_ms_p50", cost.wait_ms_p50},
              {"wait_ms_p99", cost.wait_ms_p99},
              {"bypass_max", cost.bypass_max},
              {"jain_fairness", cost.jain_fairness},
              {"round_trips_per_acquire", cost.round_trips_per_acquire},
              {"commands_alone", cost.commands_alone},
              {"round_trips_alone", cost.round_trips_alone},
              {"wasted_polls", cost.wasted_polls},
              {"wake_up_ms_p50", cost.wake_up_ms_p50},
              {"wake_up_ms_p99", cost.wake_up_ms_p99}};
}

void add_bypass(Json& json, const PropertyResult& result) {
  if (result.bypass_max) json["bypass_max"] = *result.bypass_max;
  if (result.counterexample && result.counterexample->loop)
    json["loop_begin"] = result.counterexample->loop->begin;
  if (result.property == Property::bounded_bypass) json["assumes"] = fairness;
}

namespace {

// How far this cell went: its own fault rules, and the longest run.
Json cell_bound(const MatrixCell& cell) {
  Json bound = Json::object();
  for (const FaultRule& rule : cell.rules) {
    bound["budget"] = rule.budget;
    bound["place"] = id_of(rule.place);
    if (rule.magnitude != Duration::zero()) bound["magnitude"] = to_text(rule.magnitude);
  }
  if (cell.effort.depth_max > 0) bound["depth_max"] = cell.effort.depth_max;
  return bound;
}

// What at least one run of the cell met.
Json met_json(const MatrixCell& cell) {
  const Reach& reach = cell.effort.reach;
  Json met = Json::array();
  if (cell.fault != Fault::none && reach.struck.contains(cell.fault)) met.push_back("fault");
  if (cell.fault != Fault::none && reach.struck_held.contains(cell.fault)) met.push_back("fault-held");
  for (std::size_t i = 0; i < situation_ids.size(); ++i)
    if (reach.met.contains(static_cast<Situation>(i))) met.push_back(situation_ids[i]);
  return met;
}

// Within what the cell was explored, and which of that decided this property.
void add_scopes(Json& json, const MatrixCell& cell, const JudgedProperty& property) {
  if (cell.within.empty()) return;
  json["within"] = Json::array();
  for (const auto& [scope, scenario, states_max, states, runs, is_closed] : cell.within)
    json["within"].push_back({{"variant", id_of(scope.variant)},
                              {"clients", scope.clients},
                              {"rounds", scope.rounds},
                              {"attempts", scope.attempts},
                              {"faults", scope.faults},
                              {"tick", to_text(scope.tick)},
                              {"closed", is_closed},
                              {"states", states},
                              {"runs", runs}});
  json["decided_by"] = property.decided_by;
  if (outcome_of(cell, property) != Outcome::holds_so_far) return;
  for (const Scope& scope : open_scopes(cell, property.result.property))
    json["open"].push_back(scope_in_words(scope));
}

Json cell_json(const MatrixCell& cell, const JudgedProperty& property, StrategyKind strategy) {
  const Effort& effort = cell.effort;
  const PropertyResult& result = property.result;
  const std::string& file = property.trace_file;
  Json json{{"algorithm", cell.algorithm},
            {"fault", id_of(cell.fault)},
            {"property", id_of(result.property)},
            {"belief", id_of(cell.belief)},
            {"verdict", id_of(result.verdict)},
            {"strategy", id_of(strategy)},
            {"states", effort.states},
            {"transitions", effort.transitions},
            {"table_bytes", effort.table_bytes},
            {"missed_state_probability", effort.missed_state_probability()},
            {"runs", effort.runs},
            {"trace_length", result.counterexample ? Json(result.counterexample->steps) : Json()},
            {"trace", file.empty() ? Json() : Json(file)},
            {"bound", cell_bound(cell)},
            {"seconds", effort.seconds}};
  json["met"] = met_json(cell);
  if (!effort.beyond_model.empty()) json["beyond_model"] = effort.beyond_model;
  if (!effort.needs_ticks.empty()) json["needs_ticks"] = effort.needs_ticks;
  add_scopes(json, cell, property);
  if (result.counterexample && !result.counterexample->is_shortest) json["is_shortest"] = false;
  if (!result.note.empty()) json["note"] = result.note;
  if (!property.live.empty()) json["live"] = property.live;
  add_bypass(json, result);
  if (result.verdict == Verdict::sampled && effort.sample) json["sample"] = sample_json(effort);
  if (result.counterexample && result.counterexample->explanation)
    json["explanation"] = explanation_json(*result.counterexample->explanation, result.counterexample->store);
  return json;
}

}  // namespace

Json shard_json(const Shard& shard) {
  return Json{{"index", shard.index}, {"count", shard.count}, {"whole", shard.whole}};
}

void write_matrix_json(const Matrix& matrix, std::ostream& out) {
  Json json{{"schema", "holdfast/matrix/1"},
            {"version", matrix.version},
            {"seed", fmt::format("{:#x}", matrix.seed)},
            {"bounds", bounds_json(matrix.bounds)},
            {"cells", Json::array()},
            {"costs", Json::array()}};
  if (matrix.interrupted) json["interrupted"] = true;
  if (!matrix.stores.empty()) json["stores"] = stores_json(matrix);
  if (matrix.shard) json["shard"] = shard_json(*matrix.shard);
  for (const MatrixCell& cell : matrix.cells)
    for (const JudgedProperty& property : cell.properties)
      json["cells"].push_back(cell_json(cell, property, matrix.bounds.explore.strategy));
  for (const Cost& cost : matrix.costs) json["costs"].push_back(cost_json(cost));
  for (const LearntProgram& each : matrix.programs)
    json["programs"].push_back({{"algorithm", each.algorithm},
                                {"histories", each.histories},
                                {"sessions", each.sessions},
                                {"compared", each.compared},
                                {"looks_at_clocks", each.looks},
                                {"times_stood_for", each.stood_for},
                                {"orders_stood_for", each.joint},
                                {"to_confirm", each.to_confirm},
                                {"confirmed", each.confirmed},
                                {"problems", each.problems}});
  for (const NeverRan& each : matrix.never_ran)
    json["never_ran"].push_back(
        {{"algorithm", each.algorithm}, {"file", each.file}, {"line", each.line}, {"text", each.text}});
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace holdfast::reports
