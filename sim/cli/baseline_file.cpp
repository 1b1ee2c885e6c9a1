// holdfast/baseline/1: what it contains, read and written. It is also a file of Google Benchmark, whose tools
// look at "context" and "benchmarks" alone.
#include <fmt/format.h>

#include <cmath>

#include "reports/verdicts.hpp"
#include "sim/cli/baseline.hpp"
#include "sim/cli/json_file.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/session.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

const Json& list_at(const std::string& file, const Json& json, const std::string& key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) refuse_json(file, "expected a list", "/" + key);
  return *found;
}

void read_tolerances(const std::string& file, const Json& json, Baseline& into) {
  into.tolerances = usual_tolerances();
  const auto found = json.find("tolerances");
  if (found == json.end() || !found->is_object())
    refuse_json(file, "expected an object of figures", "/tolerances");
  std::vector<std::string_view> names;
  for (const auto& [name, value] : into.tolerances) names.push_back(name);
  for (const auto& [name, value] : found->items()) {
    const std::string pointer = "/tolerances/" + name;
    if (!into.tolerances.contains(name))
      refuse_json(file, fmt::format("unknown figure \"{}\"{}", name, did_you_mean(name, names)), pointer);
    if (!value.is_number() || !(value.get<double>() >= 0) || value.get<double>() > 1000)
      refuse_json(file, "expected a share from 0 to 1000, such as 0.1", pointer);
    into.tolerances[name] = value;
  }
}

void check_entry(const std::string& file, const Section& section, const Json& entry,
                 const std::string& pointer) {
  if (!entry.is_object()) refuse_json(file, "expected an object", pointer);
  for (const std::string_view key : section.key)
    if (!entry.contains(key) || !(entry[std::string(key)].is_string() || entry[std::string(key)].is_number()))
      refuse_json(file, "expected a text or a number", fmt::format("{}/{}", pointer, key));
  for (const Figure& figure : section.figures)
    if (const auto value = entry.find(figure.name); value != entry.end() && !value->is_number())
      refuse_json(file, "expected a number", fmt::format("{}/{}", pointer, figure.name));
  if (!section.has_verdict) return;
  const std::string verdict = text_at(file, entry, pointer, "verdict");
  if (!from_id<Verdict>(verdict_ids, verdict))
    refuse_json(file,
                fmt::format("unknown verdict \"{}\"{}", verdict,
                            did_you_mean(verdict, {verdict_ids.begin(), verdict_ids.end()})),
                pointer + "/verdict");
}

void add_lines(std::string& text, std::string_view key, const auto& entries) {
  text += fmt::format("\"{}\": [", key);
  const char* separator = "\n";
  for (const Json& entry : entries) {
    text += separator + ("  " + entry.dump());
    separator = ",\n";
  }
  text += "\n]";
}

}  // namespace

std::string Section::key_of(const Json& entry) const {
  std::string text;
  for (const std::string_view field : key) text += entry[std::string(field)].dump() + " ";
  return text;
}

std::span<const Section> baseline_sections() {
  using enum Worse;
  static const std::vector<Section> sections = {
      {"explorations",
       {"algorithm", "fault"},
       {{"states", either}, {"transitions", either}, {"runs", either}}},
      {"cells", {"algorithm", "fault", "property"}, {{"trace_length", either}, {"bypass_max", higher}}, true},
      {"costs",
       {"algorithm", "workload", "clients"},
       {{"commands_per_acquire", higher},
        {"wait_ms_p50", higher},
        {"wait_ms_p99", higher},
        {"bypass_max", higher},
        {"jain_fairness", lower},
        {"round_trips_per_acquire", higher},
        {"commands_alone", higher},
        {"round_trips_alone", higher},
        {"wasted_polls", higher},
        {"wake_up_ms_p50", higher},
        {"wake_up_ms_p99", higher}}}};
  return sections;
}

std::map<std::string, double> usual_tolerances() {
  std::map<std::string, double> usual{{"time", 0.1}};
  for (const Section& section : baseline_sections())
    for (const Figure& figure : section.figures) usual.emplace(figure.name, 0);
  return usual;
}

void take_figures(const reports::Matrix& matrix, Baseline& into) {
  into.version = matrix.version;
  into.bounds = reports::bounds_json(matrix.bounds);
  for (const reports::MatrixCell& cell : matrix.cells) {
    const Effort& found = cell.effort;
    into.sections["explorations"].push_back(Json{{"algorithm", cell.algorithm},
                                                 {"fault", id_of(cell.fault)},
                                                 {"states", found.states},
                                                 {"transitions", found.transitions},
                                                 {"runs", found.runs}});
    for (const reports::JudgedProperty& each : cell.properties) {
      const PropertyResult& result = each.result;
      Json entry{{"algorithm", cell.algorithm},
                 {"fault", id_of(cell.fault)},
                 {"property", id_of(result.property)},
                 {"verdict", id_of(result.verdict)}};
      if (result.counterexample) entry["trace_length"] = result.counterexample->steps;
      if (result.bypass_max) entry["bypass_max"] = *result.bypass_max;
      into.sections["cells"].push_back(std::move(entry));
    }
  }
  for (const Cost& cost : matrix.costs) into.sections["costs"].push_back(reports::cost_json(cost));
}

Baseline parse_baseline(const std::string& text, const std::string& file) {
  const Json json = parse_json(text, file);
  require_schema(file, json, "holdfast/baseline/1", "a baseline (holdfast baseline save NAME)");
  Baseline baseline;
  baseline.name = text_at(file, json, "", "name");
  baseline.version = text_at(file, json, "", "version");
  for (const Json& word : list_at(file, json, "options")) {
    if (!word.is_string()) refuse_json(file, "expected words of the command line", "/options");
    baseline.words.push_back(word);
  }
  read_tolerances(file, json, baseline);
  const auto bounds = json.find("bounds");
  if (bounds == json.end() || !bounds->is_object()) refuse_json(file, "expected an object", "/bounds");
  baseline.bounds = *bounds;
  for (const Section& section : baseline_sections()) {
    std::map<std::string, std::string> places;
    for (const Json& entry : list_at(file, json, std::string(section.name))) {
      const std::string pointer = fmt::format("/{}/{}", section.name, places.size());
      check_entry(file, section, entry, pointer);
      const auto [first, is_new] = places.emplace(section.key_of(entry), pointer);
      if (!is_new) refuse_json(file, "the same as " + first->second, pointer);
      baseline.sections[section.name].push_back(entry);
    }
  }
  baseline.measured = read_measured(file, json);
  return baseline;
}

std::string baseline_text(const Baseline& baseline) {
  std::string text = "{\n\"schema\": \"holdfast/baseline/1\",\n";
  const auto add = [&](const char* key, const Json& value) {
    text += fmt::format("\"{}\": {},\n", key, value.dump());
  };
  add("name", baseline.name);
  add("version", baseline.version);
  add("options", baseline.words);
  add("tolerances", baseline.tolerances);
  add("bounds", baseline.bounds);
  for (const Section& section : baseline_sections()) {
    const auto entries = baseline.sections.find(section.name);
    add_lines(text, section.name, entries == baseline.sections.end() ? std::vector<Json>() : entries->second);
    text += ",\n";
  }
  add("context", baseline.measured.context);
  std::vector<Json> benchmarks;
  for (const Series& series : baseline.measured.series)
    for (std::size_t i = 0; i < series.times.size(); ++i)
      benchmarks.push_back(benchmark_json(series.name, i, 1, series.times[i], series.times[i]));
  add_lines(text, "benchmarks", benchmarks);
  return text + "\n}\n";
}

}  // namespace holdfast::cli
