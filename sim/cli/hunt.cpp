// hunt: looks in reality for violations of properties that hold.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>

#include "reports/story.hpp"
#include "reports/terminal.hpp"
#include "sim/check/checker.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/time_scale.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/rehearsal.hpp"
#include "sim/live/hunt.hpp"
#include "sim/live/usable_server.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;
using RealClock = std::chrono::steady_clock;

// What the trace of a hunted run decides.
constexpr PropertySet huntable = {Property::mutual_exclusion,   Property::no_stale_write,
                                  Property::owner_only_release, Property::owner_only_change,
                                  Property::truthful_release,   Property::recovery};
// What one tick takes in real time, tried in this order: the next one if the lock behaves otherwise with
// times so short, for it counts in whole seconds. With the last one, the times are those of the comparison.
constexpr std::array<Duration, 4> hunted_ticks{100ms, 250ms, 500ms, 1s};
// A cell with more is not hunted: what does not close does not hold.
constexpr std::uint64_t states_max = 200'000;
constexpr std::size_t lanes = 16;  // runs spend their time waiting
// A tick of a hunt is a second of the simulation, and that has so many ticks of its own.
constexpr int seconds_ticks = 2;
constexpr int run_ticks = 25;  // what a run takes, about: no run begins later than that before the end

// What one run violates that no earlier one did.
struct Violation {
  std::uint64_t run = 0;
  std::string blow;
  std::vector<Finding> findings;
  std::vector<Event> events;  // until the last of them
};

struct Prey {
  const Card* card;
  Fault fault;
  Scenario scenario;
  PropertySet hunted;  // properties that were not found violated yet
  PropertySet all;
  std::optional<Duration> tick = std::nullopt;
  live::Quarry quarry = {};
  Duration time_given{};
  std::uint64_t runs = 0;  // within the bounds
  std::uint64_t beyond = 0;
  std::uint64_t struck = 0;
  std::uint64_t grants = 0;
  std::string trouble = {};
  std::vector<Violation> violations = {};
};

PropertySet with_verdict(const Exploration& exploration, Verdict verdict) {
  PropertySet properties;
  for (const PropertyResult& result : exploration.properties)
    if (result.verdict == verdict && huntable.contains(result.property)) properties.insert(result.property);
  return properties;
}

bool is_same(const Exploration& one, const Exploration& other) {
  return with_verdict(one, Verdict::holds) == with_verdict(other, Verdict::holds) &&
         with_verdict(one, Verdict::violated) == with_verdict(other, Verdict::violated);
}

live::Quarry quarry_of(const Scenario& scenario, const Card& card, Fault fault) {
  using Op = ProgramStep::Op;
  const Timing& timing = scenario.timing;
  const ClientPlan& plan = scenario.clients.front();
  const auto step = [&](Op op) {
    return *std::find_if(plan.program.begin(), plan.program.end(),
                         [op](const ProgramStep& each) { return each.op == op; });
  };
  Params params(card.parameters);
  for (const auto& [name, text] : scenario.params) params.set(name, text);
  live::Quarry quarry{.fault = fault, .tick = seconds_ticks * timing.tick};
  quarry.clients = static_cast<std::uint32_t>(scenario.clients.size());
  quarry.rounds = plan.rounds;
  quarry.attempts = step(Op::acquire).attempts;
  quarry.work = step(Op::work).length;
  quarry.retry = timing.retry;
  quarry.retry_late = timing.retry_late;
  quarry.timeout = timing.timeout;
  quarry.driver_retries = scenario.driver_retries.value_or(card.driver_retries);
  if (!scenario.faults.empty()) quarry.fault_length = scenario.faults.front().magnitude;
  quarry.restart = timing.restart;
  quarry.recovery = timing.recovery;
  quarry.recovery_attempts = timing.recovery_rounds;
  quarry.keys_of = [patterns = key_patterns(scenario, card)](const std::string& name) {
    std::vector<std::string> keys;
    for (const std::string& pattern : patterns) keys.push_back(key_of(pattern, name));
    return keys;
  };
  quarry.make = [&card, params] { return card.make(params); };
  return quarry;
}

std::vector<Exploration> explored(const Threads& options, const std::vector<Job>& jobs, Session& session) {
  session.expect_jobs(jobs.size(), "cells");
  std::vector<Exploration> found =
      explore_all(jobs, threads_of(options), session.budget(),
                  [&](std::size_t, const Exploration& done) { session.note_done(done); });
  session.end_progress();
  return found;
}

