#include "reports/matrix_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

// What does not fit: its text is for users.
class Unreadable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <class Enum, std::size_t N>
Enum word(const Json& object, const char* key, const std::array<std::string_view, N>& ids) {
  const std::string text = object.at(key).get<std::string>();
  if (const std::optional<Enum> found = from_id<Enum>(ids, text)) return *found;
  throw Unreadable(fmt::format("\"{}\": \"{}\" is not known", key, text));
}

Duration duration(const Json& object, const char* key) {
  const std::string text = object.at(key).get<std::string>();
  if (const std::optional<Duration> found = parse_duration(text)) return *found;
  throw Unreadable(fmt::format("\"{}\": \"{}\" is not a duration", key, text));
}

MatrixBounds bounds_in(const Json& json) {
  MatrixBounds bounds;
  bounds.clients = json.at("clients");
  bounds.rounds = json.at("rounds");
  bounds.attempts = json.at("attempts");
  bounds.faults = json.at("faults");
  bounds.ttl = duration(json, "ttl");
  bounds.section = duration(json, "section");
  if (const auto renewed = json.find("renewed"); renewed != json.end()) {
    bounds.renewed_ttl = duration(*renewed, "ttl");
    bounds.renewed_section = duration(*renewed, "section");
  }
  if (const auto seen = json.find("seen_leases"); seen != json.end())
    for (const auto& entry : seen->items())
      bounds.seen_leases.emplace_back(entry.key(), duration(*seen, entry.key().c_str()));
  bounds.short_leases = json.value("short_leases", bounds.short_leases);
  if (json.contains("pause")) bounds.pause = duration(json, "pause");
  if (json.contains("workload")) bounds.workload = word<Workload>(json, "workload", workload_ids);
  if (json.contains("fencing")) bounds.fencing = word<Fencing>(json, "fencing", fencing_ids);
  bounds.redis_config = json.value("redis_config", bounds.redis_config);
  Timing& timing = bounds.timing;
  for (const auto& [key, field] :
       {std::pair("tick", &timing.tick), std::pair("delay_min", &timing.delay_min),
        std::pair("delay_max", &timing.delay_max), std::pair("timeout", &timing.timeout),
        std::pair("retry", &timing.retry), std::pair("retry_late", &timing.retry_late),
        std::pair("restart", &timing.restart), std::pair("recovery", &timing.recovery)})
    *field = duration(json, key);
  for (const auto& [key, field] :
       {std::pair("restart_late", &timing.restart_late), std::pair("start_late", &bounds.start_late)})
    if (json.contains(key)) *field = duration(json, key);  // older files lack them
  timing.recovery_rounds = json.at("recovery_rounds");
  bounds.explore.strategy = word<StrategyKind>(json, "strategy", strategy_ids);
  bounds.explore.runs_max = json.at("runs_max");
  bounds.explore.states_max = json.at("states_max");
  bounds.explore.steps_max = json.at("steps_max");
  bounds.explore.time_max = duration(json, "time_max");
  return bounds;
}

Reach reach_in(const Json& json, Fault fault) {
  const Json met = json.value("met", Json::array());
  const auto is_met = [&](std::string_view what) {
    return std::find(met.begin(), met.end(), what) != met.end();
  };
  Reach reach;
  if (is_met("fault")) reach.struck.insert(fault);
  if (is_met("fault-held")) reach.struck_held.insert(fault);
  for (std::size_t i = 0; i < situation_ids.size(); ++i)
    if (is_met(situation_ids[i])) reach.met.insert(static_cast<Situation>(i));
  return reach;
}

PropertyResult result_in(const Json& json) {
  PropertyResult result{word<Property>(json, "property", property_ids),
                        word<Verdict>(json, "verdict", verdict_ids), json.value("note", ""), std::nullopt};
  if (result.verdict == Verdict::violated && json.at("trace_length").is_number()) {
    result.counterexample.emplace();
    result.counterexample->steps = json.at("trace_length");
    result.counterexample->is_shortest = json.value("is_shortest", true);
    if (json.contains("loop_begin")) {
      result.counterexample->loop.emplace();
      result.counterexample->loop->begin = json.at("loop_begin");
    }
  }
  if (json.contains("bypass_max")) result.bypass_max = json.at("bypass_max").get<std::uint32_t>();
  return result;
}

