// envelope: how much of a fault a lock survives.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "reports/envelope.hpp"
#include "reports/trace_json.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/results.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/envelope.hpp"
#include "sim/explore/rehearsal.hpp"

namespace holdfast::cli {
namespace {

// A map has as many cells as the two scales multiplied, so its steps are longer unless the user says
// otherwise.
constexpr Duration usual_step = 500ms;
constexpr Duration usual_map_step = 1s;
constexpr std::uint32_t usual_times = 3;

std::vector<Fault> sized_faults(const EnvelopeOptions& options) {
  std::vector<Fault> faults = chosen_faults(options);
  const bool is_none_named = !options.faults.empty() && faults == std::vector{Fault::none};
  if (is_none_named) throw UserError(exit_usage, "--fault: the absence of faults has no size");
  std::erase(faults, Fault::none);
  if (!options.faults.empty() && faults.size() > 2)
    throw UserError(exit_usage, fmt::format("--fault: one fault, two for a map, or none for all faults, one "
                                            "by one; here are {}",
                                            faults.size()));
  return faults;
}

Params params_of(const Job& job) {
  Params params(job.card->parameters);
  for (const auto& [name, text] : job.scenario.params) params.set(name, text);
  return params;
}

Scale scale_for(const EnvelopeOptions& options, const Job& calm, Fault fault, Duration step) {
  const Params params = params_of(calm);
  const Duration lease = lease_in(calm.scenario, *calm.card).value_or(4s);
  const auto nodes = params.has("nodes") ? static_cast<std::uint32_t>(params.count("nodes")) : 0;
  return scale_of(calm.scenario, fault, step, options.most.value_or(2 * lease), std::max(nodes, usual_times));
}

std::string save(Saved& saved, const Scenario& scenario, const Counterexample& run, const std::string& sizes,
                 Property property, std::string_view role) {
  Scenario judged = scenario;
  judged.check = PropertySet{property};
  const std::string name =
      fmt::format("{}+{}+{}{}.trace.json", in_file_name(scenario.algorithm), sizes, id_of(property), role);
  return saved.write(name, reports::trace_json(judged, run, version));
}

// "pause-2.5s", "restart-3".
std::string size_in_name(const Scale& scale, std::uint32_t at) {
  if (at == 0) return fmt::format("{}-none", id_of(scale.fault));
  const std::string size = scale.counts() ? std::to_string(scale.steps_at(at)) : to_text(scale.size_at(at));
  return fmt::format("{}-{}", id_of(scale.fault), size);
}

void save_traces(const Job& calm, reports::EnvelopeReport& report, Saved& saved) {
  for (const Envelope& envelope : report.envelopes)
    for (const Edge& edge : envelope.edges) {
      const auto file_of = [&](const std::optional<Counterexample>& run, std::uint32_t at,
                               std::string_view role) {
        if (!run) return std::string();
        return save(saved, at_size(calm.scenario, envelope.scale, at), *run, size_in_name(envelope.scale, at),
                    edge.property, role);
      };
      report.trace_files.emplace_back(file_of(edge.broken, edge.breaks_from.value_or(0), ""),
                                      file_of(edge.whole, edge.holds_up_to.value_or(0), "+holds"));
    }
  if (!report.map) return;
  const EnvelopeMap& map = *report.map;
  for (const EnvelopeMap::Layer& layer : map.layers) {
    report.trace_files.emplace_back();
    if (!layer.broken) continue;
    const std::uint32_t x = layer.at % map.width();
    const std::uint32_t y = layer.at / map.width();
    const Scenario scenario = at_size(at_size(calm.scenario, map.across, x), map.down, y);
    report.trace_files.back().first =
        save(saved, scenario, *layer.broken, size_in_name(map.across, x) + "+" + size_in_name(map.down, y),
             layer.property, "");
  }
}

void print(const EnvelopeOptions& options, const reports::EnvelopeReport& report) {
  if (options.format == "json") reports::write_envelope_json(report, std::cout);
  else if (options.format == "markdown") reports::write_envelope_markdown(report, std::cout);
  else if (options.format == "svg") reports::write_envelope_svg(report, std::cout);
  else reports::write_envelope_text(report, std::cout, terminal_of(options));
}

// For the pages of the directory.
void save(const reports::EnvelopeReport& report, Saved& saved) {
  std::string name = report.algorithm;
  if (report.map)
    name += fmt::format("+{}+{}", id_of(report.map->across.fault), id_of(report.map->down.fault));
  std::ostringstream json;
  reports::write_envelope_json(report, json);
  saved.write(in_file_name(name) + ".envelope.json", json.str());
}

void require_fitting_times(const Job& calm, Duration step, const std::optional<Duration>& most) {
  if (step <= Duration::zero() || most.value_or(step) <= Duration::zero())
    throw UserError(exit_usage, "--step and --most: sizes are longer than 0s");
  const Timing& timing = calm.scenario.timing;
  std::vector<Duration> times{timing.delay_max, timing.timeout,  timing.retry,       timing.retry_late,
                              timing.restart,   timing.recovery, most.value_or(step)};
  for (const ProgramStep& each : calm.scenario.clients.front().program)
    if (each.length != Duration::zero()) times.push_back(each.length);
  if (const std::optional<Duration> lease = lease_in(calm.scenario, *calm.card)) times.push_back(*lease);
  for (const Duration time : times)
    if (time % step != Duration::zero())
      throw UserError(exit_usage,
                      fmt::format("--step: {} is no multiple of {}", to_text(time), to_text(step)));
}

}  // namespace

int envelope(const EnvelopeOptions& options) {
  // Sizes are told in the user's seconds, beside delays that stay as they are.
  Comparison comparison = comparison_of(options);
  comparison.is_in_proportion = false;
  const Job calm = calm_job(options, options, comparison, "envelope");
  const std::vector<Fault> faults = sized_faults(options);
  const bool is_map = !options.faults.empty() && faults.size() == 2;
  const Duration step = options.step.value_or(is_map ? usual_map_step : usual_step);
  require_fitting_times(calm, step, options.most);
  prepare_directory(options.out);
  Session session(options);
  reports::EnvelopeReport report{.version = version,
                                 .seed = options.seed,
                                 .bounds = bounds_of(options, comparison, {calm.card}),
                                 .algorithm = std::string(calm.card->id),
                                 .belief = calm.scenario.belief.value_or(calm.card->belief)};
  report.bounds.timing.tick = step;
  report.bounds.faults = is_map ? 2 : 1;
  if (is_map) {
    const Scale across = scale_for(options, calm, faults[0], step);
    const Scale down = scale_for(options, calm, faults[1], step);
    session.expect_jobs(std::size_t{across.count + 1} * (down.count + 1), "pairs of sizes");
    report.map = envelope_of(calm, across, down, threads_of(options), session.budget(),
                             [&](std::size_t, const Exploration& done) { session.note_done(done); });
  } else {
    session.expect_jobs(faults.size(), "faults");
    for (const Fault fault : faults) {
      if (session.is_interrupted()) break;
      report.envelopes.push_back(
          envelope_of(calm, scale_for(options, calm, fault, step), threads_of(options), session.budget()));
      session.note_done({});
    }
  }
  session.end_progress();
  report.interrupted = session.is_interrupted();
  report.seconds = session.seconds();
  Saved saved(options);
  save_traces(calm, report, saved);
  save(report, saved);
  print(options, report);
  std::cout.flush();
  saved.require_all();
  if (report.interrupted) return exit_interrupted;
  return reports::is_open(report) ? exit_inconclusive : exit_as_expected;
}

}  // namespace holdfast::cli