std::vector<Fault> hunted_faults_of(const Experiment& experiment) {
  std::vector<Fault> faults = chosen_faults(experiment);
  std::erase_if(faults, [](Fault fault) { return !live::hunted_faults.contains(fault); });
  if (faults.empty()) throw UserError(exit_usage, "--faults: a hunt cannot inject any of these");
  return faults;
}

// As explored, and with the size of the fault that a rule which names none stands for, so that it is scaled.
Scenario sized(Scenario scenario, const Card& card) {
  const Duration lease = lease_in(scenario, card).value_or(4 * seconds_ticks * scenario.timing.tick);
  for (FaultRule& rule : scenario.faults) rule.magnitude = 2 * lease;
  return scenario;
}

// Every cell that can be hunted, with what the comparison says of it.
std::vector<Prey> prey_of(const HuntOptions& options, Session& session) {
  const Experiment experiment{.faults = options.faults, .properties = options.properties};
  const std::vector<const Card*> cards = chosen_cards({.only = options.names}, "LOCK");
  require_params(options, cards);
  Chosen chosen(experiment);
  static_cast<LockParams&>(chosen) = options;
  Comparison comparison = comparison_of(chosen);
  comparison.explore.seed = options.seed;
  if (comparison.check.empty()) comparison.check = huntable;
  comparison.explore.states_max = std::min(comparison.explore.states_max, states_max);
  std::vector<Prey> prey;
  std::vector<Job> jobs;
  for (const Card* card : cards) {
    if (card->store != StoreKind::redis || card->needs_several_servers()) continue;
    if (card->belief != Belief::until_release) continue;
    for (const Fault fault : hunted_faults_of(experiment)) {
      prey.push_back({card, fault, sized(scenario_of(comparison, *card, fault), *card), {}, {}});
      jobs.push_back({prey.back().scenario, card});
    }
  }
  const std::vector<Exploration> found = explored(options, jobs, session);
  const Verdict wanted = options.violated ? Verdict::violated : Verdict::holds;
  for (std::size_t i = 0; i < prey.size(); ++i) {
    prey[i].all = with_verdict(found[i], wanted);
    // A live server shows a key as one value, and not whose its parts are.
    if (are_keys_shared(prey[i].scenario, *prey[i].card))
      for (const Property property : about_owners) prey[i].all.erase(property);
    prey[i].hunted = prey[i].all;
  }
  for (const Duration tick : hunted_ticks) {
    const bool is_last = tick == hunted_ticks.back();
    std::vector<Job> scaled;
    std::vector<std::size_t> whose;
    for (std::size_t i = 0; i < prey.size(); ++i) {
      if (prey[i].all.empty() || prey[i].tick) continue;
      whose.push_back(i);
      const Duration own = seconds_ticks * prey[i].scenario.timing.tick;
      const TimeScale scale(is_last ? own : tick, own);
      scaled.push_back({scale(prey[i].scenario, *prey[i].card, ""), prey[i].card});
    }
    const std::vector<Exploration> again =
        is_last ? std::vector<Exploration>() : explored(options, scaled, session);
    for (std::size_t i = 0; i < whose.size(); ++i) {
      Prey& one = prey[whose[i]];
      if (!is_last && !is_same(again[i], found[whose[i]])) continue;
      one.tick = is_last ? seconds_ticks * one.scenario.timing.tick : tick;
      one.quarry = quarry_of(scaled[i].scenario, *one.card, one.fault);
    }
  }
  std::erase_if(prey, [](const Prey& one) { return one.all.empty(); });
  return prey;
}

class Hunt {
 public:
  Hunt(const HuntOptions& options, std::vector<Prey>& prey, Session& session)
      : prey_(prey), session_(session), length_(std::chrono::seconds(options.seconds)) {}

