#include "sim/explore/comparison.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "sim/explore/programs.hpp"
#include "sim/explore/rehearsal.hpp"

namespace holdfast {
namespace {

// What tells a lock to try once: the client's own attempts do the waiting, as often for every lock.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> tries_once{
    {{"timeout", "0s"}, {"blocking", "no"}}};
// Its second choice sends scripts by their digests.
constexpr std::string_view script_choice = "scripts";
// The fewest nodes of which a majority survives one. A lock that has fewer keeps its own.
constexpr std::int64_t nodes_max = 3;

// Whole ticks of a second come first, so that there is a matrix within moments; then what lies between them,
// on which every proof stands, and nested grants, on which reentrancy does. Then come any number of rounds,
// and where these do not close second attempts, which meet what is left of others' leases; a third client and
// a second round, after which verdicts turn most often; and a second fault. Then what only some locks can do.
constexpr std::array<Scope, 18> scopes{{
    {2, 1, 1, 1, 1s},
    {2, 1, 1, 1, 0s},
    {2, 1, 1, 1, 500ms},
    {2, 1, 1, 1, 1s, Variant::nested},
    {2, 0, 0, 1, 0s},
    {2, 0, 0, 1, 1s},
    {2, 1, 2, 1, 1s},
    {3, 1, 1, 1, 1s},
    {2, 2, 1, 1, 1s},
    {2, 1, 1, 2, 1s},
    {2, 1, 1, 1, 1s, Variant::waiting},
    {2, 1, 1, 1, 1s, Variant::readers},
    {2, 1, 1, 1, 1s, Variant::short_work},
    {2, 1, 1, 1, 1s, Variant::digests},
    {2, 1, 1, 1, 1s, Variant::crowd},
    {2, 1, 1, 1, 1s, Variant::server_away},
    {2, 0, 0, 1, 1s, Variant::in_step},
    {3, 1, 1, 1, 1s, Variant::readers},
}};
constexpr std::array<Scope, 6> further{{{2, 1, 1, 1, 1s, Variant::unequal_ttl},
                                        {2, 1, 2, 1, 500ms},
                                        {3, 1, 1, 1, 500ms},
                                        {2, 2, 2, 1, 500ms},
                                        {3, 2, 1, 1, 1s},
                                        {2, 2, 1, 2, 1s}}};

// The one that a variant or a property is about, unless the user has chosen another.
Workload workload_of(const Comparison& comparison) {
  if (comparison.workload != Workload::contend) return comparison.workload;
  if (comparison.variant == Variant::readers) return Workload::readers_writers;
  if (comparison.variant == Variant::nested) return Workload::nested;
  if (comparison.variant == Variant::crowd) return Workload::crowd;
  if (comparison.variant == Variant::short_work) return Workload::short_section;
  if (comparison.check == PropertySet{Property::reentrancy}) return Workload::nested;
  if (comparison.check == PropertySet{Property::single_fill}) return Workload::cache_fill;
  if (comparison.check == PropertySet{Property::once_per_period}) return Workload::cron;
  if (comparison.check.contains(Property::no_lost_update)) return Workload::read_modify_write;
  return Workload::contend;
}

// The last client does this, the others that.
void divide(std::vector<ClientPlan>& clients, Mode last, Mode others) {
  for (ClientPlan& client : clients) client.program.front().mode = &client == &clients.back() ? last : others;
}

// All but the last client come so often for one time that it comes.
constexpr std::uint32_t flood = 3;

bool is_flood(Workload workload) {
  return workload == Workload::reader_flood || workload == Workload::writer_flood;
}

// What is asked of the lock, if it takes one. A nested call may wait out its timeout while the lease runs.
Duration usual_ttl(const Comparison& comparison, const Card& card) {
  if (comparison.variant == Variant::nested && !card.renews) return 2 * comparison.ttl;
  return card.renews ? renewed_ttl(comparison) : comparison.ttl;
}

}  // namespace

Duration asked_ttl(const Comparison& comparison, const Card& card) {
  if (comparison.given_ttl) return *comparison.given_ttl;
  return card.keeps_ttl ? Params(card.parameters).duration("ttl") : usual_ttl(comparison, card);
}

