#include "sim/cli/prey.hpp"

#include <algorithm>

#include "sim/cli/chosen.hpp"
#include "sim/cli/time_scale.hpp"
#include "sim/explore/rehearsal.hpp"

namespace holdfast::cli {
namespace {

// What the trace of a hunted run decides.
constexpr PropertySet huntable = {Property::mutual_exclusion,   Property::no_stale_write,
                                  Property::owner_only_release, Property::owner_only_change,
                                  Property::truthful_release,   Property::recovery};
// Of other stores than Redis: what needs to know which command has changed a key, and of which only an etcd
// tells, and of keys whose names are known.
constexpr PropertySet huntable_by_beliefs = {Property::mutual_exclusion, Property::no_stale_write,
                                             Property::recovery};
bool tells_of_keys(const Card& card) {
  const bool is_named = card.keys.size() == 1 && card.keys.front() == "NAME";
  return card.store == StoreKind::redis || (card.store == StoreKind::etcd && is_named);
}
PropertySet huntable_on(const Card& card) {
  if (card.store == StoreKind::redis) return huntable;
  PropertySet properties = huntable_by_beliefs;
  if (tells_of_keys(card)) properties.insert(Property::owner_only_release);
  return properties;
}
// A cell with more is not hunted: what does not close does not hold.
constexpr std::uint64_t states_max = 200'000;
constexpr std::uint64_t states_max_elsewhere = 2'000'000;  // on other stores than Redis
// A tick of a hunt is a second of the simulation, and that has so many ticks of its own.
constexpr int seconds_ticks = 2;

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
  quarry.keys_of = [patterns = key_patterns(scenario, card),
                    are_told = tells_of_keys(card)](const std::string& name) {
    std::vector<std::string> keys;
    if (!are_told) return keys;
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

}  // namespace

StoreKind hunted_store(const std::vector<const Card*>& cards) {
  const auto is_hunted = [](const Card* card) { return card->store != StoreKind::shared_dict; };
  const bool is_any_on_redis = std::any_of(cards.begin(), cards.end(),
                                           [](const Card* card) { return card->store == StoreKind::redis; });
  const auto first = std::find_if(cards.begin(), cards.end(), is_hunted);
  return is_any_on_redis || first == cards.end() ? StoreKind::redis : (*first)->store;
}

void choose_ticks(const Threads& options, std::vector<Prey>& prey, Session& session) {
  for (std::size_t at = 0; at < hunted_ticks.size(); ++at) {
    const bool is_last = at + 1 == hunted_ticks.size();
    std::vector<Job> scaled;
    std::vector<Prey*> whose;
    for (Prey& one : prey) {
      if (one.tick || one.next_tick > at) continue;
      whose.push_back(&one);
      const Duration own = seconds_ticks * one.scenario.timing.tick;
      const TimeScale scale(is_last ? own : hunted_ticks[at], own);
      scaled.push_back({scale(one.scenario, *one.card, ""), one.card});
    }
    const std::vector<Exploration> again =
        is_last ? std::vector<Exploration>() : explored(options, scaled, session);
    for (std::size_t i = 0; i < whose.size(); ++i) {
      Prey& one = *whose[i];
      one.next_tick = at + 1;
      if (!is_last && !is_same(again[i], one.explored)) continue;
      one.tick = is_last ? seconds_ticks * one.scenario.timing.tick : hunted_ticks[at];
      one.quarry = quarry_of(scaled[i].scenario, *one.card, one.fault);
    }
  }
}

std::vector<Prey> prey_of(const HuntOptions& options, Session& session) {
  const Experiment experiment{.faults = options.faults, .properties = options.properties};
  const std::vector<const Card*> cards = chosen_cards({.only = options.names}, "LOCK");
  require_params(options, cards);
  Chosen chosen(experiment);
  static_cast<LockParams&>(chosen) = options;
  Comparison comparison = comparison_of(chosen);
  comparison.explore.seed = options.seed;
  if (comparison.check.empty()) comparison.check = huntable;
  comparison.explore.states_max =
      std::min(comparison.explore.states_max,
               hunted_store(cards) == StoreKind::redis ? states_max : states_max_elsewhere);
  std::vector<Prey> prey;
  std::vector<Job> jobs;
  for (const Card* card : cards) {
    if (card->store != hunted_store(cards) || card->needs_several_servers()) continue;
    if (card->belief != Belief::until_release) continue;
    for (const Fault fault : hunted_faults_of(experiment)) {
      if (!live::hunted_faults_on(card->store).contains(fault)) continue;
      prey.push_back({card, fault, sized(scenario_of(comparison, *card, fault), *card), {}, {}});
      jobs.push_back({prey.back().scenario, card});
    }
  }
  const std::vector<Exploration> found = explored(options, jobs, session);
  const Verdict wanted = options.violated ? Verdict::violated : Verdict::holds;
  for (std::size_t i = 0; i < prey.size(); ++i) {
    prey[i].all = with_verdict(found[i], wanted) & huntable_on(*prey[i].card);
    // A live server shows a key as one value, and not whose its parts are.
    if (are_keys_shared(prey[i].scenario, *prey[i].card))
      for (const Property property : about_owners) prey[i].all.erase(property);
    prey[i].hunted = prey[i].all;
    prey[i].explored = found[i];
  }
  std::erase_if(prey, [](const Prey& one) { return one.all.empty(); });
  choose_ticks(options, prey, session);
  return prey;
}

}  // namespace holdfast::cli