  void go(live::Hunter& hunter) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(length_).count();
    session_.expect_jobs(static_cast<std::size_t>(seconds), "seconds of hunting");
    hunter.hunt([this] { return next(); },
                [this](const live::Quarry& quarry, live::HuntedRun run) { judge(quarry, std::move(run)); },
                [this] { return must_stop(); });
    session_.end_progress();
  }

 private:
  Duration passed() const { return std::chrono::duration_cast<Duration>(RealClock::now() - begin_); }
  bool must_stop() {
    for (; told_ < passed(); told_ += 1s) session_.note_done({});
    return session_.budget().is_exhausted() || passed() >= length_;
  }
  // The one that was given the least time so far.
  const live::Quarry* next() {
    Prey* chosen = nullptr;
    for (Prey& one : prey_) {
      const bool is_done = one.hunted.empty() || !one.trouble.empty();
      if (is_done || passed() + run_ticks * *one.tick > length_) continue;
      if (chosen == nullptr || one.time_given < chosen->time_given) chosen = &one;
    }
    if (chosen == nullptr) return nullptr;
    chosen->time_given += *chosen->tick;
    return &chosen->quarry;
  }
  void judge(const live::Quarry& quarry, live::HuntedRun run) {
    Prey& prey =
        *std::find_if(prey_.begin(), prey_.end(), [&](const Prey& one) { return &one.quarry == &quarry; });
    if (!run.trouble.empty()) {
      prey.trouble = run.trouble;
      return;
    }
    if (!run.is_within) return void(++prey.beyond);
    ++prey.runs;
    prey.struck += run.has_struck ? 1 : 0;
    Judge judge(prey.hunted);
    for (Event& event : run.events) {
      name_lock(event);
      if (std::holds_alternative<Granted>(event.what)) ++prey.grants;
      judge.on(event);
    }
    const std::vector<Finding> findings = judge.findings();
    if (findings.empty()) return;
    Step last{};
    for (const Finding& finding : findings) {
      prey.hunted.erase(finding.property);
      last = std::max(last, finding.to);
    }
    std::erase_if(run.events, [last](const Event& event) { return event.step > last; });
    prey.violations.push_back({prey.runs, run.blow, findings, std::move(run.events)});
  }
  // The log of a run has no room for names.
  static void name_lock(Event& event) {
    if (auto* const acquiring = std::get_if<Acquiring>(&event.what)) acquiring->key = "job";
    if (auto* const change = std::get_if<KeyChanged>(&event.what)) {
      change->key = "job";
      change->value = "…";
    }
  }

  std::vector<Prey>& prey_;
  Session& session_;
  const Duration length_;
  const RealClock::time_point begin_ = RealClock::now();
  Duration told_{};
};

struct Totals {
  std::uint64_t runs = 0;
  std::uint64_t beyond = 0;
  std::size_t claims = 0;
  std::size_t refuted = 0;
};

Totals totals_of(const std::vector<Prey>& prey) {
  Totals totals;
  for (const Prey& one : prey) {
    totals.runs += one.runs;
    totals.beyond += one.beyond;
    for (const Violation& violation : one.violations) totals.refuted += violation.findings.size();
    for (std::size_t i = 0; i < property_ids.size(); ++i)
      totals.claims += one.all.contains(static_cast<Property>(i)) ? 1 : 0;
  }
  return totals;
}

Json json_of(const Violation& violation) {
  const reports::Narrator narrator(violation.events);
  Json events = Json::array();
  for (const Event& event : violation.events)
    events.push_back({{"at", reports::words_for(event.at)}, {"event", narrator.sentence(event)}});
  Json findings = Json::array();
  for (const Finding& finding : violation.findings)
    findings.push_back({{"property", id_of(finding.property)}, {"because", finding.because}});
  return {{"run", violation.run},
          {"fault", violation.blow},
          {"findings", std::move(findings)},
          {"events", std::move(events)}};
}

void print_json(const std::vector<Prey>& prey, const std::string& redis, bool violated, double seconds) {
  const Totals totals = totals_of(prey);
  Json json{{"schema", "holdfast/hunt/1"},
            {"version", version},
            {"redis", redis},
            {"hunted", violated ? "violated" : "holds"},
            {"seconds", seconds},
            {"runs", totals.runs},
            {"beyond", totals.beyond},
            {"claims", totals.claims},
            {"refuted", totals.refuted},
            {"cells", Json::array()}};
  for (const Prey& one : prey) {
    Json cell{{"algorithm", one.card->id},
              {"fault", id_of(one.fault)},
              {"tick_ms", std::chrono::duration<double, std::milli>(*one.tick).count()},
              {"runs", one.runs},
              {"struck", one.struck},
              {"grants", one.grants},
              {"beyond", one.beyond},
              {"properties", Json::array()},
              {"violations", Json::array()}};
    if (!one.trouble.empty()) cell["trouble"] = one.trouble;
    for (std::size_t i = 0; i < property_ids.size(); ++i)
      if (one.all.contains(static_cast<Property>(i))) cell["properties"].push_back(property_ids[i]);
    for (const Violation& violation : one.violations) cell["violations"].push_back(json_of(violation));
    json["cells"].push_back(std::move(cell));
  }
  fmt::print("{}\n", json.dump(1));
}