namespace {

// All that is measured in leases is measured in this.
Duration ttl_of(const Comparison& comparison, const Card& card) {
  const Duration known = comparison.lease.value_or(asked_ttl(comparison, card));
  return known > Duration::zero() ? known : comparison.ttl;
}

// Two readers hold at once: whose lease is the key's? Where they are alike, nobody sees.
bool are_readers_unequal(const Comparison& comparison, const Card& card) {
  return comparison.variant == Variant::readers && comparison.clients > 2 &&
         Params(card.parameters).has("ttl");
}

// On a graph endless clients never end.
bool is_of_graph(PropertySet properties) {
  return properties.contains(Property::bounded_bypass) || properties.contains(Property::livelock);
}

std::vector<ClientPlan> clients_for(const Comparison& comparison, const Card& card) {
  const Workload workload = workload_of(comparison);
  const Duration work = work_of(comparison, card);
  // Any number of ticks less, but some, so that endless clients let time pass; and a lock that renews needs
  // the time to renew.
  const Duration at_least = card.renews ? work : std::min(work, comparison.timing.tick);
  const Duration ttl = ttl_of(comparison, card);
  const std::vector<ProgramStep> program =
      program_for(workload, attempts_of(comparison), work, at_least, ttl);
  std::vector<ClientPlan> clients;
  for (std::uint32_t i = 0; i < comparison.clients; ++i) {
    ClientPlan client{.id = name_of(ClientId{i}), .rounds = rounds_of(comparison), .program = program};
    if (client.rounds == 0 && !is_of_graph(comparison.check)) client.ending = Ending::at_will;
    if (is_flood(workload) && i + 1 < comparison.clients) client.rounds *= flood;
    if (workload == Workload::open_load) client.start = i * ttl / 2;
    client.start_late = client.start + start_window(comparison, ttl);
    if (workload == Workload::cron) client.start_late = difference_of_clocks(ttl, comparison.timing.tick);
    clients.push_back(std::move(client));
  }
  if (workload == Workload::readers_writers || workload == Workload::reader_flood)
    divide(clients, Mode::exclusive, Mode::shared);
  if (workload == Workload::writer_flood) divide(clients, Mode::shared, Mode::exclusive);
  const Duration asked = asked_ttl(comparison, card);
  const Texts twice{{"ttl", to_text(2 * asked)}};
  if (comparison.variant == Variant::unequal_ttl) clients.back().params = twice;
  if (!are_readers_unequal(comparison, card)) return clients;
  // Who asks for a longer lease works for longer.
  ClientPlan& reader = clients.front();
  reader.params = twice;
  for (ProgramStep& step : reader.program)
    if (step.op == ProgramStep::Op::work) step.at_least = step.length += asked;
  return clients;
}

const Parameter* script_parameter(const Card& card) {
  for (const Parameter& each : card.parameters)
    if (each.name == script_choice && each.choices.size() > 1) return &each;
  return nullptr;
}

void set_text(Texts& texts, const std::string& name, const std::string& value) {
  const auto known =
      std::find_if(texts.begin(), texts.end(), [&](const auto& it) { return it.first == name; });
  if (known != texts.end()) known->second = value;
  else texts.emplace_back(name, value);
}

// The parameters of the lock, as this comparison chooses them.
Texts params_for(const Comparison& comparison, const Card& card) {
  Texts params;
  const Params declared(card.parameters);
  if (declared.has("ttl")) params.emplace_back("ttl", to_text(asked_ttl(comparison, card)));
  if (comparison.variant == Variant::waiting)
    for (const auto& [name, value] : card.waiting) params.emplace_back(name, value);
  else
    for (const auto& [name, value] : tries_once)
      if (declared.has(name)) params.emplace_back(name, value);
  if (declared.has("nodes"))
    params.emplace_back("nodes", std::to_string(std::min(declared.count("nodes"), nodes_max)));
  if (comparison.variant == Variant::digests)
    params.emplace_back(script_choice, script_parameter(card)->choices[1]);
  for (const auto& [name, value] : comparison.params)
    if (declared.has(name)) set_text(params, name, value);
  return params;
}

}  // namespace

std::uint32_t rounds_of(const Comparison& comparison) {
  return comparison.workload == Workload::closed_load ? 2 * comparison.rounds : comparison.rounds;
}

std::uint32_t attempts_of(const Comparison& comparison) {
  const bool is_once = workload_of(comparison) == Workload::try_once ||
                       workload_of(comparison) == Workload::cron || comparison.variant == Variant::waiting;
  return is_once ? 1 : comparison.attempts;
}

Duration work_of(const Comparison& comparison, const Card& card) {
  if (comparison.given_work) return *comparison.given_work;
  const Duration ttl = ttl_of(comparison, card);
  switch (workload_of(comparison)) {
    case Workload::short_section: return comparison.section;
    case Workload::section_as_lease: return ttl;
    case Workload::long_section: return 2 * ttl;
    default: return card.renews ? ttl + comparison.section : comparison.section;
  }
}

Duration start_window(const Comparison& comparison, Duration ttl) {
  const Duration waits = comparison.timing.retry_late * (std::max(1u, attempts_of(comparison)) - 1);
  return std::max(Duration::zero(), ttl - waits);
}

std::span<const Scope> usual_scopes() { return scopes; }
std::span<const Scope> further_scopes() { return further; }

