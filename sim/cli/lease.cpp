#include "sim/cli/lease.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "reports/trace_json.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/version.hpp"
#include "sim/core/arena.hpp"

namespace holdfast::cli {
namespace {

constexpr Duration longest = 10min;
constexpr Duration shortest = 1ms;

// How many ticks all that takes time may take together, so that the space closes within seconds.
std::int64_t ticks_max(const Card& card) {
  if (card.needs_several_servers()) return 8;
  return card.renews ? 60 : 200;
}

// A grid on which the first lease has more is too fine: ten more come.
std::uint64_t quick_states(const Card& card) { return card.needs_several_servers() ? 5'000'000 : 400'000; }

void require_length(std::string_view option, Duration time, Duration least) {
  if (time < least)
    throw UserError(exit_usage, fmt::format("{}: {} is too short: the shortest is {}", option, to_text(time),
                                            to_text(least)));
  if (time > longest)
    throw UserError(exit_usage, fmt::format("{}: {} is too long: the longest is {}", option, to_text(time),
                                            to_text(longest)));
  if (time % shortest != Duration::zero())
    throw UserError(exit_usage,
                    fmt::format("{}: {} is no multiple of {}", option, to_text(time), to_text(shortest)));
}

// 1ms, 2ms, 5ms, 10ms, …
Duration round_tick(Duration least) {
  for (Duration decade = 1ms;; decade *= 10)
    for (const int times : {1, 2, 5})
      if (times * decade >= least) return times * decade;
}

Duration rounded_up(Duration time, Duration tick) { return (time + tick - Duration(1)) / tick * tick; }

// The finest grid on which all times lie, and on which the space closes; else a coarser one.
Duration chosen_tick(const LeaseTimes& asked, std::uint32_t pauses, const Card& card) {
  const Duration sum = asked.work + pauses * asked.pause + asked.delay;
  const Duration least = (sum + Duration(ticks_max(card) - 1)) / ticks_max(card);
  const Duration common(std::gcd(std::gcd(to_microseconds(asked.work), to_microseconds(asked.pause)),
                                 to_microseconds(asked.delay)));
  if (common < least) return round_tick(least);
  for (Duration decade = 1ms;; decade *= 10)
    for (const int times : {1, 2, 5}) {
      const Duration tick = times * decade;
      if (tick >= common) return common;
      if (tick >= least && common % tick == Duration::zero()) return tick;
    }
}

// A step that the user names divides all times.
void require_step(const LeaseOptions& options, const LeaseTimes& asked) {
  require_length("--step", *options.step, shortest);
  for (const Duration time : {asked.pause, asked.work, asked.delay})
    if (time % *options.step != Duration::zero())
      throw UserError(exit_usage,
                      fmt::format("--step: {} is no multiple of {}", to_text(time), to_text(*options.step)));
}

constexpr std::int64_t million = 1'000'000;

// A clock that runs fast by this much ends a lease early: in its time, everything else takes longer.
Duration stretched(Duration time, std::int64_t ppm) {
  return Duration((time.count() * (million + ppm) + million - 1) / million);
}

// Two clocks, one fast and one slow.
std::int32_t between_clocks(std::int64_t ppm) {
  return static_cast<std::int32_t>((2 * ppm * million + million - ppm - 1) / (million - ppm));
}

}  // namespace

void save_trace(LeaseReport& report, Saved& saved) {
  if (report.edge.tried.empty()) return;
  const TriedLease* broken = report.edge.breaks ? &*report.edge.breaks : nullptr;
  if (!report.edge.holds) broken = &report.edge.tried.back();
  if (broken == nullptr) return;
  const PropertyResult* lacking = broken->lacking(report.edge.holds ? report.edge.sought : of_leases);
  if (lacking == nullptr || !lacking->counterexample) return;
  Scenario scenario = broken->scenarios[static_cast<std::size_t>(lacking - broken->results.data())];
  scenario.check = PropertySet{lacking->property};
  const std::string name = fmt::format("{}+ttl-{}+{}.trace.json", in_file_name(scenario.algorithm),
                                       to_text(broken->lease), id_of(lacking->property));
  report.trace_file = saved.write(name, reports::trace_json(scenario, *lacking->counterexample, version));
  report.told = LeaseReport::Told{std::move(scenario), *lacking->counterexample};
}

namespace {

// The times as they are explored, in steps of this tick.
LeaseConditions conditions_of(const LeaseOptions& options, LeaseReport& report, Duration tick) {
  report.explored = {rounded_up(report.asked.pause, tick), rounded_up(report.asked.work, tick),
                     rounded_up(report.asked.delay, tick)};
  report.tick = stretched(tick, options.drift_ppm);
  const auto in_ticks = [&](Duration time) { return time / tick * report.tick; };
  report.of_server = {in_ticks(report.explored.pause), in_ticks(report.explored.work),
                      in_ticks(report.explored.delay)};
  const LeaseTimes& times = report.of_server;
  report.formula = times.work + report.pauses * times.pause + times.delay;
  return {.tick = report.tick,
          .pause = times.pause,
          .pauses = report.pauses,
          .work = times.work,
          .delay = times.delay,
          .drift_ppm = between_clocks(options.drift_ppm),
          .finish = [params = LockParams(options), config = options.redis_config](Scenario& scenario) {
            set_params(params, scenario);
            if (scenario.runs_on == StoreKind::redis) scenario.redis_config = config;
          }};
}

// As fine as closes, unless the user has chosen a step.
LeaseConditions fine_conditions(const LeaseOptions& options, const Card& card, LeaseReport& report,
                                Session& session) {
  Duration tick = options.step.value_or(chosen_tick(report.asked, report.pauses, card));
  for (;; tick = round_tick(tick + shortest)) {
    LeaseConditions conditions = conditions_of(options, report, tick);
    const Duration lease = std::chrono::ceil<std::chrono::milliseconds>(report.formula);
    if (options.step || tick >= 1s) return conditions;
    if (closes(conditions, card, lease, quick_states(card), session.budget())) return conditions;
  }
}

// On several servers each tick more multiplies the ways in which messages overtake each other.
Duration coarse_tick(const LeaseReport& report, const Card& card) {
  const int ticks = card.needs_several_servers() ? 4 : 8;
  const LeaseTimes& asked = report.asked;
  return round_tick((asked.work + report.pauses * asked.pause + asked.delay) / ticks);
}

}  // namespace

std::string why_no_lease(const Card& card) {
  const Params declared(card.parameters);
  if (!declared.has("ttl")) return "it has no parameter \"ttl\": the length of its leases cannot be chosen";
  return {};
}

namespace {

LeaseReport begun(const LeaseOptions& options, const Card& card) {
  LeaseReport report{.version = version, .algorithm = std::string(card.id)};
  report.asked = {*options.pause, *options.work, *options.rtt};
  report.drift_ppm = options.drift_ppm;
  report.pauses = options.pauses;
  require_length("--pause", report.asked.pause, 0ms);
  require_length("--work", report.asked.work, shortest);
  require_length("--rtt", report.asked.delay, shortest);
  if (options.step) require_step(options, report.asked);
  report.is_formula_known = !card.renews && !card.needs_several_servers();
  report.belief = card.belief;
  for (const Parameter& each : card.parameters)
    if (each.name == "ttl") report.parameter = each.help;
  return report;
}

// In steps as long as the longest of the times, there are no coarser ones.
bool is_coarsest(const LeaseReport& report, Duration tick) {
  return tick >= std::max({report.asked.pause, report.asked.work, report.asked.delay});
}

// What holds of a lock that no time ends, in steps of this tick.
void explore_leaseless(const LeaseOptions& options, LeaseReport& report, const Card& card, Duration tick,
                       Session& session) {
  report.conditions = conditions_of(options, report, tick);
  report.conditions.states_max = states_of_candidate(card);
  report.edge = {};
  TriedLease tried{.lease = std::chrono::ceil<std::chrono::milliseconds>(report.formula)};
  const Scenario scenario = lease_scenario(report.conditions, card, tried.lease);
  Exploration found = explore(scenario, card, session.budget(), Engine::snapshots, threads_of(options));
  tried.states = found.states;
  for (PropertyResult& each : found.properties) {
    if (each.verdict == Verdict::holds) report.edge.sought.insert(each.property);
    if (each.verdict == Verdict::violated) report.edge.hopeless.insert(each.property);
    report.edge.is_open |= each.verdict == Verdict::unknown;
    tried.scenarios.push_back(scenario);
    tried.results.push_back(std::move(each));
  }
  const bool holds = report.edge.sought.contains(Property::mutual_exclusion) && !report.edge.is_open;
  if (holds) report.edge.holds = std::move(tried);
}

// Steps twice as long, and so on, where what was explored in these stays open.
template <class Explore>
void explore_coarsely(LeaseReport& report, const Card& card, Session& session, const Explore& explore) {
  for (Duration tick = coarse_tick(report, card);; tick = round_tick(2 * tick)) {
    explore(tick);
    report.is_coarsened = tick > coarse_tick(report, card);
    if (!report.edge.is_open || is_coarsest(report, tick) || session.is_interrupted()) return;
  }
}

}  // namespace

LeaseReport leaseless_report(const LeaseOptions& options, const Card& card, Session& session) {
  LeaseReport report = begun(options, card);
  explore_coarsely(report, card, session,
                   [&](Duration tick) { explore_leaseless(options, report, card, tick, session); });
  report.interrupted = session.is_interrupted();
  report.seconds = session.seconds();
  return report;
}

namespace {

void note_instants(LeaseReport& report, const Card& card, Session& session) {
  if (!report.edge.holds || !report.edge.breaks || report.drift_ppm != 0 || !Arena::is_available()) return;
  LeaseConditions exact = report.conditions;
  exact.pause = report.asked.pause;
  exact.work = report.asked.work;
  exact.delay = report.asked.delay;
  const LeaseConditions& it = report.conditions;
  const bool are_shorter = exact.pause != it.pause || exact.work != it.work || exact.delay != it.delay;
  report.at_instants = lease_at_instants(exact, are_shorter, card, report.edge, session.budget());
}

}  // namespace

LeaseReport lease_report(const LeaseOptions& options, const Card& card, Session& session, LeaseGrid grid) {
  LeaseReport report = begun(options, card);
  const bool is_fine = grid == LeaseGrid::fine;
  const auto find = [&] {
    report.edge =
        lease_edge(report.conditions, card, threads_of(options), session.budget(), [&](const TriedLease&) {
          if (is_fine) session.note_done({});
        });
  };
  if (is_fine) {
    report.conditions = fine_conditions(options, card, report, session);
    find();
    note_instants(report, card, session);
  } else {
    explore_coarsely(report, card, session, [&](Duration tick) {
      report.conditions = conditions_of(options, report, tick);
      report.conditions.states_max = states_of_candidate(card);
      find();
    });
  }
  report.interrupted = session.is_interrupted();
  report.seconds = session.seconds();
  return report;
}

}  // namespace holdfast::cli