void tell(reports::Page& page, const Prey& prey, const Violation& violation, bool violated) {
  const auto printed = [&](const std::string& text) { return reports::printable(page.terminal(), text); };
  page.line();
  for (const Finding& finding : violation.findings)
    page.paragraph(
        printed("✘ "),
        printed(fmt::format(
            "{} under {}: {} {}: {}", prey.card->id, id_of(prey.fault), id_of(finding.property),
            violated ? "is violated in reality, too" : "does not hold in reality", finding.because)));
  page.paragraph("  ", printed(fmt::format("run {}, in which {}; 1s of the simulator takes {}", violation.run,
                                           violation.blow, to_text(*prey.tick))));
  const reports::Narrator narrator(violation.events);
  for (const Event& event : violation.events)
    page.paragraph(fmt::format("  {:>12}  ", reports::words_for(event.at)),
                   printed(narrator.sentence(event)));
}

void print_text(const HuntOptions& options, const std::vector<Prey>& prey, const std::string& redis,
                double seconds) {
  const reports::Terminal terminal = terminal_of(options);
  reports::Page page(std::cout, terminal);
  page.line(fmt::format("{:<22}{:<14}{:>8}{:>7}{:>8}{:>8}{:>8}  {}", "redis-server " + redis, "", "1s is",
                        "runs", "struck", "grants", "beyond", options.violated ? "found" : "refuted"));
  for (const Prey& one : prey) {
    std::vector<std::string_view> found;
    for (const Violation& violation : one.violations)
      for (const Finding& finding : violation.findings) found.push_back(id_of(finding.property));
    const std::string said = !one.trouble.empty() ? one.trouble : fmt::format("{}", fmt::join(found, ", "));
    page.line(fmt::format("{:<22}{:<14}{:>8}{:>7}{:>8}{:>8}{:>8}  {}", one.card->id, id_of(one.fault),
                          to_text(*one.tick), one.runs, one.struck, one.grants, one.beyond,
                          said.empty() ? "none" : said));
  }
  for (const Prey& one : prey)
    for (const Violation& violation : one.violations) tell(page, one, violation, options.violated);
  const Totals totals = totals_of(prey);
  const std::string outcome = totals.refuted == 0 ? "none" : fmt::format("{}", totals.refuted);
  page.line();
  const bool violated = options.violated;
  page.paragraph(
      "", fmt::format("{} in {:.0f} s of {}: of {} that a property {}, {} {}; {} more went beyond the "
                      "bounds, because the machine was too slow, and do not count",
                      reports::counted(totals.runs, "run"), seconds, reports::counted(prey.size(), "cell"),
                      reports::counted(totals.claims, "claim"), violated ? "is violated" : "holds", outcome,
                      violated ? "seen" : "refuted", totals.beyond));
}

}  // namespace

int hunt(const HuntOptions& options) {
  Session session({.progress = options.progress});
  try {
    live::Hunter hunter(lanes, options.seed);
    std::vector<Prey> prey = prey_of(options, session);
    if (prey.empty() && !session.is_interrupted())
      throw UserError(exit_usage, fmt::format("LOCK: nothing to hunt: no property of these locks on one "
                                              "server {} under these faults",
                                              options.violated ? "is violated" : "holds"));
    const double explored = session.seconds();
    Hunt(options, prey, session).go(hunter);
    const double seconds = session.seconds() - explored;
    if (options.format == "json") print_json(prey, hunter.version(), options.violated, seconds);
    else print_text(options, prey, hunter.version(), seconds);
    if (session.is_interrupted()) return exit_interrupted;
    const Totals totals = totals_of(prey);
    if (totals.refuted != 0) return exit_violated;
    return totals.runs == 0 ? exit_inconclusive : exit_as_expected;
  } catch (const live::NoServer& error) {
    throw UserError(exit_no_redis, error.what());
  }
}

}  // namespace holdfast::cli