std::vector<Scope> fitting(std::span<const Scope> scopes, const Comparison& comparison) {
  const auto fits = [&](Duration tick) {
    const Duration times[] = {comparison.timing.delay_max, comparison.timing.timeout,
                              comparison.given_work.value_or(tick), comparison.pause.value_or(tick)};
    return std::all_of(std::begin(times), std::end(times),
                       [&](Duration time) { return time % tick == Duration::zero(); });
  };
  std::vector<Scope> fitting(scopes.begin(), scopes.end());
  for (Scope& scope : fitting)
    if (!scope.is_dense() && !fits(scope.tick)) scope.tick = finest_tick;
  return fitting;
}

std::string_view unconcerned(Workload workload, const Card& card) {
  switch (workload) {
    case Workload::section_as_lease:
    case Workload::long_section: return Params(card.parameters).has("ttl") ? "" : "the lock has no lease";
    case Workload::readers_writers:
    case Workload::reader_flood:
    case Workload::writer_flood: return card.has_readers ? "" : "the lock has no readers";
    default: return "";
  }
}

bool can(const Card& card, Variant variant) {
  const Params declared(card.parameters);
  switch (variant) {
    case Variant::usual: break;
    case Variant::waiting:
      return !card.waiting.empty() ||
             std::any_of(tries_once.begin(), tries_once.end(),
                         [&](const auto& param) { return declared.has(param.first); });
    case Variant::readers: return card.has_readers;
    case Variant::nested: return card.is_reentrant;
    case Variant::short_work: return card.renews;
    case Variant::unequal_ttl: return declared.has("ttl");
    case Variant::digests: return script_parameter(card) != nullptr;
    case Variant::crowd:
    case Variant::in_step: break;
    // A majority answers.
    case Variant::server_away: return declared.has("nodes") && declared.count("nodes") >= nodes_max;
  }
  return true;
}

namespace {

// Who comes after the last fault asks twice within a lease, for three leases: so do many clients together
// that ask seldom. Where asking alone keeps a lease alive, nobody gets the lock; where it does not, the lease
// of a client that is gone ends within one.
Timing crowded(Timing timing, Duration lease) {
  const Duration unit = 2 * timing.tick;
  timing.recovery = std::max(timing.tick, lease / 2 / unit * unit);
  const Duration bound = 3 * lease + timing.retry;
  timing.recovery_rounds =
      static_cast<std::uint32_t>((bound + timing.recovery - Duration(1)) / timing.recovery) + 1;
  return timing;
}

// A time of the usual comparison, where the lease is another one, in whole milliseconds, as servers count.
Duration in_proportion(Duration time, Duration lease, Duration usual) {
  const Duration exact{finest_tick.count() / 1000 * (lease.count() / (usual.count() / 1000))};
  const Duration half = std::max<Duration>(1ms, std::chrono::floor<std::chrono::milliseconds>(exact));
  return time / finest_tick * half + (time % finest_tick).count() * half / finest_tick.count();
}

// Every time that the user has not chosen, in proportion to this lease.
Comparison in_proportion(Comparison comparison, Duration lease, Duration usual) {
  Timing& timing = comparison.timing;
  for (Duration* const time :
       {&comparison.section, &timing.tick, &timing.delay_min, &timing.delay_max, &timing.timeout,
        &timing.retry, &timing.retry_late, &timing.restart, &timing.restart_late, &timing.recovery})
    *time = in_proportion(*time, lease, usual);
  return comparison;
}

// A lease that differs by a second or less, as whole seconds do, needs no other times.
bool is_usual(Duration lease, Duration usual) { return lease >= usual - 1s && lease <= usual + 1s; }

// As the lock in `scenario` needs it. A lock that gives up calls, or asks again, before an answer in
// proportion to its lease is there keeps the usual delay: so long waits would be a fault.
Comparison fitted(const Comparison& comparison, const Scenario& scenario, const Card& card,
                  const Leases& leases) {
  Comparison fitted = comparison;
  if (!leases.falls_short) fitted.lease = leases.longest;
  const Duration usual = usual_ttl(comparison, card);
  if (comparison.is_in_proportion && !leases.falls_short && leases.shortest &&
      *leases.shortest > Duration::zero() && !is_usual(*leases.shortest, usual)) {
    fitted = in_proportion(fitted, *leases.shortest, usual);
    const Timing& asked = comparison.timing;
    if (*leases.shortest > usual && !bears(scenario, card, fitted.timing.delay_max)) {
      fitted.timing.delay_min = asked.delay_min;
      fitted.timing.delay_max = asked.delay_max;
      fitted.timing.timeout = asked.timeout;
    }
  }
  if (const std::optional<Duration> delay = comparison.given_delay) {
    fitted.timing.delay_max = *delay;
    fitted.timing.timeout = std::max(comparison.timing.timeout, 3 * *delay);
  }
  if (workload_of(comparison) == Workload::crowd) {
    fitted.timing = crowded(fitted.timing, leases.longest.value_or(comparison.ttl));
    return fitted;
  }
  if (!leases.owed || comparison.timing.recovery_rounds < 2) return fitted;
  if (leases.owed != leases.longest) fitted.timing.recovery = comparison.timing.recovery;
  // When a client asks for the last time, the lease is over; at an even number of ticks, as all times.
  const Duration retry = std::min(fitted.timing.retry, fitted.timing.recovery);
  const Duration least = (*leases.owed + retry) / (fitted.timing.recovery_rounds - 1);
  const Duration unit = 2 * std::min(fitted.timing.tick, fitted.timing.recovery);
  fitted.timing.recovery = std::max(fitted.timing.recovery, (least + unit - Duration(1)) / unit * unit);
  return fitted;
}

}  // namespace