std::vector<Within> within_in(const Json& json) {
  std::vector<Within> within;
  for (const Json& each : json.value("within", Json::array()))
    within.push_back({.scope = {each.at("clients"), each.at("rounds"), each.at("attempts"), each.at("faults"),
                                duration(each, "tick"), word<Variant>(each, "variant", variant_ids)},
                      .scenario = {},
                      .states = each.at("states"),
                      .runs = each.at("runs"),
                      .is_closed = each.at("closed")});
  return within;
}

// Adds one line of the file: one property of a cell, which is new or the last one.
void add(Matrix& matrix, const Json& json) {
  const std::string algorithm = json.at("algorithm");
  const Fault fault = word<Fault>(json, "fault", fault_ids);
  const Belief belief = word<Belief>(json, "belief", belief_ids);
  if (matrix.cells.empty() || matrix.cells.back().algorithm != algorithm ||
      matrix.cells.back().fault != fault || matrix.cells.back().belief != belief) {
    MatrixCell cell{algorithm, fault, belief};
    cell.effort.states = json.at("states");
    cell.effort.transitions = json.at("transitions");
    cell.effort.runs = json.at("runs");
    cell.effort.seconds = json.at("seconds");
    cell.effort.reach = reach_in(json, fault);
    cell.effort.beyond_model = json.value("beyond_model", "");
    cell.effort.needs_ticks = json.value("needs_ticks", "");
    cell.within = within_in(json);
    matrix.cells.push_back(std::move(cell));
  }
  MatrixCell& cell = matrix.cells.back();
  JudgedProperty& property = cell.properties.emplace_back(JudgedProperty{result_in(json)});
  if (!cell.within.empty()) {
    property.decided_by = json.at("decided_by");
    if (property.decided_by >= cell.within.size())
      throw Unreadable("\"decided_by\": there are not so many in \"within\"");
  }
  if (const Json& trace = json.at("trace"); trace.is_string()) property.trace_file = trace;
}

Cost cost_in(const Json& json) {
  Cost cost;
  cost.algorithm = json.at("algorithm");
  cost.workload = json.at("workload");
  cost.clients = json.at("clients");
  cost.commands_per_acquire = json.at("commands_per_acquire");
  cost.wait_ms_p50 = json.at("wait_ms_p50");
  cost.wait_ms_p99 = json.at("wait_ms_p99");
  cost.bypass_max = json.at("bypass_max");
  cost.jain_fairness = json.at("jain_fairness");
  cost.round_trips_per_acquire = json.at("round_trips_per_acquire");
  cost.commands_alone = json.at("commands_alone");
  cost.round_trips_alone = json.at("round_trips_alone");
  cost.wasted_polls = json.at("wasted_polls");
  cost.wake_up_ms_p50 = json.at("wake_up_ms_p50");
  cost.wake_up_ms_p99 = json.at("wake_up_ms_p99");
  return cost;
}

Matrix matrix_in(const Json& json) {
  if (json.value("schema", "") != "holdfast/matrix/1")
    throw Unreadable("\"schema\" is not \"holdfast/matrix/1\"");
  Matrix matrix;
  matrix.version = json.at("version");
  matrix.seed = std::stoull(json.at("seed").get<std::string>(), nullptr, 0);
  matrix.bounds = bounds_in(json.at("bounds"));
  matrix.interrupted = json.value("interrupted", false);
  for (const Json& cell : json.at("cells")) add(matrix, cell);
  for (const Json& cost : json.at("costs")) matrix.costs.push_back(cost_in(cost));
  for (const Json& each : json.value("programs", Json::array()))
    matrix.programs.push_back({each.at("algorithm"), each.at("histories"), each.at("sessions"),
                               each.at("compared"), each.at("problems")});
  for (const Json& each : json.value("stores", Json::array())) {
    matrix.stores.push_back({each.at("algorithm"), word<StoreKind>(each, "store", store_kind_ids)});
    if (each.at("tenure").is_string()) matrix.stores.back().tenure = word<Tenure>(each, "tenure", tenure_ids);
  }
  for (const Json& each : json.value("never_ran", Json::array()))
    matrix.never_ran.push_back({each.at("algorithm"), each.at("file"), each.at("line"), each.at("text")});
  return matrix;
}

}  // namespace

std::variant<Matrix, std::string> read_matrix(std::string_view text) {
  try {
    return matrix_in(Json::parse(text));
  } catch (const Json::exception& error) {  // "[json.exception.…] key 'x' not found"
    const std::string_view what = error.what();
    return std::string(what.substr(what.find(']') + 2)) + "; was it written by another version of holdfast?";
  } catch (const std::exception& error) {  // of std::stoull, or our own
    return std::string(error.what());
  }
}

}  // namespace holdfast::reports
