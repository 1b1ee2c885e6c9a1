#include "sim/cli/chosen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "sim/check/checker.hpp"
#include "sim/cli/company.hpp"
#include "sim/cli/param_names.hpp"
#include "sim/cli/scripts.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/told.hpp"
#include "sim/explore/deepening.hpp"
#include "sim/explore/liveness.hpp"
#include "sim/explore/rehearsal.hpp"

namespace holdfast::cli {
namespace {

// Each of these is another experiment: clients never stop, acquire again, fill a cache, or use a register. So
// it is asked for alone, and no glob that means others, too, means it; or its workload is asked for.
struct Alone {
  Property property;
  std::string_view clients;
  std::optional<Workload> workload = std::nullopt;
};
constexpr std::array asked_alone{
    Alone{Property::bounded_bypass, "clients that never stop"},
    Alone{Property::livelock, "clients that never stop, and messages that always take as long"},
    Alone{Property::availability, "a server that never answers"},
    Alone{Property::reentrancy, "clients that acquire the lock again while they hold it", Workload::nested},
    Alone{Property::single_fill, "clients that fill a cache", Workload::cache_fill},
    Alone{Property::once_per_period, "clients that do a job once in each period", Workload::cron},
    Alone{Property::fenced_writes, "clients that write with fencing tokens"},
    Alone{Property::no_lost_update, "clients that read before they write", Workload::read_modify_write},
};

PropertySet chosen_properties(const Experiment& options) {
  std::vector<std::string_view> ids;
  for (const std::string_view id : property_ids)
    if (checkers::decidable().contains(*from_id<Property>(property_ids, id))) ids.push_back(id);
  PropertySet properties;
  for (const std::string_view id : matching("--properties", options.properties, {}, ids))
    properties.insert(*from_id<Property>(property_ids, id));
  const std::vector<std::string>& globs = options.properties;
  for (const Alone& each : asked_alone) {
    if (each.workload == options.workload) continue;
    if (properties == PropertySet{each.property} && (!each.workload || options.workload == Workload::contend))
      return properties;
    const bool is_named = std::find(globs.begin(), globs.end(), id_of(each.property)) != globs.end();
    if (is_named && each.workload && options.workload != Workload::contend)
      throw UserError(
          exit_usage,
          fmt::format("--properties: {} is about {}, those of --workload {} do not: ask for {}",
                      id_of(each.property), each.clients, id_of(options.workload), id_of(*each.workload)));
    if (is_named)
      throw UserError(exit_usage, fmt::format("--properties: {} is about {}, the others are not: ask for it "
                                              "alone",
                                              id_of(each.property), each.clients));
    properties.erase(each.property);
  }
  // A resource that does not compare numbers refuses no client.
  if (options.fencing == Fencing::none && properties != PropertySet{Property::rightful_write})
    properties.erase(Property::rightful_write);
  // No client writes to the resource.
  if (options.workload == Workload::cache_fill || options.workload == Workload::cron)
    properties.erase(Property::no_stale_write);
  return properties;
}

// An exhaustive exploration, or a sample: --runs asks for one.
Explore exploration_of(const Chosen& options) {
  using enum StrategyKind;
  Explore explore;
  explore.seed = options.seed;
  explore.strategy = options.strategy.value_or(options.runs ? portfolio : exhaustive);
  if (options.runs && !is_sampling(explore.strategy))
    throw UserError(
        exit_usage,
        "--runs: an exhaustive exploration takes every schedule; drop one of --runs and --strategy");
  explore.runs_max = options.runs.value_or(explore.runs_max);
  if (is_sampling(explore.strategy) && (options.reductions || options.memory))
    throw UserError(exit_usage, fmt::format("{}: only an exhaustive exploration keeps its states",
                                            options.memory ? "--memory" : "--reductions"));
  explore.reductions = options.reductions.value_or(explore.reductions);
  explore.memory_max = options.memory.value_or(explore.memory_max);
  return explore;
}

constexpr Duration longest_time = 10min;

void require_time(std::string_view option, const std::optional<Duration>& time) {
  if (!time) return;
  const auto refuse = [&](const std::string& why) {
    throw UserError(exit_usage, fmt::format("{}: {} {}", option, to_text(*time), why));
  };
  if (*time <= Duration::zero()) refuse("is no time: the shortest is " + to_text(finest_tick));
  if (*time > longest_time) refuse("is too long: the longest is " + to_text(longest_time));
  if (*time % finest_tick != Duration::zero())
    refuse(fmt::format("is no multiple of {}, the step of time", to_text(finest_tick)));
}

// Workloads that say themselves how long clients work.
constexpr std::array lasting{Workload::short_section, Workload::section_as_lease, Workload::long_section};

// The times that the user has chosen.
void set_times(const Chosen& options, Comparison& comparison) {
  require_time("--work", options.work);
  require_time("--delay", options.delay);
  require_time("--pause", options.pause);
  const bool says_work = std::find(lasting.begin(), lasting.end(), options.workload) != lasting.end();
  if (options.work && says_work)
    throw UserError(exit_usage,
                    fmt::format("--work: --workload {} says how long clients work", id_of(options.workload)));
  comparison.given_work = options.work;
  comparison.given_delay = options.delay;
  comparison.pause = options.pause;
}

}  // namespace

unsigned threads_of(const Threads& options) {
  if (options.jobs != 0) return options.jobs;
  // A user who starts several processes has one for each core.
  return company() != nullptr ? 1 : std::max(1u, std::thread::hardware_concurrency());
}

const Card& lock_called(const std::string& id) {
  if (const Card* card = script_called(id)) return *card;
  if (const Card* card = algorithms::find(id)) return *card;
  std::vector<std::string_view> ids;
  for (const Card& each : algorithms::all()) ids.push_back(each.id);
  throw UserError(exit_usage, fmt::format("there is no lock \"{}\"{} (holdfast list algorithms)", id,
                                          did_you_mean(id, ids)));
}

std::vector<const Card*> chosen_cards(const Selection& options, std::string_view option) {
  std::vector<std::string_view> ids;
  for (const Card& card : algorithms::all()) ids.push_back(card.id);
  std::vector<const Card*> cards;
  for (const std::string_view id : matching(option, options.only, options.except, ids))
    cards.push_back(algorithms::find(id));
  return cards;
}

std::vector<const Card*> compared_cards(const Selection& options) {
  std::vector<const Card*> cards = chosen_cards(options);
  if (!options.only.empty()) return cards;
  std::erase_if(cards, [](const Card* card) { return card->is_compared_by_name; });
  return cards;
}

void tell_left_out(const Selection& options) {
  if (!options.only.empty()) return;
  std::vector<std::string_view> left_out;
  for (const Card* const card : chosen_cards(options))
    if (card->is_compared_by_name) left_out.push_back(card->id);
  if (!left_out.empty())
    tell("holdfast: without {}, which take as long as all others: name them with --only\n",
         fmt::join(left_out, ", "));
}

std::vector<Fault> chosen_faults(const Experiment& options) {
  std::vector<std::string_view> ids;
  for (const std::string_view id : fault_ids)
    if (simulated_faults.contains(*from_id<Fault>(fault_ids, id))) ids.push_back(id);
  std::vector<Fault> faults;
  for (const std::string_view id : matching("--faults", options.faults, {}, ids))
    faults.push_back(*from_id<Fault>(fault_ids, id));
  return faults;
}

Comparison comparison_of(const Chosen& options) {
  Comparison comparison;
  comparison.clients = options.clients.value_or(comparison.clients);
  comparison.rounds = options.rounds.value_or(comparison.rounds);
  comparison.attempts = options.attempts.value_or(comparison.attempts);
  comparison.explore = exploration_of(options);
  comparison.check = chosen_properties(options);
  comparison.belief = options.belief;
  comparison.driver_retries = options.driver_retries;
  comparison.workload = options.workload;
  comparison.params = options.params;
  for (const auto& [name, value] : options.params)
    if (name == "ttl") comparison.given_ttl = parse_duration(value);
  comparison.fencing = options.fencing;
  comparison.redis_config = options.redis_config;
  set_times(options, comparison);
  if (options.pause) {
    const std::vector<Fault> faults = chosen_faults(options);
    if (std::find(faults.begin(), faults.end(), Fault::pause) == faults.end())
      throw UserError(exit_usage, "--pause: --faults leaves out the fault pause");
  }
  if (comparison.check.empty() || !of_graphs.contains_all(comparison.check)) return comparison;
  comparison.rounds = comparison.attempts = 0;
  comparison.explore.reductions.erase(Reduction::symmetry);
  return comparison;
}

std::vector<Scope> scopes_of(const Experiment& options, const Comparison& comparison) {
  const bool is_chosen = options.clients || options.rounds || options.attempts;
  const bool is_endless = comparison.rounds == 0 || comparison.attempts == 0;
  if (is_chosen || is_endless || is_sampling(comparison.explore.strategy)) return {scope_of(comparison)};
  return fitting(usual_scopes(), comparison);
}

void use_names_of_locks(LockParams& params, const std::vector<std::string>& names) {
  std::vector<const Card*> cards;
  for (const std::string& name : names)
    if (const Card* const card = algorithms::find(name)) cards.push_back(card);
  use_names_of_cards(params, cards);
}

void use_names_of_locks(LockParams& params, const Selection& selection) {
  if (!params.params.empty()) use_names_of_cards(params, chosen_cards(selection));
}

void require_params(const LockParams& options, const std::vector<const Card*>& cards) {
  for (const auto& [name, value] : options.params) {
    std::vector<std::string_view> names;
    bool is_known = false;
    for (const Card* const card : cards) {
      Params params(card->parameters);
      for (const Parameter& each : card->parameters)
        if (std::find(names.begin(), names.end(), each.name) == names.end()) names.push_back(each.name);
      if (!params.has(name)) continue;
      params.set(name, value);
      is_known = true;
    }
    if (!is_known)
      throw UserError(exit_usage,
                      fmt::format("--param: no lock here has a parameter \"{}\"{} · allowed: {}{}", name,
                                  did_you_mean(name, names),
                                  names.empty() ? "none" : fmt::format("{}", fmt::join(names, " ")),
                                  mentions_of(name, cards)));
  }
}

void set_params(const LockParams& options, Scenario& scenario) {
  for (const auto& [name, value] : options.params) {
    const auto known = std::find_if(scenario.params.begin(), scenario.params.end(),
                                    [&](const auto& param) { return param.first == name; });
    if (known != scenario.params.end()) known->second = value;
    else scenario.params.emplace_back(name, value);
  }
}

void tell_who_asks_once(const Experiment& options, const std::vector<const Card*>& cards) {
  if (options.driver_retries.value_or(0) == 0) return;
  std::vector<std::string_view> ids;
  for (const Card* const card : cards)
    if (std::any_of(card->awaits.begin(), card->awaits.end(), [](const AwaitLine& each) {
          return each.text.find("ask_all(") != std::string_view::npos;
        }))
      ids.push_back(card->id);
  if (ids.empty()) return;
  tell("--driver-retries: says nothing of what goes to several servers at once, which is sent once: {}\n",
       fmt::join(ids, ", "));
}

void require_concerned(const Experiment& options, const Card& card) {
  if (const std::string_view why = unconcerned(options.workload, card); !why.empty())
    throw UserError(exit_usage, fmt::format("--workload {}: does not apply to {}: {}",
                                            id_of(options.workload), card.id, why));
}

Job calm_job(const Locks& lock, const Chosen& options, const Comparison& comparison,
             std::string_view command) {
  const Card& card = lock_called(lock.names.front());
  require_concerned(options, card);
  if (is_sampling(comparison.explore.strategy))
    throw UserError(
        exit_usage,
        fmt::format("{} explores every schedule: it takes no other --strategy, and no --runs", command));
  for (const Property property : {Property::bounded_bypass, Property::livelock})
    if (comparison.check == PropertySet{property})
      throw UserError(exit_usage,
                      fmt::format("{} is about clients that stop, not about {}", command, id_of(property)));
  Job job{scenario_of(comparison, card, Fault::none), &card};
  job.scenario.name = card.id;
  return job;
}

namespace {

// What was seen of locks that take no ttl, or another lease than it says; and, of one lock alone, what
// follows from its lease.
void note_leases(const Comparison& comparison, const std::vector<const Card*>& cards,
                 reports::MatrixBounds& bounds) {
  for (const Card* card : cards) {
    const Scenario scenario = scenario_of(comparison, *card, Fault::none);
    const Leases leases = leases_in(scenario, *card);
    const bool is_asked = Params(card->parameters).has("ttl");
    const bool is_usual = !is_asked || asked_ttl(comparison, *card) == bounds.ttl || cards.size() == 1;
    if (is_asked && cards.size() == 1 && card->keeps_ttl)
      (card->renews ? bounds.renewed_ttl : bounds.ttl) = asked_ttl(comparison, *card);
    if (leases.longest && (!is_asked || !is_usual || leases.asked_in_vain))
      bounds.seen_leases.emplace_back(card->id, *leases.longest);
    if (leases.falls_short) bounds.short_leases.emplace_back(card->id);
    if (cards.size() > 1) continue;
    const ClientPlan& plan = scenario.clients.front();
    bounds.start_late = plan.start_late - plan.start;
    bounds.timing = scenario.timing;
    for (const ProgramStep& step : plan.program)
      if (step.op == ProgramStep::Op::work || step.op == ProgramStep::Op::fetch ||
          step.op == ProgramStep::Op::job)
        (card->renews ? bounds.renewed_section : bounds.section) = step.length;
  }
  const auto takes_ttl = [](const Card* card) { return Params(card->parameters).has("ttl"); };
  if (std::none_of(cards.begin(), cards.end(), takes_ttl)) bounds.ttl = Duration::zero();
}

}  // namespace

reports::MatrixBounds bounds_of(const Chosen& options, const Comparison& comparison,
                                const std::vector<const Card*>& cards) {
  reports::MatrixBounds bounds{
      .clients = comparison.clients,
      .rounds = rounds_of(comparison),
      .attempts = attempts_of(comparison),
      .faults = comparison.faults,
      .ttl = comparison.ttl,
      .section = comparison.given_work.value_or(comparison.section),
      .start_late = start_window(comparison, comparison.given_ttl.value_or(comparison.ttl)),
      .pause = comparison.pause,
      .workload = comparison.workload,
      .fencing = comparison.fencing,
      .redis_config = comparison.redis_config,
      .timing = comparison.timing,
      .explore = comparison.explore};
  const auto renews = [](const Card* card) { return card->renews; };
  if (std::any_of(cards.begin(), cards.end(), renews)) bounds.renewed_ttl = renewed_ttl(comparison);
  for (const Card* card : cards)
    (card->renews ? bounds.renewed_section : bounds.section) = work_of(comparison, *card);
  for (const auto& [name, value] : options.params) {
    if (name != "ttl") continue;
    bounds.ttl = *parse_duration(value);
    if (bounds.renewed_ttl != Duration::zero()) bounds.renewed_ttl = bounds.ttl;
  }
  note_leases(comparison, cards, bounds);
  if (bounds.renewed_ttl == Duration::zero()) return bounds;
  if (!std::all_of(cards.begin(), cards.end(), renews)) return bounds;
  bounds.ttl = std::exchange(bounds.renewed_ttl, Duration::zero());
  bounds.section = std::exchange(bounds.renewed_section, Duration::zero());
  return bounds;
}

}  // namespace holdfast::cli