Scenario scenario_of(const Comparison& asked, const Card& card, Fault fault) {
  Comparison comparison = asked;  // of a semaphore for n, with one client more
  if (card.capacity > 1) comparison.clients = std::max(comparison.clients, card.capacity + 1);
  Scenario scenario;
  scenario.name = std::string(card.id) + "-under-" + std::string(id_of(fault));
  if (comparison.workload != Workload::contend)
    scenario.name += "-with-" + std::string(id_of(comparison.workload));
  if (comparison.variant != Variant::usual) scenario.name += "-" + std::string(id_of(comparison.variant));
  scenario.algorithm = card.id;
  scenario.runs_on = card.store;
  scenario.params = params_for(comparison, card);
  scenario.belief = comparison.belief.value_or(card.belief);  // a trace replays alone, even if cards change
  scenario.driver_retries = comparison.driver_retries.value_or(card.driver_retries);
  if (card.store == StoreKind::redis) scenario.redis_config = comparison.redis_config;
  scenario.explore = comparison.explore;
  scenario.check = comparison.check;
  scenario.fencing = comparison.fencing;
  scenario.clients = clients_for(comparison, card);
  const Comparison timed = fitted(comparison, scenario, card, leases_in(scenario, card));
  scenario.clients = clients_for(timed, card);
  scenario.timing = timed.timing;
  // A lease that is twice as long may take as much longer to end; nested acquires add one lease to another.
  if (comparison.variant == Variant::unequal_ttl || comparison.variant == Variant::nested ||
      are_readers_unequal(comparison, card))
    scenario.timing.recovery *= 2;
  if (comparison.check == PropertySet{Property::livelock}) scenario.timing.delays = Delays::fixed;
  if (comparison.check == PropertySet{Property::availability}) scenario.away = 1;
  if (fault == Fault::none) return scenario;
  scenario.faults.push_back({.kind = fault, .budget = comparison.faults});
  if (fault == Fault::pause && comparison.pause) scenario.faults.back().magnitude = *comparison.pause;
  return scenario;
}

std::optional<Scenario> scenario_at(const Comparison& comparison, const Scope& scope, const Card& card,
                                    Fault fault) {
  const bool is_chosen = workload_of(comparison) != Workload::contend ||
                         (scope.variant == Variant::short_work && comparison.given_work);
  if (scope.variant != Variant::usual && (is_chosen || !can(card, scope.variant))) return std::nullopt;
  Comparison asked = at_scope(comparison, scope);
  // The times are those of the finest ticks, which all of them are multiples of.
  if (scope.is_dense()) asked.timing.tick = finest_tick;
  const PropertySet about = properties_of(scope.variant);
  if (is_of_its_own(scope.variant)) {
    const bool is_asked = comparison.check.empty() || comparison.check.contains_all(about);
    if (fault != Fault::none || !is_asked) return std::nullopt;
    asked.check = about;
    asked.explore.reductions.erase(Reduction::symmetry);
  } else if (scope.variant == Variant::crowd) {
    asked.check = comparison.check.empty() ? about : comparison.check & about;
    if (asked.check.empty()) return std::nullopt;
  }
  // Periods are counted.
  if (workload_of(asked) == Workload::cron && scope.is_endless()) return std::nullopt;
  Scenario scenario = scenario_of(asked, card, fault);
  // How many writes there were before does not matter to anybody: that is worth it within all bounds.
  const bool counts_writes = card.store == StoreKind::etcd || card.store == StoreKind::zookeeper;
  if (scope.is_endless() || counts_writes) scenario.store = counted_before(card, scenario.key);
  if (scope.is_dense()) scenario.timing.tick = Duration::zero();
  return scenario;
}

}  // namespace holdfast
